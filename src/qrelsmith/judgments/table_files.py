"""Tables of judgments: how to recognise and read their files."""

from __future__ import annotations

import re
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.base.scales import Scale
from qrelsmith.forms.reading import current_reading
from qrelsmith.forms.recognising import locate_errors, recognise, tell
from qrelsmith.forms.registry import FormTable
from qrelsmith.io import sizes
from qrelsmith.io.cells import OffScale
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.table_reading import (
    check_table,
    first_data_line,
    has_header,
    is_named_jsonl,
    parse_table,
    parsed_in_order,
    read_table,
)
from qrelsmith.io.table_writing import FORMS as TABLE_FORMS
from qrelsmith.io.text import FilePath, LineBlocks, read_bytes
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_tables import COLUMNS


def labels_form(path: FilePath) -> str:
    """Return the format of a file of labels: `qrels`, or the format of a judgments table.

    The file's content determines the format; its name does not matter. A pipe is always read as
    CSV, because it can be read only once.

    Raises
    ------
    InputError
        If the file cannot be read, or is empty.
    """
    labels = _other_form(path)
    if labels is not None and "assessor" not in labels.taken:
        return "qrels"
    if is_parquet(path):
        return "parquet"
    if Path(path).is_fifo():
        return "csv"
    line = _first_line(path)
    if line is None and not is_named_jsonl(path):
        raise InputError(f"the file is empty; {COLUMNS.expected}, or TREC's qrels", path=path)
    if line is None or line.lstrip().startswith("{"):
        return "jsonl"
    if labels is None and not has_header(line, COLUMNS):
        return "qrels"
    return "tsv" if "\t" in line else "csv"


def read_judgment_table(
    path: FilePath, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Read a table of judgments; see `read_judgments`.

    Raises
    ------
    InputError
        At the first malformed row.
    """
    if (labels := _other_form(path)) is not None:
        with locate_errors(labels):
            table = check_table(tell(labels), COLUMNS)
            return Judgments.from_table(table, scale=scale, off_scale=off_scale)
    if is_parquet(path):
        table = read_table(path, COLUMNS)
        return Judgments.from_table(table, scale=scale, off_scale=off_scale)

    def parse(content: bytes) -> Judgments:
        table = parse_table(content, COLUMNS, path=path)
        return Judgments.from_table(table, scale=scale, off_scale=off_scale)

    return parsed_in_order(parse, read_bytes(path), path=path)


def _other_form(path: FilePath) -> FormTable | None:
    """Return labels in another program's format, or None if the columns have qrelsmith's names."""
    line = first_line(path).decode("utf-8", "replace")
    names = set(re.findall(r'"([^"]+)"\s*:' if line[:1] == "{" else r"[^\s\",;]+", line))
    if set(COLUMNS.required) <= names <= set(COLUMNS.names) and not current_reading().columns:
        return None
    labels = recognise(path, "judgments", kept=COLUMNS.optional)
    if labels is None or labels.form not in TABLE_FORMS or labels.ignored:
        return labels
    is_ours = all(labels.taken.get(name) == name for name in COLUMNS.required)
    return None if is_ours else labels


def _first_line(path: FilePath) -> str | None:
    with LineBlocks(path) as blocks:
        while block := blocks.read(sizes.HEAD_BLOCK):
            line = first_data_line(block.decode("utf-8", "replace"))
            if line is not None:
                return line
    return None
