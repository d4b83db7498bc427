"""What tells two rulesets apart, however they were written."""

import hashlib

import msgspec

from controller.core.rules import Rules


def canonical(rules: Rules) -> bytes:
    """Return a ruleset as the JSON that its digest is of: keys in order, no spaces."""
    return msgspec.json.encode(rules, order="sorted")


def ruleset_digest(rules: Rules) -> str:
    """Return the SHA-256 of a ruleset's canonical JSON, in hex (VAR)."""
    return hashlib.sha256(canonical(rules)).hexdigest()
