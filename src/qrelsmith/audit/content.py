"""What a section of the audit consists of: words, tables, figures and findings, all of them data.

Sections are computed here and shown by `report`, which computes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from qrelsmith.tables import Table


class Verdict(Enum):
    """What a rule says of a campaign.

    `CANNOT_TELL` is said whenever the interval of the figure crosses the rule's threshold.
    """

    GOOD = "good"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    CANNOT_TELL = "cannot tell"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of the summary.

    Attributes
    ----------
    rule : str
        The name of the rule that it follows from (see the audit's rules).
    verdict : Verdict
        What the rule says.
    sentence : str
        In plain words, with figure and interval.
    section : str
        Key of the section with the numbers behind it.
    """

    rule: str
    verdict: Verdict
    sentence: str
    section: str


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a section.

    Attributes
    ----------
    key : str
        Name of its files, such as `agreement-pairs`; unique in the audit.
    title : str
        What it shows, in a line.
    table : Table
        The cells.
    note : str
        What a reader must know to read it; may be empty.
    """

    key: str
    title: str
    table: Table
    note: str = ""


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A matrix as coloured cells with their values written in them.

    Attributes
    ----------
    rows, columns : sequence of str
        Names of rows and columns.
    values : sequence of sequence of float
        [row][column]; nan leaves the cell empty.
    low, high : float
        Ends of the colour scale.
    label : str
        What the values are.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    low: float
    high: float
    label: str


@dataclass(frozen=True, slots=True)
class Intervals:
    """A point with an interval for each name, one below the other.

    Attributes
    ----------
    names : sequence of str
        What the points belong to, top to bottom.
    values, lows, highs : sequence of float
        The points and their intervals; nan: no interval.
    label : str
        What the values are.
    reference : float or None
        A value to compare with, drawn as a line.
    groups : sequence of str
        A group for each name, shown by colour and marker; may be empty.
    """

    names: Sequence[str]
    values: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]
    label: str
    reference: float | None = None
    groups: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class StackedShares:
    """Shares that sum to one, a bar for each name.

    Attributes
    ----------
    names : sequence of str
        A bar each, top to bottom.
    parts : sequence of str
        What the shares are of, such as the levels of a scale, lowest first.
    shares : sequence of sequence of float
        [name][part], each row summing to 1.
    label : str
        What is shared out.
    """

    names: Sequence[str]
    parts: Sequence[str]
    shares: Sequence[Sequence[float]]
    label: str


@dataclass(frozen=True, slots=True)
class RankLines:
    """How the rank of each system changes from one column to the next.

    Attributes
    ----------
    names : sequence of str
        The systems.
    columns : sequence of str
        What ranks them, such as label sets.
    ranks : sequence of sequence of float
        [name][column]; 1 is best, ties have their mean rank.
    """

    names: Sequence[str]
    columns: Sequence[str]
    ranks: Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Points:
    """Points in the plane, each with a name.

    Attributes
    ----------
    names : sequence of str
        The points.
    x, y : sequence of float
        Where they stand.
    x_label, y_label : str
        What the axes are.
    diagonal : bool
        Whether the line x = y is drawn.
    """

    names: Sequence[str]
    x: Sequence[float]
    y: Sequence[float]
    x_label: str
    y_label: str
    diagonal: bool = False


Drawing = HeatMap | Intervals | StackedShares | RankLines | Points


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a section.

    Attributes
    ----------
    key : str
        Name of its files; unique in the audit.
    title : str
        What it shows, in a line.
    drawing : Drawing
        What is drawn.
    caption : str
        How to read it; also its text for those who cannot see it.
    """

    key: str
    title: str
    drawing: Drawing
    caption: str


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the audit.

    Attributes
    ----------
    key : str
        Its anchor.
    title : str
        Its heading.
    paragraphs : tuple of str
        What it says; plain text.
    tables : tuple of NamedTable
        Its tables.
    figures : tuple of Figure
        Its figures.
    findings : tuple of Finding
        What it adds to the summary.
    missing : str
        What input it lacks; if not empty, nothing else is there.
    """

    key: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[NamedTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """A finished audit.

    Attributes
    ----------
    title : str
        The campaign's title.
    subtitle : str
        What was audited, in a line.
    notices : tuple of str
        What must stand at the top, such as that data are simulated.
    sections : tuple of Section
        In the order of the report.
    manifest : str
        The manifest as JSON.
    """

    title: str
    subtitle: str
    notices: tuple[str, ...]
    sections: tuple[Section, ...]
    manifest: str

    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the sections."""
        return tuple(finding for section in self.sections for finding in section.findings)
