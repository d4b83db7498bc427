"""Signed notes, held against the example of the format's own documentation."""

import contextlib

import pytest

from controller.journal.chain import Link
from controller.journal.errors import NoteError
from controller.journal.heads import Head
from controller.journal.notes import Note, PublicKey, SecretKey

# From the documentation of golang.org/x/mod/sumdb/note, whose format this is.
PUBLISHED = (
    "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
)
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
NOTE = (
    f"{TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2"
    "pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
HEAD = Head("BJ-01", Link(7, bytes(range(32))), "2026-01-31T18:00:00.000000Z")


def test_the_published_example_is_signed_and_verified_as_published() -> None:
    key = SecretKey.parse(PUBLISHED)
    assert key.public == PublicKey.parse(PUBLIC)
    assert key.sign(TEXT) == NOTE
    assert Note.parse(NOTE).text == TEXT
    assert Note.parse(NOTE).is_signed_by(PublicKey.parse(PUBLIC))


def test_keys_are_read_as_they_are_written() -> None:
    key = SecretKey.new("BJ-01")
    assert SecretKey.parse(key.line + "\n").public == key.public
    assert PublicKey.parse(key.public.line + "\n") == key.public
    assert SecretKey.new("BJ-01").public != key.public


def test_no_signature_is_anybody_elses() -> None:
    mine, other = SecretKey.new("BJ-01"), SecretKey.new("BJ-01")
    renamed = PublicKey("BJ-02", mine.public.raw)
    note = Note.parse(mine.sign(TEXT))
    assert note.is_signed_by(mine.public)
    assert not note.is_signed_by(other.public)
    assert not note.is_signed_by(renamed)
    two = Note.parse(mine.sign(TEXT) + other.sign(TEXT).removeprefix(TEXT + "\n"))
    assert two.is_signed_by(mine.public)
    assert two.is_signed_by(other.public)


@pytest.mark.parametrize("at", range(0, len(NOTE), 3))
def test_no_changed_character_keeps_a_signature(at: int) -> None:
    changed = NOTE[:at] + chr(ord(NOTE[at]) ^ 1) + NOTE[at + 1 :]
    with contextlib.suppress(NoteError):
        assert not Note.parse(changed).is_signed_by(PublicKey.parse(PUBLIC))


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("", "a text, an empty line"),
        (TEXT, "a text, an empty line"),
        (NOTE[:-1], "a text, an empty line"),
        (f"{TEXT}\nPeterNeumann AAAA\n", "a signature, — NAME BASE64"),
        (f"{TEXT}\n— PeterNeumann\n", "a signature, — NAME BASE64"),
        (f"{TEXT}\n— PeterNeumann A?==\n", "a signature in base64"),
        (f"{TEXT}\n— PeterNeumann AB==\n", "a signature in base64"),
    ],
)
def test_what_is_no_note_is_said(note: str, expected: str) -> None:
    with pytest.raises(NoteError, match=f"expected {expected}"):
        Note.parse(note)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "BJ-01",
        PUBLIC.replace("PeterNeumann", "Peter Neumann"),
        PUBLIC.replace("c74f20a3", "c74f20a4"),
        PUBLIC.replace("ARpc", "Arpc"),
        PUBLIC[:-4],
        PUBLISHED,
    ],
)
def test_what_is_no_public_key_is_said(line: str) -> None:
    with pytest.raises(NoteError):
        PublicKey.parse(line)


@pytest.mark.parametrize(
    "line", ["", PUBLIC, PUBLISHED[:-4], PUBLISHED.replace("a3", "a4")]
)
def test_what_is_no_secret_key_is_said_without_showing_it(line: str) -> None:
    with pytest.raises(NoteError) as refused:
        SecretKey.parse(line)
    assert "AYEKFALVFGyNhPJEMzD1" not in str(refused.value)


@pytest.mark.parametrize("name", ["", "BJ 01", "BJ+01", "BJ\n01"])
def test_no_signer_has_a_name_that_a_line_cannot_hold(name: str) -> None:
    with pytest.raises(NoteError, match="a signer's name without space"):
        SecretKey.new(name)


# --- What is signed ---------------------------------------------------------------


def test_a_head_is_four_lines_that_are_read_again() -> None:
    assert HEAD.text == (
        "BJ-01\n7\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
        "2026-01-31T18:00:00.000000Z\n"
    )
    assert Head.parse(HEAD.text) == HEAD


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD.text[:-1],
        HEAD.text + "more\n",
        HEAD.text.replace("\n7\n", "\n07\n"),
        HEAD.text.replace("\n7\n", "\nseven\n"),
        HEAD.text.replace("\n7\n", "\n\u0667\n"),
        HEAD.text.replace("AAEC", "AAE"),
        HEAD.text.replace("Hh8=", "Hh9="),
    ],
)
def test_what_is_no_head_is_said(text: str) -> None:
    with pytest.raises(NoteError):
        Head.parse(text)
