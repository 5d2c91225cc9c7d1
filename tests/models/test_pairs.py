"""Preferences by a model: in both orders, through a scheduler of `topk`."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.models.hostile import TRUTH, HostileServer, running

from qrelsmith import read_preferences, read_qrels, topk_result, topk_simulate
from qrelsmith.cli import run
from qrelsmith.models.pairs import PairsJudged, judge_pairs, position_bias
from qrelsmith.models.searches import SchedulerSearches
from qrelsmith.models.session import ModelTerms
from qrelsmith.topk.answers import Answer
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting, topic_pools


@pytest.fixture
def ranked(campaign: Path) -> Path:
    """Return a campaign with 30 candidates of one grade; a doc with a larger number is better."""
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
    assert any("the side is A (p = " in note for note in judged.notes)
    ties = sum(each.outcome == 0 for each in judged.preferences.rows())
    assert ties == bias.first


def test_without_bias_the_log_gives_the_true_top_docs(ranked: Path, tmp_path: Path) -> None:
    with running(HostileServer({"busy": 0.1, "half": 0.05})) as server:
        words = ["judge", str(ranked), "--endpoint", server.address, "--model", "m", "--pairs"]
        log, replies = tmp_path / "log.csv", tmp_path / "replies.csv"
        assert run([*words, "-k", "3", "-o", str(log), "--write-replies", str(replies)]) == 0
    assert all(row.assessor == "m.pair" for row in read_preferences(log).rows())
    with replies.open(encoding="utf-8") as file:
        assert {row["value"] for row in csv.DictReader(file)} == {"-1", "1"}
    result = topk_result(
        ranked / "qrels" / "gold.qrels", read_preferences(log), k=3, scheduler="tournament"
    )
    assert [row[1] for row in result.table().rows][:3] == ["d29", "d28", "d27"]


def test_error_records_leave_a_pair_open_and_end_the_search(ranked: Path) -> None:
    with running(HostileServer({"off-scale": 1})) as server:
        judged = searched(ranked, server, k=1)
        assert judged.table().rows == ()
        assert all(outcome.said is None for outcome in judged.outcomes)


NOISE, BIAS = 0.1, 0.2
DOCS = [f"d{number:03}" for number in range(100)]


def found(answers: Mapping[str, Sequence[Answer]], setting: TopkSetting) -> list[float]:
    """Return the share of the true top 5 that the answers of each topic find."""
    states = (setting.scheduler(topic, DOCS).replay(given) for topic, given in answers.items())
    return [len({each.doc for each in state.result} & set(DOCS[-5:])) / 5 for state in states]


def test_a_model_with_noise_and_position_bias_finds_what_topk_simulate_predicts(
    campaign: Path,
) -> None:
    """100 candidates, k = 5: the requests over HTTP are the same search, answer by answer."""
    lines = (json.dumps({"doc_id": doc, "text": f"truth {int(doc[1:])}"}) + "\n" for doc in DOCS)
    (campaign / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    (campaign / "qrels").mkdir()
    rows = [f"t1 0 {doc} 1\n" for doc in DOCS] + ["t1 0 other 0\n"]
    (campaign / "qrels" / "gold.qrels").write_text("".join(rows), encoding="utf-8")
    with running(HostileServer(noise=NOISE, bias=BIAS)) as server:
        judged = searched(campaign, server)
        assert len(server.bodies) == judged.requests == 2 * judged.bias.pairs
        ways = {}
        for body in server.bodies:
            content = json.loads(body)
            better = json.loads(server.said(content))["better"]
            user = content["messages"][1]["content"]
            sides = tuple(f"d{int(truth):03}" for truth in TRUTH.findall(user))
            ways[sides] = {"A": -1, "tie": 0, "B": 1}[better]
    setting = TopkSetting(k=5, method="tournament")
    pools = topic_pools(read_qrels(campaign / "qrels" / "gold.qrels"), k=5)
    direct = searches(setting, pools, lambda _, left, right: ways[left, right])
    outcomes = {(each.left, each.right): each.outcome for each in direct.answers()["t1"]}
    assert outcomes == {(each.left, each.right): each.outcome for each in judged.preferences.rows()}
    assert any("the side is A (p = " in note for note in judged.notes)

    # Asked in both orders, with a tie decided by the draw of leaves, it is right with this
    # probability.
    chance = BIAS / 2 + (1 - BIAS) * (1 - NOISE)
    many = {f"t{number}": dict.fromkeys(DOCS, 1) | {"other": 0} for number in range(40)}
    simulated = topk_simulate(
        many, k=5, scheduler="tournament", reliability=chance, campaigns=50
    ).row.search
    draw = random.Random(1)

    def said(_: str, left: str, right: str) -> int:
        better = -1 if left > right else 1
        better = -better if draw.random() < NOISE else better
        return -1 if draw.random() < BIAS else better

    answers = searches(setting, topic_pools(read_qrels(many), k=5), said).answers()
    recall = found(answers, setting)
    deviation = float(np.std(recall)) / np.sqrt(len(recall))
    assert abs(np.mean(recall) - simulated.recall.mean()) < 3 * deviation
    pairs = sum(map(len, answers.values()))
    assert pairs == pytest.approx(simulated.judgments.sum(axis=1).mean(), rel=0.02)


def searches(
    setting: TopkSetting, pools: Sequence[TopicPool], said: Callable[[str, str, str], int]
) -> SchedulerSearches:
    """Return searches with immediate answers."""
    source = SchedulerSearches(setting, pools)
    source.begin(frozenset(DOCS))
    while pairs := list(source.open_pairs()):
        for topic, pair in pairs:
            ways = (said(topic, pair.left, pair.right), said(topic, pair.right, pair.left))
            source.answer(topic, pair, ways)
    return source


def test_the_cost_of_a_tournament_is_known_beforehand(
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


def test_the_bias_is_as_computed_by_hand() -> None:
    bias = position_bias([(-1, 1), (1, -1), (0, 0), (-1, -1), (-1, -1), (1, 1), (0, 1)])
    assert (bias.pairs, bias.consistent, bias.first, bias.second) == (7, 3, 2, 1)
    assert bias.p == binomtest(2, 3).pvalue
    assert len(bias.notes) == 1
    assert position_bias([]).notes == ()
