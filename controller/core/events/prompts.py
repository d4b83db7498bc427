"""Prompts."""

from controller.core.events.base import EventBase
from controller.core.state import Prompt


class PromptsChanged(EventBase, frozen=True, tag="prompts_changed"):
    """What some seats may press from now on; seat 0 is the dealer's panel."""

    prompts: tuple[Prompt, ...]


PromptEvent = PromptsChanged
