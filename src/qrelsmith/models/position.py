"""Position bias: whether a model prefers a side regardless of the docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.scipy_parts import stats

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class PositionBias:
    """The counts of answers to pairs asked in both orders.

    Attributes
    ----------
    consistent : int
        Number of pairs with the same doc, or a tie, in both answers.
    first, second : int
        Number of pairs with side A in both answers, and with side B in both.
    p : float
        p-value of the exact binomial test that both sides are equally likely; nan without such
        pairs.
    """

    pairs: int
    consistent: int
    first: int
    second: int
    p: float

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the bias."""
        if not self.pairs:
            return ()
        other = self.pairs - self.consistent
        text = (
            f"pairs asked in both orders: {self.pairs}; with the same answer: {self.consistent};"
            f" the other {other} count as ties"
        )
        if not self.p < _ALPHA:
            return (text,)
        side, count = ("A", self.first) if self.first > self.second else ("B", self.second)
        chosen = (
            f"position bias: in {count} of {self.first + self.second} pairs with the same side"
            f" chosen twice, the side is {side} (p = {self.p:.2g})"
        )
        return (text, chosen)


def position_bias(answers: Sequence[tuple[int, int]]) -> PositionBias:
    """Compute the position bias from answers to pairs asked in both orders.

    Parameters
    ----------
    answers : sequence of two int
        The answers to each pair as asked, and with swapped sides: −1 for side A, 1 for B, 0 for a
        tie.
    """
    first, second = answers.count((-1, -1)), answers.count((1, 1))
    chance = stats.binomtest(first, first + second).pvalue if first + second else float("nan")
    consistent = sum(one == -other for one, other in answers)
    return PositionBias(len(answers), consistent, first, second, float(chance))
