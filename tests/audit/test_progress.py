"""An unfinished campaign is called unfinished, and missing judgments are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.progress import open_work
from qrelsmith.audit.scorecard import scorecard
from qrelsmith.base.content import Verdict
from qrelsmith.campaign.campaign import Campaign, Group, write_campaign_toml
from qrelsmith.collection.pools.pool_files import Pools, write_pools
from qrelsmith.collection.qrels import Qrels, write_qrels

POOLS = {"1": ("a", "b", "c"), "2": ("d", "e"), "3": ("f",)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four topics, three of them with pools; gold has judged two docs of the first topic."""
    for name in ("qrels", "pools"):
        (tmp_path / name).mkdir()
    (tmp_path / "topics.tsv").write_text(
        "".join(f"{topic}\ttopic {topic}\n" for topic in range(1, 5))
    )
    write_pools(Pools("prioritised", 2, 0, POOLS), tmp_path / "pools" / "p.pool")
    # c has a code, x is in no pool, b has no judgment (−1).
    gold = {"1": {"a": 1.0, "b": -1.0, "c": -2.0, "x": 0.0}}
    write_qrels(Qrels.from_dict(gold), tmp_path / "qrels" / "gold.qrels")
    write_campaign_toml(Campaign(tmp_path))
    return tmp_path


def test_missing_judgments_are_as_many_as_counted_by_hand(folder: Path) -> None:
    assert open_work(AuditInputs(folder)) == (
        "The reference, gold, has labels for 1 of 4 topics and 1 of 6 pooled docs; 1 doc could not"
        " be judged."
    )


def test_the_summary_begins_with_the_progress(folder: Path) -> None:
    report = compute_audit(AuditInputs(folder))
    first = report.findings()[0]
    assert (first.rule, first.verdict, first.opens) == ("progress", Verdict.FACT, True)
    assert report.subtitle.startswith("1 label set, 0 runs, 1 common topic;")


def test_topics_or_pools_alone_give_partial_progress(folder: Path) -> None:
    (folder / "pools" / "p.pool").unlink()
    assert open_work(AuditInputs(folder)).startswith(
        "The reference, gold, has labels for 1 of 4 topics"
    )
    (folder / "topics.tsv").unlink()
    assert open_work(AuditInputs(folder)) == ""
    write_pools(Pools("prioritised", 2, 0, POOLS), folder / "pools" / "p.pool")
    assert open_work(AuditInputs(folder)).startswith(
        "The reference, gold, has labels for 1 of 3 topics and 1 of 6 pooled docs"
    )


def test_other_unfinished_label_sets_are_named(folder: Path) -> None:
    every = {topic: dict.fromkeys(docs, 1.0) for topic, docs in POOLS.items()}
    every["4"] = {"z": 0.0}
    write_qrels(Qrels.from_dict(every), folder / "qrels" / "gold.qrels")
    assert open_work(AuditInputs(folder)) == ""
    write_qrels(Qrels.from_dict({"2": {"d": 1.0}}), folder / "qrels" / "model.qrels")
    assert open_work(AuditInputs(folder)) == (
        "The reference, gold, has labels for 4 of 4 topics and 6 of 6 pooled docs. Other label"
        " sets: model: 1 of 4 topics and 1 of 6 pooled docs."
    )
    for number in range(6):
        write_qrels(Qrels.from_dict({"2": {"d": 1.0}}), folder / "qrels" / f"m{number}.qrels")
    assert open_work(AuditInputs(folder)).endswith(" 7 other label sets are also unfinished.")


def test_codes_in_judgments_are_counted_even_if_the_label_set_has_no_codes(folder: Path) -> None:
    (folder / "qrels" / "gold.qrels").unlink()
    rows = ["topic,doc,assessor,grade,group", "1,a,p,1,gold", "1,b,p,-2,gold", "1,a,q,-2,gold"]
    (folder / "judgments.csv").write_text("\n".join(rows) + "\n")
    write_campaign_toml(Campaign(folder, groups={"gold": Group(role="gold")}))
    # One assessor graded a; nobody graded b.
    assert open_work(AuditInputs(folder)) == (
        "The reference, gold, has labels for 1 of 4 topics and 1 of 6 pooled docs; 1 doc could not"
        " be judged."
    )


def test_the_first_step_is_to_finish_judging(folder: Path) -> None:
    (folder / "runs").mkdir()
    (folder / "runs" / "s.run").write_text("1 Q0 a 1 2.0 s\n1 Q0 b 2 1.0 s\n")
    card = scorecard(AuditInputs(folder))
    assert card.cell("gold", "complete").verdict == "bad"
    # Of six pooled docs, a has a grade and c could not be judged.
    assert [(action.what, action.cost) for action in card.actions] == [
        ("Let the assessors finish judging.", "4 docs to judge")
    ]
    assert card.actions[0].why.startswith(
        "The reference, gold, has labels for 1 of 4 topics and 1 of 6 pooled docs"
    )
    rows = "topic,assessor,group,ordering,seed\n1,ann,gold,prioritised,1\n"
    (folder / "assignments.csv").write_text(rows)
    assert scorecard(AuditInputs(folder)).actions[0].cost == "1 doc to judge"
    gold = {"1": {"a": 1.0, "b": 0.0, "c": -2.0}}
    write_qrels(Qrels.from_dict(gold), folder / "qrels" / "gold.qrels")
    (folder / "app").mkdir()  # an export does not change
    rows = "topic,assessor,group,ordering,seed\n2,ann,gold,prioritised,1\n"
    (folder / "assignments.csv").write_text(rows)
    assert scorecard(AuditInputs(folder)).actions[0].command == (
        "qrelsmith app export APP-CAMPAIGN -o new-export && qrelsmith audit new-export"
    )
    (folder / "assignments.csv").write_text(rows.replace("2,ann", "1,ann"))
    finished = scorecard(AuditInputs(folder)).actions
    assert "Let the assessors finish judging." not in [action.what for action in finished]
