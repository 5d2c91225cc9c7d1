"""Qrels: one final grade per topic and doc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.collection.docnos import ByteDocs, Docs, Vocabulary
from qrelsmith.collection.frames import Names, pandas_frame, polars_frame, qrel_columns, qrel_rows
from qrelsmith.io.content_digest import content_digest
from qrelsmith.io.given_values import id_text, is_finite_number

QREL_COLUMNS = ("topic", "doc", "grade")
"""The numbers of `Qrels`."""
# Docs judged for at most this number of topics are looked up topic by topic.
_FEW_TOPICS = 8


@dataclass(frozen=True, eq=False, repr=False)
class Qrels:
    """Grades of docs, at most one per topic and doc.

    Attributes
    ----------
    name : str
        The name of the qrels in tables; by default, the name of the file.
    topics : tuple of str
        The topics, sorted.
    docs : tuple of str
        Every doc judged for any topic, sorted.
    topic, doc : int array [judgment]
        Positions in `topics` and `docs`; sorted by topic, then doc.
    grade : float array [judgment]
        The grades, finite. Codes below 0 are kept: −1 unjudged, −2 could not be displayed.
    """

    name: str
    topics: tuple[str, ...]
    docs: tuple[str, ...]
    topic: IntArray
    doc: IntArray
    grade: FloatArray

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, float]], *, name: str = "qrels") -> Qrels:
        """Return qrels from rows of (topic, doc, grade).

        Raises
        ------
        UsageError
            If a pair has two grades, an id is not text, or a grade is not a finite number.
        """
        grades: dict[tuple[str, str], float] = {}
        for row_topic, row_doc, row_grade in rows:
            topic, doc = id_text(row_topic, "topic"), id_text(row_doc, "doc")
            if not is_finite_number(row_grade):
                raise UsageError(
                    f"topic {quoted(topic)} doc {quoted(doc)}: the grade is {quoted(row_grade)};"
                    " expected a finite number"
                )
            grade = float(row_grade)
            if grades.setdefault((topic, doc), grade) != grade:
                raise UsageError(
                    f"topic {quoted(topic)} doc {quoted(doc)} has two grades:"
                    f" {grades[topic, doc]:g} and {grade:g}"
                )
        return cls.from_columns(
            [topic for topic, _ in grades],
            [doc for _, doc in grades],
            np.fromiter(grades.values(), np.float64, len(grades)),
            name=name,
        )

    @classmethod
    def from_dict(cls, grades: Mapping[str, Mapping[str, float]], *, name: str = "qrels") -> Qrels:
        """Return qrels from {topic: {doc: grade}}.

        Raises
        ------
        UsageError
            If an id is not text, or a grade is not a finite number.
        """
        return cls.from_rows(
            ((t, d, g) for t, docs in grades.items() for d, g in docs.items()), name=name
        )

    @classmethod
    def from_columns(
        cls, topics: list[str], docs: list[str], grade: FloatArray, *, name: str
    ) -> Qrels:
        """Return qrels from unsorted columns; the caller ensures that pairs are distinct."""
        topic_names, topic = _encode(topics)
        doc_names, doc = _encode(docs)
        order = np.lexsort((doc, topic))
        return cls(
            name=name,
            topics=topic_names,
            docs=doc_names,
            topic=topic[order],
            doc=doc[order],
            grade=grade[order],
        )

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "qrels") -> Qrels:
        """Return qrels from a data frame of pandas, polars or pyarrow, or a mapping of columns.

        The columns have the names of ir_measures (`query_id`, `doc_id`, `relevance`), PyTerrier
        (`qid`, `docno`, `label`) or qrelsmith (`topic`, `doc`, `grade`); other columns are ignored.

        Raises
        ------
        UsageError
            If a column is missing, an id is not text, a grade is not a finite number, or a pair has
            two grades.

        Examples
        --------
        >>> import pandas
        >>> columns = {"qid": ["001"], "docno": ["d1"], "label": [2]}
        >>> Qrels.from_frame(pandas.DataFrame(columns)).to_dict()
        {'001': {'d1': 2.0}}
        """
        return cls.from_rows(qrel_rows(frame), name=name)

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"<Qrels {self.name!r}: {len(self)} judgments, {len(self.topics)} topics>"

    def _repr_html_(self) -> str:
        grades, counts = np.unique(self.grade, return_counts=True)
        rows = zip(map(grade_text, grades.tolist()), counts.tolist(), strict=True)
        title = f"Qrels {self.name}: {len(self):,} judgments, {len(self.topics):,} topics"
        return Table.of(("grade", "docs"), rows)._repr_html_(title=title)

    def rows(self) -> Iterator[tuple[str, str, float]]:
        """Yield topic, doc and grade of every judgment, sorted."""
        for topic, doc, grade in zip(
            self.topic.tolist(), self.doc.tolist(), self.grade.tolist(), strict=True
        ):
            yield self.topics[topic], self.docs[doc], grade

    def to_dict(self) -> dict[str, dict[str, float]]:
        """Return the grades as {topic: {doc: grade}}."""
        grades: dict[str, dict[str, float]] = {topic: {} for topic in self.topics}
        for topic, doc, grade in self.rows():
            grades[topic][doc] = grade
        return grades

    def to_pandas(self, *, names: Names = "ir_measures") -> Any:
        """Return a pandas data frame, sorted; whole grades become integers.

        Parameters
        ----------
        names : {'ir_measures', 'pyterrier', 'qrelsmith'}
            The names of the columns.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return pandas_frame(qrel_columns(self.rows(), names=names))

    def to_polars(self, *, names: Names = "ir_measures") -> Any:
        """Return a polars data frame; see `to_pandas`."""
        return polars_frame(qrel_columns(self.rows(), names=names))

    def restricted_to(self, topics: Iterable[str]) -> Qrels:
        """Return the qrels of some topics only; topics without judgments are ignored."""
        wanted = set(topics)
        is_wanted = np.array([topic in wanted for topic in self.topics], dtype=bool)[self.topic]
        used_topics, topic = np.unique(self.topic[is_wanted], return_inverse=True)
        used_docs, doc = np.unique(self.doc[is_wanted], return_inverse=True)
        return Qrels(
            name=self.name,
            topics=tuple(self.topics[place] for place in used_topics.tolist()),
            docs=tuple(self.docs[place] for place in used_docs.tolist()),
            topic=topic,
            doc=doc,
            grade=self.grade[is_wanted],
        )

    def digest(self) -> str:
        """Return the SHA-256 of topics and judgments; the name is not included."""
        topics, docs, grades = zip(*self.rows(), strict=True) if len(self) else ((), (), ())
        return content_digest(
            {"topics": self.topics, "topic": topics, "doc": docs, "grade": grades}
        )

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The docs, prepared for fast lookup by name."""
        return Vocabulary(self.docs)

    @cached_property
    def topic_index(self) -> dict[str, int]:
        """The position of each topic."""
        return {topic: place for place, topic in enumerate(self.topics)}

    @cached_property
    def _pairs(self) -> IntArray:
        """A number for each judgment that encodes topic and doc, in ascending order [judgment]."""
        return self.topic * len(self.docs) + self.doc

    @cached_property
    def _by_doc(self) -> tuple[IntArray, IntArray, int]:
        """The judgments sorted by doc, where each doc starts, and the most judgments of any doc.

        The last doc is an additional doc without judgments, which represents all unknown docs.
        """
        order = np.argsort(self.doc, kind="stable")
        counts = np.bincount(self.doc, minlength=len(self.docs) + 1)
        return order, np.append(0, np.cumsum(counts)), int(counts.max(initial=0))

    @cached_property
    def _docs_by_topic(self) -> Vocabulary:
        """The doc of each judgment, prepared for lookup by topic and doc."""
        return Vocabulary([self.docs[doc] for doc in self.doc.tolist()], self.topic)

    def grades_of(self, docs: Docs, topic: IntArray) -> FloatArray:
        """Return the grade of each doc in a column [row]; nan if the doc is unjudged.

        Parameters
        ----------
        docs : Docs
            The docs.
        topic : int array [row]
            The position of each doc's topic; −1 if the topic has no judgments.
        """
        if isinstance(docs, ByteDocs) and len(self):
            place = docs.codes_in(self._docs_by_topic, topic)
            return np.where(place < 0, np.nan, self.grade[place])
        doc = docs.codes_in(self.vocabulary)
        grades = np.full(len(docs), np.nan)
        known = np.flatnonzero((doc >= 0) & (topic >= 0))
        grades[known] = self.lookup(topic[known], doc[known])
        return grades

    def lookup(self, topic: IntArray, doc: IntArray) -> FloatArray:
        """Return the grades of given pairs of topic and doc [pair]; nan if a pair is unjudged.

        Parameters
        ----------
        topic, doc : int array [pair]
            Positions in `topics` and `docs`, none of them negative.
        """
        if not len(self):
            return np.full(topic.shape, np.nan)
        order, begins, most = self._by_doc
        if most > _FEW_TOPICS:
            wanted = topic * len(self.docs) + doc
            place = np.searchsorted(self._pairs, wanted)
            place[place == len(self._pairs)] = 0
            return np.where(self._pairs[place] == wanted, self.grade[place], np.nan)
        shape = topic.shape
        topic, doc = topic.ravel(), np.minimum(doc, len(self.docs)).ravel()
        grades = np.full(topic.size, np.nan)
        rows = np.arange(topic.size)
        for step in range(most):
            place = begins[doc[rows]] + step
            rows = rows[place < begins[doc[rows] + 1]]
            judgment = order[begins[doc[rows]] + step]
            same = self.topic[judgment] == topic[rows]
            grades[rows[same]] = self.grade[judgment[same]]
            rows = rows[~same]
        return grades.reshape(shape)


def _encode(names: list[str]) -> tuple[tuple[str, ...], IntArray]:
    """Return the sorted distinct names, and each name's position in this list."""
    distinct = tuple(sorted(set(names)))
    place = {name: code for code, name in enumerate(distinct)}
    return distinct, np.fromiter(map(place.__getitem__, names), np.int64, len(names))
