"""Lists of drawn pairs to judge, such as those of `plan preferences`."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath

_COLUMNS = ("topic", "left", "right")


def read_drawn_pairs(path: FilePath) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the left and right doc of each pair by topic, in the order of the file.

    Parameters
    ----------
    path : path
        CSV, TSV or JSON lines with topic, left and right; other columns are ignored.

    Raises
    ------
    InputError
        If the file is malformed, a doc is compared with itself, or a pair appears twice.
    """
    table = read_table(path, Columns(_COLUMNS, ids=_COLUMNS))
    drawn: dict[str, list[tuple[str, str]]] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    columns = (table.columns[name] for name in _COLUMNS)
    for line, (topic, left, right) in zip(table.lines, zip(*columns, strict=True), strict=True):
        pair = (topic, frozenset((left, right)))
        if left == right or pair in seen:
            why = (
                "is compared with itself"
                if left == right
                else "was paired with the same other doc before"
            )
            raise InputError(f"the doc {quoted(left)} {why}", path=path, line=int(line))
        seen.add(pair)
        drawn.setdefault(topic, []).append((left, right))
    return {topic: tuple(pairs) for topic, pairs in drawn.items()}
