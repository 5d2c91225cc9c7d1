"""Preferences by a model: both ways round, through a scheduler of `topk`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from scipy.stats import binomtest
from tests.models.hostile import HostileServer, running

from qrelsmith import read_preferences, topk_result
from qrelsmith.cli import run
from qrelsmith.models.pairs import PairsJudged, judge_pairs
from qrelsmith.models.position import position_bias
from qrelsmith.models.session import ModelTerms


@pytest.fixture
def ranked(campaign: Path) -> Path:
    """A campaign of 30 candidates of one grade; the larger a doc's number the better it is."""
    docs = {f"d{number:02}": f"truth {number}" for number in range(30)}
    lines = [json.dumps({"doc_id": doc, "text": text}) + "\n" for doc, text in docs.items()]
    (campaign / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    (campaign / "qrels").mkdir()
    rows = "".join(f"t1 0 {doc} 1\n" for doc in docs)
    (campaign / "qrels" / "gold.qrels").write_text(rows, encoding="utf-8")
    return campaign


def searched(campaign: Path, server: HostileServer, k: int = 5) -> PairsJudged:
    return judge_pairs(campaign, ModelTerms(server.address, "m", concurrency=16), k=k)


def test_a_model_with_position_bias_finds_the_top_and_the_bias_is_reported(ranked: Path) -> None:
    with running(HostileServer(bias=0.25)) as server:
        judged = searched(ranked, server)
        assert len(server.bodies) == judged.requests == 2 * judged.bias.pairs
        assert searched(ranked, server).requests == 0
    bias = judged.bias
    assert bias.first > 0 == bias.second
    assert bias.consistent == bias.pairs - bias.first
    assert any("have side A (p = " in note for note in judged.notes)
    ties = sum(each.outcome == 0 for each in judged.preferences.rows())
    assert ties == bias.first


def test_without_bias_the_log_gives_the_true_top(ranked: Path, tmp_path: Path) -> None:
    with running(HostileServer({"busy": 0.1, "half": 0.05})) as server:
        words = ["judge", str(ranked), "--endpoint", server.address, "--model", "m", "--pairs"]
        log, replies = tmp_path / "log.csv", tmp_path / "replies.csv"
        assert run([*words, "-k", "3", "-o", str(log), "--write-replies", str(replies)]) == 0
    assert all(row.assessor == "m.pair" for row in read_preferences(log).rows())
    with replies.open(encoding="utf-8") as file:
        assert {row["value"] for row in csv.DictReader(file)} == {"-1", "1"}
    result = topk_result(
        ranked / "qrels" / "gold.qrels", read_preferences(log), k=3, method="tournament"
    )
    assert [row[1] for row in result.table().rows][:3] == ["d29", "d28", "d27"]


def test_error_records_leave_a_pair_open_and_end_the_search(ranked: Path) -> None:
    with running(HostileServer({"off-scale": 1})) as server:
        judged = searched(ranked, server, k=1)
        assert judged.table().rows == ()
        assert all(outcome.said is None for outcome in judged.outcomes)


def test_the_bias_by_hand() -> None:
    bias = position_bias([(-1, 1), (1, -1), (0, 0), (-1, -1), (-1, -1), (1, 1), (0, 1)])
    assert (bias.pairs, bias.consistent, bias.first, bias.second) == (7, 3, 2, 1)
    assert bias.p == binomtest(2, 3).pvalue
    assert len(bias.notes) == 1
    assert position_bias([]).notes == ()
