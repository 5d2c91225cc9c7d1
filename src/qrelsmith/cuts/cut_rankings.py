"""Rankings of systems under cut labels, compared with rankings under reference qrels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.collection.runs import Run
from qrelsmith.cuts import CutSets, distinct_sets, doc_levels
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.stats.correlation import kendall_tau_b

_AT_ONCE = 1 << 20  # ranks that are processed together
_MOST_SCORES = 50_000_000  # maximum of sets of cuts × systems, whose means are in memory


class CutRankings:
    """Runs joined with the docs of a data set, for scoring under many sets of cuts.

    Parameters
    ----------
    topics : CutTopics
        The labels.
    runs : sequence of Run
        The ranked systems, to the depth of the measure.
    reference : ScoreMatrix
        The systems' scores under the reference by the given measure; other topics are ignored.
    by, order : str
        How labels are aggregated, and whether before or after cutting.

    Attributes
    ----------
    counted : tuple of bool [topic]
        Whether the topic is in the reference.
    measure : str
        The label of the measure.
    systems : int
        Number of ranked systems.

    Raises
    ------
    UsageError
        If the reference and the labels have no common topic.
    """

    def __init__(
        self,
        topics: CutTopics,
        sets: CutSets,
        runs: Sequence[Run],
        reference: ScoreMatrix,
        *,
        by: str = "median",
        order: str = "at",
    ) -> None:
        place = {topic: column for column, topic in enumerate(reference.topics)}
        self.counted = tuple(topic in place for topic in topics.topics)
        if not any(self.counted):
            raise UsageError("the reference and the labels share no topic; expected at least one")
        self.measure = reference.measure
        self.systems = len(runs)
        self._named = MEASURES.get(reference.measure)
        self._topics = topics
        self._sets = sets
        self._by = by
        self._order = order
        self._reference = [
            reference.scores[:, place[topic]] if topic in place else None for topic in topics.topics
        ]
        self._ranked = [
            _docs_by_rank(runs, topic, docs, self._named.cutoff)
            for topic, docs in zip(topics.topics, topics.docs, strict=True)
        ]
        self._returned = [
            np.array([len(run.docs.get(topic, ())) for run in runs]) for topic in topics.topics
        ]

    def taus(self, places: Sequence[int]) -> FloatArray:
        """Kendall's τ-b of the system means over the topics, under every set of cuts [set].

        The result is nan if all systems are tied in one of the two rankings, or if no topic can be
        used.

        Raises
        ------
        UsageError
            If there are too many sets of cuts and systems for memory.
        """
        counted = [place for place in places if self.counted[place]]
        if not counted:
            return np.full(len(self._sets), np.nan)
        if len(self._sets) * self.systems > _MOST_SCORES and len(counted) > 1:
            raise UsageError(
                f"{len(self._sets):,} sets of cuts × {self.systems} systems are too many; expected "
                f"at most {_MOST_SCORES:,} to rank by means over topics. Use fewer candidates"
            )
        reference = self._mean_reference(counted)
        if len(counted) == 1:
            distinct, kind = self._distinct(counted[0])
            return _taus(self._scores(counted[0], distinct), reference)[kind]
        total = np.zeros((len(self._sets), self.systems))
        for place in counted:
            distinct, kind = self._distinct(place)
            total += self._scores(place, distinct)[kind]
        return _taus(total / len(counted), reference)

    def tau_of(self, chosen: Mapping[int, int]) -> float:
        """τ-b of the system means with separate cuts per topic.

        Parameters
        ----------
        chosen : mapping of int to int
            Maps a topic index to the index of its set of cuts; −1: no cuts, score 0.
        """
        counted = [place for place in chosen if self.counted[place]]
        if not counted:
            return float("nan")
        return float(_taus(self.means(chosen)[None], self._mean_reference(counted))[0])

    def means(self, chosen: Mapping[int, int]) -> FloatArray:
        """Return the systems' mean scores under separate cuts per topic [system].

        Parameters
        ----------
        chosen : mapping of int to int
            As in `tau_of`.
        """
        counted = {place: one for place, one in chosen.items() if self.counted[place]}
        means = np.zeros(self.systems)
        for place, one in counted.items():
            if one >= 0:
                means += self._scores(place, np.array([one]))[0] / len(counted)
        return means

    def _mean_reference(self, places: Sequence[int]) -> FloatArray:
        columns = [self._reference[place] for place in places]
        known = np.stack([column for column in columns if column is not None])
        return np.asarray(known.mean(axis=0))

    def _distinct(self, place: int) -> tuple[IntArray, IntArray]:
        labels = self._topics.labels[place]
        return distinct_sets(labels, self._sets, by=self._by, order=self._order)

    def _scores(self, place: int, sets: IntArray) -> FloatArray:
        """Return the systems' scores in a topic under given sets of cuts [set, system]."""
        ranked = self._ranked[place]
        scores = np.empty((sets.size, self.systems))
        step = max(1, _AT_ONCE // max(1, ranked.size + self._topics.labels[place].docs))
        for first in range(0, sets.size, step):
            part = slice(first, first + step)
            levels = doc_levels(
                self._topics.labels[place], self._sets, sets[part], by=self._by, order=self._order
            )
            known = np.concatenate([levels, np.full((levels.shape[0], 1), np.nan)], axis=1)
            scores[part] = self._named(
                known[:, ranked],
                -np.sort(-levels, axis=1)[:, None],
                gmax=float(self._sets.targets - 1),
                retrieved=self._returned[place][None],
            )
        return scores


def _docs_by_rank(
    runs: Sequence[Run], topic: str, docs: Sequence[str], cutoff: float | int | None
) -> IntArray:
    """Return the index of the doc at each rank [system, rank]; −1 if unlabelled or missing."""
    number = {doc: place for place, doc in enumerate(docs)}
    depth = cutoff if isinstance(cutoff, int) else None
    rows = [[number.get(doc, -1) for doc in run.docs.get(topic, ())[:depth]] for run in runs]
    ranked = np.full((len(rows), max(map(len, rows), default=0)), -1, dtype=np.int64)
    for row, places in zip(ranked, rows, strict=True):
        row[: len(places)] = places
    return ranked


def _taus(scores: FloatArray, reference: FloatArray) -> FloatArray:
    """Kendall's τ-b between each row of scores [set, system] and the reference [system]."""
    distinct, kind = np.unique(scores, axis=0, return_inverse=True)
    step = max(1, _AT_ONCE // max(1, reference.size**2))
    parts = [
        kendall_tau_b(distinct[first : first + step], reference)
        for first in range(0, len(distinct), step)
    ]
    return np.concatenate(parts)[kind.ravel()] if parts else np.empty(0)
