"""Rounds of random pairings, then all pairs, for crowds (topk-preferences 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.topk.answers import Answer, AnswerBook, Pair
from qrelsmith.topk.culling import Keep, check_keep, check_sizes, survivors
from qrelsmith.topk.pairings import Edge, balanced_sides, regular_pairings
from qrelsmith.topk.ranking import RankedDoc, best_places
from qrelsmith.topk.schedulers import SCHEDULERS, State, check_candidates
from qrelsmith.topk.thinning import check_k

if TYPE_CHECKING:
    from qrelsmith.topk.reliability import Reliability
    from qrelsmith.topk.simulated_search import SimulatedSearch

# Part of every digest: what is drawn here shares no digest with other records of the same seed.
_RECORD = "rounds"


def _expected_comparisons(
    candidates: int, *, k: int, finalists: int, pairings: int, keep: Keep, forced: bool
) -> int:
    from qrelsmith.topk.budget import crowd_pairs
    from qrelsmith.topk.crowd_simulation import CrowdDesign

    return int(crowd_pairs([candidates], CrowdDesign(k, finalists, pairings, keep, forced)).sum())


def _simulate_rounds(
    pools: Sequence[ArrayLike],
    reliability: Reliability,
    *,
    k: int,
    finalists: int,
    pairings: int,
    keep: Keep,
    forced: bool,
    campaigns: int,
    seed: int,
    advance: Callable[[], None],
) -> SimulatedSearch:
    from qrelsmith.topk.crowd_simulation import CrowdDesign, simulate_crowd

    design = CrowdDesign(k, finalists, pairings, keep, forced)
    return simulate_crowd(
        pools, design, reliability, campaigns=campaigns, seed=seed, advance=advance
    )


@SCHEDULERS.add(
    "rounds",
    formula="while |C| > F: P random pairings each, winners of more than half stay; then all pairs",
    source="Clarke, Vtyurina and Smucker 2021 (topk-preferences), section 4.3",
    forecast=_expected_comparisons,
    rounds=True,
    simulate=_simulate_rounds,
)
@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds that cull candidates by random pairings, then compare all remaining candidates.

    While more than F candidates are left, each candidate is paired at random with P other
    candidates. If necessary, one candidate is paired with P + 1 other candidates. No pair is
    repeated in a round. Candidates that do not win more than half of their pairings are eliminated.
    All pairs of the remaining candidates are then judged, even if judged before. The candidates are
    ranked by wins, and ties at rank k are kept. All pairs of a round are open at the same time.

    - A tie is half a win for both. At least k candidates stay (see `survivors`). If F ≤ k is
      forced, culling therefore ends at k candidates, or at the ties around rank k.
    - A round without eliminations ends the culling. If all answers are ties, all candidates reach
      the final round and are ranked first.
    - With at most F candidates, there is only the final round. With at most k candidates, all
      candidates are ranked. A single candidate is the best without comparison.
    - An answer that names a round belongs to this round. An answer without a round belongs to the
      next round that asks the pair. Answers to other pairs are unused. Changing an answer of an
      earlier round may change later pairings.

    Parameters
    ----------
    candidates : sequence of str
        The docs, in any order.
    k : int
        Number of docs to find.
    seed : int
        Determines pairings and sides reproducibly.
    topic : str
        Makes pairings and sides of topics independent.
    finalists : int
        F: maximum number of finalists, whose pairs are all judged.
    pairings : int
        P: number of opponents per candidate in a round.
    keep : {'majority', 'half'}
        Rule for staying; `half` keeps 4 wins of 8, as in the program of the paper's authors.
    forced : bool
        Whether F > P > k may be violated.

    Raises
    ------
    UsageError
        If F > P > k is violated, `keep` is unknown or a candidate appears twice.
    """

    candidates: Sequence[str]
    _: KW_ONLY
    k: int
    seed: int
    topic: str = ""
    finalists: int = 9
    pairings: int = 7
    keep: Keep = "majority"
    forced: bool = False

    def __post_init__(self) -> None:
        check_keep(self.keep)
        check_sizes(self.k, finalists=self.finalists, pairings=self.pairings, forced=self.forced)
        object.__setattr__(self, "candidates", check_candidates(self.candidates))

    def replay(self, answers: Iterable[Answer]) -> State:
        """Return the state after the answers."""
        book = AnswerBook(answers, by_round=True)
        left = tuple(self.candidates)
        comparisons, number, culling = 0, 1, True
        while culling and len(left) > max(self.finalists, self.k):
            judged = _Judged.of(self._pairs(left, number, self.pairings), book)
            comparisons += judged.comparisons
            if judged.open:
                return _going_on(judged.open, comparisons, book, number, left)
            wins, asked = judged.counts(left)
            stays = survivors(wins, asked, k=self.k, keep=self.keep)
            culling = not stays.all()
            left = tuple(doc for doc, kept in zip(left, stays.tolist(), strict=True) if kept)
            number += 1
        judged = _Judged.of(self._pairs(left, number, len(left)), book)
        comparisons += judged.comparisons
        if judged.open:
            return _going_on(judged.open, comparisons, book, number, left)
        result = best_places(left, judged.counts(left)[0], k=self.k)
        return State((), result, comparisons, book.unused, number, left)

    def _pairs(self, left: tuple[str, ...], number: int, opponents: int) -> list[Pair]:
        """Return the pairs of a round with their sides, in a random order."""
        # The remaining candidates are part of the key, so later pairings cannot be predicted.
        drawn = (digest_key(self.seed, _RECORD, self.topic, number, *left).hex(),)
        edges: Sequence[Edge] = regular_pairings(len(left), opponents, seed=self.seed, keys=drawn)
        sided = balanced_sides(edges, seed=self.seed, keys=drawn)
        pairs = [Pair(left[one], left[two], number) for one, two in sided]
        places = shuffle(range(len(pairs)), seed=self.seed, keys=(*drawn, "order"))
        return [pairs[place] for place in places]


