"""Runs: the ranked output of a system for every topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.tables import Table
from qrelsmith.collection.docnos import PlainDocs
from qrelsmith.collection.frames import (
    Names,
    pandas_frame,
    part_from_dict,
    polars_frame,
    run_columns,
    run_scores,
)
from qrelsmith.collection.odd_files import checked_tags
from qrelsmith.collection.run_forms import recognised_runs
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.collection.run_order import RUN_ORDERS, rank_rows, rank_use
from qrelsmith.collection.run_parts import over_parts
from qrelsmith.forms.reading import ReadingOptions, reading
from qrelsmith.io.content_digest import content_digest
from qrelsmith.io.given_values import as_path
from qrelsmith.io.text import FilePath

_SHOWN = 5  # number of docs shown in a notebook
_NONE = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A run in memory; the docs of each topic are sorted, best first.

    Attributes
    ----------
    name : str
        The tag, or the file's name without a tag.
    docs : mapping of str to tuple of str
        The docs of every topic in the order of the run.
    scores : mapping of str to float array [doc]
        The scores of these docs.
    order : str
        The order in `RUN_ORDERS` by which the docs are ranked; empty: the given order.
    lines : mapping of str to int array [doc], optional
        The position of each doc among the topic's lines in the file, if the file's order is
        different.
    ranks : mapping of str to int array [doc], optional
        The rank column, if it exists and contains only whole numbers.
    is_cut : bool
        Whether docs below a depth were left out.
    """

    name: str
    docs: Mapping[str, tuple[str, ...]]
    scores: Mapping[str, FloatArray]
    order: str = ""
    lines: Mapping[str, IntArray] | None = None
    ranks: Mapping[str, IntArray] | None = None
    is_cut: bool = False
    _shared: RunPart | None = field(default=None, init=False)  # set by `share_docs`

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of the file."""
        return tuple(self.docs)

    @classmethod
    def from_dict(
        cls, scores: Mapping[str, Mapping[str, float]], *, name: str = "run", order: str = "trec"
    ) -> Run:
        """Return a run from {topic: {doc: score}}, ranked in one of `RUN_ORDERS`.

        Raises
        ------
        UsageError
            If an id is not text, or a score is not a finite number.
        """
        part = part_from_dict(scores, name=name)
        return _assemble([part], name, order, None)

    @classmethod
    def from_frame(cls, frame: Any, *, name: str = "run", order: str = "trec") -> Run:
        """Return a run from a data frame of pandas, polars or pyarrow, or a mapping of columns.

        The columns have the names of ir_measures (`query_id`, `doc_id`, `score`), PyTerrier (`qid`,
        `docno`, `score`) or qrelsmith (`topic`, `doc`, `score`). `order` ranks the scores again;
        `order="rank"` uses a column `rank`. Use `read_runs` if the data frame contains several
        systems.

        Raises
        ------
        UsageError
            If a column is missing, an id is not text, a score is not a finite number, a doc appears
            twice, or a column such as `name`, `run` or `system` names several systems.

        Examples
        --------
        >>> import polars
        >>> columns = {"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [0.5, 2.0]}
        >>> Run.from_frame(polars.DataFrame(columns), name="bm25").docs
        {'1': ('b', 'a')}
        """
        scores, ranks = run_scores(frame)
        part = replace(part_from_dict(scores, name=name), ranks=ranks)
        return _assemble([part], name, order, None)

    def to_pandas(self, *, names: Names = "ir_measures") -> Any:
        """Return a pandas DataFrame: query_id, doc_id, score (or other `names`).

        Parameters
        ----------
        names : {'ir_measures', 'pyterrier', 'qrelsmith'}
            The names of the columns.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return pandas_frame(run_columns(self.docs, self.scores, names=names))

    def to_polars(self, *, names: Names = "ir_measures") -> Any:
        """Return a polars data frame; see `to_pandas`."""
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
        """Return the run with only the first `depth` docs of every topic.

        Raises
        ------
        UsageError
            If the depth is below 1.
        """
        _check_depth(depth)
        if max(map(len, self.docs.values()), default=0) <= depth:
            return self
        run = Run(
            name=self.name,
            docs={topic: docs[:depth] for topic, docs in self.docs.items()},
            scores={topic: scores[:depth] for topic, scores in self.scores.items()},
            order=self.order,
            is_cut=True,
        )
        if self._shared is not None:
            object.__setattr__(run, "_shared", self._shared.to_depth(depth))
        return run

    def in_order(self, order: str) -> Run:
        """Return the run ranked in one of `RUN_ORDERS`, as if its source were read in that order.

        Raises
        ------
        UsageError
            If the order is unknown, or needs docs or ranks that the run does not have.
        """
        about = RUN_ORDERS.get(order).entry.about
        if order == self.order or (not self.order and about["keeps_given"]):
            return self
        if self.is_cut:
            held = f"in the order {self.order!r}" if self.order else "as they were given"
            raise UsageError(
                f"the run {quoted(self.name)} contains only the first docs of each topic, {held}; "
                f"expected all docs for order={order!r}. Read it again with order={order!r}"
            )
        part = self.part()
        ranks = None if self.ranks is None else np.concatenate([_NONE, *self.ranks.values()])
        if self.lines is not None:
            places = zip(self.lines.values(), part.starts.tolist(), strict=True)
            rows = np.concatenate([_NONE, *(np.argsort(lines) + start for lines, start in places)])
            part = replace(part, docs=part.docs.at(rows), scores=part.scores[rows])
            ranks = None if ranks is None else ranks[rows]
        return _assemble([replace(part, ranks=ranks)], self.name, order, None)

    def digest(self) -> str:
        """Return the SHA-256 of the name and of every topic's docs with their scores."""
        rows = [
            (topic, self.docs[topic], self.scores[topic].tolist()) for topic in sorted(self.docs)
        ]
        return content_digest({"name": [self.name], "rankings": rows})

    def part(self) -> RunPart:
        """Return the rows of the run, in the run's own order."""
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


def read_run(
    path: FilePath, *, order: str = "trec", depth: int | None = None, **how: Unpack[ReadingOptions]
) -> Run:
    """Read a run file into memory.

    Parameters
    ----------
    path : path
        TREC's six columns, five without tag, NTCIR's form after a `<SYSDESC>` line, or a form of
        another program; plain or compressed.
    order : str
        One of `RUN_ORDERS`.
    depth : int, optional
        Number of docs to keep per topic; by default, all.

    **how
        `form` and `columns`: the file's format and column names, if the content does not determine
        them.

    Raises
    ------
    InputError
        If a line is malformed.
    UsageError
        If the input is not a path, the order is unknown, or the depth is below 1.
    """
    if how:
        with reading(**how):
            return read_run(path, order=order, depth=depth)
    as_path(path, "the path of a run; read_runs takes several, and objects")
    if depth is not None:
        _check_depth(depth)

    def gather(parts: Iterator[RunPart]) -> Run:
        return _assemble(checked_tags(parts, path), Path(path).name, order, depth)

    required = rank_use(order) == "required"
    return over_parts(path, gather, ranks="required" if required else "kept")


def runs_of_file(path: FilePath, *, order: str = "trec") -> list[Run | FilePath]:
    """Return the runs of a file with several runs; otherwise the path, to be read in parts."""
    try:
        runs = recognised_runs(path)
    except InputError:
        return [path]  # the reader reports the error later
    if runs is None or len(runs) == 1:
        return [path]
    return [_assemble([run], "", order, None) for run in runs]


def _check_depth(depth: int) -> None:
    if depth < 1:
        raise UsageError(f"depth={depth}; expected 1 or more")


def _assemble(parts: Iterable[RunPart], fallback: str, order: str, depth: int | None) -> Run:
    docs: dict[str, tuple[str, ...]] = {}
    scores: dict[str, FloatArray] = {}
    lines: dict[str, IntArray] = {}
    ranks: dict[str, IntArray] = {}
    is_as_given = has_ranks = True
    is_cut = False
    name = ""
    for part in parts:
        name = name or next(iter(part.tags), "")
        rows, _ = rank_rows(part, order)
        is_as_given &= rows is None
        has_ranks &= part.ranks is not None
        rows = np.arange(len(part.docs)) if rows is None else rows
        ordered = part.docs.take(rows)
        for topic, start, size in zip(
            part.topics, part.starts.tolist(), part.sizes().tolist(), strict=True
        ):
            end = start + (size if depth is None else min(size, depth))
            is_cut |= end < start + size
            docs[topic] = tuple(ordered[start:end])
            scores[topic] = part.scores[rows[start:end]]
            lines[topic] = rows[start:end] - start
            if part.ranks is not None:
                ranks[topic] = part.ranks[rows[start:end]]
    return Run(
        name=name or fallback,
        docs=docs,
        scores=scores,
        order=order,
        lines=None if is_as_given or is_cut else lines,
        ranks=ranks if has_ranks and not is_cut else None,
        is_cut=is_cut,
    )
