"""Labels as a table with the columns of their file."""

from __future__ import annotations

import sys
from os import PathLike
from pathlib import PurePath
from typing import cast

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.items import item_parts
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels, QrelsForm, qrels_text
from qrelsmith.io.table_writing import form_of, table_bytes
from qrelsmith.judgments.judgment_files import Judgments, judgment_cells
from qrelsmith.judgments.judgment_tables import NUMBERS


def labels_content(
    labels: Qrels | Judgments, form: str | None, output: str | PathLike[str] | None, *, own: str
) -> bytes | None:
    """Return labels in the format of their file, or None if a table is requested.

    Parameters
    ----------
    labels : Qrels or Judgments
        The labels.
    form : str, optional
        The requested format of a table.
    output : path, optional
        The output file.
    own : str
        The format of the labels' own file.

    Raises
    ------
    UsageError
        If the suffix of the output contradicts the format, or Parquet would go to a terminal.
    """
    if isinstance(labels, Qrels):
        as_qrels = cast("QrelsForm", own)
        return None if form else qrels_text(labels, path=output, form=as_qrels).encode("utf-8")
    if form in ("csv", "jsonl"):
        own = form
    elif form is not None:
        return None
    if output is None:
        if own == "parquet" and sys.stdout.isatty():
            raise UsageError(
                "Parquet cannot be shown in a terminal; expected -o FILE or another --format"
            )
    elif _form_of(output) not in (None, own):
        raise UsageError(
            f"{quoted(PurePath(output).name)} has the suffix of a different format; expected "
            f"a name that ends in .{own}, the format of these labels"
        )
    return table_bytes(judgment_cells(labels), form=own, numbers=NUMBERS)


def _form_of(output: str | PathLike[str]) -> str | None:
    """Return the format that a file's name implies, or None."""
    try:
        return form_of(output)
    except UsageError:
        return None


def labels_table(labels: Qrels | Judgments) -> Table:
    """Return topic, doc and grade of qrels, or the non-empty columns of judgments, as a table."""
    if isinstance(labels, Qrels):
        rows = ((t, *item_parts(d), int(g) if g.is_integer() else g) for t, d, g in labels.rows())
        if any(item_parts(key)[1] for key in labels.docs):
            return Table.of(("topic", "doc", "aspect", "grade"), rows)
        return Table.of(("topic", "doc", "grade"), ((t, d, g) for t, d, _, g in rows))
    cells = judgment_cells(labels)
    return Table.of(tuple(cells), zip(*cells.values(), strict=True))
