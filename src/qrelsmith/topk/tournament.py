"""A winner tree: few comparisons by dedicated assessors (topk-preferences 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.topk.answers import Answer, AnswerBook, Pair
from qrelsmith.topk.ranking import RankedDoc
from qrelsmith.topk.schedulers import SCHEDULERS, State, check_candidates
from qrelsmith.topk.thinning import check_k

if TYPE_CHECKING:
    from qrelsmith.topk.reliability import Reliability
    from qrelsmith.topk.simulated_search import SimulatedSearch

# Part of every digest: what is drawn here shares no digest with other records of the same seed.
_RECORD = "tournament"


def comparisons_bound(candidates: int, k: int) -> int:
    """Return the paper's bound |C| + (k − 1)⌈log2 |C|⌉ of comparisons; 0 for no candidates.

    >>> comparisons_bound(112, 5)
    140
    """
    check_k(k)
    return candidates + (k - 1) * (candidates - 1).bit_length() if candidates else 0


def _simulate(
    pools: Sequence[ArrayLike],
    reliability: Reliability,
    *,
    k: int,
    campaigns: int,
    seed: int,
    advance: Callable[[], None],
) -> SimulatedSearch:
    from qrelsmith.topk.tournament_simulation import simulate_tournaments

    search = simulate_tournaments(pools, k, reliability, campaigns=campaigns, seed=seed)
    advance()
    return search


@SCHEDULERS.add(
    "tournament",
    formula="winner tree: at most |C| + (k − 1)⌈log2 |C|⌉ comparisons",
    source="Clarke, Vtyurina and Smucker 2021 (topk-preferences), section 4.2",
    bounded=True,
    forecast=comparisons_bound,
    any_order=True,
    simulate=_simulate,
)
@dataclass(frozen=True, slots=True)
class Tournament:
    """Single elimination, followed by comparisons of the docs that lost directly to each winner.

    The tree has 2n − 1 nodes; node i has the children 2i and 2i + 1, and the leaves n … 2n − 1 are
    the candidates in a seeded order. The winner is removed and its path is replayed, k times. All
    pairs with two known docs are open at the same time.

    - An answer counts if the tree asks for its pair, no matter when the answer was given. An answer
      to a closed pair is unused until a changed answer reopens its pair. Contradictory answers (a
      over b over c over a) are not detected, because no pair is asked twice.
    - In a tie, the doc on the earlier leaf advances. A winner and its successor have always been
      compared, and share a rank if tied. Ties at rank k are not resolved: k docs are found, or all
      candidates if there are fewer. A single candidate is the best without comparison.

    Parameters
    ----------
    candidates : sequence of str
        The docs, in any order.
    k : int
        Number of docs to find.
    seed : int
        Determines leaves and sides reproducibly.
    topic : str
        Makes leaves and sides of topics independent.

    Raises
    ------
    UsageError
        If k is below 1 or a candidate appears twice.
    """

    candidates: Sequence[str]
    _: KW_ONLY
    k: int
    seed: int
    topic: str = ""

    def __post_init__(self) -> None:
        check_k(self.k)
        object.__setattr__(self, "candidates", check_candidates(self.candidates))

    def replay(self, answers: Iterable[Answer]) -> State:
        """Return the state after the answers; the rounds of the answers do not matter."""
        leaves = shuffle(self.candidates, seed=self.seed, keys=(_RECORD, "leaves", self.topic))
        tree = _Tree(leaves, AnswerBook(answers, by_round=False))
        result = tree.best(self.k)
        return State(
            open_pairs=tuple(self._assign_sides(*pair) for pair in tree.open),
            result=result,
            comparisons=tree.comparisons,
            unused=tree.book.unused,
            round=1,
            remaining=tuple(self.candidates),
        )

    def _assign_sides(self, first: str, second: str) -> Pair:
        """Return a pair with seeded sides, independent of the order of the two docs."""
        low, high = sorted((first, second))
        turned = digest_key(self.seed, _RECORD, "sides", self.topic, low, high)[0] % 2
        return Pair(high, low) if turned else Pair(low, high)


_EMPTY, _UNKNOWN = -1, -2


class _Tree:
    """The tree: the leaf index of the doc at each node, from 0."""

    def __init__(self, leaves: Sequence[str], book: AnswerBook) -> None:
        self.book = book
        self.open: list[tuple[str, str]] = []
        self.comparisons = 0
        self._docs = leaves
        self._wins = [0.0] * len(leaves)
        self._ties: set[tuple[int, int]] = set()
        count = len(leaves)
        self._nodes = [_EMPTY] * count + list(range(count))
        for node in range(count - 1, 0, -1):
            self._nodes[node] = self._play(node)

    def best(self, k: int) -> tuple[RankedDoc, ...]:
        """Return the best docs found so far, at most k."""
        leaves: list[int] = []
        while len(leaves) < k and self._nodes and (leaf := self._nodes[1]) >= 0:
            leaves.append(leaf)
            if len(leaves) < k:
                self._remove(leaf)
        places: list[RankedDoc] = []
        for place, leaf in enumerate(leaves):
            tied = place and (leaves[place - 1], leaf) in self._ties
            rank = places[-1].rank if tied else place + 1
            places.append(RankedDoc(self._docs[leaf], rank, self._wins[leaf]))
        return tuple(places)

    def _remove(self, leaf: int) -> None:
        """Remove a winner and replay its path from the leaf."""
        node = len(self._docs) + leaf
        self._nodes[node] = _EMPTY
        while node > 1:
            node //= 2
            self._nodes[node] = self._play(node)

    def _play(self, node: int) -> int:
        """Return the winner at a node; two docs are compared only once."""
        first, second = self._nodes[2 * node], self._nodes[2 * node + 1]
        if _EMPTY in (first, second):
            return second if first == _EMPTY else first
        if _UNKNOWN in (first, second):
            return _UNKNOWN
        outcome = self.book.outcome(self._docs[first], self._docs[second])
        if outcome is None:
            self.open.append((self._docs[first], self._docs[second]))
            return _UNKNOWN
        self.comparisons += 1
        winner, loser = (first, second) if outcome < 0 else (second, first)
        if outcome == 0:
            winner, loser = min(first, second), max(first, second)
            self._ties.add((winner, loser))
        self._wins[winner] += 1.0 if outcome else 0.5
        self._wins[loser] += 0.0 if outcome else 0.5
        return winner
