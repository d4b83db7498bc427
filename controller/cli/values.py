"""What is typed after an option: read, or refused in words."""

from datetime import date
from typing import Any, Final

import click


class WholeNumber(click.ParamType[int]):
    """A whole number of at least and at most so much; None: without such a bound."""

    name = "number"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least, self._most = least, most

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int:
        """Return the number.

        Raises:
            click.BadParameter: It is none, or out of bounds.

        """
        text = str(value)
        if not (text.isascii() and text.removeprefix("-").isdigit()):
            self.fail(self._expected(text), param, ctx)
        number = int(text)
        too_small = self._least is not None and number < self._least
        too_large = self._most is not None and number > self._most
        if too_small or too_large:
            self.fail(self._expected(text), param, ctx)
        return number

    def _expected(self, text: str) -> str:
        bounds = ""
        if self._least is not None:
            bounds = f", {self._least} or more"
        if self._least is not None and self._most is not None:
            bounds = f" from {self._least} to {self._most}"
        return f"expected a whole number{bounds}, got {text or 'nothing'}"


class Day(click.ParamType[date]):
    """A day of the calendar as YYYY-MM-DD."""

    name = "day"

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> date:
        """Return the day.

        Raises:
            click.BadParameter: There is no such day, or it is written otherwise.

        """
        if isinstance(value, date):
            return value
        text = str(value)
        try:
            day = date.fromisoformat(text)
        except ValueError:
            day = None
        # Weeks and days without dashes are dates of that standard as well.
        if day is None or day.isoformat() != text:
            expected = "expected a day of the calendar as YYYY-MM-DD"
            self.fail(f"{expected}, got {text or 'nothing'}", param, ctx)
        return day


DAY: Final = Day()
