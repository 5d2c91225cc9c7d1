"""Comparison with the numbers in ir_measures' own tests (made with compatibility.py and gdeval)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qrelsmith.evaluation import Evaluation, score_runs
from qrelsmith.judgments.given_labels import read_qrels


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "oracles" / "ir_measures"


@pytest.fixture(scope="module")
def expected(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def scores_of(evaluation: Evaluation, measure: str) -> dict[str, float]:
    matrix = evaluation.matrix(measure)
    return dict(zip(matrix.topics, matrix.scores[0].tolist(), strict=True))


def test_compatibility_equals_the_expected_scores(folder: Path, expected: dict[str, Any]) -> None:
    values = expected["compat"]["values"]
    measures = {name: f"Compat({name})" for name in values}
    evaluation = score_runs(
        read_qrels(folder / "compat.qrels"),
        [folder / "compat.run"],
        list(measures.values()),
        order="docno-ascending",
        missing_topics="drop",
    )
    compared = 0
    for name, measure in measures.items():
        scores = scores_of(evaluation, measure)
        scores["mean"] = float(evaluation.matrix(measure).means()[0])
        for topic, value in values[name].items():
            assert scores[topic] == pytest.approx(value, abs=1e-9), (name, topic)
            compared += 1
    assert compared == 7


def test_gdeval_scores_are_equal(expected: dict[str, Any], tmp_path: Path) -> None:
    case = expected["gdeval"]
    (tmp_path / "g.qrels").write_text(case["qrels"])
    (tmp_path / "g.run").write_text(case["run"])
    names = {
        "nDCG@20 (exp)": "nDCG(dcg='exp-log2')@20",
        "nDCG@2 (exp)": "nDCG(dcg='exp-log2')@2",
        "ERR@20": "ERR(gain='exp')@20",
        "ERR@2": "ERR(gain='exp')@2",
    }
    assert set(names) == set(case["values"])
    evaluation = score_runs(
        read_qrels(tmp_path / "g.qrels"), [tmp_path / "g.run"], list(names.values()), gmax=4
    )
    for name, measure in names.items():
        assert scores_of(evaluation, measure) == pytest.approx(case["values"][name], abs=5.1e-6)
