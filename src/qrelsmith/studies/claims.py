"""Claims of a paper, beside what came out."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.base.content import Finding, Section, Verdict

_RULE, _ANY_SIZE = "published", "published, at any size"


def claim(holds: bool, sentence: str, *, section: str, any_size: bool = False) -> Finding:
    """A claim of the paper: good where it came out here too, doubtful where it did not.

    Parameters
    ----------
    holds : bool
        Whether it came out.
    sentence : str
        What the paper says, and what is seen here.
    section : str
        Key of the section with the numbers.
    any_size : bool
        Whether it comes out the same however large the simulations of its artefact are.
    """
    verdict = Verdict.HOLDS if holds else Verdict.DIFFERS
    return Finding(_ANY_SIZE if any_size else _RULE, verdict, sentence, section)


def at_small_size(section: Section) -> Section:
    """A section made at a small size: that it differs from the paper may be the size's doing."""
    findings = tuple(
        replace(finding, verdict=Verdict.NOT_COMPARABLE)
        if finding.verdict is Verdict.DIFFERS and finding.rule != _ANY_SIZE
        else finding
        for finding in section.findings
    )
    return replace(section, findings=findings)
