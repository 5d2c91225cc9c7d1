"""Pools: their sizes, their judged shares, and the unique docs of each team."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import GUESSED_TEAMS, count
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.pools.pool_sets import PoolSet
from qrelsmith.collection.teams import team_numbers
from qrelsmith.pooling.pool import PooledRuns, pool
from qrelsmith.pooling.run_pools import RunPools

_KEY, _TITLE = "pools", "Pools and contributions"


@SECTIONS.add("pools", place=15, of="docs")
def pools(inputs: AuditInputs) -> Section:
    """Report the pool depth, each run's unjudged docs, and the docs that only one team found."""
    campaign = inputs.campaign
    files, depth = inputs.pools, inputs.pool_depth
    if not campaign.runs:
        return Section(_KEY, _TITLE, missing="at least one run; there are no runs")
    reference = inputs.label_sets[inputs.reference]
    if all(set(run.topics).isdisjoint(reference.topics) for run in inputs.runs):
        return Section(
            _KEY, _TITLE, missing=f"a run with a topic of {inputs.reference}; none exists"
        )
    contributed = inputs.ask(pool, depth=depth, show="contributions", pooled_topics="judged")
    pooled = contributed.contents
    teams = inputs.teams
    grades = reference.to_dict()
    tables = []
    if files is None:
        paragraphs = [
            f"The campaign has no pool files, so the audit pools the runs to depth {depth} on the"
            f" topics of {inputs.reference}."
        ]
    else:
        paragraphs = [
            f"The audit pools the runs to the depth {depth} of the pool files, on the topics of"
            f" {inputs.reference}. Further docs in the pool files come from other sources or runs."
        ]
        tables.append(
            NamedTable(
                key="pools",
                title="The pools and their judged share",
                table=_pool_table(files, pooled, grades),
                note=f"Judged: docs that {inputs.reference} graded 0 or higher.",
            )
        )
        tables.append(
            NamedTable(
                key="unjudged",
                title=f"Docs not judged by {inputs.reference} within the depth of the pools",
                table=_unjudged_shares(pooled, teams, grades),
                note="Unjudged: mean share over topics. First gap: median over topics of the first"
                " rank with an unjudged doc; empty if most topics have no gap within the depth.",
            )
        )
    tables.append(
        NamedTable(
            key="contributions",
            title="Contributions and unique docs of each team",
            table=contributed.table(),
            answer=contributed,
            note=f"The teams are read from {inputs.teams_source}.",
        )
    )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        findings=(_finding(inputs, contributed, grades),),
    )


def _is_judged(
    pooled: RunPools, grades: Mapping[str, Mapping[str, float]]
) -> dict[str, FloatArray]:
    """Return whether each doc of each topic's pool is judged (1) or not (0) [doc]."""
    return {
        topic: np.array([grades.get(topic, {}).get(doc, -1.0) >= 0 for doc in held.docs], float)
        for topic, held in pooled.pools.items()
    }


def _pool_table(
    files: PoolSet, pooled: RunPools, grades: Mapping[str, Mapping[str, float]]
) -> Table:
    """Count the docs of the pool files by source, and the judged docs."""
    rows: list[tuple[Cell, ...]] = []
    for topic in files.topics:
        docs = files.docs(topic)
        returned = frozenset(pooled.pools[topic].docs if topic in pooled.pools else ())
        graded = grades.get(topic, {})
        rows.append(
            (
                topic,
                len(docs),
                sum(doc not in returned for doc in docs),
                sum(graded.get(doc, -1.0) >= 0 for doc in docs),
            )
        )
    sums = (sum(int(row[place] or 0) for row in rows) for place in (1, 2, 3))
    rows.append(("all", *sums))
    return Table.of(("topic", "docs", "in no run", "judged"), rows)


def _unjudged_shares(
    pooled: RunPools, teams: Mapping[str, str], grades: Mapping[str, Mapping[str, float]]
) -> Table:
    """Return the share of unjudged docs within the depth, and the first unjudged rank, by run."""
    judged = _is_judged(pooled, grades)
    shares: list[list[float]] = [[] for _ in pooled.runs]
    gaps: list[list[float]] = [[] for _ in pooled.runs]
    for topic, held in pooled.pools.items():
        known = judged[topic][held.doc]
        returned = np.bincount(held.run, minlength=len(pooled.runs))
        missing = np.bincount(held.run, weights=1 - known, minlength=len(pooled.runs))
        first = np.full(len(pooled.runs), np.inf)
        np.minimum.at(first, held.run[known == 0], held.rank[known == 0])
        for run in np.flatnonzero(returned).tolist():
            shares[run].append(float(missing[run] / returned[run]))
            gaps[run].append(float(first[run]))
    names, team_of = team_numbers(pooled.runs, teams)
    rows: list[tuple[Cell, ...]] = []
    for run, name in enumerate(pooled.runs):
        gap = float(np.median(gaps[run])) if gaps[run] else np.inf
        rows.append(
            (
                name,
                names[team_of[run]],
                len(shares[run]),
                float(np.mean(shares[run])) if shares[run] else float("nan"),
                gap if np.isfinite(gap) else None,
            )
        )
    return Table.of(("run", "team", "topics", "unjudged", "first gap"), rows).sorted()


def _finding(
    inputs: AuditInputs, contributed: PooledRuns, grades: Mapping[str, Mapping[str, float]]
) -> Finding:
    """Return a finding on the relevant docs contributed by only one team."""
    pooled = contributed.contents
    relevant = sum(
        grades.get(topic, {}).get(doc, 0.0) > 0
        for topic, held in pooled.pools.items()
        for doc in held.docs
    )
    alone = {one.team: one.unique_relevant or 0 for one in contributed.contributions}
    total = sum(alone.values())
    guessed = f" ({GUESSED_TEAMS})" if inputs.teams_guessed else ""
    if len(alone) < 2:
        sentence = (
            f"All runs are from the same team{guessed}, so unique contributions cannot be computed."
        )
    elif not relevant:
        sentence = f"{inputs.reference} has no relevant docs in the pools."
    elif not total:
        sentence = (
            f"No relevant doc ({relevant:,} in all) is in the top {pooled.depth} of only one"
            f" team{guessed}."
        )
    else:
        most = max(alone, key=lambda team: alone[team])
        sentence = (
            f"{total:,} of {count(relevant, 'relevant doc', 'relevant docs')}"
            f" ({short(total / relevant)}) {'is' if total == 1 else 'are'} in the top"
            f" {pooled.depth} of only one team{guessed}. The team with the most such docs is"
            f" {most} ({alone[most]:,})."
        )
    return Finding("contributions", Verdict.FACT, sentence, _KEY)
