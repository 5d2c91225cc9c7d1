"""Labels of docs judged again in later rounds (ordering-gold-bronze, Tables 14 and 15)."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.agreement.disagreement.rejudging import NewLabels, label_changes, later_labels
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, figure
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.own_consistency import (
    ALL,
    OwnConsistency,
    consistency_table,
    own_consistency,
)
from qrelsmith.judgments.rejudged_rounds import REPEAT, SHOWN, RejudgedRound
from qrelsmith.stats.proportions import wilson_interval

_KEY = "rejudging"
_TITLE = "Docs judged again"
_RELEVANT = 1.0


@SECTIONS.add("rejudging", place=55)
def rejudging(inputs: AuditInputs) -> Section:
    """Compare the labels of later rounds with the first round, by assessor and topic."""
    rounds = [
        later_round for later_round in inputs.rejudged_rounds if later_round.judgments is not None
    ]
    if not rounds:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="later judging rounds in rejudging/round-2.csv and further files; none exist",
        )
    paragraphs, tables, findings = [], [], []
    for later_round in rounds:
        second = _read(inputs, later_round)
        found = later_labels(_docs(second), second)
        paragraphs.append(_describe(later_round, found.rows))
        tables += _tables(later_round.number, found.rows)
        if inputs.judgments is not None:
            tables += _changes(later_round.number, inputs.judgments, second)
            if later_round.reason == REPEAT:
                again = own_consistency(inputs.judgments, second)
                tables += _consistency(later_round.number, again)
                findings += _how_consistent(later_round.number, again)
            docs = second.of_aspects(lambda _, aspect: not aspect)
            findings += _finding(later_round, inputs.judgments, docs)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(*paragraphs, "All other sections use the unchanged labels of the first round."),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _read(inputs: AuditInputs, round_: RejudgedRound) -> Judgments:
    if round_.judgments is None:
        raise TypeError("the round has no judgments")
    return read_judgments(round_.judgments, scale=inputs.campaign.scale)


def _docs(second: Judgments) -> set[tuple[str, str]]:
    """Return the docs judged in the round."""
    return {
        (second.topics[topic], second.docs[doc])
        for topic, doc in zip(second.topic.tolist(), second.doc.tolist(), strict=True)
    }


def _describe(round_: RejudgedRound, rows: Sequence[NewLabels]) -> str:
    """Describe a round in words."""
    labels = _total(rows).rejudged
    number = count(labels, "label", "labels")
    if round_.assigned is not None:
        number = f"{labels:,} of {count(round_.assigned, 'label', 'labels')}"
    of = f" with {round_.reference}" if round_.reference else ""
    rule = f" by the rule {round_.rule}" if round_.rule else ""
    why = f" (opened for {round_.reason}{of}{rule})" if round_.reason else ""
    seen = {SHOWN: "saw", "": "may have seen"}.get(round_.labels, "did not see")
    return (
        f"Round {round_.number}{why} has {number}. The assessors {seen} the labels of the first"
        " round."
    )


def _tables(number: int, rows: Sequence[NewLabels]) -> list[NamedTable]:
    grades = sorted(_total(rows).counts)
    names = [grade_text(grade) for grade in grades]
    by_assessor = [row for row in rows if row.topic == ALL and row.rejudged]
    by_topic = [row for row in rows if row.topic != ALL]
    return [
        NamedTable(
            f"{_KEY}-{number}-assessors",
            f"New labels of round {number} by assessor",
            Table.of(
                (
                    "assessor", "rejudged", *(f"grade {name}" for name in names),
                    *(f"share of {name}" for name in names),
                ),
                [
                    (
                        row.assessor, row.rejudged, *(row.counts[grade] for grade in grades),
                        *(row.counts[grade] / row.rejudged for grade in grades),
                    )
                    for row in by_assessor
                ],
            ),
            "The layout is that of Table 14 in Sakai et al. (2023).",
        ),
        NamedTable(
            f"{_KEY}-{number}-topics",
            f"New labels of round {number} by assessor and topic",
            Table.of(
                ("assessor", "topic", "rejudged", *(f"grade {name}" for name in names)),
                [
                    (row.assessor, row.topic, row.rejudged, *(row.counts[g] for g in grades))
                    for row in by_topic
                ],
            ),
            "The layout is that of Table 15 in Sakai et al. (2023).",
        ),
    ]  # fmt: skip


def _changes(number: int, first: Judgments, second: Judgments) -> list[NamedTable]:
    changes = label_changes(first, second)
    if not changes:
        return []
    return [
        NamedTable(
            f"{_KEY}-{number}-changes",
            f"Changes to the first labels in round {number}",
            Table.of(
                ("first", "then", "docs"),
                [(grade_text(row.before), grade_text(row.after), row.docs) for row in changes],
            ),
            "Only docs that the same assessor judged in both rounds are counted.",
        )
    ]


def _consistency(number: int, rows: Sequence[OwnConsistency]) -> list[NamedTable]:
    """Tabulate how often assessors repeated their first label, on randomly drawn docs."""
    if not rows:
        return []
    return [
        NamedTable(
            f"{_KEY}-{number}-consistency",
            f"Self-consistency of assessors in round {number}",
            consistency_table(rows),
            "Random docs of each assessor were judged again, blind. Same, higher, lower: number of"
            " docs whose new grade is the same, higher or lower. Low, high: ends of the 95%"
            " interval of the share (Wilson).",
        )
    ]


def _how_consistent(number: int, rows: Sequence[OwnConsistency]) -> list[Finding]:
    """Return a finding on how often assessors gave a repeated doc the same grade."""
    if not rows:
        return []
    whole = rows[-1]
    sentence = (
        f"In round {number}, {whole.same:,} of"
        f" {count(whole.repeats, 'hidden repeat', 'hidden repeats')} got the same grade from the"
        f" same assessor: {figure(whole.share, whole.low, whole.high)}."
    )
    return [Finding("own-consistency", Verdict.FACT, sentence, _KEY)]


def _finding(round_: RejudgedRound, first: Judgments, second: Judgments) -> list[Finding]:
    """Return a finding on docs labelled non-relevant first and relevant later."""
    graded = [row for row in label_changes(first, second) if min(row.before, row.after) >= 0]
    of = [row for row in graded if row.before < _RELEVANT]
    total = sum(row.docs for row in of)
    hits = sum(row.docs for row in of if row.after >= _RELEVANT)
    if not total:
        return []
    low, high = wilson_interval(hits, total)
    blind = "" if round_.labels != SHOWN else " with the earlier labels shown"
    sentence = (
        f"In round {round_.number}, {hits:,} of"
        f" {count(total, 'non-relevant label', 'non-relevant labels')} became relevant when the"
        f" same assessors judged again{blind}: {figure(hits / total, low, high)}."
    )
    return [Finding("rejudging", Verdict.FACT, sentence, _KEY)]


def _total(rows: Sequence[NewLabels]) -> NewLabels:
    return next(row for row in rows if (row.assessor, row.topic) == (ALL, ALL))
