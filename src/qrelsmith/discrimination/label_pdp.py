"""Pairwise discriminative power of labels from files.

Topics, docs and assessors become array positions, preferences become tests of docs, and runs become
lists of docs. Omitted items are counted, for the notes of the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.scales import levels_seen
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import DocLists
from qrelsmith.discrimination.preferences.batches import batches_by_assessor
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests, settle
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.pairs.preferences import Preferences

_MOST_LEVELS = 101  # maximum number of levels of a grade-level matrix


@dataclass(frozen=True, slots=True)
class CodedTests:
    """Preferences, coded as tests between graded docs.

    Attributes
    ----------
    tests : PreferenceTests
        One test for each pair of docs, by the sign of the median of the pair's outcomes.
    other_topics : int
        The number of topics with preferences but without judgments, whose preferences are ignored.
    ungraded_docs : int
        The number of docs without a grade in preferences of judged topics.
    ungraded_tests : int
        The number of compared pairs of docs that are ignored because a doc has no grade.
    untested_topics : int
        The number of judged topics without any preference.
    """

    tests: PreferenceTests
    other_topics: int
    ungraded_docs: int
    ungraded_tests: int
    untested_topics: int


@dataclass(frozen=True, slots=True)
class CodedLists:
    """Lists of the first graded docs of each run.

    Attributes
    ----------
    lists : DocLists
        A list for each run and each judged topic for which the run has a graded doc.
    passed_over : int
        The number of docs without a grade in the runs before the last doc of their lists (for a
        shorter list, before the end of the run).
    short : int
        The number of lists with fewer docs than requested.
    lacking : int
        The number of pairs of a run and a judged topic without a list, because the run has none of
        the topic's graded docs.
    """

    lists: DocLists
    passed_over: int
    short: int
    lacking: int


@dataclass(frozen=True, eq=False)
class GradedDocs:
    """The current grades of a campaign as an array.

    Attributes
    ----------
    topics : tuple of str
        The judged topics, sorted, including those without any grade.
    docs : tuple of tuple of str [topic][doc]
        The docs of each topic that have a grade, sorted.
    grades : float array [topic, doc, slot]
        Grades, nan if undefined. A slot is an assessor of the topic: it can be a different person
        in each topic.
    batches : int array [topic]
        Topics that share assessors, directly or through other topics, form a batch; 0 for topics
        without grades.
    ungraded : int
        The number of docs with judgments but without a grade (codes below 0 only), which are left
        out.
    """

    topics: tuple[str, ...]
    docs: tuple[tuple[str, ...], ...]
    grades: FloatArray
    batches: IntArray
    ungraded: int

    @classmethod
    def of(
        cls, judgments: Judgments, *, errors: Literal["missing", "nonrelevant"] = "missing"
    ) -> GradedDocs:
        """Return the grades of judgments.

        Parameters
        ----------
        judgments : Judgments
            The judgments; the latest revision counts.
        errors : {'missing', 'nonrelevant'}
            The meaning of the code −2 (could not be displayed): no grade, or the grade 0.

        Raises
        ------
        UsageError
            If `errors` has another value.
        """
        ratings = judgments.ratings(errors=errors)
        held = (~np.isnan(ratings.values)).any(axis=0)
        place = {topic: number for number, topic in enumerate(judgments.topics)}
        units = [ratings.units[place] for place in np.flatnonzero(held).tolist()]
        docs: list[list[str]] = [[] for _ in place]
        unit_topic = np.empty(len(units), dtype=np.int64)
        unit_doc = np.empty(len(units), dtype=np.int64)
        for number, (topic, doc) in enumerate(units):
            own = docs[place[topic]]
            unit_topic[number], unit_doc[number] = place[topic], len(own)
            own.append(doc)
        assessor, unit = np.nonzero(~np.isnan(ratings.values[:, held]))
        judged = np.zeros((len(place), len(ratings.assessors)), dtype=np.bool_)
        judged[unit_topic[unit], assessor] = True
        slot = np.cumsum(judged, axis=1) - 1
        shape = (
            len(place),
            max(map(len, docs), default=0),
            max(1, int(judged.sum(axis=1).max(initial=0))),
        )
        grades = np.full(shape, np.nan)
        grades[unit_topic[unit], unit_doc[unit], slot[unit_topic[unit], assessor]] = ratings.values[
            :, held
        ][assessor, unit]
        # A topic without grades needs no matrix, and is not in a batch.
        graded = judged.any(axis=1)
        batches = np.zeros(len(place), dtype=np.int64)
        batches[graded] = batches_by_assessor(judged[graded])
        return cls(
            topics=judgments.topics,
            docs=tuple(map(tuple, docs)),
            grades=grades,
            batches=batches,
            ungraded=int((~held).sum()),
        )

    @cached_property
    def places(self) -> Mapping[str, tuple[int, Mapping[str, int]]]:
        """The position of each topic, and the positions of the topic's docs."""
        return {
            topic: (number, {doc: place for place, doc in enumerate(docs)})
            for number, (topic, docs) in enumerate(zip(self.topics, self.docs, strict=True))
        }

    def levels(self) -> tuple[float, ...]:
        """Return the levels if no scale is given: 0 to the highest grade if all grades are whole.

        Otherwise, the levels are the grades that occur.
        """
        seen = levels_seen(self.grades)
        if seen and all(level.is_integer() for level in seen) and seen[-1] < _MOST_LEVELS:
            return tuple(float(level) for level in range(int(seen[-1]) + 1))
        return seen

    def tests(self, preferences: Preferences) -> CodedTests:
        """Return preferences as tests on these docs.

        Parameters
        ----------
        preferences : Preferences
            Only current preferences are used; each preference without an assessor counts as a
            different assessor's.

        Raises
        ------
        UndefinedError
            If there is no preference for any of the topics.
        """
        preferences = preferences.current()
        rows: list[tuple[int, int, int]] = []
        numbers: list[int] = []
        ungraded_docs: set[tuple[str, str]] = set()
        ungraded_tests: set[tuple[str, frozenset[str]]] = set()
        for number, (topic, left, right, *_) in enumerate(preferences.rows()):
            if topic not in self.places:
                continue
            place, docs = self.places[topic]
            lacking = [doc for doc in (left, right) if doc not in docs]
            if lacking:
                ungraded_docs.update((topic, doc) for doc in lacking)
                ungraded_tests.add((topic, frozenset((left, right))))
                continue
            rows.append((place, docs[left], docs[right]))
            numbers.append(number)
        own_topics = set(self.topics)
        common = own_topics & set(preferences.topics)
        if not common:
            raise UndefinedError(
                f"none of the {len(preferences.topics)} topics of the preferences is "
                f"among the {len(self.topics)} judged topics; expected at least one"
            )
        coded = np.array(rows, dtype=np.int64).reshape(-1, 3)
        who = preferences.assessor[numbers]
        if "" in preferences.assessors:
            unknown = who == preferences.assessors.index("")
            who = np.where(unknown, len(preferences.assessors) + np.arange(who.size), who)
        return CodedTests(
            tests=settle(coded[:, 0], coded[:, 1], coded[:, 2], preferences.outcome[numbers], who),
            other_topics=len(preferences.topics) - len(common),
            ungraded_docs=len(ungraded_docs),
            ungraded_tests=len(ungraded_tests),
            untested_topics=len(own_topics - common),
        )

    def lists(self, runs: Iterable[Run], *, depth: int) -> CodedLists:
        """Return the first graded docs of each run, topic by topic.

        Parameters
        ----------
        runs : iterable of Run
            The runs, which are read one by one.
        depth : int
            The number of graded docs per topic, 1 or more.

        Raises
        ------
        UsageError
            If the depth is below 1.
        UndefinedError
            If no run has a graded doc.
        """
        if depth < 1:
            raise UsageError(f"the depth is {depth}; expected 1 or more")
        topics: list[int] = []
        rows: list[list[int]] = []
        count = passed_over = 0
        for run in runs:
            count += 1
            for topic, ranking in run.docs.items():
                if topic not in self.places:
                    continue
                number, docs = self.places[topic]
                row, passed = _first(ranking, docs, depth)
                if row:
                    topics.append(number)
                    rows.append(row)
                    passed_over += passed
        if not rows:
            raise UndefinedError(f"no doc of the {count} runs has a grade; expected at least one")
        table = np.full((len(rows), max(map(len, rows))), -1, dtype=np.int64)
        for line, row in zip(table, rows, strict=True):
            line[: len(row)] = row
        order = np.argsort(topics, kind="stable")
        return CodedLists(
            lists=DocLists(topics=np.array(topics, dtype=np.int64)[order], docs=table[order]),
            passed_over=passed_over,
            short=sum(len(row) < depth for row in rows),
            lacking=count * len(self.topics) - len(rows),
        )


def _first(ranking: tuple[str, ...], docs: Mapping[str, int], depth: int) -> tuple[list[int], int]:
    """Return positions of the first graded docs, and the number of ungraded docs in between."""
    row: list[int] = []
    passed = 0
    for doc in ranking:
        place = docs.get(doc)
        if place is None:
            passed += 1
            continue
        row.append(place)
        if len(row) == depth:
            break
    return row, passed
