"""What stands in pools, as tables: their sizes, and what each team brings to them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.analyses.run_pools import RunPools
from qrelsmith.data.qrels import Qrels
from qrelsmith.data.teams import team_numbers
from qrelsmith.pooling.contributions import contributions
from qrelsmith.tables import Cell, Table

_ALL = "all"


def pool_sizes(pooled: RunPools) -> Table:
    """How large the pool of each topic is; the topic `all` has the sums.

    Columns: topic, runs (that returned the topic), docs, one_run (docs that a single run returned),
    found (docs that no run returned).
    """
    rows: list[tuple[Cell, ...]] = []
    for topic, pool in pooled.pools.items():
        times = pool.runs_of
        rows.append(
            (
                topic,
                int(np.unique(pool.run).size),
                len(pool),
                int((times == 1).sum()),
                int((times == 0).sum()),
            )
        )
    sums = [sum(column) for column in zip(*(row[2:] for row in rows), strict=True)]
    rows.append((_ALL, len(pooled.runs), *sums))
    return Table.of(("topic", "runs", "docs", "one_run", "found"), rows)


def pool_contributions(
    pooled: RunPools, *, teams: Mapping[str, str], qrels: Qrels | None = None
) -> Table:
    """What each team brings to the pools of all topics.

    Columns: team, runs, docs (that a run of the team returned), unique (that no other team's run
    returned and nobody found otherwise), and with qrels unique_relevant (those of them with a grade
    above 0).

    Parameters
    ----------
    pooled : RunPools
        The pools.
    teams : mapping of str to str
        The team of each run; a run without one is a team of its own.
    qrels : Qrels, optional
        Grades of docs.
    """
    names, team_of = team_numbers(pooled.runs, teams)
    docs, unique, relevant = np.zeros((3, len(names)), dtype=np.int64)
    grades = {} if qrels is None else qrels.restricted_to(pooled.pools).to_dict()
    for topic, pool in pooled.pools.items():
        brought = contributions(pool, team_of=team_of, teams=len(names))
        docs += brought.docs
        unique += brought.unique
        graded = grades.get(topic, {})
        worth = np.fromiter((graded.get(doc, 0.0) > 0 for doc in pool.docs), np.bool_, len(pool))
        own = brought.sole[worth & (brought.sole >= 0)]
        relevant += np.bincount(own, minlength=len(names))
    runs = np.bincount(team_of, minlength=len(names))
    columns = ["team", "runs", "docs", "unique"]
    counts = [runs, docs, unique]
    if qrels is not None:
        columns.append("unique_relevant")
        counts.append(relevant)
    rows = zip(names, *(column.tolist() for column in counts), strict=True)
    return Table.of(columns, rows)
