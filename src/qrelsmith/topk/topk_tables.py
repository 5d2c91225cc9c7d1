"""The counts that topk-preferences shows: extra effort, grades, two kinds of assessors."""

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
    """Return the paper's Table 2: what dedicated assessors judge besides the grades, at most.

    Columns: topics, k, official (judgments there are), candidates, extra (upper bound of the
    comparisons), percent (of the official ones).
    """
    rows = []
    for k in ks:
        sizes = [pool.grades.size for pool in topic_pools(qrels, k=k)]
        extra = int(tournament_pairs(sizes, k).sum())
        rows.append((len(sizes), k, len(qrels), sum(sizes), extra, 100 * extra / len(qrels)))
    return Table.of(("topics", "k", "official", "candidates", "extra", "percent"), rows)


def grade_shares(docs: Iterable[tuple[str, str]], qrels: Qrels) -> Table:
    """Figures 5 and 8: how far below the top grade of their topic some docs are.

    Parameters
    ----------
    docs : iterable of (str, str)
        Topic and doc.

    Returns
    -------
    Table
        below (the top grade less the doc's), docs, share; sorted.

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
    """The best docs of one kind of assessors beside another's (Figure 7).

    Attributes
    ----------
    topics : int
        Topics that have a best doc of the first kind.
    same : int
        Topics where it is ranked first by the second kind, too, alone or tied.
    within : int
        Topics where it is among the top docs of the second kind, `same` included.
    outside : int
        The others, topics without any top docs of the second kind included.
    """

    topics: int
    same: int
    within: int
    outside: int


def answers_compared(best: Qrels, top: Qrels) -> AnswersCompared:
    """Hold the best doc of each topic against ranked top docs.

    Parameters
    ----------
    best : Qrels
        A doc a topic; with several, one of them is enough.
    top : Qrels
        The top docs, the higher the better; values of 0 and less do not count.
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
