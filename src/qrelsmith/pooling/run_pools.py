"""Pools of run files: the docs to judge, and the contribution of each run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.pools import Pool, order_docs, pool_rankings
from qrelsmith.collection.pools.pool_files import Pools
from qrelsmith.collection.run_names import distinct_names
from qrelsmith.collection.run_tops import RunTop, read_run_top, run_top
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath


@dataclass(frozen=True, eq=False)
class RunPools:
    """The pools of some runs.

    Attributes
    ----------
    runs : tuple of str
        The names of the runs; a pool's `run` is an index into them.
    pools : mapping of str to Pool
        The pool of each topic with returned or found docs, sorted by topic.
    tied : int
        Number of rankings (of one run and topic) in which tied scores extend beyond the depth.
    """

    runs: tuple[str, ...]
    depth: int
    pools: Mapping[str, Pool]
    tied: int

    def order(self, ordering: str, *, seed: int) -> Pools:
        """Return the pools with their docs in one of `ORDERINGS`, as in a pool file."""
        docs = {
            topic: order_docs(pool, ordering, topic=topic, seed=seed)
            for topic, pool in self.pools.items()
        }
        return Pools(ordering, self.depth, seed, docs)


def pool_runs(
    runs: Sequence[Run | FilePath],
    *,
    depth: int,
    topics: Collection[str] | None = None,
    found: Mapping[str, Collection[str]] | None = None,
    order: str = "trec",
    jobs: int = 1,
    advance: Callable[[], None] = lambda: None,
) -> RunPools:
    """Pool runs.

    Parameters
    ----------
    depth : int
        Number of docs pooled from each run and topic.
    topics : collection of str, optional
        The topics; by default all topics of the runs and of `found`.
    found : mapping of str to collection of str, optional
        Docs found for a topic otherwise, for example while the topic was written.
    order : str
        One of `RUN_ORDERS`, for files; runs in memory keep their order.
    jobs : int
        Threads that parse a large file.
    advance : callable
        Called after each run.

    Raises
    ------
    InputError
        At the first malformed line of a run.
    UsageError
        If an order is unknown, the depth is below 1, no topic has a doc, or a run name is repeated.
    """
    tops: list[RunTop] = []
    for run in runs:
        if isinstance(run, Run):
            tops.append(run_top(run, depth=depth, topics=topics))
        else:
            tops.append(read_run_top(run, depth=depth, topics=topics, order=order, jobs=jobs))
        advance()
    others = found or {}
    names = {topic for top in tops for topic in top.docs} | others.keys()
    if topics is not None:
        names &= set(topics)
    if not names:
        raise UsageError("no run returned a doc for these topics; expected docs to pool")
    called = distinct_names([top.name for top in tops], runs)
    return RunPools(
        runs=tuple(called),
        depth=depth,
        pools={
            topic: pool_rankings(
                [top.docs.get(topic, ()) for top in tops], depth=depth, found=others.get(topic, ())
            )
            for topic in sorted(names)
        },
        tied=sum(len(top.tied) for top in tops),
    )
