"""Repeats: a sample of each assessor's docs, judged again without notice.

Assessors are not told about repeats, so the two labels of a doc show the assessor's consistency
(see `own_consistency`, and Gold in ordering-gold-bronze).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.base.rng import Key, digest_key

# Name of the seed in campaign.toml, and key of its random draws.
SEED = "repeats"


def repeat_place(keys: Sequence[Key], *, share: float, seed: int, round_number: int) -> int | None:
    """Return a doc's place among an assessor's repeats, or None if the doc is not repeated.

    The place depends only on the seed, the round and the names, so another round draws different
    docs.

    Parameters
    ----------
    keys : sequence of str
        Assessor, topic and doc.
    share : float
        The probability of each doc, above 0 and at most 1.
    seed, round_number : int
        The seed, and the round of the repeats.
    """
    drawn = digest_key(seed, SEED, round_number, *keys)
    if int.from_bytes(drawn[:8], "big") >= share * 2**64:
        return None
    return int.from_bytes(drawn[8:12], "big")


def repeats_of(
    assignments: Iterable[Assignment],
    docs_of: Callable[[Assignment], Sequence[str]],
    *,
    share: float,
    seed: int,
    round_number: int = 2,
) -> list[Assignment]:
    """Draw a share of the docs of each assessor and topic as assignments for a later round.

    The docs of all HITs of a topic are combined before the draw. Assignments without an assessor
    have no repeats.

    Parameters
    ----------
    assignments : iterable of Assignment
        The first round.
    docs_of : callable
        The docs of an assignment.
    share, seed, round_number
        As for `repeat_place`.

    Returns
    -------
    list of Assignment
        Sorted, with the docs in a new order.
    """
    places: dict[tuple[str, str, str], dict[str, int]] = {}
    for one in assignments:
        for doc in docs_of(one) if one.assessor else ():
            keys = (one.assessor, one.topic, doc)
            place = repeat_place(keys, share=share, seed=seed, round_number=round_number)
            if place is not None:
                places.setdefault((one.topic, one.assessor, one.group), {})[doc] = place
    return sorted(
        Assignment(
            *whose,
            ordering="randomised",
            seed=int.from_bytes(digest_key(seed, SEED, round_number, *whose)[:4], "big"),
            docs=tuple(sorted(docs, key=lambda doc: (docs[doc], doc))),
            round=round_number,
        )
        for whose, docs in places.items()
    )
