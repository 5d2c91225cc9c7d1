"""TREC Deep Learning 2021: the published scores of 63 runs on 53 topics.

The reference files also contain one row per run with its mean (`average`).
"""

from __future__ import annotations

import csv
import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.given_labels import read_qrels

RUNS, TOPICS = 63, 53


@cache
def reference(path: Path) -> dict[tuple[str, str], float]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        return {(run, topic): float(value) for run, topic, value in rows}


def compare(
    folder: Path, *, qrels: str, order: str, measure: str, file: str, tolerance: float
) -> int:
    """Return how many scores of single topics are equal; means are compared, too."""
    expected = reference(folder / "reference" / file)
    files = sorted((folder / "runs").glob("*.run.gz"))
    evaluation = score_runs(read_qrels(folder / qrels), files, [measure], order=order)
    matrix = evaluation.matrix(measure)
    names = [file.name.removesuffix(".run.gz") for file in files]
    assert matrix.scores.shape == (RUNS, TOPICS)
    assert set(expected) == {(n, t) for n in names for t in (*matrix.topics, "average")}
    single = np.array([[expected[name, topic] for topic in matrix.topics] for name in names])
    means = np.array([expected[name, "average"] for name in names])
    np.testing.assert_allclose(matrix.scores, single, rtol=0, atol=tolerance)
    np.testing.assert_allclose(matrix.means(), means, rtol=0, atol=tolerance)
    return single.size


def test_ndcg_10_equals_the_published_scores(shared: Path) -> None:
    compared = compare(
        shared / "data" / "trec-dl-2021-passage",
        qrels="qrels/nist.qrels",
        order="trec32",
        measure="nDCG@10",
        file="ndcg_cut_10.nist.csv.gz",
        tolerance=5.1e-5,
    )
    assert compared == 3339


@pytest.mark.parametrize(
    ("qrels", "kind"),
    [("qrels/nist.qrels", "original"), ("prefs/gpt-4o.wincount.qrels", "preferences")],
)
def test_compatibility_equals_the_published_scores(shared: Path, qrels: str, kind: str) -> None:
    compared = compare(
        shared / "data" / "trec-dl-2021-passage",
        qrels=qrels,
        order="docno-ascending",
        measure="Compat(p=0.9)",
        file=f"compatibility-p0.90.{kind}.csv.gz",
        tolerance=1e-12,
    )
    assert compared == 3339


def test_ndcg_10_needs_scores_as_32_bit_floats(shared: Path) -> None:
    """With 64-bit scores fewer docs tie, and some of the printed scores differ."""
    folder = shared / "data" / "trec-dl-2021-passage"
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(
            folder,
            qrels="qrels/nist.qrels",
            order="trec",
            measure="nDCG@10",
            file="ndcg_cut_10.nist.csv.gz",
            tolerance=5.1e-5,
        )
