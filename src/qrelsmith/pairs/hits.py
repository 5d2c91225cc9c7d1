"""HITs of pairs: what one worker is shown in one sitting, and what the worker did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class HitPair:
    """A pair of a HIT.

    Attributes
    ----------
    left, right : str
        The docs, on the sides on which they are shown.
    round : int
        The round that asks; 0 for a challenge pair.
    challenge : str
        Empty, or for a challenge pair the side of the better doc: `left` or `right`.
    """

    topic: str
    left: str
    right: str
    round: int
    challenge: str = ""


@dataclass(frozen=True, slots=True)
class PairHit:
    """A HIT of pairs: the bundle that one worker does in one sitting.

    Attributes
    ----------
    key : str
        Its name: digits that follow from the seed and the pairs.
    pairs : tuple of HitPair
        In the order in which they are shown.
    """

    key: str
    pairs: tuple[HitPair, ...]


class HitResult(NamedTuple):
    """A HIT as a worker did it.

    Attributes
    ----------
    hit, worker : str
        Which one, and who.
    outcomes : tuple of int or None
        For each pair −1 (left), 0 (tie) or 1 (right); None: no answer.
    assignment : str
        What the platform calls this piece of work; empty if it does not say.
    is_paid : bool
        Whether it is paid; the organiser may have rejected it on the platform.
    """

    hit: str
    worker: str
    outcomes: tuple[int | None, ...]
    assignment: str = ""
    is_paid: bool = True
