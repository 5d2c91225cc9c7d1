"""Content of a report, as data: computed by audit, papers and questions, written by `report`."""

from qrelsmith.base.content.drawings import (
    Boxes,
    Drawing,
    HeatMap,
    Intervals,
    Line,
    Lines,
    Panels,
    Points,
    RankLines,
    StackedShares,
    lowest,
)
from qrelsmith.base.content.report import (
    AUDIT,
    SCORECARD,
    Figure,
    Finding,
    NamedTable,
    Report,
    Section,
    ShownAnswer,
    Verdict,
)
from qrelsmith.base.content.scorecard import Action, CellVerdict, Scorecard, ScorecardCell

__all__ = [
    "AUDIT",
    "SCORECARD",
    "Action",
    "Boxes",
    "CellVerdict",
    "Drawing",
    "Figure",
    "Finding",
    "HeatMap",
    "Intervals",
    "Line",
    "Lines",
    "NamedTable",
    "Panels",
    "Points",
    "RankLines",
    "Report",
    "Scorecard",
    "ScorecardCell",
    "Section",
    "ShownAnswer",
    "StackedShares",
    "Verdict",
    "lowest",
]
