"""Comparison with pytrec_eval and ir_measures on random qrels and runs, if these are installed."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from qrelsmith.base.rng import rng_for
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import Evaluation, score_runs

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]

# name in pytrec_eval → ours; {rel} becomes the level.
PYTREC = {
    "map": "AP(rel={rel})",
    "map_cut_5": "AP(rel={rel})@5",
    "map_cut_100": "AP(rel={rel})@100",
    "Rprec": "Rprec(rel={rel})",
    "bpref": "bpref(rel={rel})",
    "recip_rank": "RR(rel={rel})",
    "infAP": "infAP(rel={rel})",
    "set_P": "SetP(rel={rel})",
    "set_recall": "SetR(rel={rel})",
    "set_F": "SetF(rel={rel})",
    "num_ret": "NumRet",
    "num_rel": "NumRel(rel={rel})",
    "num_rel_ret": "NumRelRet(rel={rel})",
    "P_5": "P(rel={rel})@5",
    "P_100": "P(rel={rel})@100",
    "recall_10": "R(rel={rel})@10",
    "success_5": "Success(rel={rel})@5",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "ndcg_cut_100": "nDCG@100",
}
CASES = [(seed, rel) for seed in range(6) for rel in (1, 2)]


def random_case(seed: int, *, ties: bool = True, codes: bool = True) -> tuple[Grades, Scores]:
    """Return qrels and a run with topics on one side only, unjudged docs, ties and near ties."""
    rng = rng_for(seed, "peers")
    grades: Grades = {}
    scores: Scores = {}
    levels = [-2, -1, 0, 0, 1, 2, 3] if codes else [0, 0, 1, 2, 3]
    for topic in map(str, range(15)):
        docs = [f"d{place:03}" for place in rng.permutation(60)]
        if topic not in ("3", "4"):
            judged = docs[: rng.integers(1, 40)]
            grades[topic] = {doc: int(rng.choice(levels)) for doc in judged}
        if topic not in ("4", "5"):
            returned = rng.permutation(docs)[: rng.integers(1, 50)].tolist()
            raw = rng.integers(0, 12, len(returned)) + 1.0 if ties else rng.random(len(returned))
            # A difference visible only in 64-bit floats.
            nudge = rng.integers(0, 2, len(returned)) * (1e-10 if ties else 0.0)
            scores[topic] = dict(zip(returned, (raw + nudge).tolist(), strict=True))
    return grades, scores


def scored(grades: Grades, scores: Scores, measures: list[str], **options: object) -> Evaluation:
    run = Run.from_dict(scores, order="trec32")
    return score_runs(Qrels.from_dict(grades), [run], measures, missing_topics="drop", **options)  # type: ignore[arg-type]


def compared(evaluation: Evaluation, theirs: dict[tuple[str, str], float]) -> int:
    """Return how many scores of another program are equal to ours."""
    for (topic, measure), value in theirs.items():
        matrix = evaluation.matrix(measure)
        mine = matrix.scores[0, matrix.topics.index(topic)]
        assert mine == pytest.approx(value, rel=1e-12, abs=1e-12), (topic, measure)
    return len(theirs)


@pytest.mark.parametrize(("seed", "rel"), CASES)
def test_scores_equal_those_of_pytrec_eval(seed: int, rel: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    grades, scores = random_case(seed)
    names = {name: ours.format(rel=rel) for name, ours in PYTREC.items()}
    families = {name.rsplit("_", 1)[0] if name[-1].isdigit() else name for name in names}
    evaluator = pytrec_eval.RelevanceEvaluator(grades, families, relevance_level=rel)
    theirs = {
        (topic, measure): row[name]
        for topic, row in evaluator.evaluate(scores).items()
        for name, measure in names.items()
    }
    assert compared(scored(grades, scores, list(names.values())), theirs) == 12 * len(PYTREC)


@pytest.mark.parametrize("seed", range(3))
def test_pytrec_eval_does_not_distinguish_scores_that_differ_only_in_64_bits(seed: int) -> None:
    """The reason for `trec32`: in the default order, some of the scores differ from pytrec_eval."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    grades, scores = random_case(seed)
    theirs = pytrec_eval.RelevanceEvaluator(grades, {"map"}).evaluate(scores)
    run = Run.from_dict(scores)
    matrix = score_runs(Qrels.from_dict(grades), [run], ["AP"], missing_topics="drop").matrix("AP")
    rows = [theirs[topic]["map"] for topic in matrix.topics if topic in theirs]
    mine = matrix.scores[0][~np.isnan(matrix.scores[0])]
    assert mine != pytest.approx(np.array(rows), abs=1e-6)


