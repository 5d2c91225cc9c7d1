"""All papers at once: an index page of what came out beside what was published."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.content import Finding, NamedTable, Report, Section, Verdict
from qrelsmith.data.manifest import manifest_for, manifest_text
from qrelsmith.studies.registry import Paper, StudyInputs
from qrelsmith.studies.reproduction import SMALL
from qrelsmith.tables import Cell, Table

_SHOWN = (Verdict.HOLDS, Verdict.DIFFERS, Verdict.NOT_COMPARABLE)
_OTHERWISE = {
    Verdict.DIFFERS: "come out otherwise",
    Verdict.NOT_COMPARABLE: "cannot be compared at this size",
}


def overview(papers: Mapping[Paper, Report], inputs: StudyInputs, *, page: str) -> Report:
    """The index of the reports of some papers.

    Parameters
    ----------
    papers : mapping of Paper to Report
        The reports, in the order in which they are shown.
    inputs : StudyInputs
        What they were made from.
    page : str
        The name of each report's page, in a folder that is called like the paper's key.
    """
    manifest = manifest_for(
        ("qrelsmith", "reproduce", "all"),
        parameters={
            "papers": [paper.key for paper in papers],
            "size": "paper" if inputs.paper_size else "small",
        },
        seed=inputs.seed,
    )
    return Report(
        title="The papers' artefacts",
        subtitle=f"{len(papers)} papers: what came out here beside what was published",
        notices=() if inputs.paper_size else (SMALL,),
        sections=tuple(
            _section(paper, report, page=f"{paper.key}/{page}") for paper, report in papers.items()
        ),
        manifest=manifest_text(manifest),
        kind="Papers' artefacts",
    )


def _section(paper: Paper, report: Report, *, page: str) -> Section:
    findings = report.findings()
    counts = {verdict: _count(findings, verdict) for verdict in Verdict}
    lacking = sum(bool(section.missing) for section in report.sections)
    missing = f" {lacking} artefacts lack their data set." if lacking else ""
    return Section(
        key=paper.key,
        title=paper.title,
        paragraphs=(f"{paper.citation}.{missing}",),
        page=page,
        tables=(
            NamedTable(
                f"{paper.key}-artefacts",
                "The artefacts, and how many of their claims came out",
                Table.of(
                    ("artefact", "title", *(v.value for v in _SHOWN), "lacks"),
                    [_artefact(section) for section in report.sections],
                ),
            ),
            NamedTable(
                f"{paper.key}-deviations",
                "Why artefacts come out otherwise, where they do",
                Table.of(("artefact", "why"), _deviations(paper, report)),
            ),
            NamedTable(
                f"{paper.key}-claims",
                "What the paper says, beside what came out here",
                Table.of(
                    ("artefact", "verdict", "published, and obtained"),
                    [(one.section, one.verdict.value, one.sentence) for one in findings],
                ),
            ),
        ),
        findings=(_verdict(paper, counts),),
    )


def _artefact(section: Section) -> tuple[Cell, ...]:
    counts = (_count(section.findings, verdict) for verdict in _SHOWN)
    return (section.key, section.title, *counts, section.missing)


def _deviations(paper: Paper, report: Report) -> list[tuple[str, str]]:
    """Artefact and reason of those that have one."""
    about = {entry.name: entry.about for entry in paper.artefacts.entries()}
    reasons = [
        (section.key, str(about[section.key].get("deviation", ""))) for section in report.sections
    ]
    return [(name, why) for name, why in reasons if why]


def _verdict(paper: Paper, counts: Mapping[Verdict, int]) -> Finding:
    told = [counts[verdict] for verdict in _SHOWN]
    rest = [f"{counts[v]} {_OTHERWISE[v]}" for v in _SHOWN[1:] if counts[v]]
    said = f"; {' and '.join(rest)}" if rest else ""
    return Finding(
        "published",
        Verdict.FACT,
        f"{paper.key}: {told[0]} of {sum(told)} claims come out as published{said}.",
        paper.key,
    )


def _count(findings: tuple[Finding, ...], verdict: Verdict) -> int:
    return sum(finding.verdict is verdict for finding in findings)
