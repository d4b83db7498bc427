"""Who answers, and what is said if it is somebody else."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import (
    DeviceMismatchError,
    MalformedMessageError,
    MessageFieldError,
    PermanentError,
)
from drivers.identity import (
    DeviceType,
    Expected,
    Identity,
    check_identity,
    decode_identity,
    encode_identity,
)

TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=32)
IDENTITIES = st.builds(
    Identity,
    st.integers(0, 255),
    st.sampled_from(DeviceType),
    st.integers(0, 255),
    st.integers(1, 0xFFFF_FFFF),
    TEXTS,
    TEXTS,
    TEXTS,
)
SEAT_3 = Identity(1, DeviceType.PANEL, 3, 7, "RP-10", "000317", "1.0")
EXPECTED = Expected(DeviceType.PANEL, 3, "/dev/table/panels, address 3", "a.toml")


@given(IDENTITIES)
def test_an_identity_comes_back_as_it_was_sent(identity: Identity) -> None:
    assert decode_identity(encode_identity(identity)) == identity


@pytest.mark.parametrize("end", range(len(encode_identity(SEAT_3))))
def test_an_identity_cut_short_anywhere_is_malformed(end: int) -> None:
    with pytest.raises(MalformedMessageError):
        decode_identity(encode_identity(SEAT_3)[:end])


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (1, b"\x07", "device type 7"),
        (3, b"\0\0\0\0", "boot id is 0"),
        (7, b"\x21", "too long"),
        (8, b"\xe9", "printable ASCII"),
        (8, b"\x07", "printable ASCII"),
    ],
)
def test_an_identity_with_a_bad_field_says_which(
    place: int, value: bytes, reason: str
) -> None:
    good = encode_identity(SEAT_3)
    bad = good[:place] + value + good[place + len(value) :]
    with pytest.raises(MalformedMessageError, match=reason):
        decode_identity(bad)


def test_an_identity_with_bytes_after_it_is_malformed() -> None:
    with pytest.raises(MalformedMessageError, match="1 bytes follow"):
        decode_identity(encode_identity(SEAT_3) + b"\0")


@pytest.mark.parametrize("text", ["x" * 33, "café", "tab\t"])
def test_a_text_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(MessageFieldError, match="32 printable ASCII letters"):
        encode_identity(msgspec.structs.replace(SEAT_3, model=text))


def test_the_expected_device_is_accepted() -> None:
    check_identity(EXPECTED, SEAT_3)
    check_identity(msgspec.structs.replace(EXPECTED, serial="000317"), SEAT_3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"role": 5},
            (
                "/dev/table/panels, address 3 answered as panel 5, expected panel 3; "
                "swap the cables or edit a.toml"
            ),
        ),
        (
            {"role": 0},
            (
                "/dev/table/panels, address 3 answered as the dealer's panel, "
                "expected panel 3; swap the cables or edit a.toml"
            ),
        ),
        (
            {"device_type": DeviceType.SHOE},
            (
                "/dev/table/panels, address 3 answered as the shoe, expected panel 3; "
                "swap the cables or edit a.toml"
            ),
        ),
        (
            {"protocol_version": 2},
            (
                "/dev/table/panels, address 3 speaks protocol 2, this program "
                "speaks 1; update the older of the two"
            ),
        ),
        (
            {"serial": "000318"},
            (
                "/dev/table/panels, address 3 answered with serial 000318, expected "
                "000317; put the unit back or edit a.toml"
            ),
        ),
    ],
)
def test_the_wrong_device_is_named_with_what_to_do(
    changes: dict[str, object], message: str
) -> None:
    expected = msgspec.structs.replace(EXPECTED, serial="000317")
    with pytest.raises(DeviceMismatchError) as caught:
        check_identity(expected, msgspec.structs.replace(SEAT_3, **changes))
    assert str(caught.value) == message
    assert isinstance(caught.value, PermanentError)
