"""Why a piece of evidence cannot be given, or is none."""


class EvidenceError(Exception):
    """Base of what evidence can be asked for in vain."""


class RoundOpenError(EvidenceError):
    """The round has not ended yet: what it hides is not evidence for anybody."""


class NoBundleError(EvidenceError):
    """The file is no bundle of a round."""


class AlteredBundleError(EvidenceError):
    """The file can be opened, but not as what a table made: somebody changed it."""


class NothingToExportError(EvidenceError):
    """No record was written in the time that was asked for."""
