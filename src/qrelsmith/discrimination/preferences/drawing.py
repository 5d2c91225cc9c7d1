"""Random selection of preference tests: pairs of docs for assessors (pdp 5.1.1)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.rng import Key, digest_key, shuffle
from qrelsmith.base.scales import grade_text
from qrelsmith.discrimination.preferences.coding import level_codes

# A part of every digest, so that digests differ from other draws with the same seed.
_RECORD = "preference tests"


@dataclass(frozen=True, slots=True)
class ScaleCounts:
    """The number of drawn tests for each pair of grades of one scale.

    Attributes
    ----------
    drawn : int array [level, level]
        Number of tests between docs of the two grades, symmetric, including tests drawn for other
        scales and earlier tests.
    possible : int array [level, level]
        Number of pairs of docs of one topic that have the two grades, symmetric.
    """

    levels: tuple[float, ...]
    drawn: IntArray
    possible: IntArray

    def short(self, per_pair: int) -> list[tuple[float, float, int]]:
        """Return pairs of different grades with too few tests, and their numbers of tests."""
        return [
            (self.levels[low], self.levels[high], int(self.drawn[low, high]))
            for low, high in _level_pairs(len(self.levels))
            if self.drawn[low, high] < per_pair
        ]


@dataclass(frozen=True, slots=True)
class DrawnTests:
    """Preference tests to be judged, in the intended order.

    Attributes
    ----------
    topics, left, right : int array [test]
        Positions on the axes of the labels.
    scales : tuple of ScaleCounts
        The counts of each scale.
    """

    topics: IntArray
    left: IntArray
    right: IntArray
    scales: tuple[ScaleCounts, ...]

    def __len__(self) -> int:
        return int(self.topics.size)


def draw_tests(
    labels: Sequence[ArrayLike],
    *,
    per_pair: int,
    seed: int,
    before: Iterable[tuple[int, int, int]] = (),
    levels: Sequence[ArrayLike | None] | None = None,
    topic_keys: Sequence[Key] | None = None,
    doc_keys: Sequence[Sequence[Key]] | None = None,
) -> DrawnTests:
    """Draw at least `per_pair` tests for each pair of grades of every scale.

    Pairs of grades are processed from the rarest to the most frequent, and a test counts for every
    scale. The tests of a pair of grades alternate between topics, and between the docs of a topic,
    to use as many topics and docs as possible. Digests of the seed and the keys determine the order
    of topics and docs, so the same seed always gives the same tests.

    Parameters
    ----------
    labels : sequence of array_like [topic, doc]
        For each scale, one grade for each doc; nan and codes below 0 are missing, and such a doc is
        not drawn for that scale.
    per_pair : int
        Tests for each pair of different grades, 1 or more. If a pair of grades has fewer pairs of
        docs, all its pairs are drawn (`ScaleCounts.short`).
    before : iterable of (int, int, int), optional
        Topic and two docs of earlier tests, which count towards `per_pair` and are not drawn again.
    levels : sequence of array_like [level], optional
        The scales; by default, the distinct grades of each element of `labels`.
    topic_keys : sequence of str or int [topic], optional
        Topic names; by default, positions.
    doc_keys : sequence of sequences of str or int [topic][doc], optional
        Names of the docs, including those without labels, distinct within a topic; by default,
        positions. With names, the draw does not depend on the order of topics and docs.

    Returns
    -------
    DrawnTests
        In shuffled order. For each pair of grades, the higher grade is on the left in every second
        test drawn for the pair.

    Raises
    ------
    ShapeError
        If the labels, levels or keys do not match.
    UsageError
        If there are no labels, `per_pair` is below 1, or a grade is not on its scale.

    References
    ----------
    pdp, 5.1.1, which samples doc pairs at random and does not explain how one test served two
    scales.
    """
    if not labels:
        raise UsageError("found no labels to draw tests for; expected at least one")
    if per_pair < 1:
        raise UsageError(f"per_pair is {per_pair}; expected 1 or more")
    if levels is not None and len(levels) != len(labels):
        raise ShapeError(
            f"found labels for {len(labels)} scales but levels for {len(levels)}; expected "
            "the same number"
        )
    scales = [
        _Labels.of(grades, scale)
        for grades, scale in zip(labels, levels or [None] * len(labels), strict=True)
    ]
    if len({scale.codes.shape for scale in scales}) > 1:
        raise ShapeError("the labels of all scales must have the same shape [topic, doc]")
    names = _Names.of(topic_keys, doc_keys, shape=scales[0].codes.shape)
    taken: dict[frozenset[tuple[int, int]], _Pair] = {}
    made = {(topic, min(docs), max(docs)) for topic, *docs in before}
    for pair in made:
        for scale in scales:
            scale.count(*pair)
    for number, low, high in _scarcest_first(scales):
        scale = scales[number]
        keys = (number, grade_text(scale.levels[low]), grade_text(scale.levels[high]))
        low_on_left = digest_key(seed, _RECORD, "side", *keys)[0] % 2 == 0
        for topic, lower, higher in scale.pairs(low, high, names, seed=seed, keys=keys):
            if scale.drawn[low, high] >= per_pair:
                break
            docs = frozenset({(topic, lower), (topic, higher)})
            if docs in taken or (topic, min(lower, higher), max(lower, higher)) in made:
                continue
            taken[docs] = (topic, lower, higher) if low_on_left else (topic, higher, lower)
            low_on_left = not low_on_left
            for other in scales:
                other.count(topic, lower, higher)
    return _draw(list(taken.values()), scales, names, seed=seed)


_Pair = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Names:
    """The names of topics and docs from which digests are computed."""

    topics: Sequence[Key]
    docs: Sequence[Sequence[Key]]

    @classmethod
    def of(
        cls,
        topics: Sequence[Key] | None,
        docs: Sequence[Sequence[Key]] | None,
        *,
        shape: tuple[int, ...],
    ) -> _Names:
        topics = range(shape[0]) if topics is None else topics
        docs = [range(shape[1])] * shape[0] if docs is None else docs
        if len(topics) != shape[0] or len(docs) != shape[0]:
            raise ShapeError(f"expected {shape[0]} topic keys, and doc keys for each topic")
        if any(len(keys) != shape[1] for keys in docs):
            raise ShapeError(f"expected keys for the {shape[1]} docs of each topic")
        if any(len(set(keys)) != len(keys) for keys in (topics, *docs)):
            raise ShapeError("keys must differ between topics, and between the docs of a topic")
        return cls(topics=topics, docs=docs)


@dataclass(frozen=True, slots=True)
class _Labels:
    """The labels of one scale, and the tests drawn so far that compare grades of the scale."""

    codes: IntArray
    levels: tuple[float, ...]
    possible: IntArray
    drawn: IntArray

    @classmethod
    def of(cls, grades: ArrayLike, levels: ArrayLike | None) -> _Labels:
        codes, scale = level_codes(
            float_array(grades, name="labels", ndim=2)[..., None], levels=levels
        )
        codes = codes[..., 0]
        of_topic = np.stack([(codes == code).sum(axis=1) for code in range(len(scale))], axis=1)
        possible = of_topic.T @ of_topic
        np.fill_diagonal(possible, (of_topic * (of_topic - 1) // 2).sum(axis=0))
        return cls(codes=codes, levels=scale, possible=possible, drawn=np.zeros_like(possible))

    def count(self, topic: int, doc: int, other: int) -> None:
        """Count a test between two docs for their grades on this scale, if both have grades."""
        one, two = int(self.codes[topic, doc]), int(self.codes[topic, other])
        if one >= 0 and two >= 0:
            self.drawn[one, two] += 1
            if one != two:
                self.drawn[two, one] += 1

    def pairs(
        self, low: int, high: int, names: _Names, *, seed: int, keys: tuple[Key, ...]
    ) -> Iterator[_Pair]:
        """Yield all pairs (topic, doc of lower grade, doc of higher grade); topics alternate."""
        both = (self.codes == low).any(axis=1) & (self.codes == high).any(axis=1)
        topics = _by_digest(np.flatnonzero(both), names.topics, seed, (_RECORD, "topics", *keys))
        turns = [
            (topic, _turns(*self._docs(topic, (low, high), names, seed=seed, keys=keys)))
            for topic in topics
        ]
        while turns:
            going = []
            for topic, docs in turns:
                pair = next(docs, None)
                if pair is not None:
                    yield (topic, *pair)
                    going.append((topic, docs))
            turns = going

    def _docs(
        self,
        topic: int,
        levels: tuple[int, int],
        names: _Names,
        *,
        seed: int,
        keys: tuple[Key, ...],
    ) -> tuple[list[int], list[int]]:
        """Return a topic's docs with the lower and with the higher grade, in digest order."""
        row, docs = self.codes[topic], names.docs[topic]
        of_topic = (_RECORD, "docs", *keys, names.topics[topic])
        low, high = (
            _by_digest(np.flatnonzero(row == level), docs, seed, of_topic) for level in levels
        )
        return low, high


