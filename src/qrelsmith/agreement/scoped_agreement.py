"""Agreement of a subset of the labels: options and results."""

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
    """The value of a coefficient on a subset of the labels.

    Attributes
    ----------
    scope : str
        `all`, `mean` (over topics), a topic, an assessor, a group, or two of them with ` ~ `.
    coefficient : str
        The name of the coefficient.
    value : float
        The coefficient; nan if undefined.
    low, high : float
        95% interval; nan if undefined.
    units : int
        Number of docs with at least two labels, over all topics; for an assessor, docs that another
        assessor also labelled; between two groups, docs that both labelled.
    assessors : int
        Number of assessors with labels of such docs.
    note : str
        Reason for a missing value, or a note on omissions; usually empty.
    pairs : int
        Number of pairs of labels of one doc, summed over these docs; for two groups or one
        assessor, only pairs across the sides.
    over : str
        Population of the interval, as in `AgreementOptions.over`; empty without an interval.
    topics : int
        Number of topics used; for a mean over topics, topics with a value.
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
        """Convert the result of a coefficient to a scoped result."""
        return cls(
            scope, result.coefficient, result.value, result.low, result.high, result.units,
            result.assessors, result.reason, result.pairs, result.over, topics,
        )  # fmt: skip

    @property
    def sides(self) -> tuple[str, ...]:
        """The two compared names, or the single scope."""
        return tuple(self.scope.split(BETWEEN))


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """Options of agreement: coefficient, value for 0/0, and interval.

    Attributes
    ----------
    coefficient : str
        A name of `COEFFICIENTS`.
    scale : Scale or None
        The levels; None: from 0 to the highest grade if all grades are whole, otherwise the levels
        seen. Most coefficients do not depend on levels that nobody used.
    undefined : str
        Value when agreement is undefined (0/0).
    errors : str
        Treatment of the code −2: `missing`, or the grade 0 (`nonrelevant`).
    over : str
        Population the intervals generalise to: similar `topics`, similar `docs` of the same topics,
        similar `assessors` on the same topics, or `topics,assessors`.
    resamples : int
        Number of bootstrap samples for an interval over docs; 0: no intervals.
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
