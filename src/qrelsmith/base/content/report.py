"""A report as data: sections with text, tables, figures and findings."""

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

# The kind of report that gives a verdict, or states that no verdict is possible.
AUDIT = "Audit of a test collection"
# The key of the scorecard's table.
SCORECARD = "scorecard"


class Verdict(Enum):
    """The verdict of a rule on a campaign, or of a comparison with a published result.

    `CANNOT_TELL` means that the interval of the figure includes the rule's threshold.
    `NOT_COMPARABLE` means that a result differs, but was computed at a different size from the
    published result.
    """

    GOOD = "good"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    CANNOT_TELL = "cannot tell"
    FACT = "fact"
    HOLDS = "as published"
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"


# Order of the verdicts by the attention needed; 0 needs the most.
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
    """A finding: a sentence in the summary of a report.

    Attributes
    ----------
    rule : str
        The name of the rule behind the finding (see the audit's rules).
    verdict : Verdict
        The verdict of the rule.
    sentence : str
        The finding in plain words, with figure and interval.
    section : str
        Key of the section with the numbers behind the finding.
    opens : bool
        Whether the finding is first in the summary for any verdict, because all other findings
        depend on it.
    kind : str
        For a paper's claim, the kind of numbers behind the claim; empty in an audit.
    """

    rule: str
    verdict: Verdict
    sentence: str
    section: str
    opens: bool = False
    kind: str = ""


class ShownAnswer(Protocol):
    """A `Result` in a report: the question and its answer."""

    @property
    def asked(self) -> Asked | None:
        """The question, with the inputs and options that were used."""

    def table(self) -> Table:
        """Return the answer with the columns printed by the command."""


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table of a section.

    Attributes
    ----------
    key : str
        Name of the table's files, such as `agreement-pairs`; unique in the report.
    title : str
        The title, in one line.
    table : Table
        The cells of the table.
    note : str
        An explanation for readers; may be empty.
    decimals : mapping of str to int
        Number of decimals of columns on a page, such as seconds; the files have all decimals.
    answer : ShownAnswer, optional
        The result with these numbers; the page shows the command that reproduces it.
    on_page : Table, optional
        The table that the page shows instead; the files have the whole table.
    undefined : str
        The reason why cells are undefined; the page shows the reason if any cell is undefined.
    """

    key: str
    title: str
    table: Table
    note: str = ""
    decimals: Mapping[str, int] = field(default_factory=dict, hash=False)
    answer: ShownAnswer | None = field(default=None, compare=False, repr=False)
    on_page: Table | None = field(default=None, compare=False, repr=False)
    undefined: str = "there are too few data"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a section.

    Attributes
    ----------
    key : str
        Name of the figure's files; unique in the report.
    title : str
        The title, in one line.
    drawing : Drawing
        The content of the figure.
    caption : str
        An explanation of the figure, which is also its alternative text.
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
        The anchor.
    title : str
        The heading.
    paragraphs : tuple of str
        The text of the section; plain text.
    findings : tuple of Finding
        The findings for the summary.
    missing : str
        The missing input; if not empty, the section has no other content.
    page : str
        Path of another page with the details of this summary, relative to this page; may be empty.
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
        The heading, such as the campaign's title.
    subtitle : str
        The examined data, in one line.
    notices : tuple of str
        Notices for the top of the report, for example that data are simulated.
    sections : tuple of Section
        The sections, in order.
    manifest : str
        The manifest as JSON.
    kind : str
        The kind of report, in a few words.
    answers : tuple of ShownAnswer
        The results in the report, in the order of their computation.
    scorecard : Scorecard or None
        The possible uses of each label set; only in an audit.
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
        """Whether the report judges a collection; if so, its page always has a summary."""
        return self.kind == AUDIT

    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the sections."""
        return tuple(finding for section in self.sections for finding in section.findings)

    def summary(self) -> tuple[Finding, ...]:
        """Return all findings for the summary; in an audit, the most urgent findings are first.

        Findings with `opens` precede all other findings; findings with the same verdict keep the
        order of the sections.
        """
        found = self.findings()
        if not self.is_audit:
            return found
        return tuple(sorted(found, key=lambda one: (not one.opens, _ATTENTION[one.verdict])))

    def table(self, key: str) -> Table:
        """Return the table with a key such as `agreement-pairs` or `scorecard`.

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
