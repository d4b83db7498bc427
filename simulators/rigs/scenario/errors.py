"""What is wrong with a scenario file, and where."""

from controller.words.errors import WordsError


class ScenarioError(ValueError):
    """A scenario cannot be read; one line: `FILE:LINE: expected …, got …`.

    Attributes:
        file: the file as it was named by whoever asked.
        line: number of the line, from 1.
        cause: what was expected there, and what came.
    """

    def __init__(self, file: str, line: int, cause: WordsError) -> None:
        self.file = file
        self.line = line
        self.cause = cause
        super().__init__(f"{file}:{line}: {cause}")
