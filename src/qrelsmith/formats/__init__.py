"""File formats of other programs; importing this module fills the registry."""

from qrelsmith.base.registration import load_modules
from qrelsmith.formats import beir, label_studio, msmarco, quepid, tables, trec, umbrela  # noqa: F401
from qrelsmith.formats.registry import FILE_FORMATS
from qrelsmith.io.format_marks import KINDS

__all__ = ["FILE_FORMATS", "KINDS"]

# A new module needs no line above; those lines only fix the order.
load_modules(__name__, __path__, "@FILE_FORMATS.add(")
