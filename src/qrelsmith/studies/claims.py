"""Claims of a paper, beside what came out, and of what kind the numbers are that they rest on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from qrelsmith.base.content import Finding, Section, Verdict
from qrelsmith.base.tables import Table

THE_PAPER = "The paper: "
DRAWS = "draws"
_RULE, _ANY_SIZE = "published", "published, at any size"
COMPARED = (Verdict.HOLDS, Verdict.DIFFERS, Verdict.NOT_COMPARABLE)


class ClaimKind(Enum):
    """The kind of numbers that are held against the paper's, from the nearest to the farthest.

    `RECOMPUTED` from the paper's own data, `FROM_PRINT` from other numbers that the paper prints,
    `OTHER_DATA` from real labels of another collection, `SIMULATED` from labels that nobody gave.
    """

    RECOMPUTED = "recomputed"
    FROM_PRINT = "from print"
    OTHER_DATA = "other real data"
    SIMULATED = "simulated"


def claim(
    holds: bool,
    sentence: str,
    *,
    section: str,
    kind: ClaimKind | None = None,
    any_size: bool = False,
) -> Finding:
    """A claim of the paper: good where it came out here too, doubtful where it did not.

    Parameters
    ----------
    holds : bool
        Whether it came out.
    sentence : str
        What the paper says, and what is seen here.
    section : str
        Key of the section with the numbers.
    kind : ClaimKind, optional
        The kind of numbers that came out; by default that of the artefact.
    any_size : bool
        Whether it comes out the same however large the simulations of its artefact are.
    """
    verdict = Verdict.HOLDS if holds else Verdict.DIFFERS
    rule = _ANY_SIZE if any_size else _RULE
    return Finding(rule, verdict, sentence, section, kind="" if kind is None else kind.value)


def of_kind(section: Section, kind: ClaimKind) -> Section:
    """A section whose claims are of a kind, where they say no other."""
    findings = tuple(
        replace(finding, kind=finding.kind or kind.value)
        if finding.verdict in COMPARED
        else finding
        for finding in section.findings
    )
    return replace(section, findings=findings)


def at_small_size(section: Section) -> Section:
    """A section made at a small size: whether it agrees with the paper may be the size's doing."""
    findings = tuple(
        replace(finding, verdict=Verdict.NOT_COMPARABLE)
        if finding.verdict in COMPARED and finding.rule != _ANY_SIZE
        else finding
        for finding in section.findings
    )
    return replace(section, findings=findings)


def with_draws(sections: Sequence[Section]) -> list[Section]:
    """Sections whose simulated claims say in how many draws they come out.

    From the table `DRAWS` of one of them, where there is one; else it was a single draw.
    """
    drawn = {
        (str(artefact), f"{THE_PAPER}{said}"): f" ({campaigns} of {of} draws)"
        for section in sections
        for table in section.tables
        if table.key == DRAWS
        for artefact, said, campaigns, of in table.table.rows
    }

    def add_draws(finding: Finding) -> Finding:
        if finding.kind != ClaimKind.SIMULATED.value:
            return finding
        counts = (
            count
            for (artefact, said), count in drawn.items()
            if artefact == finding.section and finding.sentence.startswith(said)
        )
        return replace(finding, kind=finding.kind + next(counts, " (one draw)"))

    return [
        replace(section, findings=tuple(map(add_draws, section.findings))) for section in sections
    ]


def totals(findings: Sequence[Finding]) -> Table:
    """How many claims of each kind came out, and how many did not; kinds without a claim too."""
    rows = []
    for kind in ClaimKind:
        verdicts = [finding.verdict for finding in findings if base_kind(finding) == kind.value]
        rows.append((kind.value, *(verdicts.count(verdict) for verdict in COMPARED)))
    return Table.of(("kind", *(verdict.value for verdict in COMPARED)), rows)


def claims_table(findings: Sequence[Finding]) -> Table:
    """Every claim: its artefact, whether it came out, its kind, what is printed and came out."""
    return Table.of(
        ("artefact", "verdict", "kind", "published, and obtained"),
        [(one.section, one.verdict.value, one.kind, one.sentence) for one in findings],
    )


def base_kind(finding: Finding) -> str:
    """The kind of a claim without the number of draws in brackets."""
    return finding.kind.partition(" (")[0]
