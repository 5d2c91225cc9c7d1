"""Lines of run files, parsed: the plain reader, the fast reader, and what both give.

The fast reader (pyarrow) takes only lines in which everything is as it should be; whatever it does
not like goes to the plain reader, which is the one that says what is wrong.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.collection.docnos import ArrowDocs, Docs, PlainDocs
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import (
    BOM,
    FilePath,
    data_lines,
    decode_fields,
    has_forbidden,
    in_order_of_lines,
)

_EXPECTED = "expected: topic Q0 docno rank score tag"
# Beyond these pyarrow would need too much memory, or more than its 32-bit offsets can tell.
_MOST_COLUMNS, _MOST_BYTES = 64, 2_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class RunPart:
    """A part of a run: some whole topics, the rows of each together, in the order of the file.

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
        The rank column, if it was asked for.
    tags : tuple of str
        The distinct tags, in the order in which they first occur; empty for five columns.
    extra_lines : int
        How many lines had fields after the sixth.
    lines : int or None
        How many lines of the file these are, where that is the number of rows.
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
        """How many docs each topic has [topic]."""
        return np.diff(self.starts, append=len(self.docs))


@dataclass(frozen=True, slots=True)
class RunFormat:
    """The format of a run file, as its first line shows it.

    Attributes
    ----------
    path : path
        The file, for errors.
    columns : int
        How many fields that line has: 5 (no tag), 6, or more; fewer are an error.
    ranks : bool
        Whether the rank column is to be read.
    """

    path: FilePath
    columns: int
    ranks: bool


def parse_plain(block: bytes, form: RunFormat, first_line: int) -> RunPart:
    """Parse lines of a run file one by one.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    """
    return in_order_of_lines(
        lambda lines: _parse_columns(lines, form, first_line), block, first_line=first_line
    )


