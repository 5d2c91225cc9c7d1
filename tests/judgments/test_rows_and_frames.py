"""Frames of PyTerrier and rows of ir_datasets and ir_measures are accepted as labels and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import ir_measures
import pandas
import pytest

import qrelsmith as qs
from qrelsmith.base.errors import UsageError
from qrelsmith.collection.documents import read_documents

# By hand: the run of t1 has a doc of grade 1 first, of grade 0 second, of grade 2 third; the run of
# t2 has the relevant doc second. RR is 1 and 1/2, P@1 is 1 and 0.
GRADES = [("t1", "a", 2), ("t1", "b", 1), ("t1", "c", 0), ("t2", "a", 1)]
SCORES = [("t1", "a", 0.5), ("t1", "b", 2.0), ("t1", "c", 1.0), ("t2", "a", 1.5), ("t2", "x", 2.5)]
EXPECTED = {"RR": 0.75, "P@1": 0.5}
PT_QRELS = pandas.DataFrame(GRADES, columns=["qid", "docno", "label"])
# PyTerrier's results: docid is its internal number of a doc, the rows are unsorted.
PT_RUN = pandas.DataFrame(
    [(t, 7, d, r, s, "words") for r, (t, d, s) in enumerate(SCORES)],
    columns=["qid", "docid", "docno", "rank", "score", "query"],
)


class TrecQrel(NamedTuple):
    """The fields of the ir_datasets row with this name."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class GenericScoredDoc(NamedTuple):
    """The fields of the ir_datasets row with this name."""

    query_id: str
    doc_id: str
    score: float


class GenericDoc(NamedTuple):
    """The fields of the ir_datasets row with this name."""

    doc_id: str
    text: str


class TrecQuery(NamedTuple):
    """The fields of the ir_datasets row with this name."""

    query_id: str
    title: str
    description: str
    narrative: str


class Rows:
    """Like `dataset.qrels` of ir_datasets: iterable more than once, without len."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)


QREL_ROWS = [TrecQrel(*row, "0") for row in GRADES]
SCORED = [GenericScoredDoc(*row) for row in SCORES]
KINDS: list[Callable[[list[Any]], Any]] = [list, tuple, iter, Rows]


def means(evaluation: Any) -> dict[str, float]:
    return {name: float(evaluation.matrix(name).means()[0]) for name in EXPECTED}


def test_frames_of_pyterrier_are_evaluated_in_one_call() -> None:
    assert means(qs.evaluate(PT_QRELS, PT_RUN, list(EXPECTED))) == EXPECTED


def test_frames_and_rows_of_ir_measures_have_the_scores_of_ir_measures() -> None:
    measures = [ir_measures.RR, ir_measures.P @ 1, ir_measures.nDCG @ 10]
    qrels = pandas.DataFrame(GRADES, columns=["query_id", "doc_id", "relevance"])
    run = pandas.DataFrame(SCORES, columns=["query_id", "doc_id", "score"])
    expected = ir_measures.calc_aggregate(measures, qrels, run)
    rows = (
        iter([ir_measures.Qrel(*row) for row in GRADES]),
        iter([ir_measures.ScoredDoc(*row) for row in SCORES]),
    )
    for evaluation in (qs.evaluate(qrels, run, measures), qs.evaluate(*rows, measures)):
        for measure, value in expected.items():
            assert evaluation.matrix(str(measure)).means()[0] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_ir_datasets_are_accepted_as_labels_and_runs(kind: Any) -> None:
    assert means(qs.evaluate(kind(QREL_ROWS), kind(SCORED), list(EXPECTED))) == EXPECTED
    assert list(qs.read_qrels(kind(QREL_ROWS)).rows()) == GRADES
    assert list(qs.Qrels.from_frame(kind(QREL_ROWS)).rows()) == GRADES
    assert qs.Run.from_frame(kind(SCORED)).docs == {"t1": ("b", "c", "a"), "t2": ("x", "a")}
    assert [run.name for run in qs.read_runs({"bm25": kind(SCORED), "b": kind(SCORED)})] == [
        "bm25",
        "b",
    ]
    assert len(qs.pool([kind(SCORED)], depth=1).to_pandas()) == 2
    (pair,) = qs.agree({"ann": kind(QREL_ROWS), "ben": PT_QRELS}, by="pair", resamples=0).parts[:1]
    assert pair.value == 1


def test_topics_and_docs_of_ir_datasets_are_accepted() -> None:
    (topic,) = qs.read_topics(Rows([TrecQuery("1", "fleas", "How long?", "…")]))
    assert (topic.topic, topic.title, topic.description) == ("1", "fleas", "How long?")
    (doc,) = read_documents(iter([GenericDoc("d1", "a flea")]))
    assert (doc.doc_id, doc.content) == ("d1", "a flea")


def test_an_iterator_is_an_input_with_a_digest() -> None:
    from_rows = qs.evaluate(iter(QREL_ROWS), iter(SCORED), "RR").asked.inputs
    assert from_rows == qs.evaluate(QREL_ROWS, SCORED, "RR").asked.inputs
    assert from_rows != qs.evaluate(QREL_ROWS[1:], SCORED, "RR").asked.inputs


def test_a_frame_of_several_systems_is_several_runs_and_never_one() -> None:
    both = pandas.concat([PT_RUN.assign(name="BR(BM25)"), PT_RUN.assign(name="DPH")])
    evaluation = qs.evaluate(PT_QRELS, both, "RR")
    assert evaluation.matrix("RR").systems == ("BR(BM25)", "DPH")
    assert evaluation.matrix("RR").means().tolist() == [0.75, 0.75]
    with pytest.raises(UsageError, match=r"has 2 systems \(column name: 'BR\(BM25\)', 'DPH'\)"):
        qs.Run.from_frame(both)
    with pytest.raises(UsageError, match=r"expected one\. Use read_runs"):
        qs.evaluate(PT_QRELS, {"mine": both}, "RR")


@pytest.mark.parametrize(
    ("labels", "runs", "told"),
    [
        (PT_RUN, PT_QRELS, "a run, not qrels, in 'qid docid docno rank score query'; expected"),
        (PT_QRELS, PT_QRELS, "qrels, not a run, in 'qid docno label'; expected"),
        (
            QREL_ROWS[:1] + SCORED,
            SCORED,
            "row 2 has different fields from the first row; expected que",
        ),
        ([TrecQrel("t1", "a", 1, "0"), TrecQrel("t1", "a", 2, "0")], SCORED, "has two grades"),
        ([TrecQrel(1, "a", 1, "0")], SCORED, "row 1 of the column query_id contains '1', of type"),  # type: ignore[arg-type]
        (iter(()), SCORED, "found an empty list; expected at least one label set"),
    ],
)
def test_wrong_inputs_are_reported(labels: Any, runs: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told.replace(".", "[.]")):
        qs.evaluate(labels, runs, "RR")
