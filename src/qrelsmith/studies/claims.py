"""Claims of a paper, each declared with a text and parts; a statistic decides each part."""

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
    """The kind of numbers compared with the paper's numbers, from the closest to the most distant.

    `RECOMPUTED`: computed from the paper's own data. `FROM_PRINT`: computed from other numbers that
    the paper prints. `OTHER_DATA`: computed from real labels of another collection. `SIMULATED`:
    computed from simulated labels.
    """

    RECOMPUTED = "recomputed"
    FROM_PRINT = "from print"
    OTHER_DATA = "other real data"
    SIMULATED = "simulated"


class ClaimOutcome(Enum):
    """The outcome of a claim on one collection; the worst outcome comes first.

    `OPEN`: a statistic is undefined, or a test shows neither a difference nor equivalence.
    """

    FAILS = "fails"
    OPEN = "open"
    HOLDS = "holds"


class Difference(NamedTuple):
    """A difference with its test, and a test of equivalence within a margin.

    Attributes
    ----------
    p : float
        p of the null hypothesis of no difference.
    p_alike : float
        p of the null hypothesis that the difference is at least the margin (two one-sided tests).
    """

    value: float
    p: float
    p_alike: float


Statistic = float | Difference


def difference_test(
    value: float, p: float, *, error: float, margin: float, freedom: float = math.inf
) -> Difference:
    """Return a difference, its p-value, and an equivalence test based on the standard error."""
    p_alike = two_one_sided(value, error, margin=margin, freedom=freedom)
    return Difference(value, p, p_alike)


def paired_difference_test(
    apart: FloatArray, *, margin: float, p: float | None = None
) -> Difference:
    """Return the mean difference, its p-value (default: paired t-test), and an equivalence test."""
    own = float(paired_t(np.stack([apart, np.zeros(apart.size)], axis=1)).p[0]) if p is None else p
    error, freedom = float(apart.std(ddof=1)) / apart.size**0.5, apart.size - 1
    return difference_test(float(apart.mean()), own, error=error, margin=margin, freedom=freedom)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The values of a statistic for which a part of a claim holds.

    Attributes
    ----------
    text : str
        The condition in words.
    outcome : callable
        Function that returns the outcome of a value.
    """

    text: str
    outcome: Callable[[Statistic], ClaimOutcome]


def _number(text: str, holds: Callable[[float], bool]) -> Wanted:
    def outcome(value: Statistic) -> ClaimOutcome:
        if isinstance(value, Difference):
            raise UsageError(
                f"the claim expects {text}, but the value is a difference; use alike()"
            )
        if math.isnan(value):
            return ClaimOutcome.OPEN
        return ClaimOutcome.HOLDS if holds(value) else ClaimOutcome.FAILS

    return Wanted(text, outcome)


def over(limit: float) -> Wanted:
    """Accept values above a limit."""
    return _number(f"above {limit:g}", lambda value: value > limit)


def at_least(limit: float) -> Wanted:
    """Accept values that are at least a limit."""
    return _number(f"at least {limit:g}", lambda value: value >= limit)


def under(limit: float) -> Wanted:
    """Accept values below a limit."""
    return _number(f"below {limit:g}", lambda value: value < limit)


def at_most(limit: float) -> Wanted:
    """Accept values that are at most a limit."""
    return _number(f"at most {limit:g}", lambda value: value <= limit)


def within(low: float, high: float) -> Wanted:
    """Accept values between two limits, including both."""
    return _number(f"from {low:g} to {high:g}", lambda value: low <= value <= high)


def equal_to(number: float) -> Wanted:
    """Accept one value."""
    return _number(value_text(number), lambda value: value == number)


def alike(margin: str) -> Wanted:
    """Accept differences that are not significant and are significantly smaller than a margin."""

    def outcome(value: Statistic) -> ClaimOutcome:
        if not isinstance(value, Difference):
            raise UsageError(
                f"a plain number cannot be claimed to be within {margin}; expected a Difference"
            )
        if value.p < ALPHA:
            return ClaimOutcome.FAILS
        return ClaimOutcome.HOLDS if value.p_alike < ALPHA else ClaimOutcome.OPEN

    return Wanted(f"not significant, and shown to be within {margin}", outcome)


class ClaimPart(NamedTuple, Generic[E]):
    """A part of a claim.

    Attributes
    ----------
    what : str
        Description of the statistic, as a noun phrase.
    statistic : callable
        Function that returns its value on a collection; nan if undefined.
    wanted : Wanted
        The values for which the claim holds.
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
        The statement of the paper, as a sentence.
    parts : tuple of ClaimPart
        The claim holds if all parts hold.
    erratum : str
        Why the paper's own numbers do not support the claim, as a sentence; empty if they do.
    of : str
        The evidence of its artefact that it concerns (`Held.of`).
    not_simulated : str
        Why no simulated collection can decide the claim, as a sentence; empty if a simulated
        collection can.
    """

    says: str
    parts: tuple[ClaimPart[E], ...]
    erratum: str = ""
    of: str = ""
    not_simulated: str = ""


Part = tuple[str, Callable[[E], Statistic], Wanted]
"""A `ClaimPart` as declared"""


def claim(
    says: str, *parts: Part[E], erratum: str = "", of: str = "", not_simulated: str = ""
) -> Claim[E]:
    """Declare a claim. See `Claim`, and `ClaimPart` for the parts."""
    return Claim(says, tuple(ClaimPart(*part) for part in parts), erratum, of, not_simulated)


@dataclass(frozen=True, slots=True)
class Held(Generic[E]):
    """Evidence with which an artefact's claims are checked.

    Attributes
    ----------
    name : str
        Its name in sentences.
    kind : ClaimKind
        The kind of its numbers.
    evidence : object
        The input of the claims' statistics.
    of : str
        The artefact's claims that it concerns (`Claim.of`).
    sized : bool
        Whether it depends on the size of simulations; simulated evidence always does.
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
        The outcomes of its parts.
    values : tuple of float or Difference
        The values of their statistics.
    """

    outcomes: tuple[ClaimOutcome, ...]
    values: tuple[Statistic, ...]

    @property
    def outcome(self) -> ClaimOutcome:
        """The worst outcome of the claim's parts."""
        return next(outcome for outcome in ClaimOutcome if outcome in self.outcomes)


def judge(one: Claim[E], evidence: E) -> JudgedClaim:
    """Compute the statistics of a claim and their outcomes."""
    values = tuple(part.statistic(evidence) for part in one.parts)
    outcomes = (p.wanted.outcome(value) for p, value in zip(one.parts, values, strict=True))
    return JudgedClaim(tuple(outcomes), values)


def value_text(value: Statistic) -> str:
    """Format a value of a statistic.

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
