"""The labels and pace of each assessor: shares by hand, flags by the rule of the analysis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from qrelsmith.agreement.assessor_differences import grade_differences, speed_differences
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.rejudging import rejudging
from qrelsmith.judging_times.judging_efficiency import judging_efficiency
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import AssignedDoc, RejudgingRound
from qrelsmith.web.organiser.assessors import judges_of
from qrelsmith.web.tables.event_table import all_events
from qrelsmith.web.tables.judged import judgments_from

Read = Callable[..., Any]
ADDRESS = "/organiser/assessors"


def test_the_shares_of_labels_are_as_computed_by_hand(judged: Any, read: Read) -> None:
    rows = read(judged, ADDRESS).rows("gold")
    # g1: 14 not relevant, 3 relevant, 1 highly relevant, 1 that cannot be displayed; of 19.
    assert rows[0][:2] == ["g1", "19"]
    assert rows[0][5:9] == ["74%", "16%", "5.3%", "5.3%"]
    assert rows[1][0] == "all"
    assert rows[1][1:9] == rows[0][1:9]


def test_flags_are_those_of_the_analysis_of_the_export(
    judged: Any, read: Read, exported: Callable[..., Path]
) -> None:
    judgments = read_judgments(exported(judged) / "judgments.csv")
    efficiency = judging_efficiency(judgments, high=2, clock="active")
    faster = {each.assessor: each for each in speed_differences(efficiency)}
    assert set(faster) == {"t1", "t2"}
    assert all(each.is_beyond_chance for each in faster.values())
    assert not any(each.is_beyond_chance for each in grade_differences(judgments))
    text = read(judged, ADDRESS).text
    assert "t1 is faster than other assessors: 10 s per doc on average, compared with 12 s" in text
    assert "t2 is slower than other assessors: 12 s per doc on average, compared with 10 s" in text
    assert "more often" not in text


def test_a_share_beyond_chance_is_flagged(lite_judged: Any, at_work: Any, read: Read) -> None:
    for topic in ("q1", "q2"):
        at = at_work(lite_judged, "t1", topic)
        for position in range(1, 11):
            at.judge(position, 2)
    text = read(lite_judged, ADDRESS).text
    # t1 has 20 labels; only 18 of these docs are judged by t2, too: too few, so all labels are
    # compared.
    said = (
        "t1 uses “highly relevant” more often than other assessors: 100%, compared with 22%"
        " (other docs, p < .001)"
    )
    assert said in text


def test_a_campaign_without_judgments_is_shown(unjudged: Any, read: Read) -> None:
    assert "Nothing has been judged yet." in read(unjudged, ADDRESS).text


def test_fine_scales_are_shown_in_slices(lite_judged: Any) -> None:
    content = {
        "control": "slider", "note": "none", "excerpt": "none", "instructions": "",
        "levels": [{"grade": grade, "label": "", "text": ""} for grade in range(101)], "errors": [],
    }  # fmt: skip
    found = judges_of(judgments_from(all_events()), ShownScale(1, content))
    assert found.kinds[:5] == ["0–20", "20–40", "40–60", "60–80", "80–100"]
    gold = found.groups[0][0]
    assert gold.counts[0] == 18


def test_a_share_of_an_assessors_docs_is_judged_again_blind(
    judged: Any, at_work: Any, read: Read, exported: Any
) -> None:
    client = judged.client("the-organiser", role="organiser")
    assert (
        client.post("/organiser/assessors/repeat", {"percent": "0", "after": "1"}).status_code
        == 400
    )
    answer = client.post("/organiser/assessors/repeat", {"percent": "50", "after": "1"})
    assert (answer.status_code, answer["Location"]) == (302, "/organiser/rounds/2")
    opened = RejudgingRound.objects.get()
    assert (opened.reason, opened.rule, opened.shows_labels) == ("repeat", "50%", False)
    again = AssignedDoc.objects.filter(assignment__round=2).select_related("assignment__assessor")
    assert 20 < again.count() < 55  # of 76
    own = again.filter(assignment__assessor__name="t1", assignment__topic__name="q1")
    first = dict(
        AssignedDoc.objects.filter(
            assignment__round=1, assignment__assessor__name="t1", assignment__topic__name="q1"
        ).values_list("doc", "value")
    )
    assert all(first[doc] >= 0 for doc in own.values_list("doc", flat=True))
    assignment = own[0].assignment
    worker = at_work(judged, "t1", "q1")
    worker.assignment = assignment
    for row in own.order_by("position"):
        worker.judge(row.position, min(first[row.doc_id] + 1, 2))
    table = read(judged, "/organiser/rounds/2").rows("Self-consistency")
    same = sum(first[doc] == 2 for doc in own.values_list("doc", flat=True))
    assert table[0][:4] == ["t1", str(own.count()), str(same), str(own.count() - same)]
    section = rejudging(AuditInputs(exported(judged)))
    (consistency,) = (
        each.table for each in section.tables if each.key == "rejudging-2-consistency"
    )
    assert next(iter(consistency.rows))[:4] == ("t1", own.count(), same, own.count() - same)
