"""The best docs by recorded preferences whose rounds are unknown.

Released files include neither rounds nor pairings. The finalists of crowd rounds can be inferred
from the number of judgments of each doc. The best docs of a tournament can be inferred from direct
and indirect wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.topk.answers import Answer, AnswerBook, standing_answers
from qrelsmith.topk.culling import check_sizes
from qrelsmith.topk.ranking import RankedDoc, best_places, competition_ranks
from qrelsmith.topk.schedulers import check_candidates
from qrelsmith.topk.thinning import check_k

# Most combinations of answers that are checked one by one.
_MOST_COMBINATIONS = 2**18


@dataclass(frozen=True, slots=True)
class RecordedFinal:
    """The final round of a crowd task, inferred from answers whose rounds are unknown.

    Attributes
    ----------
    finalists : tuple of str
        The finalists, all compared with each other.
    rounds : int
        Number of rounds of pairings before the final round.
    places : tuple of RankedDoc
        The best docs; several answers to a pair of finalists share the win, because any may belong
        to the final round.
    set_settled : bool
        Whether the best docs are the same for every choice of final answers.
    ranks_settled : bool
        Whether their ranks are also the same.
    """

    finalists: tuple[str, ...]
    rounds: int
    places: tuple[RankedDoc, ...]
    set_settled: bool
    ranks_settled: bool


def recorded_final(
    candidates: Sequence[str],
    answers: Iterable[Answer],
    *,
    k: int,
    finalists: int = 9,
    pairings: int = 7,
    forced: bool = False,
) -> RecordedFinal | None:
    """Find the final round of a crowd task among answers whose rounds are unknown.

    In each round, a candidate gets P or P + 1 answers. In the final round, each of the m docs gets
    m − 1 more answers. The finalists are therefore the m docs with the most answers, if two
    conditions hold. All pairs of these docs are answered, and each doc's answers outside the final
    round fit the number of rounds. This number is inferred from the doc with the most answers among
    all other docs. The largest such m is used.

    Parameters
    ----------
    candidates : sequence of str
        The docs.
    answers : iterable of Answer
        Current answers are used, ignoring rounds and docs that are not candidates.
    k : int
        Number of docs to find.
    finalists, pairings : int
        F and P. With F candidates or fewer, all are finalists. In recorded data a final may have
        more docs than F.
    forced : bool
        Whether F > P > k may be violated.

    Returns
    -------
    RecordedFinal or None
        None if no final is found, usually because some pairs of the final are unjudged.
    """
    check_sizes(k, finalists=finalists, pairings=pairings, forced=forced)
    docs = check_candidates(candidates)
    shares = _shares_of_answers(docs, answers)
    if len(docs) <= finalists:
        final = (np.arange(len(docs)), 0) if _complete(shares, np.arange(len(docs))) else None
    else:
        final = _finalists(shares, pairings)
    if final is None:
        return None
    places, rounds = final
    names = [docs[place] for place in places.tolist()]
    wins = _possible_wins(shares, places)
    settled = _is_settled(wins, k) if wins is not None else (False, False)
    return RecordedFinal(
        finalists=tuple(names),
        rounds=rounds,
        places=best_places(names, _mean_wins(shares, places).tolist(), k=k),
        set_settled=settled[0],
        ranks_settled=settled[1],
    )


def tournament_order(
    candidates: Sequence[str], answers: Iterable[Answer], *, k: int
) -> tuple[RankedDoc, ...]:
    """Return the best docs of a tournament, as far as the judged pairs determine them.

    A doc is the next best if it wins, directly or indirectly, against all remaining docs and loses
    against none. The order ends if no doc is the next best. Possible reasons are a missing pair,
    a tie of two docs, or contradictory answers (a over b over c over a).

    Parameters
    ----------
    candidates : sequence of str
        The docs.
    answers : iterable of Answer
        The answers in the order given; an assessor's last answer to a pair counts. Answers about
        other docs are ignored.
    k : int
        Number of docs to find.
    """
    check_k(k)
    docs = check_candidates(candidates)
    known = list(answers)
    book = AnswerBook(known, by_round=False)
    place = {doc: number for number, doc in enumerate(docs)}
    beats = np.zeros((len(docs), len(docs)), dtype=bool)
    for one, two in {tuple(sorted((answer.left, answer.right))) for answer in known}:
        outcome = book.outcome(one, two) if one in place and two in place else None
        if outcome:
            better, worse = (one, two) if outcome < 0 else (two, one)
            beats[place[better], place[worse]] = True
    above = _closure(beats)
    ranked: list[RankedDoc] = []
    left = np.ones(len(docs), dtype=bool)
    while len(ranked) < min(k, len(docs)):
        rest = int(left.sum())
        first = left & ((above & left).sum(axis=1) == rest - 1) & ~above[left].any(axis=0)
        if first.sum() != 1:
            break
        doc = int(np.flatnonzero(first)[0])
        ranked.append(RankedDoc(docs[doc], len(ranked) + 1, float(beats[doc].sum())))
        left[doc] = False
    return tuple(ranked)


def _closure(beats: BoolArray) -> BoolArray:
    """Return the transitive closure of the wins [doc, doc]."""
    above = beats
    while True:
        further = above | (above.astype(np.float32) @ above.astype(np.float32) > 0)
        if (further == above).all():
            return above
        above = further


# The answers to the pairs of candidates: their places and what the first won, a tie being half.
_Given = dict[tuple[int, int], list[float]]


def _shares_of_answers(docs: Sequence[str], answers: Iterable[Answer]) -> _Given:
    place = {doc: number for number, doc in enumerate(docs)}
    shares: _Given = {}
    for answer in standing_answers(answers):
        one, two = place.get(answer.left), place.get(answer.right)
        if one is None or two is None:
            continue
        share = 0.5 if not answer.outcome else float(answer.outcome < 0)
        of_pair = shares.setdefault((min(one, two), max(one, two)), [])
        of_pair.append(share if one < two else 1.0 - share)
    return shares


def _complete(given: _Given, places: IntArray) -> bool:
    """Return whether all pairs of the given docs are judged."""
    inside = set(places.tolist())
    judged = sum(one in inside and two in inside for one, two in given)
    return judged == len(inside) * (len(inside) - 1) // 2


def _finalists(by_pair: _Given, pairings: int) -> tuple[IntArray, int] | None:
    """Return the docs of the final round, and the number of earlier rounds."""
    count = 1 + max((two for _, two in by_pair), default=-1)
    asked = np.zeros(count, dtype=np.int64)
    for pair, shares in by_pair.items():
        asked[list(pair)] += len(shares)
    order = np.argsort(-asked, kind="stable")
    often = asked[order]
    if count and _complete(by_pair, order):
        return np.arange(count), 0
    for size in range(count - 1, 0, -1):
        rounds = int(often[size]) // pairings
        before = often[:size] - (size - 1)
        fits = (before >= rounds * pairings) & (before <= rounds * (pairings + 1))
        if (
            often[size] < often[size - 1]
            and rounds
            and fits.all()
            and _complete(by_pair, order[:size])
        ):
            return np.sort(order[:size]), rounds
    return None


def _final_pairs(given: _Given, places: IntArray) -> list[tuple[int, int, list[float]]]:
    """Return the pairs of the final round as indices into the finalists, with answers."""
    among = {doc: number for number, doc in enumerate(places.tolist())}
    return [
        (among[one], among[two], shares)
        for (one, two), shares in given.items()
        if one in among and two in among
    ]


def _mean_wins(given: _Given, places: IntArray) -> FloatArray:
    """Return the wins of each finalist [finalist]; several answers to a pair share one win."""
    wins = np.zeros(len(places))
    for one, two, shares in _final_pairs(given, places):
        share = sum(shares) / len(shares)
        wins[one] += share
        wins[two] += 1.0 - share
    return wins


def _possible_wins(given: _Given, places: IntArray) -> FloatArray | None:
    """Return the wins for every choice of one answer per pair, or None if there are too many."""
    wins = np.zeros((1, len(places)))
    for one, two, shares in _final_pairs(given, places):
        ways = sorted(set(shares))
        if len(wins) * len(ways) > _MOST_COMBINATIONS:
            return None
        step = np.zeros((len(ways), len(places)))
        step[:, one], step[:, two] = ways, [1.0 - share for share in ways]
        wins = (wins[:, None, :] + step).reshape(-1, len(places))
    return wins


def _is_settled(wins: FloatArray, k: int) -> tuple[bool, bool]:
    """Return whether the best docs, and their ranks, are the same in all rows of wins."""
    ranks = np.minimum(competition_ranks(wins), k + 1)
    best = ranks <= k
    return bool((best == best[0]).all()), bool((ranks == ranks[0]).all())
