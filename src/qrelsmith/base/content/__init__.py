"""What a report shows, as data: computed by audit, papers and questions, written by `report`."""

from qrelsmith.base.content.drawings import (
    Boxes,
    Drawing,
    HeatMap,
    Intervals,
    Line,
    Lines,
    Points,
    RankLines,
    StackedShares,
    lowest,
)
from qrelsmith.base.content.report import (
    AUDIT,
    Figure,
    Finding,
    NamedTable,
    Report,
    Section,
    ShownAnswer,
    Verdict,
)

__all__ = [
    "AUDIT",
    "Boxes",
    "Drawing",
    "Figure",
    "Finding",
    "HeatMap",
    "Intervals",
    "Line",
    "Lines",
    "NamedTable",
    "Points",
    "RankLines",
    "Report",
    "Section",
    "ShownAnswer",
    "StackedShares",
    "Verdict",
    "lowest",
]
