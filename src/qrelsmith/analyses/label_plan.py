"""Preference tests drawn for labels as files hold them, over several scales at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.data.qrels import Qrels
from qrelsmith.errors import UndefinedError
from qrelsmith.preferences import ScaleCounts, draw_tests
from qrelsmith.scales import Scale


@dataclass(frozen=True, slots=True)
class PlannedTests:
    """Preference tests to be judged.

    Attributes
    ----------
    rows : tuple of (str, str, str)
        Topic, left and right doc of each test, in the order in which to hand them out.
    scales : tuple of ScaleCounts
        For each set of labels, how many tests there are for each pair of grades.
    """

    rows: tuple[tuple[str, str, str], ...]
    scales: tuple[ScaleCounts, ...]


def plan_tests(
    labels: Sequence[Qrels], *, per_pair: int, seed: int, scale: Scale | None = None
) -> PlannedTests:
    """Draw at least `per_pair` tests for each pair of grades of every set of labels.

    Parameters
    ----------
    labels : sequence of Qrels
        One grade for each doc, a set for each scale; codes below 0 are no grades.
    per_pair : int
        Tests for each pair of different grades; where there are fewer pairs of docs, all of them.
    seed : int
        The seed: with the same labels, it means the same tests for ever. The order of lines does
        not matter.
    scale : Scale, optional
        The levels, if all sets have the same; without it, the grades that occur in each.

    Raises
    ------
    UsageError
        As `draw_tests`: a grade is off the scale, or there are too many levels.
    UndefinedError
        If a set of labels has no grade.
    """
    for one in labels:
        if not (one.grade >= 0).any():
            raise UndefinedError(f"no doc of {one.name} has a grade: there is nothing to compare")
    docs_of: dict[str, set[str]] = {}
    for one in labels:
        for topic, doc, _ in one.rows():
            docs_of.setdefault(topic, set()).add(doc)
    topics = sorted(docs_of)
    docs = [sorted(docs_of[topic]) for topic in topics]
    widest = max(map(len, docs))
    topic_place = {topic: place for place, topic in enumerate(topics)}
    doc_place = [{doc: place for place, doc in enumerate(names)} for names in docs]
    arrays = []
    for one in labels:
        grades = np.full((len(topics), widest), np.nan)
        for topic, doc, grade in one.rows():
            place = topic_place[topic]
            grades[place, doc_place[place][doc]] = grade
        arrays.append(grades)
    drawn = draw_tests(
        arrays,
        per_pair=per_pair,
        seed=seed,
        levels=None if scale is None else [scale.levels] * len(arrays),
        topic_keys=topics,
        # Numbers, which no doc is called, fill the places after a topic's docs.
        doc_keys=[[*names, *range(len(names), widest)] for names in docs],
    )
    places = zip(drawn.topics.tolist(), drawn.left.tolist(), drawn.right.tolist(), strict=True)
    return PlannedTests(
        rows=tuple((topics[t], docs[t][left], docs[t][right]) for t, left, right in places),
        scales=drawn.scales,
    )
