"""The command `pool`: which docs of the runs to judge, and which runs returned these docs."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, Jobs, Option, Seed, Source
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.pools import ORDERINGS
from qrelsmith.collection.pools.orderings import takes_seed
from qrelsmith.collection.pools.pool_files import Pools, pools_text
from qrelsmith.collection.pools.pool_sets import read_pool_set
from qrelsmith.io.given_values import describe, id_text
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_folder
from qrelsmith.judgments.label_options import OnlyTopics
from qrelsmith.judgments.run_options import Reference, RunOrder, Teams, run_words
from qrelsmith.judgments.run_sources import runs_of
from qrelsmith.judgments.sources import QrelsLike, qrels_of
from qrelsmith.judgments.topic_sources import topics_of
from qrelsmith.pooling.found_docs import read_found_docs
from qrelsmith.pooling.pool_contents import (
    PoolSize,
    TeamContribution,
    pool_sizes,
    team_contributions,
)
from qrelsmith.pooling.run_pools import RunPools, pool_runs
from qrelsmith.pooling.run_teams import run_teams

FoundDocs = FilePath | Mapping[str, Collection[str]]
_ALL = "all"


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledRuns(Result):
    """The pools of some runs.

    Attributes
    ----------
    show : str
        Content of the table.
    pools : Pools
        The docs of each topic in display order, as written by `write_pools`.
    contents : RunPools
        The rank of each doc in each run.
    sizes : tuple of PoolSize
        The size of each topic's pool.
    contributions : tuple of TeamContribution
        The contribution of each team; empty unless requested.
    """

    show: str
    pools: Pools = field(repr=False)
    contents: RunPools = field(repr=False)
    sizes: tuple[PoolSize, ...] = field(repr=False)
    contributions: tuple[TeamContribution, ...] = ()

    def table(self) -> Table:
        """Return topic, doc and position, or the columns of sizes or contributions (see `pool`)."""
        if self.show == "sizes":
            rows: list[tuple[Cell, ...]] = [
                (row.topic, row.runs, row.docs, row.one_run, row.found) for row in self.sizes
            ]
            docs, one_run, found = (
                sum(getattr(row, name) for row in self.sizes)
                for name in ("docs", "one_run", "found")
            )
            rows.append((_ALL, len(self.contents.runs), docs, one_run, found))
            return Table.of(("topic", "runs", "docs", "one_run", "found"), rows)
        if self.show == "contributions":
            columns = ["team", "runs", "docs", "unique"]
            graded = any(row.unique_relevant is not None for row in self.contributions)
            columns += ["unique_relevant"] if graded else []
            return Table.of(
                columns, ([getattr(row, name) for name in columns] for row in self.contributions)
            )
        return Table.of(("topic", "doc", "position"), self.pools.rows())

    def output_file(self, output: str) -> str:
        """Return the output file; a file in an output folder is named after the ordering."""
        if self.show != "pool" or not (Path(output).is_dir() or output.endswith(("/", os.sep))):
            return output
        Path(output).mkdir(exist_ok=True)
        seed = f"-{self.pools.seed}" if takes_seed(self.pools.ordering) else ""
        return str(Path(output) / f"{self.pools.ordering}-{self.pools.depth}{seed}.pool")

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:
        """Return the pool file, unless a table is requested."""
        if form is not None or self.show != "pool":
            return None
        return pools_text(self.pools, path=output).encode("utf-8")

    def figure(self) -> Figure:
        """Plot the number of pooled docs by depth, and the number of docs from a single run."""
        depths = np.arange(1, self.contents.depth + 1)
        docs, single = np.zeros((2, depths.size), dtype=np.int64)
        for pool in self.contents.pools.values():
            first, second = _two_best_ranks(pool.doc, pool.rank, len(pool))
            known = np.isfinite(first)
            within = np.searchsorted(np.sort(first[known]), depths, side="right")
            twice = np.searchsorted(np.sort(second[known]), depths, side="right")
            docs += within + int((~known).sum())
            single += within - twice
        x = depths.tolist()
        return Figure(
            key="pool-depth",
            title="Docs to be judged by depth of the pools",
            drawing=Lines(
                [
                    Line("all docs", x, docs.tolist()),
                    Line("docs of only one run", x, single.tolist()),
                ],
                x_label="depth",
                y_label="docs",
            ),
            caption="Totals over all topics. If the upper line still rises, deeper pools would"
            " contain new docs.",
        )


def _runs(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse runs, folders of runs, or a campaign."""
    del options
    runs = run_words(words)
    return {"runs": runs[0] if len(runs) == 1 else runs}


