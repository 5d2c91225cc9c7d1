"""Accepted inputs of a question, and the error message for any other input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, read_topics
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import Judgments, read_judgments, write_judgments
from qrelsmith.judgments.run_sources import runs_of
from qrelsmith.judgments.sources import judgments_of, label_sets_of, labels_of, qrels_of
from qrelsmith.judgments.topic_sources import of_topics, topics_of

GRADES = {"t1": {"d1": 2.0, "d2": 0.0}, "t2": {"d1": 1.0}}
COLUMNS = {"topic": ["t1", "t1", "t2"], "doc": ["d1", "d2", "d1"], "grade": [2, 0, 1]}
PEOPLE = {**COLUMNS, "assessor": ["anne", "ben", "anne"]}
SCORES = {"qid": ["t1", "t1"], "docno": ["d1", "d2"], "score": [0.5, 1.5]}
FRAMES = [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table]


@pytest.mark.parametrize("frame", FRAMES)
def test_qrels_are_the_same_from_every_kind_of_frame(frame: Any) -> None:
    assert qrels_of(frame(COLUMNS)).to_dict() == GRADES


def test_qrels_can_be_a_path_a_mapping_or_an_object(tmp_path: Path) -> None:
    given = read_qrels(GRADES, name="gold")
    write_qrels(given, tmp_path / "gold.qrels")
    for source in (given, GRADES, tmp_path / "gold.qrels", str(tmp_path / "gold.qrels")):
        assert qrels_of(source).to_dict() == GRADES


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_with_assessors_is_judgments_with_one_label_set_each(frame: Any) -> None:
    sets = label_sets_of(frame(PEOPLE))
    assert {who: qrels.to_dict() for who, qrels in sets.items()} == {
        "anne": {"t1": {"d1": 2.0}, "t2": {"d1": 1.0}},
        "ben": {"t1": {"d2": 0.0}},
    }
    assert isinstance(labels_of(frame(PEOPLE)), Judgments)
    assert isinstance(labels_of(frame(COLUMNS)), Qrels)
    # Each doc has one judge, so that the grades are qrels, too.
    assert qrels_of(frame(PEOPLE)).to_dict() == GRADES


def test_judgments_in_a_file_also_have_one_label_set_per_assessor(tmp_path: Path) -> None:
    write_judgments(read_judgments(PEOPLE), tmp_path / "judgments.csv")
    assert list(label_sets_of(tmp_path / "judgments.csv")) == ["anne", "ben"]
    assert judgments_of({"anne": GRADES, "ben": COLUMNS}).assessors == ("anne", "ben")


@pytest.mark.parametrize(
    "columns",
    [
        {"query_id": ["t1"], "doc_id": ["d1"], "assessor": ["a"], "relevance": [1]},
        {"qid": ["t1"], "docno": ["d1"], "assessor": ["a"], "label": [1]},
    ],
)
def test_judgments_with_the_column_names_of_other_programs_are_accepted(
    columns: dict[str, list[object]],
) -> None:
    assert judgments_of(columns).to_qrels().to_dict() == {"t1": {"d1": 1.0}}


@pytest.mark.parametrize("frame", FRAMES)
def test_runs_can_be_frames_of_one_system_or_of_several(frame: Any) -> None:
    [alone] = runs_of(frame(SCORES))
    assert isinstance(alone, Run)
    assert alone.docs == {"t1": ("d2", "d1")}
    both = runs_of(frame({**SCORES, "name": ["a", "b"]}))
    assert [(run.name, run.docs) for run in both if isinstance(run, Run)] == [
        ("a", {"t1": ("d1",)}),
        ("b", {"t1": ("d2",)}),
    ]


def test_runs_can_be_mappings_folders_or_several_of_these(tmp_path: Path) -> None:
    run = Run.from_dict({"t1": {"d1": 1.0}}, name="x")
    write_run(run, tmp_path / "x.run")
    assert runs_of(tmp_path) == [tmp_path / "x.run"]
    named = runs_of({"a": run, "b": pandas.DataFrame(SCORES), "c": {"t1": {"d1": 1}}})
    assert [each.name for each in named if isinstance(each, Run)] == ["a", "b", "c"]
    assert len(runs_of([run, tmp_path, {"t1": {"d2": 0.5}}])) == 3


@pytest.mark.parametrize(
    ("ask", "source", "told"),
    [
        (qrels_of, 7, "found int"),
        (qrels_of, {"t1": 2}, r"found dict of int \(keys: t1\)"),
        (qrels_of, {1: {"d1": 2}}, "the topic '1' is of type int"),
        (qrels_of, {"t1": {7: 2}}, "the doc '7' is of type int"),
        (qrels_of, {"t1": {"d1": "2"}}, "the grade is '2'; expected a finite number"),
        (qrels_of, {**COLUMNS, "doc": [1, 2, 3]}, "row 1 of the column doc contains '1'"),
        (qrels_of, {"x": ["a"]}, "no complete set of columns in 'x'; expected query_id doc_id"),
        (label_sets_of, [], "found an empty list"),
        (label_sets_of, [GRADES, GRADES], "two label sets are called 'qrels'"),
        (judgments_of, COLUMNS, "expected the column assessor, or {assessor: qrels}"),
        (judgments_of, 7, "found int"),
        (runs_of, 7, "found int"),
        (runs_of, {"a": 7}, "the run 'a' cannot be read; expected a Run"),
        (runs_of, {"t1": {"d1": float("nan")}}, "the score of doc 'd1' in run 'run' is 'nan'"),
        (topics_of, [1, 2], "row 1 of the column topic_set contains '1'"),
        (topics_of, [], "the topic set is empty"),
        (read_topics, 7, "found int"),
        (read_topics, {1: "x"}, "the topic '1' is of type int"),
        (lambda docs: list(read_documents(docs)), {1: "x"}, "the doc '1' is of type int"),
        (lambda docs: list(read_documents(docs)), {"text": ["x"]}, "one column of doc ids"),
    ],
)  # fmt: skip
def test_other_inputs_are_reported_with_their_type(ask: Any, source: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        ask(source)


def test_of_several_assessors_the_lower_median_counts_in_memory_and_in_files(
    tmp_path: Path,
) -> None:
    frame = {
        "topic": ["t1"] * 4,
        "doc": ["d1", "d1", "d1", "d2"],
        "assessor": ["a", "b", "c", "a"],
        "grade": [0, 2, 3, 1],
    }
    path = tmp_path / "people.csv"
    rows = zip(*frame.values(), strict=True)
    path.write_text("\n".join([",".join(frame), *(",".join(map(str, row)) for row in rows)]))
    for source in (frame, path):
        with pytest.warns(InputWarning, match="the lower median of the grades of 3 assessors"):
            assert qrels_of(source).to_dict() == {"t1": {"d1": 2.0, "d2": 1.0}}
    two = {name: cells[1:] for name, cells in frame.items()}
    with pytest.warns(
        InputWarning, match="3 assessors is used, which is the lower grade if a doc h"
    ):
        assert qrels_of(two).to_dict() == {"t1": {"d1": 2.0, "d2": 1.0}}
    with pytest.warns(InputWarning, match=r"people\.csv: the lower median .* is used \(qrelsmith"):
        sets = label_sets_of([path, {"t1": {"d1": 1}}])
    assert set(sets) == {"people", "qrels"}


def test_a_grade_outside_the_scale_is_an_error_or_missing_in_memory_too() -> None:
    scale = Scale.parse("0..1")
    with pytest.raises(UsageError, match="doc 'd1' has the grade 2; expected a level of the scale"):
        labels_of(GRADES, scale=scale)
    with pytest.warns(InputWarning, match="1 such grades are treated as missing"):
        kept = labels_of(GRADES, scale=scale, off_scale="missing")
    assert np.array_equal(kept.grade, [0.0, 1.0])


def test_a_topic_set_can_be_a_file_or_a_collection(tmp_path: Path) -> None:
    (tmp_path / "set.txt").write_text("t2 a title\n", encoding="utf-8")
    for topic_set in (["t2"], {"t2"}, tmp_path / "set.txt"):
        assert of_topics(qrels_of(GRADES), topic_set).to_dict() == {"t2": {"d1": 1.0}}
    with pytest.raises(InputError, match="none of the topics"):
        of_topics(judgments_of(PEOPLE), ["t9"])


@pytest.mark.parametrize("frame", FRAMES)
def test_topics_and_docs_can_be_frames(frame: Any) -> None:
    topics = read_topics(frame({"qid": ["7"], "query": ["sorting"], "lang": ["en"]}))
    assert topics == (Topic("7", title="sorting", others={"lang": "en"}),)
    [doc] = read_documents(frame({"docno": ["d1"], "text": ["a b"], "title": ["c"], "x": [1]}))
    assert (doc.doc_id, doc.form, doc.content, doc.title) == ("d1", "text", "a b", "c")
    assert [doc.form for doc in read_documents({"d1": {"html": "<p>a"}})] == ["html"]
