"""Fields of the lines of a run file, found in a whole block of lines at once.

The positions of all separators show whether all lines are well-formed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.io.byte_texts import ByteTexts
from qrelsmith.io.decimals import decimal_numbers, whole_numbers
from qrelsmith.io.text import has_forbidden

_NEWLINE, _SPACE, _BEYOND_ASCII = 10, 32, 128


@dataclass(frozen=True, slots=True, eq=False)
class RunFields:
    """The unchanged fields of a block of lines.

    Attributes
    ----------
    topics, docs : ByteTexts [line]
        The first and the third field.
    scores : float array [line]
        Finite numbers.
    ranks : int array [line] or None
        The rank column, if requested and if it contains whole numbers.
    tags : tuple of str
        The distinct sixth fields, in order of first occurrence.
    columns : int
        The number of fields of each line.
    """

    topics: ByteTexts
    docs: ByteTexts
    scores: FloatArray
    ranks: IntArray | None
    tags: tuple[str, ...]
    columns: int


def fields_of(block: bytes, columns: int, *, ranks: bool) -> RunFields | None:
    """Return the fields of lines; None if a line is not separated by single spaces.

    All fields are in UTF-8, and the scores are finite numbers.
    """
    if not block.endswith(b"\n"):
        block += b"\n"
    content = np.frombuffer(block, np.uint8)
    lines = np.count_nonzero(content == _NEWLINE)
    if np.count_nonzero(content < _SPACE) == lines:
        separators = np.flatnonzero(content <= _SPACE)
    elif has_forbidden(block) or b"\t" in block:
        return None
    else:  # an id may contain other control characters
        separators = np.flatnonzero((content == _SPACE) | (content == _NEWLINE))
    rows, rest = divmod(separators.size, columns)
    # There are as many lines as rows, so each row ends with a newline and contains no other.
    if rest or not rows or rows != lines:
        return None
    if separators[0] == 0 or (np.diff(separators) < 2).any():  # an empty field
        return None
    ends = np.ascontiguousarray(separators.reshape(rows, columns).T)
    if not (content[ends[-1]] == _NEWLINE).all():
        return None
    if content.max() >= _BEYOND_ASCII:
        try:
            block.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def column(place: int) -> ByteTexts:
        starts = ends[place - 1] + 1 if place else np.append(0, ends[-1, :-1] + 1)
        return ByteTexts(content, starts, ends[place])

    scores = decimal_numbers(column(4))
    rank = whole_numbers(column(3)) if ranks else None
    if scores is None:
        return None
    tags: tuple[str, ...] = ()
    if columns > 5:
        tag = column(5)
        tags = tuple(dict.fromkeys(tag.take(np.flatnonzero(~tag.like_the_one_before()))))
    return RunFields(column(0), column(2), scores, rank, tags, columns)
