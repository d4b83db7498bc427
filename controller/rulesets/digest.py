"""What tells two rulesets apart, however they were written."""

import hashlib

import msgspec

from controller.core.rules import Rules


def digest(rules: Rules) -> str:
    """Return the SHA-256 of a ruleset's canonical JSON, in hex (VAR)."""
    return hashlib.sha256(msgspec.json.encode(rules, order="sorted")).hexdigest()