IR_MEASURES = [
    "AP", "AP(rel=2)@10", "RR", "RR@5", "P(rel=2)@5", "R@20", "Rprec(rel=2)", "Bpref", "infAP",
    "nDCG", "nDCG@10", "Success@3", "SetP", "SetR", "SetF", "NumRet", "NumRel", "Judged@10",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_scores_equal_those_of_ir_measures(seed: int) -> None:
    """The names are ir_measures' own; no ties, which its `Judged` breaks by ascending docno."""
    ir_measures = pytest.importorskip("ir_measures")
    grades, scores = random_case(seed, ties=False, codes=False)
    wanted = [ir_measures.parse_measure(name) for name in IR_MEASURES]
    theirs = {
        (metric.query_id, name): metric.value
        for measure, name in zip(wanted, IR_MEASURES, strict=True)
        for metric in ir_measures.iter_calc([measure], grades, scores)
        if metric.query_id in scores
    }
    assert compared(scored(grades, scores, IR_MEASURES), theirs) == 12 * len(IR_MEASURES)


@pytest.mark.parametrize("seed", range(3))
def test_compatibility_equals_that_of_ir_measures(seed: int) -> None:
    """Its depth is the larger of run and ideal, so runs of 1000 docs have our depth."""
    ir_measures = pytest.importorskip("ir_measures")
    grades, scores = random_case(seed, ties=False)
    for ranking in scores.values():
        ranking |= {f"x{place}": -float(place) for place in range(1, 1001 - len(ranking))}
    pairs = {
        "Compat(p=0.8)": "Compat(p=0.8)",
        "Compat(p=0.95)": "Compat(p=0.95)",
        "Compat(p=0.95,normalize=False)": "Compat(norm='none',p=0.95)",
    }
    theirs = {
        (metric.query_id, ours): metric.value
        for name, ours in pairs.items()
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(name)], grades, scores)
        if metric.query_id in scores
    }
    assert compared(scored(grades, scores, list(pairs.values())), theirs) == 12 * len(pairs)


@pytest.mark.parametrize("seed", range(3))
def test_condensed_equals_judged_only_of_ir_measures(seed: int) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    grades, scores = random_case(seed, ties=False)
    pairs = {
        "AP(judged_only=True)": "AP",
        "nDCG(judged_only=True)@10": "nDCG@10",
        "P(judged_only=True)@5": "P@5",
    }
    theirs = {
        (metric.query_id, pairs[name]): metric.value
        for name in pairs
        for metric in ir_measures.iter_calc([ir_measures.parse_measure(name)], grades, scores)
        if metric.query_id in scores
    }
    mine = scored(grades, scores, list(pairs.values()), condensed=True)
    assert compared(mine, theirs) == 12 * len(pairs)


@pytest.mark.parametrize("gains", [(1.0, 2.0, 3.0), (1.0, 4.0, 9.0), (0.0, 1.0, 5.0)])
def test_gains_equal_those_of_ir_measures(gains: tuple[float, float, float]) -> None:
    from qrelsmith.base.scales import Gains

    ir_measures = pytest.importorskip("ir_measures")
    grades, scores = random_case(0, codes=False)
    mapping = {grade: int(gain) for grade, gain in enumerate((0.0, *gains))}
    measure = ir_measures.nDCG(gains=mapping) @ 10
    theirs = {
        (metric.query_id, "nDCG@10"): metric.value
        for metric in ir_measures.iter_calc([measure], grades, scores)
        if metric.query_id in scores
    }
    mine = scored(grades, scores, ["nDCG@10"], gains=Gains(gains))
    assert compared(mine, theirs) == 12


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval needs perl")
def test_scores_equal_those_of_gdeval() -> None:
    """Five printed decimals; the top of its scale is always 4."""
    ir_measures = pytest.importorskip("ir_measures")
    grades, scores = random_case(0, ties=False, codes=False)
    names = {"ERR@10": "ERR(gain='exp')@10", "nDCG(dcg='exp-log2')@10": "nDCG(dcg='exp-log2')@10"}
    evaluation = scored(grades, scores, list(names.values()), gmax=4)
    count = 0
    for name, ours in names.items():
        measure = ir_measures.parse_measure(name)
        for metric in ir_measures.iter_calc([measure], grades, scores):
            if metric.query_id in scores:
                matrix = evaluation.matrix(ours)
                mine = matrix.scores[0, matrix.topics.index(metric.query_id)]
                assert mine == pytest.approx(metric.value, abs=5.1e-6), (name, metric.query_id)
                count += 1
    assert count == 24
