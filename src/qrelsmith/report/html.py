"""A report as one self-contained HTML page."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from qrelsmith.base.content import Figure, Finding, Report, Section, Verdict
from qrelsmith.report.names import stem
from qrelsmith.report.palette import style_sheet
from qrelsmith.report.prose import clean, prose
from qrelsmith.report.shown_scorecard import ShownScorecard, scorecard_view
from qrelsmith.report.shown_tables import ShownTable, table_view

_TEMPLATE, _SCORECARD = "report.html.j2", "scorecard.html.j2"
_STYLES, _SCRIPTS = ("report.css", "scorecard.css"), ("report.js", "scorecard.js")
# Rows of a table in print.
_PRINTED_ROWS = 40
# Tables longer than this can be filtered. If they are longer than the second number, only the first
# rows (third number) are shown at first.
_FILTERED_ROWS, _WHOLE_ROWS, _FOLDED_ROWS = 15, 20, 15

# Verdict → class and icon, word; the most urgent first.
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
class _ShownFigure:
    """A figure for the page."""

    number: int
    name: str
    title: str
    caption: str
    drawing: Markup


@dataclass(frozen=True, slots=True)
class _ShownFinding:
    """A finding for the page; `place` is empty if the finding has no section."""

    style: str
    word: str
    kind: str
    sentence: str
    rule: str
    place: str
    place_title: str


@dataclass(frozen=True, slots=True)
class _ShownSection:
    """A section for the page."""

    number: int
    name: str
    title: str
    paragraphs: Sequence[str]
    page: str
    findings: Sequence[_ShownFinding]
    figures: Sequence[_ShownFigure]
    tables: Sequence[ShownTable]
    missing: str
    # Class and word of the most urgent finding; empty without findings.
    mark: tuple[str, str]


def page(report: Report, drawings: Mapping[str, str], *, pdf: bool = False) -> str:
    """Return the page of a report.

    Parameters
    ----------
    report : Report
        The report. All of its text is escaped.
    drawings : mapping
        The `svg` element of `picture` by key of the figure.
    pdf : bool
        Whether there are also PDF files of the figures.
    """
    word = "audit" if report.is_audit else "report"
    card = _card(report)
    # Reports without a scorecard do not need its style and script.
    parts = len(_STYLES) if card is not None else 1
    own_style = "".join(map(_resource, _STYLES[:parts]))
    style = style_sheet() + own_style + _running_lines(report.notices, word)
    script = "".join(map(_resource, _SCRIPTS[:parts]))
    findings = [_finding_view(finding, report) for finding in report.summary()]
    first = _first_of_each(report.summary())
    environment = Environment(
        loader=DictLoader({name: _resource(name) for name in (_TEMPLATE, _SCORECARD)}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE).render(
        word=word,
        pdf=pdf,
        kind=clean(report.kind),
        title=clean(report.title),
        subtitle=prose(report.subtitle),
        notices=[prose(notice) for notice in report.notices],
        card=card,
        opening=[prose(finding.sentence) for finding in report.summary() if finding.opens],
        summarised=report.is_audit or bool(findings),
        # The tables of a paper keep the paper's numbers, which are in their titles.
        numbered=report.is_audit,
        findings=[
            (finding, _anchor(_counted_word(finding)) if place in first else "")
            for place, finding in enumerate(findings)
        ],
        counts=_counts(findings),
        sections=_section_views(report, drawings),
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


def _card(report: Report) -> ShownScorecard | None:
    if report.scorecard is None:
        return None
    return scorecard_view(report.scorecard, {section.key for section in report.sections})


def _counted_word(finding: _ShownFinding) -> str:
    """Return the verdict and, for a paper's claim, the kind of numbers behind the claim."""
    kind = finding.kind.partition(" (")[0]
    return f"{finding.word}, {kind}" if kind else finding.word


def _counts(findings: Sequence[_ShownFinding]) -> list[tuple[str, str, str, int]]:
    """Return, for each verdict, the style, words, anchor and number of findings."""
    found = Counter((finding.style, finding.word, _counted_word(finding)) for finding in findings)
    return [
        (style, words, _anchor(words), number)
        for shown in _VERDICTS.values()
        for (style, word, words), number in sorted(found.items())
        if (style, word) == shown
    ]


def _first_of_each(findings: Sequence[Finding]) -> frozenset[int]:
    """Return the index of the first finding of each verdict."""
    first: dict[tuple[Verdict, str], int] = {}
    for place in sorted(range(len(findings)), key=lambda place: findings[place].opens):
        finding = findings[place]
        first.setdefault((finding.verdict, finding.kind.partition(" (")[0]), place)
    return frozenset(first.values())


def _anchor(word: str) -> str:
    """Return the anchor of the first finding of a verdict."""
    return f"first-{word.lower().replace(',', '').replace(' ', '-')}"


def _section_views(report: Report, drawings: Mapping[str, str]) -> list[_ShownSection]:
    """Return the sections, with figures and tables numbered consecutively."""
    shown = []
    figures = tables = 0
    for number, section in enumerate(report.sections, 1):
        findings = [_finding_view(finding, report) for finding in section.findings]
        shown.append(
            _ShownSection(
                number=number,
                name=f"section-{stem(section.key)}",
                title=clean(section.title),
                paragraphs=[prose(paragraph) for paragraph in section.paragraphs],
                page=clean(section.page),
                findings=findings,
                figures=[
                    _figure_view(figure, figures + place, drawings)
                    for place, figure in enumerate(section.figures, 1)
                ],
                tables=[
                    table_view(table, tables + place, report.campaign)
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


def _finding_view(finding: Finding, report: Report) -> _ShownFinding:
    style, word = _VERDICTS[finding.verdict]
    titles = {section.key: section.title for section in report.sections}
    has_section = finding.section in titles
    return _ShownFinding(
        style=style,
        word=word,
        kind=clean(finding.kind),
        sentence=prose(finding.sentence),
        rule=clean(finding.rule),
        place=f"section-{stem(finding.section)}" if has_section else "",
        place_title=clean(titles.get(finding.section, "")),
    )


def _figure_view(figure: Figure, number: int, drawings: Mapping[str, str]) -> _ShownFigure:
    return _ShownFigure(
        number=number,
        name=stem(figure.key),
        title=clean(figure.title),
        caption=prose(figure.caption),
        drawing=Markup(drawings[figure.key]),  # noqa: S704 - serialised and escaped by `picture`
    )


def _content_hash(text: str) -> str:
    """Return the hash of a style or script for the content security policy."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def _running_lines(notices: Iterable[str], word: str) -> str:
    """Return CSS for printed pages, with notices in the header and the program in the footer."""
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
    """Return a file of the folder `templates`."""
    folder = resources.files("qrelsmith.report").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")
