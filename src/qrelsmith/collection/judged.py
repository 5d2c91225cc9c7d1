"""A run restricted to judged docs, with the ranks of these docs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.odd_files import checked_tags
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.collection.run_order import rank_rows, rank_use
from qrelsmith.collection.run_parts import OddSectionError, Span, over_parts, over_section
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath

JUDGED_COLUMNS = ("topic", "rank", "grade", "retrieved", "tied_topic", "tied_rank")
"""The numbers of a `JudgedRun`."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """The judged docs of a run.

    Attributes
    ----------
    name : str
        The tag, or the file's name without a tag.
    topic : int array [doc]
        The position of the topic in the qrels; ascending.
    rank : int array [doc]
        Rank from 1 on; ascending within a topic.
    grade : float array [doc]
        The grade, including codes below 0.
    retrieved : int array [topic of the qrels]
        The number of docs that the run returned; −1 for a topic that the run lacks.
    tied_topic, tied_rank : int array [tie]
        The ranks whose doc has the same score as the doc at the next rank.
    others : tuple of str
        The run's topics that are missing in the qrels.
    """

    name: str
    topic: IntArray
    rank: IntArray
    grade: FloatArray
    retrieved: IntArray
    tied_topic: IntArray
    tied_rank: IntArray
    others: tuple[str, ...] = ()

    @property
    def other_topics(self) -> int:
        """The number of the run's topics that have no judgments in the qrels."""
        return len(self.others)

    def topics_tied_at(self, cutoff: int) -> int:
        """Return the number of topics with a tie between the docs just above and below a cutoff."""
        return int((self.tied_rank == cutoff).sum())


def judged_run(
    run: Run | FilePath,
    qrels: Qrels,
    *,
    order: str = "trec",
    condensed: bool = False,
    jobs: int = 1,
) -> JudgedRun:
    """Find the judged docs of a run.

    Parameters
    ----------
    run : Run or path
        A run in memory (in its own order) or a file, which is read in parts.
    qrels : Qrels
        The judgments.
    order : str
        One of `RUN_ORDERS`, for a file.
    condensed : bool
        Whether to first remove docs without a grade of 0 or more, so that ranks count judged docs
        only.
    jobs : int
        The number of threads that parse a large file.

    Raises
    ------
    InputError
        If a line of the file is malformed.
    """
    if isinstance(run, Run):
        return _join([run.part()], qrels, run.name, "file", condensed)

    def join(parts: Iterator[RunPart]) -> JudgedRun:
        name = Path(run).name
        return _join(checked_tags(parts, run), qrels, name, order, condensed)

    return over_parts(run, join, ranks=rank_use(order), jobs=jobs)


def judged_section(
    path: FilePath, span: Span, qrels: Qrels, *, order: str, condensed: bool
) -> JudgedRun:
    """Return the judged docs of a section of a run file; see `judged_run`, `merged_sections`.

    The name of the result is the section's tag; without a tag, the name is empty.

    Raises
    ------
    OddSectionError
        If a warning or an error is necessary, which only a reader of the whole file can raise.
    """

    def join(parts: Iterator[RunPart]) -> JudgedRun:
        return _join(_all_alike(parts), qrels, "", order, condensed)

    return over_section(path, span, join, ranks=rank_use(order))


def _all_alike(parts: Iterable[RunPart]) -> Iterator[RunPart]:
    tags: set[str] = set()
    for part in parts:
        tags.update(part.tags)
        if len(tags) > 1 or part.extra_lines:
            raise OddSectionError
        yield part


def merged_sections(sections: Sequence[JudgedRun], fallback: str) -> JudgedRun | None:
    """Return a run composed of sections; None if sections share topics or have different tags."""
    others = [topic for section in sections for topic in section.others]
    there = np.sum([section.retrieved >= 0 for section in sections], axis=0)
    names = {section.name for section in sections}
    if len(names) > 1 or len(set(others)) < len(others) or (there > 1).any():
        return None
    topic = np.concatenate([section.topic for section in sections])
    grouped = np.argsort(topic, kind="stable")
    return JudgedRun(
        name=names.pop() or fallback,
        topic=topic[grouped],
        rank=np.concatenate([section.rank for section in sections])[grouped],
        grade=np.concatenate([section.grade for section in sections])[grouped],
        retrieved=np.max([section.retrieved for section in sections], axis=0),
        tied_topic=np.concatenate([section.tied_topic for section in sections]),
        tied_rank=np.concatenate([section.tied_rank for section in sections]),
        others=tuple(others),
    )


def _join(
    parts: Iterable[RunPart], qrels: Qrels, fallback: str, order: str, condensed: bool
) -> JudgedRun:
    name = ""
    others: list[str] = []
    retrieved = np.full(len(qrels.topics), -1, dtype=np.int64)
    groups_joined: list[tuple[IntArray, IntArray, FloatArray]] = []
    ties: list[tuple[IntArray, IntArray]] = []
    groups: list[IntArray] = []
    for part in parts:
        name = name or next(iter(part.tags), "")
        places = np.array([qrels.topic_index.get(topic, -1) for topic in part.topics], np.int64)
        others += [topic for topic in part.topics if topic not in qrels.topic_index]
        sizes = part.sizes()
        retrieved[places[places >= 0]] = sizes[places >= 0]
        rows, tied = rank_rows(part, order)
        topic = np.repeat(places, sizes)
        rank = np.arange(1, len(topic) + 1) - np.repeat(part.starts, sizes)
        ties.append((topic[tied], rank[tied]))
        grade = qrels.grades_of(part.docs, topic)
        grade = grade if rows is None else grade[rows]
        judged = np.flatnonzero(~np.isnan(grade))
        groups_joined.append((topic[judged], rank[judged], grade[judged]))
        if condensed:
            # Tied docs belong to one group, even if docs between them are removed.
            groups.append((np.cumsum(~tied) - ~tied)[judged])
    empty = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    topic, rank, grade = (
        np.concatenate(column) for column in zip(empty, *groups_joined, strict=True)
    )
    tied_topic, tied_rank = (
        np.concatenate(column) for column in zip(empty[:2], *ties, strict=True)
    )
    order_by_topic = np.argsort(topic, kind="stable")
    topic, rank, grade = topic[order_by_topic], rank[order_by_topic], grade[order_by_topic]
    if condensed:
        kept = grade >= 0
        group = np.concatenate([empty[0], *groups])[order_by_topic][kept]
        topic, grade = topic[kept], grade[kept]
        rank = np.arange(1, topic.size + 1) - np.searchsorted(topic, topic)
        tie = np.flatnonzero((topic[1:] == topic[:-1]) & (group[1:] == group[:-1]))
        tied_topic, tied_rank = topic[tie], rank[tie]
        counts = np.bincount(topic, minlength=len(qrels.topics))
        retrieved = np.where(retrieved < 0, -1, counts)
    return JudgedRun(
        name=name or fallback,
        topic=topic,
        rank=rank,
        grade=grade,
        retrieved=retrieved,
        tied_topic=tied_topic[tied_topic >= 0],
        tied_rank=tied_rank[tied_topic >= 0],
        others=tuple(others),
    )
