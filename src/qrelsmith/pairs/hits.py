"""HITs that show pairs to one worker in one session, and the submissions of HITs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class HitPair:
    """A pair of a HIT.

    Attributes
    ----------
    left, right : str
        The docs shown on the left and on the right.
    round : int
        The round of judging; 0 for an attention check.
    challenge : str
        The side of the better doc for an attention check, `left` or `right`; otherwise empty.
    """

    topic: str
    left: str
    right: str
    round: int
    challenge: str = ""


@dataclass(frozen=True, slots=True)
class PairHit:
    """A HIT: a set of pairs for one worker in one session.

    Attributes
    ----------
    key : str
        The name of the HIT: digits derived from the seed and the pairs.
    pairs : tuple of HitPair
        The pairs in the order shown.
    """

    key: str
    pairs: tuple[HitPair, ...]


class HitResult(NamedTuple):
    """A worker's submission of a HIT.

    Attributes
    ----------
    hit, worker : str
        The HIT and the worker.
    outcomes : tuple of int or None
        The outcome of each pair: −1 (left), 0 (tie) or 1 (right); None: no answer.
    assignment : str
        The platform's assignment id; empty if unknown.
    is_paid : bool
        Whether the submission is paid, or was rejected on the platform.
    """

    hit: str
    worker: str
    outcomes: tuple[int | None, ...]
    assignment: str = ""
    is_paid: bool = True
