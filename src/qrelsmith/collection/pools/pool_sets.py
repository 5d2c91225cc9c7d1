"""The pools of a campaign: one or more files with the same docs in different orders."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.pools.orderings import reads_ranks
from qrelsmith.collection.pools.pool_files import Pools, read_pools
from qrelsmith.io.text import FilePath


@dataclass(frozen=True)
class PoolSet:
    """Pools of the same docs in one or more orders.

    Attributes
    ----------
    pools : tuple of Pools
        One or more pools.
    """

    pools: tuple[Pools, ...]

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics that have a pool, sorted."""
        return tuple(sorted(self.pools[0].docs))

    @property
    def depth(self) -> int:
        """The depth of the pools."""
        return self.pools[0].depth

    def docs(self, topic: str) -> tuple[str, ...]:
        """Return the docs of a topic, sorted."""
        return tuple(sorted(self.pools[0].docs[topic]))

    def order_docs(
        self, topic: str, *, ordering: str, seed: int, among: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """Return the docs of a topic, or some of them, in the order shown to an assessor.

        Raises
        ------
        UsageError
            If the topic has no pool, or the ordering needs ranks and no file has this order.
        """
        fitting = [pools for pools in self.pools if pools.ordering == ordering]
        chosen = fitting[0] if fitting else self.pools[0]
        return chosen.order_docs(topic, ordering=ordering, seed=seed, among=among)

    def can_show(self, ordering: str) -> bool:
        """Return whether the docs can be shown in an ordering."""
        return not reads_ranks(ordering) or any(p.ordering == ordering for p in self.pools)


def read_pool_set(paths: Sequence[FilePath]) -> PoolSet:
    """Read the pool files of a campaign.

    Raises
    ------
    UsageError
        If there are no paths.
    InputError
        If a file is malformed, or two files contain different docs.
    """
    if not paths:
        raise UsageError("no pool file given; expected at least one")
    read = [read_pools(path) for path in paths]
    first = {topic: frozenset(docs) for topic, docs in read[0].docs.items()}
    for path, pools in zip(paths[1:], read[1:], strict=True):
        for topic in sorted(first.keys() | pools.docs.keys()):
            if first.get(topic, frozenset()) != frozenset(pools.docs.get(topic, ())):
                raise InputError(
                    f"the pool of topic {quoted(topic)} differs from the pool in "
                    f"{paths[0]}; expected the same docs, in a different order",
                    path=path,
                )
    return PoolSet(tuple(read))
