"""Comparison with the output of NTCIREVAL's `ntcir_eval` (4 decimals) for its sample.

Not compared, because qrelsmith does not offer them: O-measure, P-measure, P-plus, the NCU family,
and `nDCG@k`, which is the first form of Järvelin and Kekäläinen (no discount before rank 2); ours
is its `MSnDCG@k`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import score_runs
from qrelsmith.evaluation.measures import MEASURES

PRINTED = 5.1e-5
NAMES = {
    "RR": "RR",
    "AP": "AP",
    "Q-measure": "Q",
    "RBP": "RBP(p=0.95)",
    "ERR": "ERR",
    "AP@": "AP(norm='min')@{k}",
    "Q@": "Q@{k}",
    "MSnDCG@": "nDCG@{k}",
    "P@": "P@{k}",
    "nERR@": "nERR@{k}",
    "Hit@": "Success@{k}",
}


def sample(folder: Path) -> tuple[Qrels, Run]:
    rows = [line.split() for line in (folder / "sample.rel").read_text().splitlines()]
    ranked = (folder / "sample.res").read_text().split()
    qrels = Qrels.from_rows(("1", doc, float(level.removeprefix("L"))) for doc, level in rows)
    return qrels, Run.from_dict({"1": dict.fromkeys(ranked, 0.0)}, order="file")


def printed(path: Path) -> dict[str, float]:
    rows = [line.split("=") for line in path.read_text().splitlines() if "= " in line]
    return {name.strip(): float(value) for name, value in rows}


def ours(name: str) -> str | None:
    base, at, cutoff = name.partition("@")
    label = NAMES.get(base + at)
    return label.format(k=int(cutoff)) if label and at else label


@pytest.mark.parametrize(
    ("file", "gains", "condensed"),
    [
        ("res_test_compute.txt", "1:2:3", False),
        ("res_test_compute_cutoff.txt", "1:2:3", False),
        ("res_test_compute_grade.txt", "1:4:9", False),
        ("res_test_compute_label_j.txt", "1:2:3", True),
    ],
)
def test_scores_equal_the_printed_scores(
    shared: Path, file: str, gains: str, condensed: bool
) -> None:
    folder = shared / "oracles" / "pyNTCIREVAL"
    expected = {
        label: value for name, value in printed(folder / file).items() if (label := ours(name))
    }
    qrels, run = sample(folder)
    evaluation = score_runs(
        qrels, [run], list(expected), gains=Gains.parse(gains), condensed=condensed
    )
    assert len(expected) == 11
    found = {label: float(evaluation.matrix(label).scores[0, 0]) for label in expected}
    assert found == pytest.approx(expected, abs=PRINTED)


def test_the_condensed_list_of_the_sample_has_the_printed_scores(shared: Path) -> None:
    """`sample-j.lab` is the run without its unjudged doc, like `condensed`."""
    folder = shared / "oracles" / "pyNTCIREVAL"
    rows = [line.split() for line in (folder / "sample-j.lab").read_text().splitlines()]
    qrels, run = sample(folder)
    short = Run.from_dict({"1": {row[0]: 0.0 for row in rows}}, order="file", name="short")
    labels = ["AP", "Q", "nDCG@3", "ERR", "SetP", "Judged@10", "NumRet"]
    one = score_runs(qrels, [run], labels, condensed=True)
    other = score_runs(qrels, [short], labels)
    assert one.scores.tolist() == other.scores.tolist()


def test_scores_equal_the_examples_in_the_readme(shared: Path) -> None:
    examples = json.loads(
        (shared / "oracles" / "pyNTCIREVAL" / "README_examples.json").read_text(encoding="utf-8")
    )
    compared = 0
    for name, example in examples.items():
        if not isinstance(example, dict):
            continue
        measure = {"P@5": "P@5"}.get(name, "nDCG@5")
        grades = [float(level) for level in example["levels_in_rank_order"]]
        gains = [0.0, *example.get("gains", {"1": 1}).values()]
        worth = [[gains[int(grade)] for grade in grades]]
        ideal = np.array([sorted(worth[0], reverse=True)])
        score = MEASURES.get(measure)(np.array(worth), ideal)
        assert score == pytest.approx(example["value"], abs=1e-15)
        compared += 1
    assert compared == 3
