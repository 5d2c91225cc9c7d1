"""The top of a run: the docs that a pool takes from the run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.odd_files import checked_tags
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.collection.run_order import rank_rows, rank_use
from qrelsmith.collection.run_parts import over_parts
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath


@dataclass(frozen=True, eq=False)
class RunTop:
    """The top of a run: the docs that the run returned within a depth.

    Attributes
    ----------
    name : str
        The tag, or the file's name without a tag.
    docs : mapping of str to tuple of str
        The docs of each requested topic, best first.
    tied : frozenset of str
        The topics in which the last of these docs has the same score as the next doc, so that the
        run order decides which of the two docs is included.
    """

    name: str
    docs: Mapping[str, tuple[str, ...]]
    tied: frozenset[str]


def read_run_top(
    path: FilePath,
    *,
    depth: int,
    topics: Collection[str] | None = None,
    order: str = "trec",
    jobs: int = 1,
) -> RunTop:
    """Read the top of a run file.

    Parameters
    ----------
    path : path
        The file; all rows are checked, including rows that are not kept.
    depth : int
        The maximum number of docs kept per topic.
    topics : collection of str, optional
        The topics to keep; by default, all.
    order : str
        One of `RUN_ORDERS`.
    jobs : int
        The number of threads that parse a large file.

    Raises
    ------
    InputError
        If a line is malformed.
    UsageError
        If the order is unknown or the depth is below 1.
    """
    if depth < 1:
        raise UsageError(f"depth={depth}; expected 1 or more")
    wanted = None if topics is None else frozenset(topics)

    def gather(parts: Iterator[RunPart]) -> RunTop:
        name = ""
        docs: dict[str, tuple[str, ...]] = {}
        tied: set[str] = set()
        for part in checked_tags(parts, path):
            name = name or next(iter(part.tags), "")
            docs.update(_top(part, wanted, depth, order, tied))
        return RunTop(name or Path(path).name, docs, frozenset(tied))

    return over_parts(path, gather, ranks=rank_use(order), jobs=jobs)


def run_top(run: Run, *, depth: int, topics: Collection[str] | None = None) -> RunTop:
    """Return the top of a run in memory, in the run's own order; see `read_run_top`."""
    if depth < 1:
        raise UsageError(f"depth={depth}; expected 1 or more")
    wanted = run.docs.keys() if topics is None else run.docs.keys() & set(topics)
    held_topics = [topic for topic in run.docs if topic in wanted and run.docs[topic]]
    tied = {
        topic
        for topic in held_topics
        if len(run.docs[topic]) > depth and run.scores[topic][depth - 1] == run.scores[topic][depth]
    }
    docs = {topic: run.docs[topic][:depth] for topic in held_topics}
    return RunTop(run.name, docs, frozenset(tied))


def _top(
    part: RunPart, wanted: frozenset[str] | None, depth: int, order: str, tied: set[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each requested topic with its docs; add topics with a tie at the depth to `tied`."""
    rows, ties = rank_rows(part, order)
    rows = np.arange(len(part.docs)) if rows is None else rows
    sizes = part.sizes()
    kept = np.array([wanted is None or topic in wanted for topic in part.topics], dtype=bool)
    counts = np.where(kept, np.minimum(sizes, min(depth, len(part.docs))), 0)
    place = np.arange(len(part.docs)) - np.repeat(part.starts, sizes)
    docs = part.docs.take(rows[place < np.repeat(counts, sizes)])
    ends = np.cumsum(counts)
    for topic, start, end, first in zip(
        part.topics, (ends - counts).tolist(), ends.tolist(), part.starts.tolist(), strict=True
    ):
        if end > start:
            yield topic, tuple(docs[start:end])
            if ties[first + end - start - 1]:
                tied.add(topic)
