"""The result of an agreement coefficient, and the value for 0/0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.tables import Table

FILLS = {"nan": math.nan, "one": 1.0, "zero": 0.0}
"""Values that replace 0/0, by the argument `undefined`."""


@dataclass(frozen=True, slots=True)
class AgreementResult:
    """The value of one coefficient, with its counts and interval.

    Attributes
    ----------
    coefficient : str
        The name of the coefficient, as the registry prints it.
    value : float
        The coefficient; nan if undefined (`reason` says why).
    units : int
        Number of units (topic and doc) with at least two labels.
    assessors : int
        Number of assessors who labelled at least one of these units.
    pairs : int
        Number of pairs of labels of one unit, summed over the units.
    observed, expected : float
        Disagreement among the labels, and disagreement expected by chance, in the coefficient's own
        terms; nan where the coefficient has none.
    low, high : float
        Ends of the interval; nan if undefined.
    confidence : float
        The confidence of the interval; nan without an interval.
    resamples : int
        Number of bootstrap samples in which the coefficient is defined.
    flags : tuple of str
        Short flags for the reader: `undefined` (0/0, even if replaced), `improper` (Φ: every unit
        is unanimous), `levels-seen` (no scale was given, so the levels seen are used),
        `skipped-pairs=2` (Light: pairs of assessors without a value).
    reason : str
        Why the coefficient or the requested interval is undefined; otherwise empty.
    over : str
        The population of the interval: `topics`, `docs`, `assessors` or `topics,assessors`; empty
        if none was requested.
    topics : int
        Number of topics with a unit of two labels or more; 0 if topics were not given.
    se : float
        The standard error behind the interval; nan if there is none.
    """

    coefficient: str
    value: float
    units: int
    assessors: int
    pairs: int
    observed: float
    expected: float
    low: float = math.nan
    high: float = math.nan
    confidence: float = math.nan
    resamples: int = 0
    flags: tuple[str, ...] = ()
    reason: str = ""
    over: str = ""
    topics: int = 0
    se: float = math.nan

    def _repr_html_(self) -> str:
        columns = ("coefficient", "value", "low", "high", "units", "assessors", "pairs", "over")
        row = [getattr(self, name) for name in columns]
        notes = [note for note in (self.reason, ", ".join(self.flags)) if note]
        return Table.of(columns, [row], notes=notes)._repr_html_()


def fill_for(undefined: str) -> float:
    """Return the number that the argument `undefined` stands for: nan, 1 or 0."""
    try:
        return FILLS[undefined]
    except KeyError:
        raise UsageError(
            f"undefined={quoted(undefined)}; expected one of {', '.join(FILLS)}"
        ) from None


def chance_corrected(observed: FloatArray, expected: FloatArray, fill: float) -> FloatArray:
    """1 − observed/expected; `fill` if the expected disagreement is 0, nan without pairs of labels.

    Parameters
    ----------
    observed, expected : ndarray, [...]
        Disagreements. nan means that there is no pair of labels.
    fill : float
        Value when agreement is undefined (0/0).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        value = 1.0 - observed / expected
    value = np.where(expected > 0, value, fill)
    return np.where(np.isnan(observed) | np.isnan(expected), math.nan, value)
