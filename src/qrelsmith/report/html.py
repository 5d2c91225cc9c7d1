"""A report as one HTML page that needs nothing from anywhere."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from qrelsmith.content import Figure, Finding, NamedTable, Report, Section, Verdict
from qrelsmith.report.names import stem
from qrelsmith.report.palette import style_sheet
from qrelsmith.report.prose import breakable, clean, prose
from qrelsmith.tables import Cell, Table, shown_number

_TEMPLATE, _STYLE, _SCRIPT = "report.html.j2", "report.css", "report.js"
# Of a longer table the page holds the first rows, and its files the others.
MOST_ROWS = 2_000
# And a print of the page these.
_PRINTED_ROWS = 40
# Longer tables can be filtered; of those longer still, the first rows are shown until asked for.
_FILTERED_ROWS, _WHOLE_ROWS, _FOLDED_ROWS = 15, 20, 15

# Verdict → class and icon, word; from the one that needs most attention.
_VERDICTS: Mapping[Verdict, tuple[str, str]] = {
    Verdict.BAD: ("bad", "Bad"),
    Verdict.DOUBTFUL: ("doubtful", "Doubtful"),
    Verdict.DIFFERS: ("doubtful", "Differs"),
    Verdict.CANNOT_TELL: ("unknown", "Cannot tell"),
    Verdict.NOT_COMPARABLE: ("unknown", "Not comparable"),
    Verdict.GOOD: ("good", "Good"),
    Verdict.HOLDS: ("good", "As published"),
    Verdict.FACT: ("fact", "Fact"),
}


@dataclass(frozen=True, slots=True)
class _ShownCell:
    """A cell as the page shows it; `exact` is empty where nothing was left out."""

    text: str
    exact: str
    style: str

    @property
    def parts(self) -> list[str]:
        """The text in the parts between which its line may break."""
        return breakable(self.text)


@dataclass(frozen=True, slots=True)
class _ShownTable:
    """A table as the page shows it."""

    number: int
    name: str
    title: str
    note: str
    # Each in the parts between which its line may break.
    columns: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    named_rows: bool
    rows: Sequence[Sequence[_ShownCell]]
    total: int


@dataclass(frozen=True, slots=True)
class _ShownFigure:
    """A figure as the page shows it."""

    number: int
    name: str
    title: str
    caption: str
    drawing: Markup


@dataclass(frozen=True, slots=True)
class _ShownFinding:
    """A finding as the page shows it; `place` is empty where there is no such section."""

    style: str
    word: str
    sentence: str
    rule: str
    place: str
    place_title: str


@dataclass(frozen=True, slots=True)
class _ShownSection:
    """A section as the page shows it."""

    number: int
    name: str
    title: str
    paragraphs: Sequence[str]
    page: str
    findings: Sequence[_ShownFinding]
    figures: Sequence[_ShownFigure]
    tables: Sequence[_ShownTable]
    missing: str
    # Class and word of the finding that needs most attention; empty without findings.
    mark: tuple[str, str]


def page(report: Report, drawings: Mapping[str, str]) -> str:
    """The page of a report.

    Parameters
    ----------
    report : Report
        What is shown. All of its words are escaped.
    drawings : mapping
        The `svg` element for the key of each figure, as `picture` gives it.
    """
    word = "audit" if report.is_audit else "report"
    style = style_sheet() + _resource(_STYLE) + _running_lines(report.notices, word)
    script = _resource(_SCRIPT)
    findings = [_shown_finding(finding, report) for finding in report.summary()]
    first = _first_of_each(report.summary())
    environment = Environment(
        loader=DictLoader({_TEMPLATE: _resource(_TEMPLATE)}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        word=word,
        kind=clean(report.kind),
        title=clean(report.title),
        subtitle=prose(report.subtitle),
        notices=[prose(notice) for notice in report.notices],
        summarised=report.is_audit or bool(findings),
        # The tables of a paper have the paper's numbers, which are in their titles.
        numbered=report.is_audit,
        findings=[
            (finding, _anchor(finding.word) if place in first else "")
            for place, finding in enumerate(findings)
        ],
        counts=[
            (name, word, _anchor(word), sum(finding.word == word for finding in findings))
            for name, word in _VERDICTS.values()
        ],
        sections=_shown_sections(report, drawings),
        manifest=clean(report.manifest),
        filtered_rows=_FILTERED_ROWS,
        whole_rows=_WHOLE_ROWS,
        folded_rows=_FOLDED_ROWS,
        printed_rows=_PRINTED_ROWS,
        style=Markup(style),  # noqa: S704 - our own files and escaped strings
        script=Markup(script),  # noqa: S704 - our own file
        style_hash=_content_hash(style),
        script_hash=_content_hash(script),
    )


def _first_of_each(findings: Sequence[Finding]) -> frozenset[int]:
    """Where the findings of each verdict begin, after those that open the summary."""
    first: dict[Verdict, int] = {}
    for place in sorted(range(len(findings)), key=lambda place: findings[place].opens):
        first.setdefault(findings[place].verdict, place)
    return frozenset(first.values())


def _anchor(word: str) -> str:
    """Where the findings of a verdict begin."""
    return f"first-{word.lower().replace(' ', '-')}"


def _shown_sections(report: Report, drawings: Mapping[str, str]) -> list[_ShownSection]:
    """The sections, with figures and tables numbered through the page."""
    shown = []
    figures = tables = 0
    for number, section in enumerate(report.sections, 1):
        findings = [_shown_finding(finding, report) for finding in section.findings]
        shown.append(
            _ShownSection(
                number=number,
                name=f"section-{stem(section.key)}",
                title=clean(section.title),
                paragraphs=[prose(paragraph) for paragraph in section.paragraphs],
                page=clean(section.page),
                findings=findings,
                figures=[
                    _shown_figure(figure, figures + place, drawings)
                    for place, figure in enumerate(section.figures, 1)
                ],
                tables=[
                    _shown_table(table, tables + place)
                    for place, table in enumerate(section.tables, 1)
                ],
                missing=prose(section.missing),
                mark=_mark(section),
            )
        )
        figures += len(section.figures)
        tables += len(section.tables)
    return shown


def _mark(section: Section) -> tuple[str, str]:
    found = {finding.verdict for finding in section.findings} - {Verdict.FACT}
    return next((shown for verdict, shown in _VERDICTS.items() if verdict in found), ("", ""))


def _shown_finding(finding: Finding, report: Report) -> _ShownFinding:
    style, word = _VERDICTS[finding.verdict]
    titles = {section.key: section.title for section in report.sections}
    known = finding.section in titles
    return _ShownFinding(
        style=style,
        word=word,
        sentence=prose(finding.sentence),
        rule=clean(finding.rule),
        place=f"section-{stem(finding.section)}" if known else "",
        place_title=clean(titles.get(finding.section, "")),
    )


def _shown_figure(figure: Figure, number: int, drawings: Mapping[str, str]) -> _ShownFigure:
    return _ShownFigure(
        number=number,
        name=stem(figure.key),
        title=clean(figure.title),
        caption=prose(figure.caption),
        drawing=Markup(drawings[figure.key]),  # noqa: S704 - serialised and escaped by `picture`
    )


def _shown_table(named: NamedTable, number: int) -> _ShownTable:
    table = named.table
    numeric = [_is_numeric(table, place) for place in range(len(table.columns))]
    decimals = [
        named.decimals.get(name, _decimals(row[place] for row in table.rows))
        for place, name in enumerate(table.columns)
    ]
    return _ShownTable(
        number=number,
        name=stem(named.key),
        title=clean(named.title),
        note=prose(named.note),
        columns=[breakable(clean(column)) or ["(no name)"] for column in table.columns],
        numeric=numeric,
        named_rows=bool(numeric) and not numeric[0],
        rows=[
            [_shown_cell(*cell) for cell in zip(row, numeric, decimals, strict=True)]
            for row in table.rows[:MOST_ROWS]
        ],
        total=len(table.rows),
    )


def _is_numeric(table: Table, place: int) -> bool:
    """Whether a column holds numbers and nothing else but empty cells."""
    cells = [row[place] for row in table.rows if row[place] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells
    )


def _decimals(cells: Iterable[Cell]) -> int | None:
    """No decimals for whole numbers, one for halves, such as ranks; None: what people read."""
    known = [cell for cell in cells if isinstance(cell, float) and math.isfinite(cell)]
    return next((d for d in (0, 1) if all((cell * (d + 1)).is_integer() for cell in known)), None)


def _shown_cell(cell: Cell, numeric: bool, decimals: int | None = None) -> _ShownCell:
    """A cell with as many digits as people read, and the exact number beside it."""
    if not isinstance(cell, float):
        text = "" if cell is None else clean(str(cell))
        return _ShownCell(text, "", "n" if numeric else "")
    exact = repr(float(cell))
    if not math.isfinite(cell):
        return _ShownCell(exact, "", "n u")
    text = shown_number(cell)
    # One that is not 0 is never shown as 0; adding 0.0 takes the sign from a zero.
    rounded = cell if decimals is None else round(cell, decimals) + 0.0
    if decimals is not None and "e" not in text and (rounded or not cell):
        text = f"{rounded:.{decimals}f}"
    return _ShownCell(text, exact if float(text) != cell else "", "n")


def _content_hash(text: str) -> str:
    """What the content security policy knows a style or a script by."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def _running_lines(notices: Iterable[str], word: str) -> str:
    """A rule for every printed page: the notices at its head, what wrote it at its foot."""
    text = " · ".join(clean(notice) for notice in notices)
    escaped = "".join(
        letter
        if letter.isascii() and (letter.isalnum() or letter == " ")
        else f"\\{ord(letter):x} "
        for letter in (text if len(text) <= 160 else text[:159] + "…")
    )
    head = f'@top-left{{content:"{escaped}"}}' if text else ""
    return f'@page{{{head}@bottom-left{{content:"qrelsmith {word}"}}}}\n'


def _resource(name: str) -> str:
    """A file of the folder `templates`."""
    folder = resources.files("qrelsmith.report").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")