@question(
    "pool",
    heading="select",
    everyday=True,
    audit=("pools",),
    example="qrelsmith pool runs/*.run --depth 30 --ordering prioritised -o my.pool",
    doing="reading runs",
)
def pool(
    runs: Annotated[Any, Source(
        "The runs: objects, paths, data frames, mappings, or a campaign.", "CAMPAIGN|RUN...", _runs,
        required=True)],
    *,
    depth: Annotated[int | None, Option(
        "Number of docs to pool from each run and topic; default: as in the campaign's pools.",
        least=1)] = None,
    ordering: Annotated[str, Option(
        "Order in which docs are shown.", choices=ORDERINGS.names)] = "prioritised",
    found: Annotated[FoundDocs | None, Option(
        "Docs from other sources, such as docs found while writing the topics (lines: topic"
        " doc).", metavar="FILE",
        file=True, many=False)] = None,
    show: Annotated[Literal["pool", "sizes", "contributions"], Option(
        "Print the pool file, or a table about the pool.")] = "pool",
    teams: Teams = None,
    qrels: Annotated[QrelsLike | None, Option(
        "With --show contributions: qrels for counting relevant docs.", file=True, many=False)] =
        None,
    reference: Reference = None,
    pooled_topics: Annotated[Literal["all", "judged"], Option(
        "Pool all topics, or only the topics in --qrels or in the campaign's reference.",
        was={"topics": {}})] = "all",
    topic_set: OnlyTopics = None,
    order: RunOrder = "trec",
    seed: Seed = 0,
    jobs: Jobs = None,
    advance: Advance = lambda: None,
) -> PooledRuns:  # fmt: skip
    """Pool runs, to choose the docs to judge and their order.

    The pool contains the docs that any run ranks within the depth, in display order.

    The output is a pool file: a line with ordering, depth and seed, then lines `topic doc
    position`. With --format, the output is a table. If -o is a folder, the file is named after its
    ordering; a name that ends in / creates a folder. Columns with --show sizes: topic, runs, docs,
    one_run (docs from a single run), found (docs from no run). Columns with --show contributions:
    team, runs, docs, unique (docs from no other team). The same seed always gives the same order.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the depth is missing, no topic has a doc, or a run name is repeated.

    Examples
    --------
    >>> from qrelsmith import pool
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> print(pool(runs, depth=1))
    topic  doc  position
    ─────  ───  ────────
    t1     d1          1
    t1     d3          2
    note: 2 docs of 1 topics from 2 runs
    """
    if show != "contributions" and teams is not None:
        raise UsageError("the option teams can be used only if show is 'contributions'")
    if show != "contributions" and qrels is not None and pooled_topics != "judged":
        raise UsageError(
            "qrels can be used only if show is 'contributions' or pooled_topics is 'judged'"
        )
    campaign = campaign_folder(runs)
    if reference is not None and (campaign is None or qrels is not None):
        raise UsageError("a reference can be used only with a campaign and without qrels")
    if depth is None:
        if campaign is None or not campaign.pools:
            raise UsageError(
                "no depth given; expected the number of docs to pool per run and topic"
            )
        depth = read_pool_set(campaign.pools).depth
    has_labels = campaign is not None and (campaign.qrels or campaign.judgments is not None)
    wanted = topics_of(topic_set)
    grades = None
    if show == "contributions" or pooled_topics == "judged":
        graded = qrels if qrels is not None or not has_labels else runs
        grades = None if graded is None else qrels_of(graded, reference=reference)
    if pooled_topics == "judged":
        if grades is None:
            raise UsageError("pooled_topics='judged' needs qrels, or a campaign with labels")
        wanted = tuple(t for t in grades.topics if wanted is None or t in set(wanted))
    others = {} if found is None else _as_found_docs(found)
    contents = pool_runs(
        runs_of(runs, order=order),
        depth=depth,
        topics=wanted,
        found=others,
        order=order,
        jobs=jobs or 1,
        advance=advance,
    )
    notes = _notes(contents, wanted)
    contributions: tuple[TeamContribution, ...] = ()
    if show == "contributions":
        table = None if campaign is None else campaign.teams
        team_of, told = run_teams(contents.runs, teams, table=table)
        notes = [*told, *notes]
        contributions = team_contributions(contents, teams=team_of, qrels=grades)
    return PooledRuns(
        show=show,
        pools=contents.order(ordering, seed=seed),
        contents=contents,
        sizes=pool_sizes(contents),
        contributions=contributions,
        notes=tuple(notes),
    )


def _as_found_docs(source: FoundDocs) -> Mapping[str, Collection[str]]:
    if isinstance(source, str | PathLike):
        return read_found_docs(source)
    if not isinstance(source, Mapping):
        raise UsageError(
            f"expected found docs: a path or {{topic: docs}}; found {describe(source)}"
        )
    return {
        id_text(topic, "topic"): [id_text(doc, "doc") for doc in docs]
        for topic, docs in source.items()
    }


def _notes(pooled: RunPools, topics: tuple[str, ...] | None) -> list[str]:
    """Return notes on pools."""
    docs = sum(map(len, pooled.pools.values()))
    notes = [f"{docs} docs of {len(pooled.pools)} topics from {len(pooled.runs)} runs"]
    if pooled.tied:
        notes.append(
            f"in {pooled.tied} rankings of a run and a topic, docs with equal scores are on both"
            " sides of the depth; the order of the run decided"
        )
    lacking = [topic for topic in topics or () if topic not in pooled.pools]
    if lacking:
        notes.append(f"topics without docs in any run: {len(lacking)} (first: {lacking[0]})")
    return notes


def _two_best_ranks(doc: np.ndarray, rank: np.ndarray, docs: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each doc's best rank in any run, and its best rank in another run (or inf)."""
    order = np.lexsort((rank, doc))
    doc, rank = doc[order], rank[order]
    first, second = np.full((2, docs), np.inf)
    starts = np.searchsorted(doc, np.arange(docs))
    ends = np.searchsorted(doc, np.arange(docs), side="right")
    has = ends > starts
    first[has] = rank[starts[has]]
    has = ends > starts + 1
    second[has] = rank[starts[has] + 1]
    return first, second
