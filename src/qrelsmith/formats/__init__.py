"""File formats of other programs; importing this module fills the registry."""

from qrelsmith.base.registration import load_modules
from qrelsmith.formats.registry import FILE_FORMATS
from qrelsmith.io.format_marks import KINDS

__all__ = ["FILE_FORMATS", "KINDS"]

load_modules(__name__, __path__, "@FILE_FORMATS.add(")
