"""A finding of a journal, as one line."""

import click

from controller.evidence.findings import Finding
from controller.words.errors import printable


def finding_line(file: object, finding: Finding) -> str:
    """Return a finding in red, behind the file that it was made in."""
    # Some findings are a reader's words, which name the file already.
    text = printable(finding.text.removeprefix(f"{file}: "))
    return click.style(f"{file}: {text}", fg="red")
