"""The overview of all papers: an index page of reproduced and published results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.content import Finding, NamedTable, Report, Section, Verdict
from qrelsmith.base.tables import Cell, Table
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.studies.findings import COMPARED, claims_table, totals
from qrelsmith.studies.registry import Paper, StudyInputs
from qrelsmith.studies.reproduction import SMALL

# The predicates for one claim and for several claims.
_OTHERWISE = {
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.CANNOT_TELL: ("is undecided", "are undecided"),
    Verdict.NOT_COMPARABLE: ("cannot be compared at this size",) * 2,
}


def overview(papers: Mapping[Paper, Report], inputs: StudyInputs, *, page: str) -> Report:
    """Return the index of the reports of several papers.

    Parameters
    ----------
    papers : mapping of Paper to Report
        The reports, in the order of the index.
    inputs : StudyInputs
        The inputs of the reports.
    page : str
        The file name of each report's page, in a folder named by the paper's key.
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
        subtitle=f"Reproduced and published results of {_count_of(len(papers), 'paper')}",
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
    lacking = [section.missing for section in report.sections if section.missing]
    if len(lacking) == len(report.sections):
        # One box for the paper, not one for each of its artefacts.
        return Section(
            key=paper.key,
            title=paper.title,
            paragraphs=(f"{paper.citation}.",),
            page=page,
            missing=_needs(lacking),
            findings=(
                Finding(
                    "published",
                    Verdict.CANNOT_TELL,
                    f"{paper.title} was not run because data are missing:"
                    f" {_needs(lacking, short=True)}.",
                    paper.key,
                ),
            ),
        )
    missing = ""
    if lacking:
        missing = (
            f" {_count_of(len(lacking), 'artefact')} could not be run because data are missing:"
            f" {_needs(lacking)}."
        )
    return Section(
        key=paper.key,
        title=paper.title,
        paragraphs=(f"{paper.citation}.{missing}",),
        page=page,
        tables=(
            NamedTable(
                f"{paper.key}-artefacts",
                "Claims of each artefact by outcome",
                Table.of(
                    ("artefact", "title", *(v.value for v in COMPARED), "lacks"),
                    [_artefact(section) for section in report.sections],
                ),
            ),
            NamedTable(f"{paper.key}-kinds", "Kinds of data behind the claims", totals(findings)),
            NamedTable(
                f"{paper.key}-deviations",
                "Reasons why results differ from the paper",
                Table.of(("artefact", "why"), _deviations(paper, report)),
            ),
            NamedTable(
                f"{paper.key}-claims",
                "Claims of the paper and reproduced results",
                claims_table({paper.key: findings}),
            ),
        ),
        findings=(_verdict(paper, counts, lacking),),
    )


def _artefact(section: Section) -> tuple[Cell, ...]:
    counts = (_count(section.findings, verdict) for verdict in COMPARED)
    return (section.key, section.title, *counts, section.missing)


def _deviations(paper: Paper, report: Report) -> list[tuple[str, str]]:
    """Tabulate the artefacts that deviate from the paper, with the reasons."""
    about = {entry.name: entry.about for entry in paper.artefacts.entries()}
    reasons = [(section.key, str(about[section.key]["deviation"])) for section in report.sections]
    return [(name, why) for name, why in reasons if why]


def _verdict(paper: Paper, counts: Mapping[Verdict, int], lacking: Sequence[str]) -> Finding:
    """Return a finding with the counts of claims by verdict, and the most urgent verdict."""
    verdict_counts = [counts[verdict] for verdict in COMPARED]
    rest = [f"{counts[v]} {_OTHERWISE[v][counts[v] != 1]}" for v in COMPARED[1:] if counts[v]]
    said = f"; {', '.join(rest)}" if rest else ""
    if lacking:
        said += f"; {_count_of(len(lacking), 'artefact')} not run because data are missing"
    worst = next((v for v in (*COMPARED[1:], COMPARED[0]) if counts[v]), Verdict.FACT)
    verb = "is" if verdict_counts[0] == 1 else "are"
    return Finding(
        "published",
        worst,
        f"{paper.title}: {verdict_counts[0]} of {_count_of(sum(verdict_counts), 'claim')} {verb} as"
        f" published{said}.",
        paper.key,
    )


def _needs(lacking: Sequence[str], *, short: bool = False) -> str:
    """Return the missing data of artefacts, each text once; `short` omits the target folders."""
    texts = (text.partition(":")[0] if short else text for text in lacking)
    return "; ".join(dict.fromkeys(texts))


def _count_of(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _count(findings: tuple[Finding, ...], verdict: Verdict) -> int:
    return sum(finding.verdict is verdict for finding in findings)
