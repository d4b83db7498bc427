"""What devices can testify to, by name, and to whom it is told."""

from collections.abc import Callable
from typing import Final

from controller.core import commands as cm

Blame = Callable[[str, str], None]
"""Takes the name of what does not hold, and how."""

PRESSES_ONCE: Final = "presses_exactly_once"
EVENTS_ONCE: Final = "shoe_events_exactly_once"
PROMPTS_FIT: Final = "press_answers_the_prompt_it_saw"
SHOWN_IS_COMMITTED: Final = "nothing_uncommitted_is_shown"

PROMPTS_KEPT: Final = 64
"""So far back a panel may still show a prompt: a burst of calls numbers many while one
poll is on its way through a noisy bus."""

PressCommand = cm.PressButton | cm.PressDealerButton
ShoeCommand = cm.ReportCard | cm.ReportReturn | cm.ReportShoe | cm.ReportGap