def _turns(first: list[int], second: list[int]) -> Iterator[tuple[int, int]]:
    """Yield each pair of two lists once, progressing through both lists at the same pace.

    >>> list(_turns([0, 1], [0, 1]))
    [(0, 0), (1, 1), (0, 1), (1, 0)]
    """
    lap = math.lcm(len(first), len(second))
    for turn in range(len(first) * len(second)):
        yield first[turn % len(first)], second[(turn + turn // lap) % len(second)]


def _by_digest(
    positions: IntArray, names: Sequence[Key], seed: int, keys: tuple[Key, ...]
) -> list[int]:
    """Return the positions in the order of the digests of their names."""
    found = {names[position]: position for position in positions.tolist()}
    return [found[name] for name in shuffle(found, seed=seed, keys=keys)]


def _level_pairs(levels: int) -> list[tuple[int, int]]:
    """Return every pair of different levels, the lower level first."""
    return [(low, high) for low in range(levels) for high in range(low + 1, levels)]


def _scarcest_first(scales: Sequence[_Labels]) -> list[tuple[int, int, int]]:
    """Return every scale and pair of different levels, sorted by ascending number of doc pairs."""
    cells = [
        (number, low, high)
        for number, scale in enumerate(scales)
        for low, high in _level_pairs(len(scale.levels))
    ]
    return sorted(cells, key=lambda cell: (int(scales[cell[0]].possible[cell[1:]]), cell))


def _draw(
    pairs: Sequence[_Pair], scales: Sequence[_Labels], names: _Names, *, seed: int
) -> DrawnTests:
    def place(pair: _Pair) -> bytes:
        topic, left, right = pair
        docs = names.docs[topic]
        return digest_key(seed, _RECORD, "order", names.topics[topic], docs[left], docs[right])

    table = np.array(sorted(pairs, key=place), dtype=np.int64).reshape(-1, 3)
    return DrawnTests(
        topics=table[:, 0].copy(),
        left=table[:, 1].copy(),
        right=table[:, 2].copy(),
        scales=tuple(
            ScaleCounts(levels=scale.levels, drawn=scale.drawn, possible=scale.possible)
            for scale in scales
        ),
    )
