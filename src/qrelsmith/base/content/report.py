"""A report as data: sections with words, tables, figures and findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from qrelsmith.base.content.drawings import Drawing
from qrelsmith.base.content.scorecard import Scorecard
from qrelsmith.base.errors import UnknownNameError
from qrelsmith.base.notebook import MOST_ROWS, html_table
from qrelsmith.base.questions import Asked
from qrelsmith.base.tables import Table

# The kind of a report that has a verdict to give, or says that it has none.
AUDIT = "Audit of a test collection"
# The key of the scorecard's table.
SCORECARD = "scorecard"


class Verdict(Enum):
    """The verdict of a rule on a campaign, or of a result beside the published one.

    `CANNOT_TELL` is said whenever the interval of the figure crosses the rule's threshold,
    `NOT_COMPARABLE` where a result differs that was made at another size than the published one.
    """

    GOOD = "good"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    CANNOT_TELL = "cannot tell"
    FACT = "fact"
    HOLDS = "as published"
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"


# How much attention each verdict needs: 0 the most.
_ATTENTION = {
    verdict: place
    for place, verdicts in enumerate(
        (
            (Verdict.BAD,),
            (Verdict.DOUBTFUL, Verdict.DIFFERS),
            (Verdict.CANNOT_TELL, Verdict.NOT_COMPARABLE),
            (Verdict.GOOD, Verdict.HOLDS),
            (Verdict.FACT,),
        )
    )
    for verdict in verdicts
}


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
    opens : bool
        Whether the summary opens with it whatever its verdict, since all others rest on it.
    kind : str
        Of a paper's claim, what kind of numbers it rests on; empty in an audit.
    """

    rule: str
    verdict: Verdict
    sentence: str
    section: str
    opens: bool = False
    kind: str = ""


class ShownAnswer(Protocol):
    """A `Result` as a report sees it: the question that it answers, and its numbers."""

    @property
    def asked(self) -> Asked | None:
        """The question as it was asked."""

    def table(self) -> Table:
        """Return the answer with the columns that the command prints."""


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a section.

    Attributes
    ----------
    key : str
        Name of its files, such as `agreement-pairs`; unique in the report.
    title : str
        What it shows, in a line.
    table : Table
        The cells.
    note : str
        What a reader must know to read it; may be empty.
    decimals : mapping of str to int
        Columns of which a page shows so many decimals, such as seconds; the files have them all.
    answer : ShownAnswer, optional
        The result that the numbers are of; the page prints the command that gives the same.
    on_page : Table, optional
        What the page shows in its place; the files hold the whole.
    undefined : str
        Why a cell may be not defined; the page says it where one is.
    """

    key: str
    title: str
    table: Table
    note: str = ""
    decimals: Mapping[str, int] = field(default_factory=dict, hash=False)
    answer: ShownAnswer | None = field(default=None, compare=False, repr=False)
    on_page: Table | None = field(default=None, compare=False, repr=False)
    undefined: str = "there is too little to compute it from"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a section.

    Attributes
    ----------
    key : str
        Name of its files; unique in the report.
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
    """A section of a report.

    Attributes
    ----------
    key : str
        Its anchor.
    title : str
        Its heading.
    paragraphs : tuple of str
        What it says; plain text.
    findings : tuple of Finding
        What it adds to the summary.
    missing : str
        What input it lacks; if not empty, nothing else is there.
    page : str
        Another page with what is summed up here, as a path from this one; may be empty.
    """

    key: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[NamedTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    findings: tuple[Finding, ...] = ()
    missing: str = ""
    page: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """A finished report, such as an audit or the artefacts of a paper.

    Attributes
    ----------
    title : str
        Its heading, such as the campaign's title.
    subtitle : str
        What was looked at, in a line.
    notices : tuple of str
        What must stand at the top, such as that data are simulated.
    sections : tuple of Section
        In the order of the report.
    manifest : str
        The manifest as JSON.
    kind : str
        What kind of report it is, in a few words.
    answers : tuple of ShownAnswer
        The results that it shows, in the order in which they were asked for.
    scorecard : Scorecard or None
        Of an audit, what each label set may be used for.
    campaign : str
        The name of the campaign in the commands of the page.
    """

    title: str
    subtitle: str
    notices: tuple[str, ...]
    sections: tuple[Section, ...]
    manifest: str
    kind: str = AUDIT
    answers: tuple[ShownAnswer, ...] = field(default=(), compare=False, repr=False)
    scorecard: Scorecard | None = None
    campaign: str = "CAMPAIGN"

    @property
    def is_audit(self) -> bool:
        """Whether it judges a collection; its page has a summary even of no findings."""
        return self.kind == AUDIT

    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the sections."""
        return tuple(finding for section in self.sections for finding in section.findings)

    def summary(self) -> tuple[Finding, ...]:
        """All findings as a reader wants them: of an audit what needs most attention comes first.

        Before all others stand those with `opens`; findings of one verdict keep the order of the
        sections.
        """
        found = self.findings()
        if not self.is_audit:
            return found
        return tuple(sorted(found, key=lambda one: (not one.opens, _ATTENTION[one.verdict])))

    def table(self, key: str) -> Table:
        """Return the table of a key, such as `agreement-pairs` or `scorecard`.

        Raises
        ------
        UnknownNameError
            If there is no such table.
        """
        tables = {one.key: one.table for section in self.sections for one in section.tables}
        if self.scorecard is not None:
            tables[SCORECARD] = self.scorecard.table()
        if key not in tables:
            raise UnknownNameError("table of the report", key, tables)
        return tables[key]

    def __str__(self) -> str:
        lines = [f"{self.title}: {self.subtitle}", *self.notices]
        lines += [f"{one.verdict.value:>11}  {one.sentence}" for one in self.summary()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(one.verdict.value, one.sentence) for one in self.summary()]
        title = f"{self.title}: {self.subtitle}"
        return html_table(
            ("verdict", "sentence"), rows[:MOST_ROWS], title=title, notes=self.notices,
            total=len(rows),
        )  # fmt: skip
