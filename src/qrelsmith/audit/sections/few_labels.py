"""The audit's section on the systems that a sample of human labels separates."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.estimation.estimate import estimate
from qrelsmith.estimation.estimates import Estimated

_KEY = "few-labels"
_TITLE = "Estimates from a sample of human labels"


@SECTIONS.add(_KEY, place=72, of="docs")
def few_labels(inputs: AuditInputs) -> Section:
    """Report which systems differ according to human labels of the docs in `sample.csv`."""
    sample = inputs.campaign.sample
    if sample is None:
        return _missing("human labels of a sample of docs in sample.csv (see qrelsmith sample)")
    if len(inputs.runs) < 2:
        return _missing(f"at least two runs; found {len(inputs.runs)}")
    measure = inputs.measures[0]
    try:
        result = inputs.ask(estimate, measures=(measure,), pairs=True, order=inputs.order)
    except (InputError, UsageError) as error:
        return _missing(f"a sample with enough labels for an estimate ({error})")
    (estimates,), (share,) = result.of_measures, result.decided
    labels = count(estimates.labels, "label", "labels")
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"People gave {labels} to docs drawn with known probabilities. The human labels correct"
            " predictions from model labels, so the intervals are valid even if model labels are"
            " poor.",
            *result.notes,
        ),
        tables=(
            NamedTable(
                "few-labels-pairs",
                f"Differences between systems by {measure}, from {labels}",
                result.table(),
                "A difference is decided if 0 is outside the interval.",
                answer=result,
            ),
        ),
        findings=(Finding(_KEY, Verdict.FACT, _sentence(result, share), _KEY),),
    )


def _sentence(result: Estimated, share: float) -> str:
    (estimates,) = result.of_measures
    pairs = len(estimates.runs) * (len(estimates.runs) - 1) // 2
    return (
        f"With {count(estimates.labels, 'human label', 'human labels')}, the"
        f" {estimates.measure} difference is decided for {share:.0%} of"
        f" {count(pairs, 'pair', 'pairs')} of systems."
    )


def _missing(what: str) -> Section:
    return Section(key=_KEY, title=_TITLE, missing=what)
