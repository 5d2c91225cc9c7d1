"""Pairs that test the assessor: attention checks, and repeats with swapped sides.

The contents and positions of these pairs depend only on the seed, the topic, the assessor and the
earlier pairs. These pairs look like all other pairs and never count towards the result.
"""

from __future__ import annotations

from django.db.models import QuerySet

from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.web.models import Assessor, Contest, Doc, PairTask

# Number of pairs of the search per block of attention checks.
BLOCK = 10
# A repeat follows at least this many pairs after the original pair, and at most twice as many.
APART = 5
_RECORD = "challenges"
_ATTEMPTS = 100


def due_challenge(contest: Contest, assessor: Assessor, own: QuerySet[PairTask]) -> PairTask | None:
    """Return an attention check if one is due: a candidate against a doc with the grade 0.

    The positions of attention checks in each block of ten pairs are drawn at random. Return None
    also if all possible checks were already shown.
    """
    share = int(contest.setting["challenges"])
    if not share:
        return None
    purposes = list(own.exclude(purpose=PairTask.Purpose.SWAPPED).values_list("purpose", flat=True))
    seed, keys = int(contest.setting["seed"]), (_RECORD, contest.topic.name, assessor.name)
    block, place = divmod(len(purposes), BLOCK + share)
    places = shuffle(range(BLOCK + share), seed=seed, keys=(*keys, "places", block))
    if place not in places[:share]:
        return None
    return _challenge(contest, own, seed, keys, purposes.count(PairTask.Purpose.CHALLENGE))


def due_repeat(
    contest: Contest, assessor: Assessor, own: QuerySet[PairTask], *, is_last: bool = False
) -> PairTask | None:
    """Return an answered pair of the assessor with its sides swapped, if a repeat is due.

    Parameters
    ----------
    contest, assessor : Contest, Assessor
        The task and the assessor.
    own : query set of PairTask
        The pairs assigned to the assessor so far.
    is_last : bool
        Whether no other pair is left, so that repeats need not wait.
    """
    share = float(contest.setting["swapped"])
    if not share:
        return None
    rows = list(own.values_list("purpose", "round", "left", "right", "is_judged", "position"))
    repeated = {
        (round_, right, left)
        for purpose, round_, left, right, _, _ in rows
        if purpose == PairTask.Purpose.SWAPPED
    }
    last = max((position for *_, position in rows), default=0)
    seed, keys = int(contest.setting["seed"]), (_RECORD, contest.topic.name, assessor.name)
    for purpose, round_, left, right, is_judged, position in rows:
        known = (round_, left, right)
        if purpose != PairTask.Purpose.SEARCH or not is_judged or known in repeated:
            continue
        drawn = digest_key(seed, *keys, "swapped", position)
        if int.from_bytes(drawn[:8], "big") >= share * 2**64:
            continue
        if is_last or last - position >= APART + drawn[8] % APART:
            return PairTask(
                left_id=right, right_id=left, round=round_, purpose=PairTask.Purpose.SWAPPED
            )
    return None


def _challenge(
    contest: Contest, own: QuerySet[PairTask], seed: int, keys: tuple[str, ...], number: int
) -> PairTask | None:
    """Return the attention check with the given number; the better doc's side alternates."""
    names = [*contest.candidates, *contest.nonrelevant]
    shown = Doc.objects.filter(name__in=names, version__gt=0)
    docs = dict(shown.values_list("name", "id"))
    candidates = sorted(docs.keys() & contest.candidates.keys())
    others = sorted(docs.keys() & set(contest.nonrelevant))
    if not candidates or not others:
        return None
    compared = set(own.filter(purpose=PairTask.Purpose.CHALLENGE).values_list("left", "right"))
    first = digest_key(seed, *keys, "side")[0] % 2
    better = ("left", "right")[(first + number) % 2]
    for attempt in range(_ATTEMPTS):
        drawn = digest_key(seed, *keys, "challenge", number, attempt)
        good = docs[candidates[int.from_bytes(drawn[:8], "big") % len(candidates)]]
        bad = docs[others[int.from_bytes(drawn[8:16], "big") % len(others)]]
        if (good, bad) in compared or (bad, good) in compared:
            continue
        left, right = (good, bad) if better == "left" else (bad, good)
        return PairTask(
            left_id=left, right_id=right, round=0, purpose=PairTask.Purpose.CHALLENGE, better=better
        )
    return None
