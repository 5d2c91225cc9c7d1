"""Runs: the ranked output of a system for every topic."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.base.tables import Table
from qrelsmith.collection.docnos import PlainDocs
from qrelsmith.collection.frames import Names, pandas_frame, polars_frame, run_columns, run_scores
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.collection.run_order import rank_rows, reads_ranks
from qrelsmith.collection.run_parts import over_parts
from qrelsmith.io.content_digest import content_digest
from qrelsmith.io.given_values import id_text, is_finite_number
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import check_ids, write_text

_SHOWN = 5  # docs that a notebook is shown


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run in memory, each topic's docs best first.

    Attributes
    ----------
    name : str
        The tag, or the file's name where there is none.
    docs : mapping of str to tuple of str
        For every topic its docs in the order of the run.
    scores : mapping of str to float array [doc]
        The scores beside them.
    """

    name: str
    docs: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, FloatArray]
    _shared: RunPart | None = field(default=None, init=False)  # as `share_docs` leaves it

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the file."""
        return tuple(self.docs)

    @classmethod
    def from_dict(
        cls, scores: Mapping[str, Mapping[str, float]], *, name: str = "run", order: str = "trec"
    ) -> Run:
        """A run from {topic: {doc: score}}, ranked in one of `RUN_ORDERS`.

        Raises
        ------
        UsageError
            If an id is no text, or a score no finite number.
        """
        part = part_from_dict(scores, name=name)
        return _assemble([part], name, order, None)

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "run", order: str = "trec") -> Run:
        """A run from a data frame of pandas, polars or pyarrow, or a mapping of columns.

        The columns are those of ir_measures (`query_id`, `doc_id`, `score`), PyTerrier (`qid`,
        `docno`, `score`) or qrelsmith (`topic`, `doc`, `score`). Ranks are not read: `order` ranks
        the scores again. A frame of several systems is no run: `read_runs` makes one of each.

        Raises
        ------
        UsageError
            If a column is missing, an id is no text, a score no finite number, a doc stands twice,
            or a column such as `name`, `run` or `system` names several systems.

        Examples
        --------
        >>> import polars
        >>> columns = {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [0.5, 2.0]}
        >>> Run.from_frame(polars.DataFrame(columns), name="bm25").docs
        {'1': ('b', 'a')}
        """
        return cls.from_dict(run_scores(frame), name=name, order=order)

    def to_pandas(self, *, names: Names = "ir_measures") -> Any:
        """A pandas data frame in the order of the run; PyTerrier's has ranks from 0 on.

        Parameters
        ----------
        names : {'ir_measures', 'pyterrier', 'qrelsmith'}
            Whose names the columns have.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return pandas_frame(run_columns(self.docs, self.scores, names=names))

    def to_polars(self, *, names: Names = "ir_measures") -> Any:
        """A polars data frame; see `to_pandas`."""
        return polars_frame(run_columns(self.docs, self.scores, names=names))

    def __repr__(self) -> str:
        docs = sum(map(len, self.docs.values()))
        return f"<Run {self.name!r}: {docs} docs, {len(self.docs)} topics>"

    def _repr_html_(self) -> str:
        docs = sum(map(len, self.docs.values()))
        rows = (
            (topic, rank, doc, float(score))
            for topic, ranking in list(self.docs.items())[:1]
            for rank, (doc, score) in enumerate(
                zip(ranking[:_SHOWN], self.scores[topic], strict=False), start=1
            )
        )
        title = f"Run {self.name}: {docs:,} docs, {len(self.docs):,} topics; it begins with"
        return Table.of(("topic", "rank", "doc", "score"), rows)._repr_html_(title=title)

    def to_depth(self, depth: int) -> Run:
        """The first docs of every topic.

        Raises
        ------
        UsageError
            If the depth is below 1.
        """
        _check_depth(depth)
        if max(map(len, self.docs.values()), default=0) <= depth:
            return self
        run = replace(
            self,
            docs={topic: docs[:depth] for topic, docs in self.docs.items()},
            scores={topic: scores[:depth] for topic, scores in self.scores.items()},
        )
        if self._shared is not None:
            object.__setattr__(run, "_shared", self._shared.to_depth(depth))
        return run

    def digest(self) -> str:
        """The SHA-256 of the name and of every topic's docs with their scores."""
        rows = [
            (topic, self.docs[topic], self.scores[topic].tolist()) for topic in sorted(self.docs)
        ]
        return content_digest({"name": [self.name], "rankings": rows})

    def part(self) -> RunPart:
        """The run as rows, in the order that it has."""
        if self._shared is not None:
            return self._shared
        return RunPart(
            topics=list(self.docs),
            starts=np.cumsum([0, *(len(docs) for docs in self.docs.values())])[:-1],
            docs=PlainDocs([doc for docs in self.docs.values() for doc in docs]),
            scores=np.concatenate([np.empty(0), *self.scores.values()]),
            ranks=None,
            tags=(self.name,),
            extra_lines=0,
        )


