"""Every measure that trec_eval 10 also has, compared with the output of trec_eval 10 (4 decimals).

`oracles/trec_eval/SOURCE.txt` lists the options for each file. Not compared: `rbp` and `rbp_resid`,
which read uninitialised variables there, and measures that qrelsmith does not offer (`NOT_OFFERED`,
and the measures over preferences of `out.test.prefs` and `out.test.qrels_prefs`).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import InputWarning
from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import read_run
from qrelsmith.evaluation import Evaluation, score_runs
from qrelsmith.judgments.given_labels import read_qrels

# Half of the last printed digit, and the rounding of the sum.
PRINTED = 5.1e-5


@dataclass(frozen=True)
class Output:
    """A file printed by trec_eval, with the options for it."""

    file: str
    qrels: str
    run: str
    cells: int
    rel: int = 1
    complete: bool = False
    depth: int | None = None


OUTPUTS = [
    Output("out.test", "qrels.test", "results.test", 27),
    Output("out.test", "qrels.test.with-comments", "results.test", 27),
    Output("out.comment.test", "qrels.comment.test", "results.comment.test", 27),
    Output("out.test.a", "qrels.test", "results.test", 65),
    Output("out.test.aq", "qrels.test", "results.test", 260),
    Output("out.test.aqc", "qrels.test", "results.trunc", 260, complete=True),
    Output("out.test.aqcM", "qrels.test", "results.trunc", 260, complete=True, depth=100),
    Output("out.test.aql", "qrels.rel_level", "results.test", 260, rel=2),
    Output("out.test.meas_params", "qrels.test", "results.test", 64),
]

SIMPLE = {
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "recip_rank": "RR",
    "infAP": "infAP",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "ndcg": "nDCG",
}
WITH_CUTOFF = {
    "P": "P",
    "recall": "R",
    "map_cut": "AP",
    "ndcg_cut": "nDCG",
    "success": "Success",
    "iprec_at_recall": "IPrec",
    "unj": "Judged",
}
NO_REL = {"NumRet", "nDCG", "Judged"}
NOT_OFFERED = {
    "runid", "num_q", "gm_map", "gm_bpref", "utility", "11pt_avg", "binG", "G", "ndcg_rel",
    "Rndcg", "set_relative_P", "set_map", "num_nonrel_judged_ret", "rbp", "rbp_resid", "Rprec_mult",
    "relative_P", "relstring", "11pt_avg_.25,.5,.75", "utility_2,-1,0,0",
}  # fmt: skip


def measure_of(name: str, rel: int) -> str | None:
    """Return our name of a trec_eval measure; None if qrelsmith does not offer it."""
    parameter = "" if rel == 1 else f"(rel={rel})"
    if name in SIMPLE:
        base, after = SIMPLE[name], ""
    else:
        stem, _, number = name.rpartition("_")
        if stem not in WITH_CUTOFF or not re.fullmatch(r"[0-9.]+", number):
            assert name in NOT_OFFERED or stem in NOT_OFFERED, name
            return None
        base, after = WITH_CUTOFF[stem], f"@{float(number):g}"
    return base + ("" if base in NO_REL else parameter) + after


def printed(path: Path) -> Iterator[tuple[str, str, str]]:
    for line in path.read_text().splitlines():
        name, topic, value = line.split(maxsplit=2)
        yield name, topic, value


def expected_value(
    evaluation: Evaluation, name: str, label: str, topic: str, retrieved: dict[str, float]
) -> float | None:
    """Return the expected output of trec_eval; None if the definitions differ."""
    matrix = evaluation.matrix(label)
    scores = dict(zip(matrix.topics, matrix.scores[0].tolist(), strict=True))
    counted = {key: value for key, value in scores.items() if not np.isnan(value)}
    if name.startswith("unj_"):
        cutoff = int(name.removeprefix("unj_"))
        # A run with fewer docs: trec_eval divides by k, ir_measures by the number of docs.
        if any(0 < retrieved[key] < cutoff for key in counted if topic in (key, "all")):
            return None
        counted = {key: 1.0 - value if retrieved[key] else 0.0 for key, value in counted.items()}
    if topic != "all":
        return counted[topic]
    total = sum(counted.values())
    return total if name.startswith("num_") else total / len(counted)


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda output: f"{output.file}-{output.qrels}")
def test_scores_equal_the_printed_scores(shared: Path, output: Output) -> None:
    folder = shared / "oracles" / "trec_eval"
    cells = [
        (name, label, topic, float(value))
        for name, topic, value in printed(folder / output.file)
        if not name.startswith("ndcg_1=")
        if (label := measure_of(name, output.rel)) is not None
    ]
    with warnings.catch_warnings():
        if output.run == "results.trunc":
            warnings.filterwarnings("ignore", ".*fields after the tag.*", InputWarning)
        evaluation = score_runs(
            read_qrels(folder / output.qrels),
            [read_run(folder / output.run, depth=output.depth)],
            [*{label: None for _, label, _, _ in cells}, "NumRet"],
            missing_topics="zero" if output.complete else "drop",
        )
    counts = evaluation.matrix("NumRet")
    retrieved = dict(zip(counts.topics, np.nan_to_num(counts.scores[0]).tolist(), strict=True))
    compared = 0
    for name, label, topic, value in cells:
        mine = expected_value(evaluation, name, label, topic, retrieved)
        if mine is not None:
            assert mine == pytest.approx(value, abs=PRINTED), (name, topic)
            compared += 1
    print(f"{output.file}: {compared} cells")
    assert compared == output.cells


def test_gains_of_each_level_give_the_printed_scores(shared: Path) -> None:
    folder = shared / "oracles" / "trec_eval"
    rows = {
        topic: float(value)
        for name, topic, value in printed(folder / "out.test.meas_params")
        if name == "ndcg_1=3,2=9,4=4.5"
    }
    evaluation = score_runs(
        read_qrels(folder / "qrels.test"),
        [folder / "results.test"],
        ["nDCG"],
        gains=Gains.parse("3:9:3:4.5"),
    )
    matrix = evaluation.matrix("nDCG")
    mine = dict(zip(matrix.topics, matrix.scores[0].tolist(), strict=True))
    mine["all"] = float(matrix.means()[0])
    assert len(rows) == 4
    assert mine == pytest.approx(rows, abs=PRINTED)


def test_standardised_scores_equal_the_printed_scores(shared: Path) -> None:
    """-Z prints (score − mean)/deviation: if the deviation is small, many more digits."""
    folder = shared / "oracles" / "trec_eval"
    norms = {}
    for line in (folder / "zscores_file").read_text().splitlines():
        topic, name, mean, deviation = line.split()
        norms[name, topic] = float(mean), float(deviation)
    rows = [
        (name.removeprefix("Z"), topic, float(value))
        for name, topic, value in printed(folder / "out.test.aqZ")
        if name.startswith("Z") and topic != "all"
    ]
    labels = {name: measure_of(name, 1) for name, _, _ in rows}
    evaluation = score_runs(
        read_qrels(folder / "qrels.test"),
        [folder / "results.test"],
        [label for label in labels.values() if label],
    )
    compared = 0
    for name, topic, value in rows:
        mean, deviation = norms[name, topic]
        label = labels[name]
        if label is None or name.startswith("unj_") or deviation == 0:
            continue
        score = evaluation.matrix(label).scores[0, evaluation.topics.index(topic)]
        assert (score - mean) / deviation == pytest.approx(value, abs=PRINTED), (name, topic)
        compared += 1
    print(f"out.test.aqZ: {compared} cells")
    assert compared == 180


def test_the_mean_over_several_assessors_equals_the_printed_scores(shared: Path) -> None:
    """`map_avgjg` and `P_avgjg_k` are means over the qrels of each assessor."""
    folder = shared / "oracles" / "trec_eval"
    judges: dict[str, list[tuple[str, str, float]]] = {}
    for line in (folder / "qrels.123").read_text().splitlines():
        topic, judge, doc, grade = line.split()
        judges.setdefault(judge, []).append((topic, doc, float(grade)))
    cells = [
        (name.replace("_avgjg", ""), topic, float(value))
        for name, topic, value in printed(folder / "out.test.qrels_jg")
        if name.startswith(("map_", "P_")) and topic != "all"
    ]
    labels = {name: measure_of(name, 1) for name, _, _ in cells}
    run = read_run(folder / "results.test")
    evaluations = [
        score_runs(Qrels.from_rows(rows), [run], [label for label in labels.values() if label])
        for rows in judges.values()
    ]
    for name, topic, value in cells:
        scores = [
            float(one.matrix(str(labels[name])).scores[0, one.topics.index(topic)])
            for one in evaluations
            if topic in one.topics
        ]
        assert sum(scores) / len(scores) == pytest.approx(value, abs=PRINTED), (name, topic)
    assert len(cells) == 30
