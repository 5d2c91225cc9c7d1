"""Agreement of a part of the labels: its options and its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qrelsmith.agreement.result import AgreementResult
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.ratings import Errors

Undefined = Literal["nan", "one", "zero"]
Over = Literal["topics", "docs", "assessors", "topics,assessors"]
BETWEEN = " ~ "


@dataclass(frozen=True, slots=True)
class ScopedAgreement:
    """A coefficient on a part of the labels.

    Attributes
    ----------
    scope : str
        `all`, `mean` (over topics), a topic, an assessor, a group, or two of them with ` ~ `.
    coefficient : str
        Its name.
    value : float
        The coefficient; nan where it is undefined.
    low, high : float
        95 % interval; nan where there is none.
    units : int
        Docs with at least two labels, over all topics; of an assessor the docs that another one
        labelled too, between two groups the docs that both labelled.
    assessors : int
        Assessors with labels of such docs.
    note : str
        Why there is no value, or what it leaves out; mostly empty.
    pairs : int
        Pairs of labels of one doc, summed over these docs; between two groups, and of an assessor,
        those of two sides.
    over : str
        Whom the interval is for, as `AgreementOptions.over`; empty where none was asked for, or
        there is none of this kind.
    topics : int
        Topics of which it was computed; of a mean over topics those that have a value.
    """

    scope: str
    coefficient: str
    value: float
    low: float
    high: float
    units: int
    assessors: int
    note: str = ""
    pairs: int = 0
    over: str = ""
    topics: int = 0

    @classmethod
    def of(cls, scope: str, result: AgreementResult, *, topics: int) -> ScopedAgreement:
        """Return the result of a coefficient as that of a part of the labels."""
        return cls(
            scope, result.coefficient, result.value, result.low, result.high, result.units,
            result.assessors, result.reason, result.pairs, result.over, topics,
        )  # fmt: skip

    @property
    def sides(self) -> tuple[str, ...]:
        """The two that are compared, or the one scope."""
        return tuple(self.scope.split(BETWEEN))


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """Options of agreement: coefficient, 0/0, and the interval.

    Attributes
    ----------
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : Scale or None
        The levels; None: from 0 to the highest grade where all grades are whole, else those seen.
        Most coefficients do not depend on levels that nobody used.
    undefined : str
        What stands for 0/0.
    errors : str
        What the code −2 is: `missing` or the grade 0 (`nonrelevant`).
    over : str
        Whom the intervals are for: `topics` like these, `docs` like these of the same topics,
        `assessors` like these on the same topics, or `topics,assessors`: others of both.
    resamples : int
        Bootstrap samples for an interval over docs; 0: no intervals.
    seed : int
        Seed of the bootstrap.
    """

    coefficient: str = "alpha-ordinal"
    scale: Scale | None = None
    undefined: Undefined = "nan"
    errors: Errors = "missing"
    over: Over = "topics"
    resamples: int = 1000
    seed: int = 0
