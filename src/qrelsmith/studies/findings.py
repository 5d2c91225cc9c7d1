"""Claims as findings of a report, with their verdicts and the share of draws in which they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from qrelsmith.base.content import Finding, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.stats.proportions import wilson_interval
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    ClaimOutcome,
    Difference,
    Held,
    JudgedClaim,
    Statistic,
    judge,
    value_text,
)

THE_PAPER = "The paper: "
COMPARED = (Verdict.HOLDS, Verdict.DIFFERS, Verdict.CANNOT_TELL, Verdict.NOT_COMPARABLE)
COLUMNS = (
    "paper", "artefact", "verdict", "kind", "share", "low", "high", "draws", "print",
    "published, and obtained",
)  # fmt: skip
_RULE = "published"
_VERDICTS = {
    ClaimOutcome.HOLDS: Verdict.HOLDS,
    ClaimOutcome.FAILS: Verdict.DIFFERS,
    ClaimOutcome.OPEN: Verdict.CANNOT_TELL,
}
# Whether the paper's own numbers support the claim.
_ON_PRINT = {ClaimOutcome.HOLDS: "holds", ClaimOutcome.FAILS: "erratum", ClaimOutcome.OPEN: "open"}
_NO_NUMBERS = "no numbers"
_ONE_DRAW = " (one draw)"


@dataclass(frozen=True, slots=True)
class ClaimFinding(Finding):
    """The outcome of a paper's claim, checked with one kind of numbers.

    Attributes
    ----------
    share, low, high : float or None
        For simulations, the share of draws in which the claim holds, with 95% interval (Wilson).
    draws : int or None
        The number of draws.
    printed : str
        The outcome on the paper's own numbers: `holds`, `open`, `erratum` or `no numbers`.
    """

    share: float | None = None
    low: float | None = None
    high: float | None = None
    draws: int | None = None
    printed: str = _NO_NUMBERS


def findings_of(
    section: str,
    claims: Sequence[Claim[Any]],
    held: Sequence[Held[Any]],
    draws: Sequence[Sequence[JudgedClaim]],
    *,
    paper_size: bool,
) -> list[ClaimFinding]:
    """Return the findings of an artefact's claims, in the order of the claims.

    Parameters
    ----------
    section : str
        The artefact.
    held : sequence of Held
        The evidence; `FROM_PRINT` is the paper's own numbers.
    draws : sequence of sequence of JudgedClaim
        For every claim, its outcome in each draw of the simulation.
    paper_size : bool
        Whether simulations have the paper's size.
    """
    findings = []
    for entry, drawn in zip(claims, draws, strict=True):
        about = [item for item in held if item.of == entry.of]
        print_ = next((item for item in about if item.kind is ClaimKind.FROM_PRINT), None)
        printed = None if print_ is None else judge(entry, print_.evidence)
        if printed is not None and any(_value(value) != _value(value) for value in printed.values):
            about, printed = [item for item in about if item is not print_], None  # not printed
        for item in about:
            if (
                item is print_
                and len(about) > 1
                and printed
                and printed.outcome is ClaimOutcome.HOLDS
            ):
                continue  # shown with the other findings
            findings.append(_finding(section, entry, item, printed, drawn, paper_size=paper_size))
    return findings


def _finding(
    section: str,
    entry: Claim[Any],
    held: Held[Any],
    printed: JudgedClaim | None,
    drawn: Sequence[JudgedClaim],
    *,
    paper_size: bool,
) -> ClaimFinding:
    on_print = held.kind is ClaimKind.FROM_PRINT
    result = printed if printed is not None and on_print else judge(entry, held.evidence)
    simulated = held.kind is ClaimKind.SIMULATED
    values: Sequence[str] = [value_text(value) for value in result.values]
    if simulated and drawn:
        values = _over_draws(drawn)
    beside = [""] * len(values)
    if printed is not None and not on_print:
        beside = [f"; print {value_text(value)}" for value in printed.values]
    parts = "; ".join(
        f"{part.what}: {value} (expected: {part.wanted.text}{print_})"
        for part, value, print_ in zip(entry.parts, values, beside, strict=True)
    )
    name = "In print" if on_print else f"On {held.name}"
    sentence = f"{THE_PAPER}{entry.says} {name}: {parts}."
    if on_print and result.outcome is not ClaimOutcome.HOLDS:
        sentence = f"{sentence} {entry.erratum}".rstrip()
    verdict, kind, share = _VERDICTS[result.outcome], held.kind.value, None
    low = high = None
    if simulated:
        hits = sum(each.outcome is ClaimOutcome.HOLDS for each in drawn)
        verdict, kind = Verdict.NOT_COMPARABLE, kind + _ONE_DRAW
        if entry.not_simulated:
            sentence = f"{sentence} {entry.not_simulated}"
        elif drawn:
            share, (low, high) = hits / len(drawn), wilson_interval(hits, len(drawn))
            kind = f"{held.kind.value} ({hits} of {len(drawn)} draws)"
            verdict = verdict_of_share(low, high)
    if not paper_size and (simulated or held.sized):
        verdict = Verdict.NOT_COMPARABLE
    return ClaimFinding(
        _RULE, verdict, sentence, section, kind=kind, share=share, low=low, high=high,
        draws=None if share is None else len(drawn),
        printed=_NO_NUMBERS if printed is None else _ON_PRINT[printed.outcome],
    )  # fmt: skip


def verdict_of_share(low: float, high: float) -> Verdict:
    """Return the verdict on whether the interval of a share is above or below one half.

    >>> verdict_of_share(0.53, 0.89), verdict_of_share(0.3, 0.7)
    (<Verdict.HOLDS: 'as published'>, <Verdict.CANNOT_TELL: 'cannot tell'>)
    """
    if low > 0.5:
        return Verdict.HOLDS
    return Verdict.DIFFERS if high < 0.5 else Verdict.CANNOT_TELL


def _over_draws(drawn: Sequence[JudgedClaim]) -> list[str]:
    """Return the median and the range of each statistic over the draws."""
    texts = []
    for values in zip(*(each.values for each in drawn), strict=True):
        numbers = sorted(_value(value) for value in values if _value(value) == _value(value))
        if not numbers:
            texts.append("undefined")
            continue
        middle, low, high = (value_text(n) for n in (median(numbers), numbers[0], numbers[-1]))
        texts.append(f"{middle} [{low}, {high}]")
    return texts


def _value(value: Statistic) -> float:
    return value.value if isinstance(value, Difference) else value


def totals(findings: Sequence[Finding]) -> Table:
    """Count the claims of each kind by verdict, including kinds without a claim."""
    rows = []
    for kind in ClaimKind:
        verdicts = [finding.verdict for finding in findings if base_kind(finding) == kind.value]
        rows.append((kind.value, *(verdicts.count(verdict) for verdict in COMPARED)))
    return Table.of(("kind", *(verdict.value for verdict in COMPARED)), rows)


def claims_table(findings: Mapping[str, Sequence[Finding]]) -> Table:
    """Tabulate the claims: artefact, verdict, kind, share of draws, printed numbers, result."""
    return Table.of(
        COLUMNS,
        [
            (paper, each.section, each.verdict.value, each.kind, *_share(each), each.sentence)
            for paper, of in findings.items()
            for each in of
        ],
    )


def _share(found: Finding) -> tuple[float | int | str | None, ...]:
    if not isinstance(found, ClaimFinding):
        return (None, None, None, None, "")
    return (found.share, found.low, found.high, found.draws, found.printed)


def base_kind(finding: Finding) -> str:
    """Return the kind of a claim, without the number of draws in brackets."""
    return finding.kind.partition(" (")[0]
