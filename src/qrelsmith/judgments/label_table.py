"""Labels as a table: the columns of their file."""

from __future__ import annotations

from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.judgment_files import Judgments, judgment_cells


def labels_table(labels: Qrels | Judgments) -> Table:
    """Columns: topic, doc, grade; of judgments those of a judgments file that are not empty."""
    if isinstance(labels, Qrels):
        rows = ((t, d, int(g) if g.is_integer() else g) for t, d, g in labels.rows())
        return Table.of(("topic", "doc", "grade"), rows)
    cells = judgment_cells(labels)
    return Table.of(tuple(cells), zip(*cells.values(), strict=True))