def part_from_dict(scores: Mapping[str, Mapping[str, float]], *, name: str) -> RunPart:
    """{topic: {doc: score}} as rows, in the order of the mappings."""
    topics = [id_text(topic, "topic") for topic in scores]
    docs = [id_text(doc, "doc") for ranking in scores.values() for doc in ranking]
    values = [score for ranking in scores.values() for score in ranking.values()]
    for doc, score in zip(docs, values, strict=True):
        if not is_finite_number(score):
            raise UsageError(
                f"the score of doc {quoted(doc)} in run {quoted(name)} is {quoted(score)}; expected"
                " a finite number"
            )
    return RunPart(
        topics=topics,
        starts=np.cumsum([0, *(len(ranking) for ranking in scores.values())])[:-1],
        docs=PlainDocs(docs),
        scores=np.array(values, dtype=np.float64),
        ranks=None,
        tags=(name,),
        extra_lines=0,
    )


def read_run(path: FilePath, *, order: str = "trec", depth: int | None = None) -> Run:
    """Read a run file into memory.

    Parameters
    ----------
    path : path
        TREC's six columns, five without tag, or NTCIR's form after a `<SYSDESC>` line; plain or
        compressed.
    order : str
        One of `RUN_ORDERS`.
    depth : int, optional
        Keep only the first docs of every topic.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    UsageError
        If the order is unknown or the depth below 1.
    """
    if depth is not None:
        _check_depth(depth)

    def gather(parts: Iterator[RunPart]) -> Run:
        return _assemble(checked_tags(parts, path), Path(path).name, order, depth)

    return over_parts(path, gather, ranks=reads_ranks(order))


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise UsageError(f"depth={depth}; expected 1 or more")


def checked_tags(parts: Iterable[RunPart], path: FilePath) -> Iterator[RunPart]:
    """Pass the parts on, and warn at the end of a second tag and of fields after the sixth."""
    tags: dict[str, None] = {}
    extra = 0
    for part in parts:
        tags.update(dict.fromkeys(part.tags))
        extra += part.extra_lines
        yield part
    if extra:
        warnings.warn(
            f"{path}: lines with fields after the tag, which were passed over: {extra}",
            InputWarning,
            stacklevel=2,
        )
    if len(tags) > 1:
        first, second = list(tags)[:2]
        warnings.warn(
            f"{path}: {len(tags)} different tags, {quoted(first)} and {quoted(second)} among them;"
            " the first one names the run",
            InputWarning,
            stacklevel=2,
        )


def write_run(run: Run, path: FilePath) -> None:
    """Write TREC's six columns, topics sorted; the same run always gives the same bytes.

    Raises
    ------
    InputError
        If the name of the run, a topic or a doc would not be read as it is: it is empty or holds a
        blank, ….
    """
    write_text(path, run_text(run, path=path))


def run_text(run: Run, *, path: FilePath | None = None) -> str:
    """The run as a file holds it; `path` is where it will stand, for errors."""
    check_ids([run.name], what="name of the run", path=path)
    check_ids(run.docs, what="topic", path=path)
    lines = []
    for topic in sorted(run.docs):
        check_ids(run.docs[topic], what="doc", path=path)
        pairs = zip(run.docs[topic], run.scores[topic].tolist(), strict=True)
        lines += [
            f"{topic} Q0 {doc} {rank} {score!r} {run.name}\n"
            for rank, (doc, score) in enumerate(pairs, start=1)
        ]
    return "".join(lines)


def _assemble(parts: Iterable[RunPart], fallback: str, order: str, depth: int | None) -> Run:
    docs: dict[str, tuple[str, ...]] = {}
    scores: dict[str, FloatArray] = {}
    name = ""
    for part in parts:
        name = name or next(iter(part.tags), "")
        rows, _ = rank_rows(part, order)
        rows = np.arange(len(part.docs)) if rows is None else rows
        ordered = part.docs.take(rows)
        for topic, start, size in zip(
            part.topics, part.starts.tolist(), part.sizes().tolist(), strict=True
        ):
            end = start + (size if depth is None else min(size, depth))
            docs[topic] = tuple(ordered[start:end])
            scores[topic] = part.scores[rows[start:end]]
    return Run(name=name or fallback, docs=docs, scores=scores)


def distinct_names(names: Sequence[str], runs: Sequence[Run | FilePath]) -> list[str]:
    """Names of runs for a table: the tag, but the file's name where two files bear one tag.

    Files of one name in different folders go by their whole path.

    Raises
    ------
    UsageError
        If two runs that are no files have one name, or a file is named twice.
    """
    result = list(names)
    paths = [None if isinstance(run, Run) else run for run in runs]
    for name in dict.fromkeys(name for name in names if list(names).count(name) > 1):
        same = [place for place, other in enumerate(names) if other == name]
        if any(paths[place] is None for place in same):
            raise UsageError(f"two runs are called {quoted(name)}; expected a name for each")
        files = [Path(str(paths[place])).name for place in same]
        whole = len(set(files)) < len(files)
        for place, file in zip(same, files, strict=True):
            result[place] = str(paths[place]) if whole else file
        warnings.warn(
            f"{len(same)} run files bear the tag {quoted(name)}; they go by their file names",
            InputWarning,
            stacklevel=2,
        )
    twice = next((name for name in result if result.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two runs are called {quoted(twice)}; expected a name for each")
    return result
