"""The candidates of each topic, selected by grade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.topk.topk_options import Depth, GradedScope, Grades
from qrelsmith.topk.topk_sessions import TopicPool, topic_pools, whole
from qrelsmith.topk.topk_sources import graded_by


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkPool(Result):
    """The candidates of every topic.

    Attributes
    ----------
    pools : tuple of TopicPool
        The candidates of each topic, their grades, and the docs with grade 0.
    """

    pools: tuple[TopicPool, ...]

    def table(self) -> Table:
        """Columns: topic, number of candidates, and their lowest grade (nan if there are none)."""
        return Table.of(
            ("topic", "candidates", "lowest_grade"),
            [
                (pool.topic, len(pool.candidates), whole(float(pool.grades.min())))
                if pool.candidates
                else (pool.topic, 0, float("nan"))
                for pool in self.pools
            ],
        )


@question(
    command="topk pool",
    no_audit="it is used before preferences are collected",
    example="qrelsmith topk pool graded.qrels --k 5",
    short="Count the candidates of each topic.",
)
def topk_pool(labels: Grades, *, k: Depth = 5, **options: Unpack[GradedScope]) -> TopkPool:
    """Count the candidates of each topic: the docs with the highest grades, at least k if possible.

    QRELS is a file or a CAMPAIGN. Columns: topic, candidates, lowest_grade. Only docs with a grade
    above 0 are candidates. In a topic without candidates, `candidates` is 0 and `lowest_grade` is
    nan.

    Raises
    ------
    InputError
        If a file is malformed.
    UndefinedError
        If no doc has a grade above 0.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), section 4.1.

    Examples
    --------
    >>> print(topk_pool({"t1": {"d1": 3, "d2": 1, "d3": 1, "d4": 0}}, k=2))
    topic  candidates  lowest grade
    ─────  ──────────  ────────────
    t1              3             1
    note: candidates in 1 topics: 3; largest number in a topic: 3 (topic t1)
    """
    labels = resolve_source(labels)
    graded = graded_by(labels, options)
    pools = topic_pools(graded, k=k)
    sizes = {pool.topic: len(pool.candidates) for pool in pools}
    largest = max(sizes, key=sizes.__getitem__)
    few = sum(size < k for size in sizes.values())
    total, most = sum(sizes.values()), f"{sizes[largest]} (topic {largest})"
    notes = [f"candidates in {len(sizes)} topics: {total}; largest number in a topic: {most}"]
    notes += [f"topics with fewer than {k} candidates: {few}"] if few else []
    return TopkPool(pools=pools, notes=tuple(notes))
