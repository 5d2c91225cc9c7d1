"""Claims of a paper, each declared once: what it says, and statistics that decide its parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.stats.equivalence import two_one_sided
from qrelsmith.stats.paired_t import paired_t

E = TypeVar("E")

ALPHA = 0.05


class ClaimKind(Enum):
    """The kind of numbers that are held against the paper's, from the nearest to the farthest.

    `RECOMPUTED` from the paper's own data, `FROM_PRINT` from other numbers that the paper prints,
    `OTHER_DATA` from real labels of another collection, `SIMULATED` from simulated labels.
    """

    RECOMPUTED = "recomputed"
    FROM_PRINT = "from print"
    OTHER_DATA = "other real data"
    SIMULATED = "simulated"


class ClaimOutcome(Enum):
    """The outcome of a claim on one collection, from the worst.

    `OPEN`: a statistic is undefined, or a test shows neither a difference nor equivalence.
    """

    FAILS = "fails"
    OPEN = "open"
    HOLDS = "holds"


class Difference(NamedTuple):
    """A difference with its test, and the test that it is smaller than a margin.

    Attributes
    ----------
    p : float
        Of the null hypothesis that there is none.
    p_alike : float
        Of the null hypothesis that it is as large as the margin or larger (two one-sided tests).
    """

    value: float
    p: float
    p_alike: float


Statistic = float | Difference


def difference_test(
    value: float, p: float, *, error: float, margin: float, freedom: float = math.inf
) -> Difference:
    """Return a difference with its p, and the test of equivalence by its standard error."""
    p_alike = two_one_sided(value, error, margin=margin, freedom=freedom)
    return Difference(value, p, p_alike)


def paired_difference_test(
    apart: FloatArray, *, margin: float, p: float | None = None
) -> Difference:
    """Return a mean of paired differences with p of Student's t or another, and of equivalence."""
    own = float(paired_t(np.stack([apart, np.zeros(apart.size)], axis=1)).p[0]) if p is None else p
    error, freedom = float(apart.std(ddof=1)) / apart.size**0.5, apart.size - 1
    return difference_test(float(apart.mean()), own, error=error, margin=margin, freedom=freedom)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The values of a statistic with which a part of a claim holds.

    Attributes
    ----------
    text : str
        In words.
    outcome : callable
        The outcome of a value.
    """

    text: str
    outcome: Callable[[Statistic], ClaimOutcome]


def _number(text: str, holds: Callable[[float], bool]) -> Wanted:
    def outcome(value: Statistic) -> ClaimOutcome:
        if isinstance(value, Difference):
            raise UsageError(
                f"the claim wants {text} for a difference with its test; expected alike"
            )
        if math.isnan(value):
            return ClaimOutcome.OPEN
        return ClaimOutcome.HOLDS if holds(value) else ClaimOutcome.FAILS

    return Wanted(text, outcome)


def over(limit: float) -> Wanted:
    """Return values above a limit."""
    return _number(f"above {limit:g}", lambda value: value > limit)


def at_least(limit: float) -> Wanted:
    """Return values from a limit on."""
    return _number(f"at least {limit:g}", lambda value: value >= limit)


def under(limit: float) -> Wanted:
    """Return values below a limit."""
    return _number(f"below {limit:g}", lambda value: value < limit)


def at_most(limit: float) -> Wanted:
    """Return values up to a limit."""
    return _number(f"at most {limit:g}", lambda value: value <= limit)


def within(low: float, high: float) -> Wanted:
    """Return values from one limit to another."""
    return _number(f"from {low:g} to {high:g}", lambda value: low <= value <= high)


def equal_to(number: float) -> Wanted:
    """Return one value."""
    return _number(value_text(number), lambda value: value == number)


def alike(margin: str) -> Wanted:
    """Differences that are not significant, and significantly smaller than a margin."""

    def outcome(value: Statistic) -> ClaimOutcome:
        if not isinstance(value, Difference):
            raise UsageError(f"a number is wanted to be within {margin}; expected a Difference")
        if value.p < ALPHA:
            return ClaimOutcome.FAILS
        return ClaimOutcome.HOLDS if value.p_alike < ALPHA else ClaimOutcome.OPEN

    return Wanted(f"not significant, and shown to be within {margin}", outcome)


class ClaimPart(NamedTuple, Generic[E]):
    """A part of a claim.

    Attributes
    ----------
    what : str
        What the statistic is, as a noun phrase.
    statistic : callable
        Its value on a collection; nan where it is undefined.
    wanted : Wanted
        Its values with which the claim holds.
    """

    what: str
    statistic: Callable[[E], Statistic]
    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Claim(Generic[E]):
    """A claim of a paper.

    Attributes
    ----------
    says : str
        What the paper says, in a sentence.
    parts : tuple of ClaimPart
        It holds where all of them do.
    erratum : str
        Why the paper's own numbers do not bear it out, in a sentence; empty where they do.
    of : str
        Which evidence of its artefact it is about (`Held.of`).
    not_simulated : str
        Why no simulated collection can tell, in a sentence; empty where one can.
    """

    says: str
    parts: tuple[ClaimPart[E], ...]
    erratum: str = ""
    of: str = ""
    not_simulated: str = ""


Part = tuple[str, Callable[[E], Statistic], Wanted]
"""A `ClaimPart` as it is declared."""


def claim(
    says: str, *parts: Part[E], erratum: str = "", of: str = "", not_simulated: str = ""
) -> Claim[E]:
    """Declare a claim; see `Claim`, and `ClaimPart` for what each part consists of."""
    return Claim(says, tuple(ClaimPart(*part) for part in parts), erratum, of, not_simulated)


@dataclass(frozen=True, slots=True)
class Held(Generic[E]):
    """Evidence that an artefact's claims are held against.

    Attributes
    ----------
    name : str
        What it is called in sentences.
    kind : ClaimKind
        The kind of its numbers.
    evidence : object
        What the statistics of the claims are computed from.
    of : str
        Which of the artefact's claims it is about.
    sized : bool
        Whether the small size changes it; what is simulated is always changed.
    """

    name: str
    kind: ClaimKind
    evidence: E
    of: str = ""
    sized: bool = False


def on_print(evidence: E, of: str = "", *, sized: bool = False) -> Held[E]:
    """Return the paper's own numbers as evidence."""
    return Held("the print", ClaimKind.FROM_PRINT, evidence, of, sized)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """The outcome of a claim on one collection.

    Attributes
    ----------
    outcomes : tuple of ClaimOutcome
        Of its parts.
    values : tuple of float or Difference
        Of their statistics.
    """

    outcomes: tuple[ClaimOutcome, ...]
    values: tuple[Statistic, ...]

    @property
    def outcome(self) -> ClaimOutcome:
        """The worst of its parts."""
        return next(outcome for outcome in ClaimOutcome if outcome in self.outcomes)


def judge(one: Claim[E], evidence: E) -> JudgedClaim:
    """Compute the statistics of a claim and their outcomes."""
    values = tuple(part.statistic(evidence) for part in one.parts)
    outcomes = (p.wanted.outcome(value) for p, value in zip(one.parts, values, strict=True))
    return JudgedClaim(tuple(outcomes), values)


def value_text(value: Statistic) -> str:
    """Return a value of a statistic as text.

    >>> (
    ...     value_text(1373.0),
    ...     value_text(0.5),
    ...     value_text(26842725),
    ...     value_text(Difference(1.5, 0.2, 0.01)),
    ... )
    ('1,373', '0.5', '26,842,725', '1.5 (p = 0.2, p of equivalence 0.01)')
    """
    if isinstance(value, Difference):
        return (
            f"{value_text(value.value)} (p = {value.p:.2g}, p of equivalence {value.p_alike:.2g})"
        )
    if math.isnan(value):
        return "undefined"
    if math.isinf(value) or (value != round(value) and abs(value) < 1000):
        return f"{value:.3g}"
    return f"{value:,.0f}"
