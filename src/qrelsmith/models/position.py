"""Position bias: whether a model prefers a side, whatever stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.base.scipy_parts import stats

_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class PositionBias:
    """The answers to pairs that were asked both ways round.

    Attributes
    ----------
    consistent : int
        Those whose two answers agree on the doc, or on a tie.
    first, second : int
        Those with twice side A, and twice side B.
    p : float
        That of the exact binomial test that both sides are as likely; nan without such pairs.
    """

    pairs: int
    consistent: int
    first: int
    second: int
    p: float

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on it."""
        if not self.pairs:
            return ()
        other = self.pairs - self.consistent
        text = (
            f"pairs asked both ways round: {self.pairs}, answered alike: {self.consistent}; the"
            f" other {other} are ties"
        )
        if not self.p < _ALPHA:
            return (text,)
        side, count = ("A", self.first) if self.first > self.second else ("B", self.second)
        chosen = (
            f"position bias: of {self.first + self.second} pairs with one side chosen twice,"
            f" {count} have side {side} (p = {self.p:.2g})"
        )
        return (text, chosen)


def position_bias(answers: Sequence[tuple[int, int]]) -> PositionBias:
    """Return the position bias of answers to pairs asked both ways round.

    Parameters
    ----------
    answers : sequence of two int
        Of each pair the answers as asked, and with the sides changed: −1 for side A, 1 for B, 0 for
        a tie.
    """
    first, second = answers.count((-1, -1)), answers.count((1, 1))
    chance = stats.binomtest(first, first + second).pvalue if first + second else float("nan")
    consistent = sum(one == -other for one, other in answers)
    return PositionBias(len(answers), consistent, first, second, float(chance))
