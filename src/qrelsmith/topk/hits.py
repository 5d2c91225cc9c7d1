"""Bundling of pairs and attention checks into HITs for crowds (topk-preferences 4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.pairs.hits import HitPair, PairHit
from qrelsmith.topk.answers import Pair

# Part of every digest: what is drawn here shares no digest with other records of the same seed.
_RECORD = "HITs"
_KEY_DIGITS = 12


@dataclass(frozen=True, slots=True)
class ChallengeDocs:
    """Docs of a topic for attention checks, which a careful worker can distinguish.

    Attributes
    ----------
    candidates, nonrelevant : tuple of str
        Docs at the top of the topic's grades, and docs judged not relevant.
    """

    candidates: tuple[str, ...]
    nonrelevant: tuple[str, ...]


def bundle(
    pairs: Mapping[str, Iterable[Pair]],
    challenges: Mapping[str, ChallengeDocs],
    *,
    seed: int,
    size: int = 10,
    challenge_pairs: int = 3,
) -> tuple[PairHit, ...]:
    """Bundle the open pairs of all topics into HITs.

    Parameters
    ----------
    pairs : mapping of str to iterable of Pair
        The pairs of each topic.
    challenges : mapping of str to ChallengeDocs
        Docs for attention checks: a random candidate and a random non-relevant doc of a random
        topic, with the better doc alternately left and right.
    seed : int
        The seed; the same pairs and seed always give the same HITs.
    size : int
        m, the number of pairs per HIT; the last HIT may have fewer.
    challenge_pairs : int
        c, the number of attention checks per HIT.

    Returns
    -------
    tuple of PairHit
        The HITs, with mixed topics and attention checks at random positions.

    Raises
    ------
    UsageError
        If `size` is below 1 or `challenge_pairs` below 0.
    UndefinedError
        If there are too few docs for the attention checks.
    """
    if size < 1 or challenge_pairs < 0:
        raise UsageError(
            f"a HIT has {size} pairs and {challenge_pairs} attention checks; expected at least one"
            " pair, and no number below 0"
        )
    rows = [
        HitPair(topic, pair.left, pair.right, pair.round)
        for topic, of_topic in pairs.items()
        for pair in of_topic
    ]
    rows = shuffle(rows, seed=seed, keys=(_RECORD, "pairs"))
    hits = []
    for start in range(0, len(rows), size):
        real = rows[start : start + size]
        key = digest_key(seed, _RECORD, "key", *map(str, real)).hex()[:_KEY_DIGITS]
        checks = list(islice(_challenge_pairs(challenges, seed, key), challenge_pairs))
        if len(checks) < challenge_pairs:
            raise UndefinedError(
                f"{challenge_pairs} attention checks per HIT need {challenge_pairs} pairs of a"
                f" candidate and a non-relevant doc; found {len(checks)}. Add non-relevant docs, or"
                " use fewer attention checks"
            )
        shown = shuffle([*real, *checks], seed=seed, keys=(_RECORD, "order", key))
        hits.append(PairHit(key, tuple(shown)))
    return tuple(hits)


def pilot_topics(topics: Sequence[str], share: float, *, seed: int) -> list[str]:
    """Return a random share of the topics, at least one, to judge first.

    Raises
    ------
    UsageError
        If the share is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        raise UsageError(f"the share of topics is {share:g}; expected a number above 0, at most 1")
    drawn = shuffle(topics, seed=seed, keys=(_RECORD, "pilot"))
    return sorted(drawn[: max(1, math.ceil(share * len(drawn) - 1e-9))])


def _challenge_pairs(
    challenges: Mapping[str, ChallengeDocs], seed: int, key: str
) -> Iterable[HitPair]:
    """Yield distinct attention checks for a HIT, alternating between topics."""
    keys = (_RECORD, "challenge", key)
    topics = [name for name, docs in challenges.items() if docs.candidates and docs.nonrelevant]
    possible = sum(len(challenges[t].candidates) * len(challenges[t].nonrelevant) for t in topics)
    topics = shuffle(topics, seed=seed, keys=keys)
    left = digest_key(seed, *keys, "side")[0] % 2 == 0
    taken: set[tuple[str, str, str]] = set()
    for attempt in count():
        if len(taken) == possible:
            return
        topic = topics[attempt % len(topics)]
        docs = challenges[topic]
        drawn = digest_key(seed, *keys, attempt)
        better = docs.candidates[int.from_bytes(drawn[:8], "big") % len(docs.candidates)]
        worse = docs.nonrelevant[int.from_bytes(drawn[8:16], "big") % len(docs.nonrelevant)]
        if (topic, better, worse) in taken:
            continue
        taken.add((topic, better, worse))
        pair = (better, worse) if left else (worse, better)
        yield HitPair(topic, *pair, round=0, challenge="left" if left else "right")
        left = not left
