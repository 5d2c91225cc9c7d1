"""Labels from files, arranged by topic for the search for cuts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, UndefinedError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import TopicLabels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels

ALL = "all"
NOT_DISPLAYED = -2.0


@dataclass(frozen=True, eq=False)
class CutTopics:
    """The labels of a data set, prepared for cutting.

    Attributes
    ----------
    topics : tuple of str
        The topics, sorted.
    docs : tuple of tuple of str [topic][doc]
        The docs of each topic that have a label, or are treated as non-relevant without a label.
    labels : tuple of TopicLabels [topic]
        Labels and grades on the target scale; doc numbers are indices into `docs`.
    without_target : tuple of str
        Labelled topics missing from the second data set, which are left out.
    hits : bool
        Whether the judgments have HITs; otherwise an assessor's labels of a topic form one HIT.
    filled : int
        Number of docs treated as non-relevant because a label or target grade is missing.
    """

    topics: tuple[str, ...]
    docs: tuple[tuple[str, ...], ...]
    labels: tuple[TopicLabels, ...]
    without_target: tuple[str, ...] = ()
    hits: bool = False
    filled: int = 0

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        *,
        target: Qrels | None = None,
        errors: Literal["missing", "nonrelevant"] = "missing",
        filling: Filling | None = None,
    ) -> CutTopics:
        """Return the current grades of judgments, arranged by topic.

        Parameters
        ----------
        judgments : Judgments
            Labels on the source scale; codes below 0 are ignored.
        target : Qrels, optional
            Grades on the target scale; codes below 0 are ignored.
        errors : {'missing', 'nonrelevant'}
            Treatment of the code −2 (could not be displayed) in the judgments: missing, or the
            grade 0.
        filling : Filling, optional
            Treats unjudged docs as non-relevant (the sets marked `a` in Han et al. 2019, 3.4).

        Raises
        ------
        UndefinedError
            If no topic is left.
        """
        now = judgments.current()
        grade = np.where((now.grade == NOT_DISPLAYED) & (errors == "nonrelevant"), 0.0, now.grade)
        now, grade = now.select(grade >= 0), grade[grade >= 0]
        unit = _units(now)
        starts = np.searchsorted(now.topic, np.arange(len(now.topics) + 1))
        aims = None if target is None else target.to_dict()
        parts: list[tuple[str, tuple[str, ...], TopicLabels]] = []
        without: list[str] = []
        filled = 0
        for place, topic in enumerate(now.topics):
            if aims is not None and topic not in aims:
                without.append(topic)
                continue
            rows = slice(starts[place], starts[place + 1])
            aim = {d: g for d, g in (aims or {}).get(topic, {}).items() if g >= 0}
            made = _Topic(
                [now.docs[doc] for doc in now.doc[rows].tolist()], grade[rows], unit[rows]
            )
            if filling is not None:
                filled += made.fill(aim if aims is not None else None, filling, topic)
            parts.append((topic, *made.labels(aim)))
        if not parts:
            problem = "there are no labels" if not without else "the target has none of the topics"
            raise UndefinedError(f"{problem}; expected labels to cut")
        topics, docs, labels = zip(*parts, strict=True)
        return cls(topics, docs, labels, tuple(without), now.hit is not None, filled)

    def pool_topics(self) -> CutTopics:
        """Return all topics as one topic `all`; a HIT with several topics becomes one unit."""
        if len(self.topics) == 1:
            return CutTopics((ALL,), self.docs, self.labels, hits=self.hits, filled=self.filled)
        first = np.cumsum([0, *(labels.docs for labels in self.labels)])
        together = TopicLabels.of(
            np.concatenate([labels.grade for labels in self.labels]),
            np.concatenate(
                [labels.doc + start for labels, start in zip(self.labels, first, strict=False)]
            ),
            np.concatenate([labels.unit for labels in self.labels]),
            target=np.concatenate([labels.target for labels in self.labels]),
        )
        names = tuple(
            f"{topic} {doc}"
            for topic, docs in zip(self.topics, self.docs, strict=True)
            for doc in docs
        )
        return CutTopics((ALL,), (names,), (together,), hits=self.hits, filled=self.filled)

    @classmethod
    def of_assessors(
        cls,
        judgments: Judgments,
        *,
        target: Qrels,
        errors: Literal["missing", "nonrelevant"] = "missing",
        filling: Filling | None = None,
    ) -> CutTopics:
        """Return the labels by assessor instead of by topic, with all topics pooled.

        Assessors without a label in the target's topics are left out. Parameters and errors are the
        same as in `of`.
        """
        whole = cls.of(judgments, target=target, errors=errors, filling=filling)
        by_assessor: list[tuple[str, CutTopics]] = []
        for place, assessor in enumerate(judgments.assessors):
            own = judgments.select(judgments.assessor == place)
            with suppress(UndefinedError):
                labels = cls.of(own, target=target, errors=errors, filling=filling)
                by_assessor.append((assessor, labels.pool_topics()))
        return replace(
            whole,
            topics=tuple(assessor for assessor, _ in by_assessor),
            docs=tuple(one.docs[0] for _, one in by_assessor),
            labels=tuple(one.labels[0] for _, one in by_assessor),
            filled=sum(one.filled for _, one in by_assessor),
        )


@dataclass(frozen=True, slots=True)
class Filling:
    """The unjudged docs to treat as non-relevant.

    Attributes
    ----------
    source : float or None
        The non-relevant grade of the source scale. None: only target grades are filled, because an
        unjudged doc belongs to no HIT.
    also : collection of (str, str)
        Further (topic, doc) pairs to include, in addition to both data sets.
    """

    source: float | None = None
    also: Collection[tuple[str, str]] = ()

    def docs_of(self, topic: str) -> set[str]:
        """Return the unjudged docs of a topic that are treated as non-relevant."""
        return {doc for of, doc in self.also if of == topic}


def target_levels(grades: Qrels, levels: int) -> Qrels:
    """Return the checked grades on the target scale.

    Raises
    ------
    InputError
        If a grade is not one of 0 … levels − 1.
    """
    wrong = (grades.grade >= 0) & ~np.isin(grades.grade, np.arange(levels))
    for place in np.flatnonzero(wrong)[:1]:
        topic, doc = grades.topics[grades.topic[place]], grades.docs[grades.doc[place]]
        raise InputError(
            f"topic {quoted(topic)} doc {quoted(doc)} of the target {quoted(grades.name)} has the"
            f" grade {grade_text(float(grades.grade[place]))}; expected a whole number "
            f"from 0 to {levels - 1}. Use qrelsmith transform"
        )
    return grades


def aggregated_target(judgments: Judgments, *, by: str, name: str) -> Qrels:
    """Return crowd labels on the target scale as one grade per doc, rounded down between levels."""
    qrels = aggregated_qrels(judgments, by, name=name).qrels
    return replace(qrels, grade=np.floor(qrels.grade))


def candidate_cuts(grades: FloatArray, most: int) -> FloatArray:
    """Return a limited number of the values that occur, spread evenly over the labels.

    Parameters
    ----------
    grades : ndarray, [label]
        Labels; codes below 0 are ignored.
    """
    values = grades[grades >= 0]
    if not values.size:
        raise UndefinedError("there are no labels; expected labels to cut")
    shares = np.arange(1, most + 1) / (most + 1)
    chosen = np.unique(np.quantile(values, shares, method="inverted_cdf"))
    return np.asarray(chosen[chosen < values.max()])


def _units(now: Judgments) -> IntArray:
    """Return the unit index of every judgment, by assessor and HIT or assessor and topic."""
    hits = np.array(now.hit if now.hit is not None else [""] * len(now), dtype=object).astype(str)
    names, hit = np.unique(hits, return_inverse=True)
    inside = np.where(hits == "", len(names) + now.topic, hit)
    keys = now.assessor * (len(names) + len(now.topics)) + inside
    return np.asarray(np.unique(keys, return_inverse=True)[1], dtype=np.int64)


class _Topic:
    """The labels of one topic with the names of their docs."""

    def __init__(self, docs: list[str], grade: FloatArray, unit: IntArray) -> None:
        self._docs = docs
        self._grade = grade
        self._unit = unit

    def fill(self, aim: dict[str, float] | None, filling: Filling, topic: str) -> int:
        """Treat unjudged docs as non-relevant and return the number of these docs."""
        labelled = set(self._docs)
        docs = labelled
        if filling.source is not None:
            docs = labelled | set(aim or {}) | filling.docs_of(topic)
        count = 0
        if aim is not None:
            lacking = sorted(docs - set(aim))
            aim.update(dict.fromkeys(lacking, 0.0))
            count += len(lacking)
        if filling.source is not None:
            added = sorted(docs - labelled)
            self._docs = self._docs + added
            self._grade = np.append(self._grade, np.full(len(added), filling.source))
            nobody = int(self._unit.max(initial=-1)) + 1
            self._unit = np.append(self._unit, np.full(len(added), nobody))
            count += len(added)
        return count

    def labels(self, aim: Mapping[str, float]) -> tuple[tuple[str, ...], TopicLabels]:
        """Return the sorted docs, with labels and targets."""
        names = tuple(sorted(set(self._docs)))
        number = {name: place for place, name in enumerate(names)}
        return names, TopicLabels.of(
            self._grade,
            [number[name] for name in self._docs],
            self._unit,
            target=[aim.get(name, np.nan) for name in names],
        )
