"""The counts reported in topk-preferences: extra effort, grades, and agreement of assessors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.topk.budget import tournament_pairs
from qrelsmith.topk.topk_sessions import topic_pools


def effort_table(qrels: Qrels, ks: Sequence[int]) -> Table:
    """Return the paper's Table 2: maximum extra effort of dedicated assessors.

    Columns: topics, k, official (number of official judgments), candidates, extra (upper bound of
    comparisons), percent (of official).
    """
    rows = []
    for k in ks:
        sizes = [pool.grades.size for pool in topic_pools(qrels, k=k)]
        extra = int(tournament_pairs(sizes, k).sum())
        rows.append((len(sizes), k, len(qrels), sum(sizes), extra, 100 * extra / len(qrels)))
    return Table.of(("topics", "k", "official", "candidates", "extra", "percent"), rows)


def grade_shares(docs: Iterable[tuple[str, str]], qrels: Qrels) -> Table:
    """Return the paper's Figures 5 and 8: shares of docs by distance from the topic's top grade.

    Parameters
    ----------
    docs : iterable of (str, str)
        Topic and doc.

    Returns
    -------
    Table
        below (the top grade minus the doc's), docs, share; sorted.

    Raises
    ------
    UndefinedError
        If a doc has no grade, or there are no docs.
    """
    grades = qrels.to_dict()
    steps = []
    for topic, doc in docs:
        if doc not in grades.get(topic, {}):
            raise UndefinedError(f"the doc {doc} of topic {topic} has no grade in {qrels.name}")
        steps.append(max(grades[topic].values()) - grades[topic][doc])
    if not steps:
        raise UndefinedError("no docs given; expected docs with grades")
    values, counts = np.unique(steps, return_counts=True)
    rows = zip(values.tolist(), counts.tolist(), (counts / counts.sum()).tolist(), strict=True)
    return Table.of(("below", "docs", "share"), list(rows))


@dataclass(frozen=True, slots=True)
class AnswersCompared:
    """Comparison of the best docs of two kinds of assessors (Figure 7).

    Attributes
    ----------
    topics : int
        Number of topics with a best doc of the first kind.
    same : int
        Number of topics whose best doc is also ranked first by the second kind, possibly tied.
    within : int
        Number of topics whose best doc is among the top docs of the second kind, including `same`.
    outside : int
        Number of other topics, including those without top docs of the second kind.
    """

    topics: int
    same: int
    within: int
    outside: int


def answers_compared(best: Qrels, top: Qrels) -> AnswersCompared:
    """Compare the best docs by one kind of assessors with the top docs by another kind.

    Parameters
    ----------
    best : Qrels
        One doc per topic; if several, a match of any counts.
    top : Qrels
        The top docs, higher is better; values of 0 or less are ignored.
    """
    ranked = top.to_dict()
    same = within = 0
    for topic, docs in best.to_dict().items():
        values = {doc: value for doc, value in ranked.get(topic, {}).items() if value > 0}
        first = max(values.values(), default=0.0)
        within += any(doc in values for doc in docs)
        same += any(values.get(doc) == first for doc in docs)
    topics = len(best.topics)
    return AnswersCompared(topics, same, within, topics - within)
