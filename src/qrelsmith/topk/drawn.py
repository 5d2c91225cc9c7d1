"""Preference tests drawn in advance, such as by `plan preferences` (pdp 3.2, 5.1.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.topk.answers import Answer, AnswerBook, Pair
from qrelsmith.topk.ranking import best_places
from qrelsmith.topk.schedulers import SCHEDULERS, State, check_candidates
from qrelsmith.topk.thinning import check_k

DrawnPairs = Mapping[str, Sequence[Sequence[str]]]


@SCHEDULERS.add(
    "drawn",
    formula="the pairs of a list, each once: tests for PDP",
    source="Chu et al. 2021 (pdp), sections 3.2 and 5.1.1",
    bounded=True,
    any_order=True,
)
@dataclass(frozen=True, slots=True)
class Drawn:
    """The drawn pairs of a list, with the list's sides and in the list's order.

    All pairs are open from the beginning and do not depend on answers. Docs are ranked by wins, and
    a tie is half a win. This ranking is of little value if the list has only a small part of all
    pairs.

    Parameters
    ----------
    candidates : sequence of str
        The docs, in any order.
    k : int
        Number of docs in the result.
    topic : str
        The topic.
    pairs : mapping of str to sequence of (str, str), optional
        The left and right docs of each topic's pairs; without a list, all pairs of candidates.

    Raises
    ------
    UsageError
        If k is below 1, a candidate or a pair appears twice, or a doc of a pair is not a candidate.
    """

    candidates: Sequence[str]
    _: KW_ONLY
    k: int
    topic: str = ""
    pairs: DrawnPairs | None = None

    def __post_init__(self) -> None:
        check_k(self.k)
        object.__setattr__(self, "candidates", check_candidates(self.candidates))
        seen: set[frozenset[str]] = set()
        for pair in self._pairs_of_topic():
            docs = frozenset((pair.left, pair.right))
            for doc in docs.difference(self.candidates):
                raise UsageError(
                    f"the doc {quoted(doc)} of a drawn pair is not a candidate; expected "
                    "two candidates"
                )
            if docs in seen or len(docs) < 2:
                raise UsageError(
                    f"the pair {quoted(pair.left)}, {quoted(pair.right)} of the topic"
                    f" {quoted(self.topic)} appears twice or compares a doc with itself; expected "
                    "each pair of two docs once"
                )
            seen.add(docs)

    def replay(self, answers: Iterable[Answer]) -> State:
        """Return the state after the answers, ignoring their rounds."""
        book = AnswerBook(answers, by_round=False)
        open_pairs: list[Pair] = []
        wins = dict.fromkeys(self.candidates, 0.0)
        count = 0
        for pair in self._pairs_of_topic():
            outcome = book.outcome(pair.left, pair.right)
            if outcome is None:
                open_pairs.append(pair)
                continue
            count += 1
            wins[pair.left] += 0.5 - 0.5 * outcome
            wins[pair.right] += 0.5 + 0.5 * outcome
        settled = () if open_pairs else best_places(list(wins), list(wins.values()), k=self.k)
        return State(
            open_pairs=tuple(open_pairs),
            result=settled,
            comparisons=count,
            unused=book.unused,
            round=1,
            remaining=tuple(self.candidates),
        )

    def _pairs_of_topic(self) -> list[Pair]:
        if not self.pairs:
            return [Pair(*docs) for docs in _all_pairs(self.candidates)]
        return [Pair(left, right) for left, right in self.pairs.get(self.topic, ())]


def _all_pairs(docs: Sequence[str]) -> list[tuple[str, str]]:
    """Return every pair, with alternating sides for each doc."""
    pairs = [(low, high) for place, low in enumerate(docs) for high in docs[place + 1 :]]
    return [(high, low) if number % 2 else (low, high) for number, (low, high) in enumerate(pairs)]