def _parse_columns(block: bytes, form: RunFormat, first_line: int) -> RunPart:
    """Parse one column after the other; of several errors any one is raised."""
    path = form.path
    numbers, lines = data_lines(block, path=path, first_line=first_line)
    rows = [line.split() for line in lines]
    needed = 5 if form.columns <= 5 else 6
    widths = set(map(len, rows))
    if any(width < needed or (needed == 5 and width > 5) for width in widths):
        for number, line, row in zip(numbers, lines, rows, strict=True):
            if len(row) < needed or (needed == 5 and len(row) > 5):
                raise InputError(
                    f"{len(row)} fields in {quoted(line)}; {_EXPECTED}"
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
    ranks = _ranks([row[3] for row in rows], numbers, path) if form.ranks else None

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
    """Name the second line of the first doc that stands twice in a topic."""
    seen: dict[tuple[int, str], int] = {}
    found: list[tuple[int, int, str, int]] = []
    for topic, doc, number in zip(topic_codes.tolist(), docs, numbers, strict=True):
        if (topic, doc) in seen:
            found.append((number, topic, doc, seen[topic, doc]))
        seen.setdefault((topic, doc), number)
    number, topic, doc, before = min(found)
    raise InputError(
        f"doc {quoted(doc)} stands twice in topic {quoted(topics[topic])} (first on line {before});"
        " expected every doc once a topic",
        path=path,
        line=number,
    )


def _scores(fields: list[bytes], numbers: list[int], path: FilePath) -> FloatArray:
    try:
        scores = np.fromiter(map(float, fields), np.float64, len(fields))
        # float() takes 1_000, which is no number in a run file.
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


def _ranks(fields: list[bytes], numbers: list[int], path: FilePath) -> IntArray:
    for field, number in zip(fields, numbers, strict=True):
        if not field.isdigit() or len(field) > 18:
            raise InputError(
                f"the rank is {quoted(field)}; expected a whole number (the order is by rank)",
                path=path,
                line=number,
            )
    return np.array([int(field) for field in fields], dtype=np.int64)


def parse_fast(block: bytes, form: RunFormat) -> RunPart | None:
    """Parse lines of a run file with pyarrow; None where anything is out of the ordinary."""
    if has_forbidden(block) or len(block) > _MOST_BYTES or not 5 <= form.columns <= _MOST_COLUMNS:
        return None
    columns = None if b"\t" in block else _columns(block, form)
    as_it_is = columns is not None
    if columns is None:
        columns = _columns(_single_blanks(block), form)
    if columns is None:
        return None
    scores = columns["4"].to_numpy()
    ranks = columns["3"].to_numpy() if form.ranks else None
    if not np.isfinite(scores).all():
        return None
    topic_codes = columns["0"].indices.to_numpy()
    topics: list[str] = columns["0"].dictionary.to_pylist()
    docs = columns["2"]
    # Codes are given in the order of first occurrence: a step back is a topic that returns.
    if (np.diff(topic_codes) < 0).any():
        grouped = np.argsort(topic_codes, kind="stable")
        topic_codes, scores, docs = topic_codes[grouped], scores[grouped], docs.take(grouped)
        ranks = None if ranks is None else ranks[grouped]
    starts = np.searchsorted(topic_codes, np.arange(len(topics)))
    column = ArrowDocs(docs)
    if not column.distinct_in(starts):
        return None
    return RunPart(
        topics=topics,
        starts=starts,
        docs=column,
        scores=scores,
        ranks=ranks,
        tags=tuple(columns["5"].dictionary.to_pylist()) if form.columns > 5 else (),
        extra_lines=len(scores) if form.columns > 6 else 0,
        lines=len(scores) if as_it_is else None,
    )


def _columns(block: bytes, form: RunFormat) -> dict[str, Any] | None:
    """The columns of lines whose fields are separated by one space; None if they are not all so.

    A comment or a double blank shows itself here: as a topic with `#`, as an empty field, as a
    wrong number of fields. That is cheaper than to search the block for it beforehand.
    """
    if block.startswith(BOM):
        # pyarrow would pass over it, and the topic be another one.
        return None
    import pyarrow
    import pyarrow.compute
    from pyarrow import csv

    text = pyarrow.string()
    few = pyarrow.dictionary(pyarrow.int32(), text)
    # pyarrow takes 0x10 for a whole number; where ranks count, they are looked at as text first.
    rank = text if form.ranks else pyarrow.int64()
    types = {"0": few, "1": few, "2": text, "3": rank, "4": pyarrow.float64()}
    if form.columns > 5:
        types["5"] = few
    if form.columns > 6:
        types["6"] = pyarrow.binary()
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(block),
            read_options=csv.ReadOptions(
                column_names=[str(column) for column in range(form.columns)],
                use_threads=False,
                block_size=len(block) + 1,
            ),
            parse_options=csv.ParseOptions(
                delimiter=" ",
                quote_char=False,
                escape_char=False,
                newlines_in_values=False,
                ignore_empty_lines=False,
            ),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=[],
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
    except pyarrow.ArrowInvalid:
        return None
    if table.num_rows == 0:
        return None
    columns = {name: table[name].combine_chunks() for name in types}
    for name in {"2", "6"} & columns.keys():
        if pyarrow.compute.min(pyarrow.compute.binary_length(columns[name])).as_py() == 0:
            return None
    for name in {"0", "1", "5"} & columns.keys():
        values = columns[name].dictionary.to_pylist()
        if "" in values or (name == "0" and any(v.startswith(("#", "\ufeff")) for v in values)):
            return None
    if form.ranks:
        digits = pyarrow.compute.match_substring_regex(columns["3"], "^[0-9]{1,18}$")
        if not pyarrow.compute.all(digits).as_py():
            return None
        columns["3"] = columns["3"].cast(pyarrow.int64())
    return columns


def _single_blanks(block: bytes) -> bytes:
    """The block with one space between fields, without comments and blank lines."""
    block = re.sub(rb"(?m)^#.*\n?", b"", block).replace(b"\t", b" ")
    while b"  " in block:
        block = block.replace(b"  ", b" ")
    block = block.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" \n")
    while b"\n\n" in block:
        block = block.replace(b"\n\n", b"\n")
    return block
