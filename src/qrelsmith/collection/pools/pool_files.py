"""Pool files: the docs of each topic to be judged, in the order shown.

The first line describes the order, `# pool format=1 ordering=randomised depth=30 seed=7`; all other
lines are `topic doc position`. If `seed` is missing, the order depends on no seed, or on several
seeds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.pools import ORDERINGS, order_docs, pool_rankings
from qrelsmith.collection.pools.orderings import reads_ranks
from qrelsmith.io.text import FilePath, data_lines, decode_fields, in_order_of_lines, read_bytes
from qrelsmith.io.writing import check_ids, write_text

FORMAT = 1
_KEYS = ("format", "ordering", "depth", "seed")
_EXAMPLE = "# pool format=1 ordering=randomised depth=30 seed=7"
_WHOLE = re.compile("-?[0-9]{1,100}")


@dataclass(frozen=True)
class Pools:
    """The pools of some topics, each in the order shown.

    Attributes
    ----------
    ordering : str
        One of `ORDERINGS`.
    depth : int
        The depth to which the runs were pooled.
    seed : int or None
        The seed of the order; prioritised and docno orders do not depend on it. None: the order is
        not determined by a single seed, such as for positions from several assignments.
    docs : mapping of str to tuple of str
        The docs of each topic, in the order shown.
    """

    ordering: str
    depth: int
    seed: int | None
    docs: Mapping[str, tuple[str, ...]] = field(hash=False)

    def __post_init__(self) -> None:
        ORDERINGS.get(self.ordering)
        if self.depth < 1:
            raise UsageError(f"depth={self.depth}; expected 1 or more")
        for topic, docs in self.docs.items():
            if len(set(docs)) < len(docs) or not docs:
                problem = "a doc twice" if docs else "no doc"
                raise UsageError(f"the pool of topic {quoted(topic)} contains {problem}")

    def rows(self) -> Iterator[tuple[str, str, int]]:
        """Yield topic, doc and position (starting at 1), sorted by topic and position."""
        for topic in sorted(self.docs):
            for position, doc in enumerate(self.docs[topic], start=1):
                yield topic, doc, position

    def order_docs(
        self, topic: str, *, ordering: str, seed: int, among: Collection[str] | None = None
    ) -> tuple[str, ...]:
        """Return the docs of a topic, or some of them, in the order shown to an assessor.

        Parameters
        ----------
        topic : str
            The topic.
        ordering : str
            One of `ORDERINGS`; it may differ from the ordering of these pools.
        seed : int
            The seed of the order.
        among : collection of str, optional
            Some docs of the pool, such as those of a HIT: a separate pool with the same ranks.

        Raises
        ------
        UsageError
            If the topic has no pool, or the ordering needs ranks, which only runs have.
        """
        if topic not in self.docs:
            raise UsageError(f"the topic {quoted(topic)} has no pool")
        docs = self.docs[topic]
        if not reads_ranks(ordering):
            pool = pool_rankings([], depth=self.depth, found=docs if among is None else among)
            return order_docs(pool, ordering, topic=topic, seed=seed)
        if ordering != self.ordering:
            raise UsageError(
                f"the pools are in {self.ordering} order, and {ordering} order requires runs; "
                f"expected pools created in {ordering} order"
            )
        return docs if among is None else tuple(doc for doc in docs if doc in among)


def read_pools(path: FilePath) -> Pools:
    """Read a pool file.

    Raises
    ------
    InputError
        If the header lacks ordering or depth, a line is not `topic doc position`, a doc or a
        position appears twice in a topic, or the positions of a topic are not 1, 2, … to the number
        of its docs.
    """
    content = read_bytes(path)
    ordering, depth, seed = _header(content, path)
    docs = in_order_of_lines(lambda block: _docs(block, path), content)
    if not docs:
        raise InputError("the file has no docs; expected lines: topic doc position", path=path)
    _check_complete(docs, path)
    return Pools(
        ordering,
        depth,
        seed,
        {
            topic: tuple(sorted(positions, key=positions.__getitem__))
            for topic, positions in docs.items()
        },
    )


def write_pools(pools: Pools, path: FilePath) -> None:
    """Write a pool file, sorted by topic and position; the same pools always give the same bytes.

    Raises
    ------
    InputError
        If a topic or a doc could not be read back, for example because it is empty or contains a
        blank.
    """
    write_text(path, pools_text(pools, path=path))


def pools_text(pools: Pools, *, path: FilePath | None = None) -> str:
    """Return the pools as the content of a pool file; errors name the file `path`."""
    check_ids(pools.docs, what="topic", path=path)
    for docs in pools.docs.values():
        check_ids(docs, what="doc", path=path)
    values = (FORMAT, pools.ordering, pools.depth, pools.seed)
    pairs = zip(_KEYS, values, strict=True)
    header = " ".join(f"{key}={value}" for key, value in pairs if value is not None)
    lines = [f"{topic} {doc} {position}\n" for topic, doc, position in pools.rows()]
    return f"# pool {header}\n" + "".join(lines)


def _header(content: bytes, path: FilePath) -> tuple[str, int, int | None]:
    """Return the ordering, the depth and the seed, if any, from the first line."""
    first = content.partition(b"\n")[0].decode("utf-8", "replace")
    words = first.removeprefix("#").split()
    pairs = [word.partition("=")[::2] for word in words[1:]]
    settings = dict(pairs)
    keys = [key for key, _ in pairs]
    whole = sorted(_KEYS) in (sorted(keys), sorted([*keys, "seed"]))
    if not first.startswith("#") or words[:1] != ["pool"] or not whole:
        raise InputError(
            f"the first line is {quoted(first)}; expected a header such as {_EXAMPLE}",
            path=path,
            line=1,
        )
    numbers = {}
    for key in keys:
        if key == "ordering":
            continue
        if not _WHOLE.fullmatch(settings[key]):
            raise InputError(
                f"{key} is {quoted(settings[key])}; expected a whole number", path=path, line=1
            )
        numbers[key] = int(settings[key])
    if numbers["format"] != FORMAT:
        newer = " (it is newer than this qrelsmith)" if numbers["format"] > FORMAT else ""
        raise InputError(
            f"the pool file has format {numbers['format']}{newer}; expected {FORMAT}",
            path=path,
            line=1,
        )
    try:
        Pools(settings["ordering"], numbers["depth"], numbers.get("seed"), {})
    except UsageError as error:
        raise InputError(str(error), path=path, line=1) from None
    return settings["ordering"], numbers["depth"], numbers.get("seed")


def _docs(block: bytes, path: FilePath) -> dict[str, dict[str, int]]:
    """Return each doc's position by topic; any one of several errors may be raised."""
    numbers, lines = data_lines(block, path=path)
    rows = [line.split() for line in lines]
    for number, line, row in zip(numbers, lines, rows, strict=True):
        if len(row) != 3:
            raise InputError(
                f"found {len(row)} fields in {quoted(line)}; expected 3: topic doc position",
                path=path,
                line=number,
            )
    topics = decode_fields([row[0] for row in rows], numbers, path=path, what="topic")
    names = decode_fields([row[1] for row in rows], numbers, path=path, what="docno")
    docs: dict[str, dict[str, int]] = {}
    taken: set[tuple[str, int]] = set()
    for topic, doc, row, number in zip(topics, names, rows, numbers, strict=True):
        position = int(row[2]) if row[2].isdigit() and len(row[2]) < 10 else 0
        problem = ""
        if position < 1:
            problem = f"the position is {quoted(row[2])}; expected a whole number, 1 or more"
        elif doc in docs.setdefault(topic, {}):
            problem = f"doc {quoted(doc)} appears twice in topic {quoted(topic)}; expected it once"
        elif (topic, position) in taken:
            problem = f"position {position} of topic {quoted(topic)} is taken; expected one doc"
        if problem:
            raise InputError(problem, path=path, line=number)
        docs[topic][doc] = position
        taken.add((topic, position))
    return docs


def _check_complete(docs: Mapping[str, Mapping[str, int]], path: FilePath) -> None:
    """Raise an error if a position of a topic is missing."""
    for topic, positions in docs.items():
        if max(positions.values()) != len(positions):
            lacking = np.setdiff1d(np.arange(1, len(positions) + 1), list(positions.values()))
            raise InputError(
                f"topic {quoted(topic)} has {len(positions)} docs but no doc at position "
                f"{lacking[0]}; expected the positions 1 to {len(positions)}",
                path=path,
            )
