"""Qrels and runs converted to and from data frames."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import ir_measures
import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import MissingDependencyError, UsageError
from qrelsmith.collection import frames
from qrelsmith.collection.frames import Names
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run

GRADES = {"001": {"NA": 2.0, "1e5": -1.0}, "01": {"NA": 0.0}}
SCORES = {"001": {"NA": 1.5, "1e5": 2.5}, "01": {"NA": 1.0}}
QRELS = Qrels.from_dict(GRADES)
RUN = Run.from_dict(SCORES, name="r")


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ("ir_measures", ["query_id", "doc_id", "relevance"]),
        ("pyterrier", ["qid", "docno", "label"]),
        ("qrelsmith", ["topic", "doc", "grade"]),
    ],
)
def test_qrels_survive_conversion_to_frames(library: str, names: Names, columns: list[str]) -> None:
    out = Qrels.to_pandas if library == "pandas" else Qrels.to_polars
    frame = out(QRELS, names=names)
    assert type(frame).__module__.startswith(library)
    assert list(frame.columns) == columns
    assert [list(frame[name]) for name in columns] == [
        ["001", "001", "01"],
        ["1e5", "NA", "NA"],
        [-1, 2, 0],
    ]
    assert str(frame[columns[2]].dtype).lower() == "int64"
    assert Qrels.from_frame(frame, name="x").to_dict() == GRADES
    assert Qrels.from_frame(frame, name="x").name == "x"


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize(
    ("names", "columns"),
    [
        ("ir_measures", ["query_id", "doc_id", "score"]),
        ("pyterrier", ["qid", "docno", "score", "rank"]),
        ("qrelsmith", ["topic", "doc", "score"]),
    ],
)
def test_runs_survive_conversion_to_frames(library: str, names: Names, columns: list[str]) -> None:
    out = Run.to_pandas if library == "pandas" else Run.to_polars
    frame = out(RUN, names=names)
    assert type(frame).__module__.startswith(library)
    assert [list(frame[name]) for name in columns] == [
        ["001", "001", "01"],
        ["1e5", "NA", "NA"],
        [2.5, 1.5, 1.0],
        [0, 1, 0],
    ][: len(columns)]
    run = Run.from_frame(frame, name="r")
    assert run.docs == RUN.docs
    assert run.name == "r"
    assert [list(scores) for scores in run.scores.values()] == [[2.5, 1.5], [1.0]]


def test_fractional_grades_are_kept() -> None:
    qrels = Qrels.from_dict({"t": {"a": 0.5, "b": 1}})
    assert list(qrels.to_pandas()["relevance"]) == [0.5, 1.0]
    assert Qrels.from_frame(qrels.to_polars()).to_dict() == qrels.to_dict()


def test_ir_measures_accepts_the_frames() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}})
    run = Run.from_dict({"1": {"a": 1.0, "b": 2.0}})
    values = ir_measures.calc_aggregate([ir_measures.RR], qrels.to_pandas(), run.to_pandas())
    assert values == {ir_measures.RR: 0.5}


def test_other_columns_are_ignored_and_mappings_accepted() -> None:
    frame = pandas.DataFrame(
        {"qid": ["1"], "docno": ["a"], "query": ["q"], "score": [1.0], "rank": [0]}
    )
    assert Run.from_frame(frame).docs == {"1": ("a",)}
    columns = {"topic": ["1"], "doc": ["a"], "grade": [1]}
    assert Qrels.from_frame(columns).to_dict() == {"1": {"a": 1}}
    same = polars.DataFrame({**columns, "title": ["a"]}).to_arrow()
    assert Qrels.from_frame(same).to_dict() == {"1": {"a": 1}}
    kept = Run.from_frame({"topic": ["1", "1"], "doc": ["b", "a"], "score": [1, 1]}, order="file")
    assert kept.docs == {"1": ("b", "a")}


def table(**changed: object) -> dict[str, Any]:
    return {"query_id": ["1", "1"], "doc_id": ["a", "b"], "relevance": [1, 0]} | changed


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (table(query_id=[1, 1]), "row 1 of the column query_id contains '1', of type int"),
        (pandas.DataFrame(table(doc_id=[1, 2])), "as text. Read the file with dtype=str"),
        (polars.DataFrame(table(doc_id=[1, 2])), "does not restore leading zeros"),
        (pandas.DataFrame(table(doc_id=["a", None])), "row 2 of the column doc_id contains"),
        (table(doc_id=["a", ""]), "row 2 of the column doc_id is empty; expected an id"),
        (
            table(relevance=[1, float("nan")]),
            "row 2 of the column relevance contains 'nan'; expected",
        ),
        (table(relevance=[1, float("inf")]), "contains 'inf'; expected a finite number"),
        (table(relevance=[1, True]), "contains 'True'; expected a finite number"),
        (table(relevance=[1, "2"]), "contains '2'; expected a finite number"),
        (table(doc_id=["a", "a"]), "topic '1' doc 'a' has two grades: 1 and 0"),
        ({"qid": [], "doc_id": []}, "no complete set of columns in 'qid doc_id'; expected query"),
        (table(topic=[], doc=[], grade=[]), "several complete sets of columns"),
        (pandas.DataFrame([["1", "1"]], columns=["qid", "qid"]), "two columns with the same name"),
        ([("1", "a", 1)], "list is not a data frame; expected a data frame or a mapping"),
    ],
)
def test_inputs_that_are_not_qrels_are_refused(frame: Any, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        Qrels.from_frame(frame)
    assert words in str(caught.value), str(caught.value)


def test_inputs_that_are_not_runs_are_refused() -> None:
    columns = {"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}
    with pytest.raises(UsageError, match="doc 'a' appears twice in topic '1'; expected it once"):
        Run.from_frame(columns)
    with pytest.raises(UsageError, match="contains 'None'; expected a finite number"):
        Run.from_frame({**columns, "score": [1.0, None]})
    with pytest.raises(UsageError, match="names='x'; expected one of 'ir_measures', 'pyt"):
        RUN.to_pandas(names="x")  # type: ignore[arg-type]


def test_empty_frames_are_empty_objects() -> None:
    qrels, run = Qrels.from_dict({}), Run.from_dict({})
    for frame in (qrels.to_pandas(), qrels.to_polars()):
        assert len(Qrels.from_frame(frame)) == len(frame) == 0
    for frame in (run.to_pandas(names="pyterrier"), run.to_polars()):
        assert Run.from_frame(frame).docs == {}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_library_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    out = Qrels.to_pandas if library == "pandas" else Qrels.to_polars
    with pytest.raises(MissingDependencyError, match=f"a {library} data frame needs the package"):
        out(QRELS)


def test_no_module_of_this_package_imports_a_data_frame_library() -> None:
    program = (
        "import sys, qrelsmith.collection.frames, qrelsmith.judgments.judgment_files,"
        " qrelsmith.collection.topics, qrelsmith.pairs.preferences, qrelsmith.campaign.campaign,"
        " qrelsmith.io.manifest\n"
        "print([n for n in ('pandas', 'polars', 'pyarrow', 'scipy') if n in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (float("nan"), ""),
        (pandas.NA, ""),
        (pandas.NaT, ""),
        ("001", "001"),
        (np.str_("x"), "x"),
        (2.0, "2"),
        (np.float32(0.5), "0.5"),
        (np.int64(7), "7"),
        (2**70, str(2**70)),
        (float("inf"), "inf"),
        (pandas.Timestamp("2024-05-01T12:00Z"), "2024-05-01T12:00:00+00:00"),
        (True, "True"),
    ],
)
def test_values_become_cells(value: object, text: str) -> None:
    assert frames.cell_text(value) == text


IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(
    st.dictionaries(
        st.tuples(IDS, IDS), st.floats(allow_nan=False, allow_infinity=False), max_size=20
    )
)
@examples(60)
def test_all_qrels_survive_conversion_to_frames(grades: dict[tuple[str, str], float]) -> None:
    qrels = Qrels.from_rows((t, d, g) for (t, d), g in grades.items())
    for frame in (qrels.to_pandas(), qrels.to_polars()):
        assert list(Qrels.from_frame(frame).rows()) == list(qrels.rows())
