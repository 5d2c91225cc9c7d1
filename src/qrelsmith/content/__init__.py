"""What a report shows, as data: computed by `audit` and `studies`, written by `report`."""

from qrelsmith.content.drawings import (
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
from qrelsmith.content.report import (
    AUDIT,
    Answer,
    Figure,
    Finding,
    NamedTable,
    Report,
    Section,
    Verdict,
)

__all__ = [
    "AUDIT",
    "Answer",
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
    "StackedShares",
    "Verdict",
    "lowest",
]
