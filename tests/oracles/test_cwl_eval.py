"""Comparison with cwl-eval (4 decimals): our measures, and those computed by ir_measures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.given_labels import read_qrels

OWN = {"AP", "RR", "P@1", "P@5", "P@10", "P@20", "RBP(p=0.9,rel=1)"}


def _of_top_1(name: str) -> str:
    """Return the name of a binary measure with its cutoff at the end."""
    head, _, cutoff = name.partition("@")
    cutoff, _, inside = cutoff.partition("(")
    head, _, more = head.partition("(")
    options = [each for each in (more.strip(")").replace("=.", "=0."), inside.strip(")")) if each]
    options += [] if "max_rel=1" in options else ["max_rel=1"]
    return f"{head}({','.join(options)})" + (f"@{cutoff}" if cutoff else "")


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("ir_measures/cwl.qrels", "ir_measures/cwl.run"),
        ("cwl_eval/qrel_file", "cwl_eval/result_file"),
    ],
)
def test_scores_equal_the_printed_scores(shared: Path, qrels: str, run: str) -> None:
    folder = shared / "oracles"
    case = json.loads((folder / "ir_measures" / "expected.json").read_text(encoding="utf-8"))["cwl"]
    pytest.importorskip("cwl", reason="the extra ir_measures is not installed")
    # As in ir_measures' test, whose docs are relevant or not.
    values = {
        name if name in OWN else _of_top_1(name): scores for name, scores in case["values"].items()
    }
    assert set(values) > OWN
    assert len(values) == 18
    evaluation = score_runs(read_qrels(folder / qrels), [folder / run], list(values), order="file")
    for name, scores in values.items():
        matrix = evaluation.matrix(name)
        found = dict(zip(matrix.topics, matrix.scores[0].tolist(), strict=True))
        expected = dict(zip(case["topics"], scores, strict=True))
        assert found == pytest.approx(expected, abs=5.1e-5), name


def test_a_gain_below_0_counts_as_a_code(shared: Path) -> None:
    """`neg_gain_file` gives −1 to nonrelevant docs: the scores must equal those with 0."""
    folder = shared / "oracles" / "cwl_eval"
    labels = ["AP", "nDCG@10", "RBP(p=0.9)", "ERR@10", "Q@10", "Compat(p=0.9)", "iRBU@10"]
    plain, negative = (
        score_runs(read_qrels(folder / name), [folder / "result_file"], labels)
        for name in ("gain_file", "neg_gain_file")
    )
    assert read_qrels(folder / "neg_gain_file").grade.min() == -1
    assert plain.scores == pytest.approx(negative.scores, abs=0)
