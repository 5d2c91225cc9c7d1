"""Speed of the assessors (Tables 3 and 4, Figures 1 and 2 of ordering-gold-bronze)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA
from qrelsmith.audit.wording import figure, name_list
from qrelsmith.base.content import Finding, Section, Verdict
from qrelsmith.base.errors import UndefinedError
from qrelsmith.judging_times.efficiency import Compare
from qrelsmith.judging_times.efficiency import efficiency as efficiency_of
from qrelsmith.judging_times.efficiency_report import KEY
from qrelsmith.judging_times.judging_efficiency import GroupComparison, JudgingEfficiency
from qrelsmith.stats.intervals import t_interval
from qrelsmith.stats.proportions import wilson_interval

_TITLE = "Efficiency of the assessors"


@SECTIONS.add("efficiency", place=30)
def efficiency(inputs: AuditInputs) -> Section:
    """Report judging times, if the campaign has them."""
    judgments = inputs.judgments
    if judgments is None or judgments.judged_at is None:
        there = "there are no judgments" if judgments is None else "the judgments have no times"
        return Section(
            key=KEY,
            title=_TITLE,
            missing=f"judgments with the columns judged_at and shown_at; {there}",
        )
    plain = inputs.ask(efficiency_of)
    judging = plain.judging
    by = _by(judging)
    try:
        groups = inputs.ask(efficiency_of, compare=by)
    except UndefinedError:
        return replace(plain.section(by=by, answers=(plain, None)), findings=_times(judging))
    return replace(
        groups.section(answers=(plain, groups)),
        findings=(*_times(judging), *_pace(judging, _of_groups(inputs, by, groups.compared))),
    )


def _of_groups(
    inputs: AuditInputs, by: Compare, compared: tuple[GroupComparison, ...]
) -> tuple[GroupComparison, ...]:
    """Return the comparison of the groups' judging times over all orderings."""
    if by == "group":
        return compared
    try:
        return inputs.ask(efficiency_of, compare="group").compared
    except UndefinedError:
        return ()


def _by(found: JudgingEfficiency) -> Compare:
    """Return the kind of comparison: `group` if there is one ordering, else `environment`."""
    orderings = {session.ordering for session in found.sessions}
    return "group" if len(orderings) == 1 else "environment"


def _times(found: JudgingEfficiency) -> tuple[Finding, ...]:
    """Return a finding on the number of (assessor, topic) pairs with complete times."""
    judged = found.criteria.docs > 0
    sound = found.criteria.timed & judged & ~found.logged.unopened
    count, total = int(sound.sum()), int(judged.sum())
    if not total:
        return ()
    low, high = wilson_interval(count, total)
    sentence = (
        f"{count} of {total} (assessor, topic) pairs have complete times (a share of"
        f" {figure(count / total, low, high)})."
    )
    return (Finding("times", Verdict.FACT, sentence, KEY),)


def _pace(found: JudgingEfficiency, compared: tuple[GroupComparison, ...]) -> tuple[Finding, ...]:
    """Return findings on the time per judgment, and on groups with different speeds."""
    samples = {name: s for name, s in found.samples("ATBJ", "group").items() if s.size > 1}
    if not samples:
        return ()
    shown = []
    for name, sample in samples.items():
        low, high = (float(end) for end in t_interval(sample))
        shown.append(f"{sample.mean():.1f} s [{low:.1f}, {high:.1f}] for {name}")
    sentence = f"Mean time between two judgments: {name_list(shown)}."
    slower = [
        (row.first, row.second) if row.difference > 0 else (row.second, row.first)
        for row in compared
        if row.criterion == "ATBJ" and not np.isnan(row.p) and row.p < ALPHA
    ]
    if slower:
        pairs = name_list([f"{slow} is slower than {fast}" for slow, fast in slower])
        sentence += f" Significant differences: {pairs}."
    return (Finding("pace", Verdict.FACT, sentence, KEY),)