@SCHEDULERS.add(
    "round-robin",
    formula="all |C|(|C| − 1)/2 pairs, ranked by wins",
    source="topk-preferences, section 4.3, second stage",
    bounded=True,
    rounds=True,
)
def round_robin(candidates: Sequence[str], *, k: int, seed: int, topic: str = "") -> Rounds:
    """Compare all pairs of all candidates at once; there is only the final round."""
    check_k(k)
    many = max(len(candidates), 1)
    return Rounds(
        candidates, k=k, seed=seed, topic=topic, finalists=many, pairings=many, forced=True
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """The pairs of a round with their outcomes; the outcome of an open pair is None."""

    outcomes: list[tuple[Pair, int | None]]

    @classmethod
    def of(cls, pairs: Iterable[Pair], book: AnswerBook) -> _Judged:
        return cls(
            [(pair, book.outcome(pair.left, pair.right, round=pair.round)) for pair in pairs]
        )

    @property
    def open(self) -> tuple[Pair, ...]:
        return tuple(pair for pair, outcome in self.outcomes if outcome is None)

    @property
    def comparisons(self) -> int:
        return sum(outcome is not None for _, outcome in self.outcomes)

    def counts(self, docs: Sequence[str]) -> tuple[list[float], list[int]]:
        """Return the wins and the pairings of each doc."""
        wins, asked = dict.fromkeys(docs, 0.0), dict.fromkeys(docs, 0)
        for pair, outcome in self.outcomes:
            share = 0.5 if not outcome else float(outcome < 0)
            wins[pair.left] += share
            wins[pair.right] += 1.0 - share
            asked[pair.left] += 1
            asked[pair.right] += 1
        return list(wins.values()), list(asked.values())


def _going_on(
    pairs: tuple[Pair, ...], comparisons: int, book: AnswerBook, number: int, left: tuple[str, ...]
) -> State:
    nothing: tuple[RankedDoc, ...] = ()
    return State(pairs, nothing, comparisons, book.unused, number, left)
