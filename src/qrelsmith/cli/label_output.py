"""Labels on the command line: written in the form that their files have, or as a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.cli.options import Common

if TYPE_CHECKING:
    from qrelsmith.collection.qrels import Qrels, QrelsForm
    from qrelsmith.judgments.judgment_files import Judgments


def emit_qrels(qrels: Qrels, common: Common, *, form: QrelsForm = "trec") -> None:
    """Write qrels as text, or, where a form of tables is named, as a table topic, doc, grade."""
    from qrelsmith.collection.qrels import qrels_text
    from qrelsmith.judgments.label_table import labels_table

    if common.form is None:
        common.put(qrels_text(qrels, path=common.output, form=form).encode("utf-8"))
        return
    common.emit(labels_table(qrels))


def emit_judgments(judgments: Judgments, common: Common, *, form: str) -> None:
    """Write judgments in the form of their file, or in the one that is named.

    Raises
    ------
    click.UsageError
        If the name of the output says another form, or Parquet would go to a terminal.
    """
    from qrelsmith.io.table_writing import table_bytes
    from qrelsmith.judgments.judgment_files import judgment_cells
    from qrelsmith.judgments.judgment_tables import NUMBERS
    from qrelsmith.judgments.label_table import labels_table

    if common.form in ("csv", "jsonl"):
        form = common.form
    elif common.form is not None:
        common.emit(labels_table(judgments))
        return
    if common.output is None:
        if form == "parquet" and sys.stdout.isatty():
            raise click.UsageError(
                "Parquet is nothing for a terminal; expected -o FILE or --format"
            )
    elif _form_of(common) not in (None, form):
        raise click.UsageError(
            f"{quoted(Path(common.output).name)} would hold {form}; expected a name that ends in"
            f" .{form}"
        )
    common.put(table_bytes(judgment_cells(judgments), form=form, numbers=NUMBERS))


def _form_of(common: Common) -> str | None:
    """The form that the name of the output says; None: it says none."""
    from qrelsmith.io.table_writing import form_of

    try:
        return form_of(common.output or "")
    except UsageError:
        return None
