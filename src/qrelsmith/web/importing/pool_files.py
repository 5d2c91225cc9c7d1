"""Pool files and the table of assignments, as far as the app needs them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.data.text import FilePath, data_lines, read_bytes
from qrelsmith.errors import InputError, UsageError, quoted
from qrelsmith.rng import digest_key


@dataclass(frozen=True)
class PoolSet:
    """The pools of a campaign, in one or more orders.

    Attributes
    ----------
    orders : mapping of str to mapping of str to tuple of str
        For each ordering the docs of each topic, first shown first.
    """

    orders: Mapping[str, Mapping[str, tuple[str, ...]]]

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have a pool, sorted."""
        return tuple(sorted(next(iter(self.orders.values()))))

    def shown(self, topic: str, *, ordering: str, seed: int) -> tuple[str, ...]:
        """The docs of a topic as they are shown with an ordering and seed.

        Raises
        ------
        UsageError
            If the topic has no pool or no file is in that order.
        """
        pools = self.orders.get(ordering) or next(iter(self.orders.values()))
        if topic not in pools:
            raise UsageError(f"the topic {quoted(topic)} has no pool")
        docs = pools[topic]
        if ordering == "randomised":
            return tuple(sorted(docs, key=lambda doc: digest_key(seed, "pool", topic, doc)))
        if ordering == "docno":
            return tuple(sorted(docs))
        if ordering not in self.orders:
            raise UsageError(f"no pool file is in {ordering} order")
        return docs


@dataclass(frozen=True, slots=True, order=True)
class PlannedAssignment:
    """A row of the table of assignments."""

    topic: str
    assessor: str
    group: str
    ordering: str
    seed: int
    hit: str = ""
    docs: tuple[str, ...] = ()


def read_pool_set(paths: Sequence[FilePath]) -> PoolSet:
    """Read the pool files of a campaign."""
    orders = {}
    for path in paths:
        content = read_bytes(path)
        first = content.partition(b"\n")[0].decode("utf-8", "replace")
        found = dict(word.partition("=")[::2] for word in first.split())
        if not first.startswith("# pool ") or "ordering" not in found:
            raise InputError(
                f"the first line is {quoted(first)}; expected a header such as"
                " # pool format=1 ordering=randomised depth=30 seed=7",
                path=path,
                line=1,
            )
        pools: dict[str, dict[int, str]] = {}
        for number, line in zip(*data_lines(content, path=path), strict=True):
            row = line.decode("utf-8").split()
            if len(row) != 3 or not row[2].isdigit():
                raise InputError(
                    f"{quoted(line)} in a pool; expected topic doc position", path=path, line=number
                )
            pools.setdefault(row[0], {})[int(row[2])] = row[1]
        orders[found["ordering"]] = {
            topic: tuple(docs[place] for place in sorted(docs)) for topic, docs in pools.items()
        }
    if not orders:
        raise UsageError("no pool file; expected at least one")
    return PoolSet(orders)


def read_assignments(path: FilePath) -> tuple[PlannedAssignment, ...]:
    """Read a table of assignments: `topic,assessor,group,ordering,seed` and `hit,docs`."""
    text = Path(path).read_text(encoding="utf-8")
    rows = csv.DictReader(io.StringIO(text))
    return tuple(
        PlannedAssignment(
            row["topic"],
            row["assessor"],
            row["group"],
            row["ordering"],
            int(row["seed"]),
            row.get("hit") or "",
            tuple((row.get("docs") or "").split()),
        )
        for row in rows
    )
