"""The audit of label sets without grades, or with few topics in common with the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.base.content import Scorecard

from .test_scorecard import gold_of, noisy, verdicts, write

COMPARED = ("agrees", "ranks-all", "ranks-top", "finds-differences")


def compared(card: Scorecard, name: str) -> list[str]:
    return [verdicts(card, name)[question] for question in COMPARED]


@pytest.mark.filterwarnings("ignore:.*so that no doc differs from another")
@pytest.mark.parametrize("topics", [2, 9])
@pytest.mark.parametrize("unjudged", ["new", "gold"])
def test_a_set_with_only_unjudged_codes_has_no_verdict_but_a_reason(
    tmp_path: Path, topics: int, unjudged: str
) -> None:
    gold = gold_of(topics)
    labels = {"gold": gold, "new": noisy(gold, 0.1, 1)}
    write(tmp_path, labels | {unjudged: np.full_like(gold, -1)}, systems=3)
    card = compute_audit(AuditInputs(tmp_path, reference="gold")).scorecard
    assert card is not None
    assert compared(card, "new") == ["none"] * 4
    assert card.cell("new", "ranks-all").sentence == (
        f"No verdict: {unjudged} grades no doc of the {topics} topics in common."
    )
    assert card.cell(unjudged, "undamaged").sentence == f"No verdict: {unjudged} grades no docs."


@pytest.mark.parametrize("topics", [6, 20])
def test_a_set_without_a_topic_of_the_reference_does_not_change_other_verdicts(
    tmp_path: Path, topics: int
) -> None:
    grades = gold_of(topics)
    labels = {"gold": grades, "other": noisy(grades, 0.02, 1)}
    apart = np.where(np.arange(topics)[:, None] < topics // 2, np.nan, grades)
    for name, sets in (("two", labels), ("three", labels | {"apart": apart})):
        write(tmp_path / name, sets)
        gold = tmp_path / name / "qrels" / "gold.qrels"
        lines = gold.read_text().splitlines(keepends=True)
        gold.write_text("".join(lines[: len(lines) // 2]))
    two, three = (compute_audit(AuditInputs(tmp_path / each)) for each in ("two", "three"))
    assert two.scorecard is not None
    assert three.scorecard is not None
    for question in COMPARED:
        assert repr(three.scorecard.cell("other", question)) == repr(
            two.scorecard.cell("other", question)
        )
        cell = three.scorecard.cell("apart", question)
        assert (cell.verdict, cell.sentence) == (
            "none",
            "No verdict: no topic in common with gold.",
        )
    missing, more = ({s.key for s in each.sections if s.missing} for each in (two, three))
    assert more - missing == {"disagreements"}  # on docs that all have judged, as it says
    assert "significance" not in more


def test_sets_that_share_topics_only_with_the_reference_are_all_compared(tmp_path: Path) -> None:
    gold = gold_of(20)
    first_half = np.arange(20)[:, None] < 10
    early, late = np.where(first_half, gold, np.nan), np.where(first_half, np.nan, gold)
    write(tmp_path, {"gold": gold, "early": early, "late": late})
    card = compute_audit(AuditInputs(tmp_path)).scorecard
    assert card is not None
    assert compared(card, "early") == compared(card, "late") == ["good"] * 4


@pytest.mark.parametrize("topics", [2, 3, 5, 7])
@pytest.mark.parametrize("systems", [3, 8, 20])
def test_identical_labels_of_an_unfinished_set_are_good_on_its_few_topics(
    tmp_path: Path, topics: int, systems: int
) -> None:
    gold = gold_of(10)
    begun = np.where(np.arange(10)[:, None] < topics, gold, np.nan)
    write(tmp_path, {"gold": gold, "begun": begun}, systems=systems)
    inputs = AuditInputs(tmp_path)
    assert compared(scorecard(inputs), "begun") == ["good"] * 4
    first, second = inputs.scores_beside("begun", "nDCG@10")
    assert first.topics == tuple(f"t{topic:02d}" for topic in range(topics))
    np.testing.assert_allclose(first.scores, second.scores, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:.*so that no doc differs from another")
def test_one_run_gives_no_ranking_and_a_set_with_only_ties_is_reported(tmp_path: Path) -> None:
    gold = gold_of(8)
    write(tmp_path / "one", {"gold": gold, "other": noisy(gold, 0.1, 1)}, systems=1)
    cell = scorecard(AuditInputs(tmp_path / "one")).cell("other", "ranks-all")
    assert cell.sentence == "No verdict: there is only one run to rank."
    write(tmp_path / "flat", {"gold": gold, "flat": np.ones_like(gold)}, systems=8)
    cell = scorecard(AuditInputs(tmp_path / "flat")).cell("flat", "ranks-top")
    assert "has rank 1 of 8 under flat, tied with 7 other systems" in cell.sentence
