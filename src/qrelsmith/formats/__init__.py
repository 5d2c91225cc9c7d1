"""Files that people have: the formats of other programs; importing this fills the registry."""

from qrelsmith.formats import (  # noqa: F401
    beir,
    label_studio,
    msmarco,
    quepid,
    tables,
    trec,
    umbrela,
)
from qrelsmith.formats.registry import FILE_FORMATS
from qrelsmith.io.format_marks import KINDS

__all__ = ["FILE_FORMATS", "KINDS"]
