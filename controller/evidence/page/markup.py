"""HTML that cannot forget to escape: what people typed gets in by `text` alone."""

from html import escape
from typing import Final, NewType

Html = NewType("Html", str)
"""What a page may hold; a plain string is no such thing until it is escaped."""

NOTHING: Final = Html("")
_VOID: Final = frozenset({"meta", "input"})


def text(words: str) -> Html:
    """Return words as they are to be read, whatever people typed."""
    return Html(escape(words))


def join(parts: list[Html], between: str = "") -> Html:
    """Return parts one after another, with escaped words between them."""
    return Html(escape(between).join(parts))


def tag(name: str, *content: Html, **attributes: str | None) -> Html:
    """Return an element with its attributes escaped, without those that are None.

    `class_` is the attribute class, `aria_label` is aria-label.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    opening = f"<{name}{written}>"
    return Html(opening if name in _VOID else f"{opening}{''.join(content)}</{name}>")
