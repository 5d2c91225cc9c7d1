"""What a paper says, beside what came out."""

from __future__ import annotations

from qrelsmith.content import Finding, Verdict


def claim(holds: bool, sentence: str, *, section: str) -> Finding:
    """A claim of the paper: good where it came out here too, doubtful where it did not.

    Parameters
    ----------
    holds : bool
        Whether it came out.
    sentence : str
        What the paper says, and what is seen here.
    section : str
        Key of the section with the numbers.
    """
    return Finding("published", Verdict.HOLDS if holds else Verdict.DIFFERS, sentence, section)
