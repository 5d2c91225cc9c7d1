"""The files of every released version can be read, and keep their meaning."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest

from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.pools.pool_sets import read_pool_set
from qrelsmith.collection.runs import read_run
from qrelsmith.collection.topics import read_topics
from qrelsmith.cuts.cut_tables import read_cut_table
from qrelsmith.evaluation.score_files import read_scores
from qrelsmith.io.manifest import read_manifest
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.rejudged_rounds import read_rejudged_rounds
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.topk.crowd.hit_files import read_hits
from qrelsmith.topk.crowd.known_answers import read_known_docs, read_known_pairs

TOPICS = ["P11", "P16", "P17", "P20"]
SESSION = ("-k", "2", "-F", "4", "-P", "3", "--seed", "5", "--quiet")


@pytest.fixture
def campaign(release: Path) -> Path:
    return release / "campaign"


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


@pytest.fixture
def version(release: Path) -> str:
    return release.name.removeprefix("v").replace("_", ".")


def test_the_settings_of_a_campaign_are_read(campaign: Path, version: str) -> None:
    found = read_campaign(campaign)
    assert found.title == f"Questions about a library (fixture of qrelsmith {version})"
    assert [level.grade for level in found.levels] == [0, 1, 2, 3]
    roles = {name: group.role for name, group in found.groups.items()}
    assert roles == {
        "gold": "gold", "simulated-careful": "bronze", "simulated-liberal": "bronze", "crowd": "",
        "model": "llm",
    }  # fmt: skip
    careful = found.groups["simulated-careful"]
    assert (careful.per_doc, careful.ordering) == (2, "balanced")
    assert {name: source.group for name, source in found.qrels_of.items()} == {
        "careful.qrels": "simulated-careful", "gold.qrels": "gold",
    }  # fmt: skip
    assert found.teams["amber-bm25-verbose"] == "amber"
    assert found.seeds == {"assignments": 7}
    assert found.measures == ("nDCG@5", "AP")
    assert found.judging.excerpt == "optional"
    assert [error.code for error in found.judging.errors] == [-2, -3]
    assert found.preference_judging is not None
    assert (found.preference_judging.k, found.preference_judging.swapped) == (2, 0.25)
    assert found.hits is not None
    assert (found.hits.pairs, found.hits.challenges, found.hits.reward) == (2, 1, 2.0)


def test_topics_docs_runs_and_pools_are_read(campaign: Path) -> None:
    found = read_campaign(campaign)
    assert [topic.topic for topic in read_topics(campaign / "topics.jsonl")] == TOPICS
    docs = list(read_documents(campaign / "documents.jsonl"))
    assert len(docs) == 39
    assert sorted(read_run(path).name for path in found.runs) == sorted(found.teams)
    pools = read_pool_set(found.pools)
    assert [each.ordering for each in pools.pools] == ["prioritised", "randomised"]
    assert sum(map(len, pools.pools[0].docs.values())) == 39


def test_labels_equal_those_in_the_files(campaign: Path) -> None:
    """The rows are read by column with the standard library."""
    for name in ("careful", "gold"):
        path = campaign / "qrels" / f"{name}.qrels"
        lines = [line.split() for line in path.read_text().splitlines()]
        rows = [(topic, doc, float(grade)) for topic, _, doc, grade in lines]
        assert list(read_qrels(path).rows()) == rows
    judgments = read_judgments(campaign / "judgments.csv").to_polars(names="qrelsmith")
    rows = cells(campaign / "judgments.csv")
    assert {row["revision"] for row in rows} == {"1", "2"}
    assert {row["ordering"] for row in rows} == {"prioritised", "randomised"}
    for name in ("topic", "doc", "assessor", "group", "ordering", "note"):
        assert judgments[name].to_list() == [row[name] for row in rows], name
    for name in ("grade", "position", "revision"):
        assert judgments[name].to_list() == [float(row[name]) for row in rows], name
    preferences = sorted(row[:5] for row in read_preferences(campaign / "preferences.csv").rows())
    assert preferences == sorted(
        (row["topic"], row["left"], row["right"], int(row["outcome"]), row["assessor"])
        for row in cells(campaign / "preferences.csv")
    )


def test_assignments_and_known_answers_are_read(release: Path, campaign: Path) -> None:
    assigned = read_assignments(campaign / "assignments.csv")
    assert len(assigned) == len(cells(campaign / "assignments.csv"))
    first = [each for each in assigned if each.round == 1]
    assert Counter(each.ordering for each in first if each.group == "simulated-careful") == {
        "prioritised": 4, "randomised": 4,
    }  # fmt: skip
    # Repeats came with 0.2.0.
    assert len(first) < len(assigned) or release.name == "v0_1_0"
    assert sum(bool(each.hit) and not each.assessor for each in assigned) == 11
    pairs = read_known_pairs(campaign / "training_pairs.csv")
    assert {pair.answer for pair in pairs} == {"left"}
    assert [known.highest for known in read_known_docs(campaign / "training_docs.csv")][:2] == [
        3,
        0,
    ]
    assert all(known.highest == 0 for known in read_known_docs(campaign / "challenge_docs.csv"))


def test_a_log_of_preferences_with_a_replaced_answer_and_an_undo_is_read(release: Path) -> None:
    log = read_preferences(release / "topk" / "answers.csv")
    # By hand: a second answer replaces the first, and one is undone.
    assert [(row.topic, row.outcome) for row in log.current().rows()] == [
        ("P11", -1), ("P11", 0), ("P20", -1),
    ]  # fmt: skip


def test_the_output_of_one_command_can_be_read_by_another(release: Path) -> None:
    outputs = release / "outputs"
    assert [matrix.measure for matrix in read_scores(outputs / "scores.csv")] == ["AP", "nDCG@5"]
    assert sorted(read_cut_table(outputs / "cuts.csv").of_topic) == TOPICS
    hits = read_hits(release / "topk" / "round1.hits.csv")
    assert {pair.challenge for hit in hits for pair in hit.pairs} == {"", "left", "right"}


def test_manifests_name_the_input_files(release: Path, version: str) -> None:
    manifest = read_manifest(release / "outputs" / "audit-manifest.json")
    assert manifest.version == version
    assert manifest.commit is not None
    assert manifest.inputs
    for file in manifest.inputs:
        content = (release / "campaign" / file.path).read_bytes()
        assert hashlib.sha256(content).hexdigest() == file.sha256, file.path
    exported = read_manifest(release / "sqlite" / "export" / "manifest.json")
    lines = (release / "sqlite" / "export" / "app" / "events.jsonl").read_text().splitlines()
    assert exported.parameters["events"] == len(lines)


def test_a_sample_and_its_next_wave_are_drawn_again(release: Path, tmp_path: Path) -> None:
    kept = release / "outputs" / "sample.csv"
    if release.name in ("v0_1_0", "v0_2_0"):
        pytest.skip("this version drew no samples, or drew them from another pool")
    campaign, out = release / "campaign", tmp_path / "sample.csv"
    drawn = ["sample", str(campaign / "runs"), "--label-set",
             str(campaign / "qrels" / "careful.qrels"), "-m", "P@3", "--seed", "1", "--quiet",
             "--budget", "20", "-o", str(out)]  # fmt: skip
    assert run(drawn) == 0
    assert out.read_bytes() == kept.read_bytes()
    gold = str(campaign / "qrels" / "gold.qrels")
    assert run([*drawn, "--after", str(kept), "--judgments", gold]) == 0
    assert len(cells(out)) > len(cells(kept))


def test_rejudging_rounds_of_an_export_are_read(release: Path) -> None:
    *repeats, found = read_rejudged_rounds(release / "sqlite" / "export")
    assert [each.reason for each in repeats] == ["repeat"] * (release.name != "v0_1_0")
    assert (found.number, found.reason, found.reference, found.labels, found.assigned) == (
        2 + len(repeats), "disagreement", "gold", "hidden", 3,
    )  # fmt: skip
    assert found.judgments is not None
    assert len(read_judgments(found.judgments).grade) == 1


def test_a_published_seed_never_changes_its_meaning(release: Path, tmp_path: Path) -> None:
    """Orders of pools, assignments, and the pairs and HITs of a session are drawn again."""
    campaign, topk = release / "campaign", release / "topk"
    labels, log = str(campaign / "qrels" / "careful.qrels"), str(topk / "answers.csv")
    groups = [part for name in ("gold", "simulated-careful", "simulated-liberal", "crowd", "model")
              for part in ("--group", name)]  # fmt: skip
    terms = ("--terms", str(campaign / "campaign.toml"))
    has_repeats = "round" in cells(campaign / "assignments.csv")[0]
    repeats = ("--repeats", "0.25") if has_repeats else ()
    for arguments, expected in (
        (["pool", str(campaign / "runs"), "--depth", "3", "--ordering", "prioritised", "--seed",
          "11", "--quiet"], campaign / "pools" / "prioritised.pool"),
        (["pool", str(campaign / "runs"), "--depth", "3", "--ordering", "randomised", "--seed",
          "11", "--quiet"], campaign / "pools" / "randomised.pool"),
        (["assign", str(campaign), *groups, *repeats, "--quiet"], campaign / "assignments.csv"),
        (["topk", "pairs", labels, log, *SESSION], topk / "pairs.csv"),
        (["topk", "result", labels, log, *SESSION], topk / "result.csv"),
        (["topk", "hits", "make", labels, log, *terms, *SESSION], topk / "round1.hits.csv"),
        (["plan", "preferences", str(campaign / "qrels" / "gold.qrels"), "--per-pair", "3",
          "--seed", "1", "--quiet"], release / "outputs" / "tests.csv"),
    ):  # fmt: skip
        out = tmp_path / expected.name
        assert run([*arguments, "-o", str(out)]) == 0
        assert out.read_bytes() == expected.read_bytes(), expected.name


def test_docs_with_non_ascii_text_are_complete(campaign: Path) -> None:
    lines = (campaign / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    written = {doc["doc_id"]: doc for doc in map(json.loads, lines)}
    for doc in read_documents(campaign / "documents.jsonl"):
        given = written[doc.doc_id]
        assert given[doc.form] == doc.content
    assert any("関連性" in line for line in lines)
