"""Unusual pairs of run and qrels: each has one defined result, scores or an error."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import pytest

from qrelsmith import evaluate
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.runs import read_run
from qrelsmith.io import sizes
from qrelsmith.judgments.given_labels import read_qrels

MEASURES = ("P@2", "AP", "nDCG")
# The value of a relevant doc at rank 2 or 3, relative to one at rank 1.
SECOND, THIRD = 1 / math.log2(3), 0.5

Scores = tuple[float, float, float]
PERFECT: Scores = (1.0, 1.0, 1.0)
LATE: Scores = (0.5, 0.5, SECOND)
NOTHING: Scores = (0.0, 0.0, 0.0)
BASE = {"1": PERFECT, "2": LATE}

# P@2, AP and nDCG of every topic of the qrels.
ANSWERS: dict[str, dict[str, Scores]] = {
    "base": BASE,
    "blank_lines": BASE,
    "bom": BASE,
    "tabs": BASE,
    "interleaved_topics": BASE,
    # A topic that the qrels lack does not count; one that the run lacks counts 0.
    "extra_topic_in_run": BASE,
    "missing_topic_in_run": {"1": PERFECT, "2": NOTHING},
    "empty_run": {"1": NOTHING, "2": NOTHING},
    "topic_without_relevant": {**BASE, "3": NOTHING},
    # Ids are opaque: NA is a name, and 01 is not 001.
    "docno_NA": {"1": (0.5, 1.0, 1.0)},
    "leading_zero_docnos": {"1": LATE},
    # The doc that could not be displayed keeps its rank and is not relevant: s, c, then a.
    "negative_grade": {"1": (0.0, 1 / 3, THIRD)},
    # The score decides, not the rank column: b, then a.
    "rank_vs_score": {"1": LATE},
    # Equal scores: the last docno first, so c, b, a.
    "ties_all_equal": {"1": (0.0, 1 / 3, THIRD)},
}

# File, line and text.
ERRORS = {
    "dup_doc_in_run": (
        "dup_doc_in_run.run:6: doc 'b' appears twice in topic '1' (first on line 1); expected every"
        " doc once per topic"
    ),
    "dup_in_qrels_conflict": (
        "dup_in_qrels_conflict.qrels:6: topic '1' doc 'a' has the grade 0, but the grade 1 on line"
        " 1; expected one grade per pair"
    ),
    "nan_score": "nan_score.run:1: the score is 'nan'; expected a finite decimal number",
}


@pytest.fixture(scope="module")
def folder(shared: Path) -> Path:
    return shared / "oracles" / "edge-inputs"


@pytest.fixture(params=["plain", "blocks"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two readers of runs: for small files, and for large files."""
    if request.param == "blocks":
        monkeypatch.setattr(sizes, "PLAIN_RUN", 16)
        monkeypatch.setattr(sizes, "RUN_BLOCK", 16)


def test_every_pair_has_a_result(folder: Path) -> None:
    pairs = {path.stem for path in folder.iterdir()}
    assert pairs == set(ANSWERS) | set(ERRORS)
    assert not set(ANSWERS) & set(ERRORS)


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", ANSWERS)
def test_pairs_with_scores_have_these_scores(folder: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        if name == "empty_run":  # see below
            warnings.simplefilter("ignore", InputWarning)
        qrels = read_qrels(folder / f"{name}.qrels")
        evaluation = evaluate(qrels, [folder / f"{name}.run"], MEASURES)
    assert evaluation.measures == MEASURES
    assert evaluation.topics == tuple(ANSWERS[name])
    for topic, expected in zip(evaluation.topics, ANSWERS[name].values(), strict=True):
        scores = evaluation.scores[:, 0, evaluation.topics.index(topic)]
        assert scores.tolist() == pytest.approx(expected, abs=1e-15, rel=1e-15)


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", ERRORS)
def test_pairs_with_errors_have_these_errors(folder: Path, name: str) -> None:
    run, qrels = folder / f"{name}.run", folder / f"{name}.qrels"
    with pytest.raises(InputError) as caught:
        evaluate(read_qrels(qrels), [run], MEASURES)
    assert str(caught.value) == f"{folder}/{ERRORS[name]}"


def test_the_rank_column_counts_if_requested(folder: Path) -> None:
    qrels, run = folder / "rank_vs_score.qrels", folder / "rank_vs_score.run"
    evaluation = evaluate(read_qrels(qrels), [run], MEASURES, order="rank")
    assert evaluation.scores[:, 0, 0].tolist() == [0.5, 1.0, 1.0]


def test_ties_are_broken_by_docno_or_by_line_as_requested(folder: Path) -> None:
    qrels, run = folder / "ties_all_equal.qrels", folder / "ties_all_equal.run"
    for order in ("file", "rank", "docno-ascending"):
        evaluation = evaluate(read_qrels(qrels), [run], MEASURES, order=order)
        assert evaluation.scores[:, 0, 0].tolist() == [0.5, 1.0, 1.0]
    assert read_run(run, order="trec32").docs == {"1": ("c", "b", "a")}


def test_unusual_but_defined_input_gives_a_warning(folder: Path) -> None:
    def notes(name: str) -> str:
        qrels = read_qrels(folder / f"{name}.qrels")
        return " | ".join(evaluate(qrels, [folder / f"{name}.run"], MEASURES).notes)

    lacking = "runs that lack topics of the qrels and score 0 there: 1"
    assert lacking in notes("missing_topic_in_run")
    with pytest.warns(InputWarning, match=r"empty_run\.run: the file has no docs"):
        assert "has none of the qrels' topics" in notes("empty_run")
    assert "topics that the qrels lack are ignored: at most 1 per run" in notes(
        "extra_topic_in_run"
    )
    assert "0: 1 of 3 (3)" in notes("topic_without_relevant")
