"""Preferences by a model: both ways round, through a scheduler of `topk`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.models.hostile import HostileServer, running

from qrelsmith import read_preferences, topk_result, topk_simulate
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


def test_noise_and_position_bias_find_what_topk_simulate_says(campaign: Path) -> None:
    """100 candidates, k = 5: of the two errors follows how often the better doc goes on."""
    noise, bias, topics = 0.1, 0.2, ["t1", "t2"]
    docs = [f"d{number:03}" for number in range(100)]
    lines = (json.dumps({"doc_id": doc, "text": f"truth {int(doc[1:])}"}) + "\n" for doc in docs)
    (campaign / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    (campaign / "qrels").mkdir()
    rows = [f"{topic} 0 {doc} 1\n" for topic in topics for doc in docs] + ["t1 0 other 0\n"]
    (campaign / "qrels" / "gold.qrels").write_text("".join(rows), encoding="utf-8")
    with running(HostileServer(noise=noise, bias=bias)) as server:
        judged = searched(campaign, server)
        assert len(server.bodies) == 2 * judged.bias.pairs
    # Both ways round, a tie going on by the draw of leaves: right with this chance.
    chance = bias / 2 + (1 - bias) * (1 - noise)
    simulated = topk_simulate(
        campaign, k=5, method="tournament", reliability=chance, campaigns=400
    ).row.search
    result = topk_result(campaign / "qrels" / "gold.qrels", judged.preferences, k=5,
                         method="tournament")  # fmt: skip
    best = {(topic, doc) for topic in topics for doc in docs[-5:]}
    recall = len(best & {(row[0], row[1]) for row in result.table().rows}) / len(best)
    low, high = np.quantile(simulated.recall, [0.005, 0.995])
    assert low <= recall <= high
    low, high = np.quantile(simulated.judgments.sum(axis=1), [0.005, 0.995])
    assert low - 2 <= judged.bias.pairs <= high + 2
    shares = [judged.bias.consistent, judged.bias.first, judged.bias.second]
    right, wrong = bias + (1 - bias) * (1 - noise), (1 - bias) * (1 - noise)
    expected = [right * wrong + (1 - right) * (1 - wrong), right * (1 - wrong), wrong * (1 - right)]
    assert np.array(shares) / judged.bias.pairs == pytest.approx(expected, abs=0.12)
    assert judged.bias.p < 1e-6
    assert any("have side A (p = " in note for note in judged.notes)


def test_the_cost_of_a_tournament_beforehand(
    ranked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(HostileServer()) as server:
        words = ["judge", str(ranked), "--endpoint", server.address, "--model", "m", "--pairs"]
        words += ["-k", "3", "--price-in", "1", "--price-out", "2"]
        assert run([*words, "--dry-run"]) == 0
        assert server.bodies == []
        cost = dict(line.split(",") for line in capsys.readouterr().out.splitlines())
        judged = searched(ranked, server, k=3)
        assert judged.requests <= int(cost["requests"]) == 2 * int(cost["labels"])
        assert judged.requests >= 0.9 * int(cost["requests"])
        assert server.money / 1e6 <= float(cost["most_money"])
    assert not (ranked / ".qrelsmith" / "app.sqlite3").exists()


def test_the_bias_by_hand() -> None:
    bias = position_bias([(-1, 1), (1, -1), (0, 0), (-1, -1), (-1, -1), (1, 1), (0, 1)])
    assert (bias.pairs, bias.consistent, bias.first, bias.second) == (7, 3, 2, 1)
    assert bias.p == binomtest(2, 3).pvalue
    assert len(bias.notes) == 1
    assert position_bias([]).notes == ()
