"""Grades of a label set outside the campaign's scale."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.base.scales import Scale

_UNJUDGED = -1.0


@dataclass(frozen=True, slots=True)
class OffScaleGrades:
    """Grades of a label set outside its scale.

    Attributes
    ----------
    count, total : int
        The number of these grades, and of all grades.
    first : str
        The file and the line of the first such grade.
    """

    count: int
    total: int
    first: str

    def sentence(self, name: str, scale: Scale | None) -> str:
        """Return a note on the grades; if `scale` is None, each aspect has its own scale."""
        which = "the scales of their aspects" if scale is None else f"the scale {scale}"
        return (
            f"{name}: {self.count:,} of {self.total:,} grades are outside {which} and are"
            f" treated as missing (first: {self.first})"
        )


def grades_where(grade: FloatArray, held: BoolArray) -> FloatArray:
    """Return the grades, with the code for unjudged in place of grades outside their scale."""
    return np.where(held, grade, _UNJUDGED)


def first_off_scale(read: Callable[[], object]) -> str:
    """Read in strict mode, and return the file and line of the first grade outside the scale."""
    try:
        with warnings.catch_warnings():
            # Other warnings about the file were issued when it was first read.
            warnings.simplefilter("ignore", InputWarning)
            read()
    except InputError as error:
        name = "" if error.path is None else Path(error.path).name
        return name if error.line is None else f"{name}:{error.line}"
    return ""
