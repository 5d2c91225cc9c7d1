"""Parsing of lines of run files: the plain reader, the fast reader, and their common result.

The fast reader (numpy, a block of lines at once) takes only well-formed lines. All other lines are
read by the plain reader, which reports the errors.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.collection.docnos import ByteDocs, Docs, PlainDocs
from qrelsmith.collection.run_fields import fields_of
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import FilePath, data_lines, decode_fields, has_forbidden, in_order_of_lines

_EXPECTED = "expected topic Q0 docno rank score tag"
_MOST_COLUMNS = 64

RankUse: TypeAlias = Literal["ignored", "kept", "required"]
"""The use of the rank column; kept ranks are dropped if one rank is not a number."""


@dataclass(frozen=True, slots=True, eq=False)
class RunPart:
    """A part of a run: some whole topics, each with all its rows, in the order of the file.

    Attributes
    ----------
    topics : list of str [topic]
        The topics, in the order in which they first occur.
    starts : int array [topic]
        The first row of each topic.
    docs : Docs [row]
        The docnos.
    scores : float array [row]
        Finite numbers.
    ranks : int array [row] or None
        The rank column, unless it is ignored or contains other values than whole numbers.
    tags : tuple of str
        The distinct tags, in the order in which they first occur; empty for five columns.
    extra_lines : int
        The number of lines with fields after the sixth.
    lines : int or None
        The number of lines in the file, if each line is a row; otherwise None.
    """

    topics: list[str]
    starts: IntArray
    docs: Docs
    scores: FloatArray
    ranks: IntArray | None
    tags: tuple[str, ...]
    extra_lines: int
    lines: int | None = None

    def sizes(self) -> IntArray:
        """Return the number of docs of each topic [topic]."""
        return np.diff(self.starts, append=len(self.docs))

    def to_depth(self, depth: int) -> RunPart:
        """Return the part with only the first `depth` rows of each topic."""
        sizes = self.sizes()
        rows = np.flatnonzero(np.arange(len(self.docs)) - np.repeat(self.starts, sizes) < depth)
        return replace(
            self,
            starts=np.append(0, np.cumsum(np.minimum(sizes, depth)))[:-1],
            docs=self.docs.at(rows),
            scores=self.scores[rows],
            ranks=None if self.ranks is None else self.ranks[rows],
            lines=None,
        )


@dataclass(frozen=True, slots=True)
class RunFormat:
    """The format of a run file, recognised by the first line.

    Attributes
    ----------
    path : path
        The file, for errors.
    columns : int
        The number of fields in that line: 5 (no tag), 6, or more; fewer are an error.
    ranks : RankUse
        The use of the rank column.
    """

    path: FilePath
    columns: int
    ranks: RankUse


def parse_plain(block: bytes, form: RunFormat, first_line: int) -> RunPart:
    """Parse lines of a run file one by one.

    Raises
    ------
    InputError
        If a line is malformed.
    """
    return in_order_of_lines(
        lambda lines: _parse_columns(lines, form, first_line), block, first_line=first_line
    )


def _parse_columns(block: bytes, form: RunFormat, first_line: int) -> RunPart:
    """Parse one column after the other; any one of several errors may be raised."""
    path = form.path
    numbers, lines = data_lines(block, path=path, first_line=first_line)
    rows = [line.split() for line in lines]
    needed = 5 if form.columns <= 5 else 6
    widths = set(map(len, rows))
    if any(width < needed or (needed == 5 and width > 5) for width in widths):
        for number, line, row in zip(numbers, lines, rows, strict=True):
            if len(row) < needed or (needed == 5 and len(row) > 5):
                raise InputError(
                    f"found {len(row)} fields in {quoted(line)}; {_EXPECTED}"
                    + (" (or, as on its first line, without tag)" if form.columns == 5 else ""),
                    path=path,
                    line=number,
                )
    topics = decode_fields([row[0] for row in rows], numbers, path=path, what="topic")
    docs = decode_fields([row[2] for row in rows], numbers, path=path, what="docno")
    tags: list[str] = []
    if needed == 6:
        distinct = dict(zip(reversed([row[5] for row in rows]), reversed(numbers), strict=True))
        ordered = sorted(distinct, key=distinct.__getitem__)
        tags = decode_fields(ordered, [distinct[tag] for tag in ordered], path=path, what="tag")
    scores = _scores([row[4] for row in rows], numbers, path)
    ranks = _ranks([row[3] for row in rows], numbers, form)

    code = {topic: place for place, topic in enumerate(dict.fromkeys(topics))}
    topic_codes = np.fromiter((code[topic] for topic in topics), np.int64, len(topics))
    if topic_codes.size and (np.diff(topic_codes) < 0).any():
        grouped = np.argsort(topic_codes, kind="stable")
        docs = [docs[row] for row in grouped.tolist()]
        numbers = [numbers[row] for row in grouped.tolist()]
        scores, topic_codes = scores[grouped], topic_codes[grouped]
        ranks = None if ranks is None else ranks[grouped]
    starts = np.searchsorted(topic_codes, np.arange(len(code)))
    part = RunPart(
        topics=list(code),
        starts=starts,
        docs=PlainDocs(docs),
        scores=scores,
        ranks=ranks,
        tags=tuple(tags),
        extra_lines=sum(len(row) > 6 for row in rows)
        if needed == 6 and max(widths, default=0) > 6
        else 0,
    )
    if not part.docs.distinct_in(starts):
        _raise_duplicate(part.topics, topic_codes, docs, numbers, path)
    return part


def _raise_duplicate(
    topics: list[str], topic_codes: IntArray, docs: list[str], numbers: list[int], path: FilePath
) -> None:
    """Raise an error that names the second line of the first repeated doc in a topic."""
    seen: dict[tuple[int, str], int] = {}
    found: list[tuple[int, int, str, int]] = []
    for topic, doc, number in zip(topic_codes.tolist(), docs, numbers, strict=True):
        if (topic, doc) in seen:
            found.append((number, topic, doc, seen[topic, doc]))
        seen.setdefault((topic, doc), number)
    number, topic, doc, before = min(found)
    raise InputError(
        f"doc {quoted(doc)} appears twice in topic {quoted(topics[topic])} (first on line "
        f"{before}); expected every doc once per topic",
        path=path,
        line=number,
    )


def _scores(fields: list[bytes], numbers: list[int], path: FilePath) -> FloatArray:
    try:
        scores = np.fromiter(map(float, fields), np.float64, len(fields))
        # float() accepts 1_000, which is not a number in a run file.
        sound = bool(np.isfinite(scores).all()) and b"_" not in b"".join(fields)
    except ValueError:
        sound = False
    if not sound:
        for field, number in zip(fields, numbers, strict=True):
            if math.isnan(finite_number(field)):
                raise InputError(
                    f"the score is {quoted(field)}; expected a finite decimal number",
                    path=path,
                    line=number,
                )
    return scores


def _ranks(fields: list[bytes], numbers: list[int], form: RunFormat) -> IntArray | None:
    if form.ranks == "ignored":
        return None
    for field, number in zip(fields, numbers, strict=True):
        if not field.isdigit() or len(field) > 18:
            if form.ranks == "kept":
                return None
            raise InputError(
                f"the rank is {quoted(field)}; expected a whole number, because the "
                "run is ordered by rank",
                path=form.path,
                line=number,
            )
    return np.array([int(field) for field in fields], dtype=np.int64)


def parse_fast(block: bytes, form: RunFormat) -> RunPart | None:
    """Parse lines of a run file all at once; return None if anything is unusual."""
    if not 5 <= form.columns <= _MOST_COLUMNS:
        return None
    part = _parse_regular(block, form)
    if part is not None:
        return replace(part, lines=len(part.docs))
    if has_forbidden(block):  # in comments, too
        return None
    single = _single_blanks(block)
    return None if single == block else _parse_regular(single, form)


def _parse_regular(block: bytes, form: RunFormat) -> RunPart | None:
    """Parse lines with one space between fields; return None if any line has another form."""
    fields = fields_of(block, form.columns, ranks=form.ranks != "ignored")
    if fields is None or (fields.ranks is None and form.ranks == "required"):
        return None
    begins = np.flatnonzero(~fields.topics.like_the_one_before())
    topics = fields.topics.take(begins)
    if any(topic.startswith(("#", "\ufeff")) for topic in topics):
        return None
    docs, scores, ranks = fields.docs, fields.scores, fields.ranks
    code = {topic: place for place, topic in enumerate(dict.fromkeys(topics))}
    if len(code) < len(topics):  # a topic occurs again
        codes = np.fromiter((code[topic] for topic in topics), np.int64, len(topics))
        codes = np.repeat(codes, np.diff(begins, append=len(docs)))
        grouped = np.argsort(codes, kind="stable")
        docs, scores = docs.at(grouped), scores[grouped]
        ranks = None if ranks is None else ranks[grouped]
        begins = np.searchsorted(codes[grouped], np.arange(len(code)))
    column = ByteDocs(docs)
    if not column.distinct_in(begins):
        return None
    return RunPart(
        topics=list(code),
        starts=begins,
        docs=column,
        scores=scores,
        ranks=ranks,
        tags=fields.tags,
        extra_lines=len(docs) if fields.columns > 6 else 0,
    )


def _single_blanks(block: bytes) -> bytes:
    """Return the block with one space between fields, without comments and blank lines."""
    block = re.sub(rb"(?m)^#.*\n?", b"", block).replace(b"\t", b" ")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    block = block.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" \n")
    while b"\n\n" in block:
        block = block.replace(b"\n\n", b"\n")
    return block
