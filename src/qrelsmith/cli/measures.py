"""`qrelsmith measures`."""

from __future__ import annotations

from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.options import Common, common_options


@action("measures", "score", example="qrelsmith measures --format markdown")
@common_options()
def command(common: Common) -> None:
    """List the measures, with formula and source.

    Columns: name, parameters with their defaults, description, formula, source.
    """
    common.emit(measures_table())


def measures_table() -> Table:
    """Return a table with one row per measure."""
    from qrelsmith.evaluation.measures import MEASURES

    rows = []
    for entry in MEASURES.entries():
        needs = entry.about["needs_cutoff"]
        after = "@x" if entry.about["cutoff_is_recall"] else "@k" if needs else "[@k]"
        options = ", ".join(f"{key}={value!r}" for key, value in sorted(entry.parameters.items()))
        name = entry.name + (after if entry.cutoff else "")
        rows.append((name, options, entry.summary, entry.formula, entry.source))
    columns = ("measure", "parameters", "meaning", "formula", "source")
    return Table.of(columns, rows)
