"""Tables of labels whose columns have other names: CSV, TSV, JSONL and Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.column_names import columns_for, id_names
from qrelsmith.forms.registry import FORMS, FormTable, Looked
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.parquet import is_parquet, parquet_columns
from qrelsmith.io.table_reading import TextTable, decoded_text
from qrelsmith.io.text import read_bytes

_ROLES = ("topic", "doc", "grade", "assessor")
_NEEDED = frozenset(_ROLES[:3])


@FORMS.add("Parquet", kinds=("qrels", "judgments"), about="https://parquet.apache.org/docs/")
def parquet_labels(looked: Looked) -> FormTable | None:
    """Columns of Parquet."""
    if not is_parquet(looked.path):
        return None
    cells = parquet_columns(looked.path, ids=id_names())
    rows = len(next(iter(cells.values())))
    return _table(cells, range(1, rows + 1), looked)


@FORMS.add("JSONL", kinds=("qrels", "judgments"), about="https://jsonlines.org/")
def json_lines_labels(looked: Looked) -> FormTable | None:
    """An object a line, with a topic, a doc and a grade."""
    if not looked.line.lstrip().startswith("{"):
        return None
    try:
        first = next(json_objects(looked.line, path=looked.path, texts=()))[1]
    except InputError:
        return None
    if not columns_for(_ROLES, list(first), kept=looked.kept, path=looked.path).keys() >= _NEEDED:
        return None
    text = decoded_text(read_bytes(looked.path), path=looked.path)
    rows = list(json_objects(text, path=looked.path, texts=()))
    names = dict.fromkeys(name for _, fields in rows for name in fields)
    cells = {name: [fields.get(name) or "" for _, fields in rows] for name in names}
    return _table(cells, [line for line, _ in rows], looked)


@FORMS.add("CSV", kinds=("qrels", "judgments"), about="https://www.rfc-editor.org/rfc/rfc4180")
def delimited_labels(looked: Looked) -> FormTable | None:
    """A header and a row for each label, parted by commas, semicolons or tabs."""
    for delimiter in "\t,;":
        names = [cell.strip(' "') for cell in looked.line.split(delimiter)]
        if columns_for(_ROLES, names, kept=looked.kept, path=looked.path).keys() >= _NEEDED:
            break
    else:
        return None
    records = CsvRecords(
        decoded_text(read_bytes(looked.path), path=looked.path), delimiter, looked.path
    )
    rows, lines = [], []
    for record in records:
        rows.append(record)
        lines.append(records.first)
        if len(record) != len(rows[0]):
            raise InputError(
                f"{len(record)} cells; expected {len(rows[0])}: {delimiter.join(rows[0])}",
                path=looked.path,
                line=records.first,
            )
    records.warn_of_comments(len(rows[0]))
    header = [name.strip() for name in rows[0]]
    if twice := [name for place, name in enumerate(header) if name in header[:place]]:
        raise InputError(
            f"the column {quoted(twice[0])} stands twice; expected it once",
            path=looked.path,
            line=lines[0],
        )
    cells = {name: [row[place] for row in rows[1:]] for place, name in enumerate(header)}
    return _table(cells, lines[1:], looked)


def _table(
    cells: Mapping[str, Sequence[str]], lines: Sequence[int], looked: Looked
) -> FormTable | None:
    taken = columns_for(_ROLES, list(cells), kept=looked.kept, path=looked.path)
    if not taken.keys() >= _NEEDED:
        return None
    for name in cells.keys() & set(looked.kept) - set(taken.values()):
        taken[name] = name
    columns = {role: cells[name] for role, name in taken.items()}
    ignored = [name for name in cells if name not in taken.values()]
    return FormTable(TextTable(looked.path, columns, lines), taken, ignored)
