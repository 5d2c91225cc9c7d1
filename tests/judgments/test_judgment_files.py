"""Judgments: columns, revisions, ratings, and every error with its line."""

from __future__ import annotations

import gzip
import os
import tempfile
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.faults import assert_refused, file_writer

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, qrels_text
from qrelsmith.io.table_writing import FORMS
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import (
    Judgments,
    judgment_cells,
    judgments_text,
    read_judgments,
    write_judgments,
)

# Two topics, three assessors in two groups; ann changed her label of d1, and bob could not see d2.
FULL = """\
topic,doc,assessor,grade,group,hit,position,ordering,shown_at,judged_at,active_ms,idle_ms,\
revision,label,note,scale
t1,d1,ann,1,Gold,h1,1,prioritised,2024-05-01T12:00:00Z,2024-05-01T12:00:09.500Z,9000,500,0,low,,0..3
t1,d1,ann,3,Gold,,,,,2024-05-01T12:05:00Z,,,1,high,"on ""second"" thoughts
better",0..3
t1,d1,bob,2,Bronze,,,,,,,,,,,
t1,d2,ann,0,Gold,,2,,,,,,,,,
t1,d2,bob,-2,Bronze,,,,,,,,,,,
t2,d1,cid,0.5,,,,,,,,,,,,
"""
HEADER = "topic,doc,assessor,grade"


file = file_writer("judgments.csv")


def full(folder: Path) -> Judgments:
    return read_judgments(file(folder, FULL))


def rows(judgments: Judgments) -> list[tuple[str, ...]]:
    cells = judgment_cells(judgments)
    return list(zip(*(cells[name] for name in HEADER.split(",")), strict=True))


def refused(*paths: Path, line: int | None, words: str, at: Path | None = None, **kw: Any) -> None:
    assert_refused(lambda: read_judgments(*paths, **kw), at or paths[0], line, words)


def test_every_column_has_its_type(tmp_path: Path) -> None:
    judgments = full(tmp_path)
    assert judgments.topics == ("t1", "t2")
    assert judgments.docs == ("d1", "d2")
    assert judgments.assessors == ("ann", "bob", "cid")
    assert judgments.topic.tolist() == [0, 0, 0, 0, 0, 1]
    assert judgments.doc.tolist() == [0, 0, 0, 1, 1, 0]
    assert judgments.assessor.tolist() == [0, 0, 1, 0, 1, 2]
    assert judgments.grade.tolist() == [1, 3, 2, 0, -2, 0.5]
    assert judgments.group == ("Gold", "Gold", "Bronze", "Gold", "Bronze", "")
    assert judgments.hit == ("h1", "", "", "", "", "")
    assert judgments.ordering == ("prioritised", "", "", "", "", "")
    assert judgments.label == ("low", "high", "", "", "", "")
    assert judgments.note == ("", 'on "second" thoughts\nbetter', "", "", "", "")
    assert judgments.scale == ("0..3", "0..3", "", "", "", "")
    nan = np.nan
    np.testing.assert_array_equal(judgments.position, [1, nan, nan, 2, nan, nan])
    np.testing.assert_array_equal(judgments.active_ms, [9000, nan, nan, nan, nan, nan])
    np.testing.assert_array_equal(judgments.idle_ms, [500, nan, nan, nan, nan, nan])
    np.testing.assert_array_equal(judgments.revision, [0, 1, nan, nan, nan, nan])
    assert judgments.shown_at is not None
    assert judgments.shown_at[0] == np.datetime64("2024-05-01T12:00:00", "us")
    assert judgments.judged_at is not None
    assert judgments.judged_at[0] == np.datetime64("2024-05-01T12:00:09.500", "us")
    assert np.isnat(judgments.judged_at).tolist() == [False, False, True, True, True, True]
    assert len(judgments) == 6


@pytest.mark.parametrize("form", FORMS)
def test_write_read_write_gives_the_same_bytes(tmp_path: Path, form: str) -> None:
    judgments = full(tmp_path)
    assert judgments_text(judgments) == FULL
    path, again = tmp_path / f"a.{form}", tmp_path / f"b.{form}"
    write_judgments(judgments, path)
    write_judgments(read_judgments(path), again)
    assert again.read_bytes() == path.read_bytes()
    assert judgments_text(read_judgments(path)) == FULL


def test_rows_are_sorted_and_empty_columns_are_omitted(tmp_path: Path) -> None:
    shuffled = "grade,note,assessor,doc,topic\n2.0,,b,d1,t2\n1,,a,d2,t10\n0.50,,a,d1,t2\n"
    text = judgments_text(read_judgments(file(tmp_path, shuffled)))
    assert text == "topic,doc,assessor,grade\nt10,d2,a,1\nt2,d1,a,0.5\nt2,d1,b,2\n"


def test_the_latest_revision_is_current(tmp_path: Path) -> None:
    current = full(tmp_path).current()
    assert rows(current) == [
        ("t1", "d1", "ann", "3"),
        ("t1", "d1", "bob", "2"),
        ("t1", "d2", "ann", "0"),
        ("t1", "d2", "bob", "-2"),
        ("t2", "d1", "cid", "0.5"),
    ]
    assert current.label == ("high", "", "", "", "")


def test_ratings_are_dense_with_nan_for_missing_grades(tmp_path: Path) -> None:
    ratings = full(tmp_path).ratings()
    assert ratings.assessors == ("ann", "bob", "cid")
    assert ratings.units == (("t1", "d1"), ("t1", "d2"), ("t2", "d1"))
    nan = np.nan
    np.testing.assert_array_equal(ratings.values, [[3, 0, nan], [2, nan, nan], [nan, nan, 0.5]])
    values, _, _ = full(tmp_path).ratings(errors="nonrelevant")
    np.testing.assert_array_equal(values, [[3, 0, nan], [2, 0, nan], [nan, nan, 0.5]])


def test_only_error_codes_can_count_as_nonrelevant() -> None:
    judgments = Judgments.from_columns(
        {"topic": ["t"] * 2, "doc": ["d", "e"], "assessor": ["a"] * 2, "grade": [-1, -2]}
    )
    np.testing.assert_array_equal(judgments.ratings(errors="nonrelevant").values, [[np.nan, 0]])
    with pytest.raises(UsageError, match="errors='no'; expected 'missing' or 'nonrelevant'"):
        judgments.ratings(errors="no")  # type: ignore[arg-type]


def test_judgments_by_group_keep_only_their_own_assessors(tmp_path: Path) -> None:
    groups = full(tmp_path).by_group()
    assert list(groups) == ["", "Bronze", "Gold"]
    assert groups["Bronze"].assessors == ("bob",)
    assert groups["Bronze"].docs == ("d1", "d2")
    assert groups["Gold"].assessors == ("ann",)
    assert groups[""].topics == ("t2",)
    assert groups[""].group is not None
    assert sum(map(len, groups.values())) == 6


def test_judgments_without_groups_are_one_group(tmp_path: Path) -> None:
    judgments = read_judgments(file(tmp_path, HEADER + "\nt,d,a,1\n"))
    assert list(judgments.by_group()) == [""]


def test_judgments_can_be_restricted_to_a_selection(tmp_path: Path) -> None:
    judgments = full(tmp_path)
    assert rows(judgments.restricted_to(topics=["t2", "t9"])) == [("t2", "d1", "cid", "0.5")]
    assert len(judgments.restricted_to(assessors=["ann"])) == 3
    assert len(judgments.restricted_to(topics=["t2"], assessors=["ann"])) == 0


def test_judgments_of_one_assessor_become_qrels(tmp_path: Path) -> None:
    judgments = full(tmp_path)
    qrels = judgments.to_qrels(assessor="ann")
    assert qrels.name == "ann"
    assert qrels.to_dict() == {"t1": {"d1": 3, "d2": 0}}
    assert judgments.to_qrels(assessor="bob", name="Bob").to_dict() == {"t1": {"d1": 2, "d2": -2}}
    assert judgments.by_group()["Gold"].to_qrels().to_dict() == qrels.to_dict()
    with pytest.raises(UsageError, match="the assessor 'dan' has no judgments"):
        judgments.to_qrels(assessor="dan")
    with pytest.raises(UsageError, match="topic 't1' doc 'd1' has judgments of several assessors"):
        judgments.to_qrels()


def test_several_qrels_files_become_the_judgments_of_their_assessors(tmp_path: Path) -> None:
    ann = file(tmp_path, "t1 0 d1 3\nt1 0 d2 0\n", "ann.qrels")
    bob = file(tmp_path, gzip.compress(b"t1\td1\tL2\n"), "bob.v2.qrels.gz")
    judgments = read_judgments(bob, ann)
    assert judgments.assessors == ("ann", "bob.v2")
    assert rows(judgments) == [
        ("t1", "d1", "ann", "3"),
        ("t1", "d1", "bob.v2", "2"),
        ("t1", "d2", "ann", "0"),
    ]
    assert qrels_text(judgments.to_qrels(assessor="ann")) == qrels_text(read_qrels(ann))
    assert rows(read_judgments(ann)) == [("t1", "d1", "ann", "3"), ("t1", "d2", "ann", "0")]


def test_judgments_files_and_qrels_are_joined_as_groups(tmp_path: Path) -> None:
    people = file(tmp_path, "qid,docid,rating,user\nt1,d1,2,ann\nt1,d1,1,bob\n", "people.csv")
    model = file(tmp_path, '{"qid": "t1", "docid": "d1", "score": 3, "model": "m"}\n', "m.jsonl")
    qrels = file(tmp_path, "t1 0 d2 0\n", "cem.qrels")
    with pytest.warns(InputWarning, match="read as"):
        judgments = read_judgments(people, model, qrels)
    with pytest.warns(InputWarning, match="read as"):
        again = read_judgments(people, file(tmp_path, "t1 0 d2 0\n", "ann.qrels"))
    assert rows(judgments) == [
        ("t1", "d1", "ann", "2"),
        ("t1", "d1", "bob", "1"),
        ("t1", "d1", "m", "3"),
        ("t1", "d2", "cem", "0"),
    ]
    assert judgments.group == ("people", "people", "m", "cem")
    assert again.assessors == ("ann", "bob")
    assert again.group is None  # ann is in both


def test_incompatible_files_are_refused(tmp_path: Path) -> None:
    qrels = file(tmp_path, "t1 0 d1 3\n", "ann.qrels")
    path = file(tmp_path, "topic,doc,assessor,grade\nt1,d1,ann,2\n", "judgments.csv")
    expected = "the assessor 'ann' also labels topic 't1' doc 'd1' in"
    refused(qrels, path, line=None, words=expected, at=path)
    (tmp_path / "b").mkdir()
    same = file(tmp_path / "b", "t1 0 d1 3\n", "ann.txt")
    refused(
        qrels, same, line=None, words=f"the assessor 'ann' already has the file {qrels}", at=same
    )
    refused(qrels, tmp_path / "none", line=None, words="no such file", at=tmp_path / "none")
    empty = file(tmp_path, "", "cid.qrels")
    refused(qrels, empty, line=None, words="the file is empty; expected the columns", at=empty)
    with pytest.raises(UsageError, match="no file given; expected a judgments"):
        read_judgments()
    assert len(full(tmp_path)) == 6


def test_no_judgments_give_an_empty_object(tmp_path: Path) -> None:
    for path in (file(tmp_path, HEADER), file(tmp_path, "", "judgments.jsonl")):
        judgments = read_judgments(path)
        assert len(judgments) == len(judgments.current()) == 0
        assert judgments.topics == ()
        assert judgments.ratings().values.shape == (0, 0)
        assert judgments.by_group() == {}
        assert len(judgments.to_qrels()) == 0
        assert judgments_text(judgments) == HEADER + "\n"
        assert judgments_text(judgments, form="jsonl") == ""


def test_a_repeated_judgment_counts_once_with_a_warning(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER + ",revision\nt,d,a,1,\nt,d,a,1,0\nt,d,a,1.0,\nt,d,a,1,2\n")
    with pytest.warns(InputWarning) as told:
        judgments = read_judgments(path)
    assert str(told[0].message) == (
        f"{path}: 2 rows repeat a judgment with the same grade and are ignored"
    )
    assert len(judgments) == 2


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (
            "t,d,a,1\nt,e,a,1\nt,d,a,2\n",
            4,
            "has the grade 2, but the grade 1 on line 2; expected one grade",
        ),
        ("t,d,a,one\n", 2, "the grade is 'one'; expected a finite decimal number"),
        ("t,d,a,nan\n", 2, "the grade is 'nan'"),
        ("t,d,a,1\nt,d,b,inf\n", 3, "the grade is 'inf'"),
        ("t,d,a,1e999\n", 2, "the grade is '1e999'"),
        ("t,d,a," + "9" * 400 + "\n", 2, "the grade is '9999"),
        ("t,d,a,1_000\n", 2, "the grade is '1_000'"),
        ("t,d,a, 1\n", 2, "the grade is ' 1'"),
        ("t,d,a,٣\n", 2, "the grade is '٣'"),
        ("t,d,a,\n", 2, "the grade is empty"),
        ("t,d,,1\n", 2, "the assessor is empty"),
        ("t,d,a\n", 2, "3 cells; expected 4"),
    ],
)
def test_an_error_names_file_line_and_the_expected_value(
    tmp_path: Path, content: str, line: int, words: str
) -> None:
    refused(file(tmp_path, f"{HEADER}\n{content}"), line=line, words=words)


@pytest.mark.parametrize(
    ("column", "cell", "words"),
    [
        ("position", "-1", "the position is '-1'; expected a whole number, 0 or more"),
        ("position", "1.5", "the position is '1.5'"),
        ("active_ms", "9" * 30, "expected a whole number, 0 or more"),
        ("idle_ms", "nan", "the idle_ms is 'nan'"),
        ("revision", "two", "the revision is 'two'"),
        ("shown_at", "2024-05-01T12:00", "the shown_at is '2024-05-01T12:00'; expected a time"),
        ("judged_at", "1714564800", "or milliseconds since 1970"),
        ("group", "Go\tld", "the group 'Go\\tld' contains a control character"),
    ],
)
def test_optional_columns_are_checked(tmp_path: Path, column: str, cell: str, words: str) -> None:
    path = file(tmp_path, f"{HEADER},{column}\nt,d,a,1,\nt,e,a,1,{cell}\n")
    refused(path, line=3, words=words)


def test_whole_numbers_may_have_a_decimal_point_as_pandas_writes_them(tmp_path: Path) -> None:
    judgments = read_judgments(file(tmp_path, f"{HEADER},position\nt,d,a,1,12.0\nt,e,a,1,\n"))
    np.testing.assert_array_equal(judgments.position, [12, np.nan])
    assert judgments_text(judgments).splitlines()[1] == "t,d,a,1,12"


def test_the_first_line_of_several_errors_is_named(tmp_path: Path) -> None:
    content = f"{HEADER},position\nt,d,a,1,x\nt,e,a,x,1\nt,f\n"
    refused(file(tmp_path, content), line=2, words="the position is 'x'")
    refused(file(tmp_path, "topic,doc,grade\nt,d,x\n"), line=2, words="the grade is 'x'")


def test_revisions_with_different_grades_need_different_numbers(tmp_path: Path) -> None:
    content = f"{HEADER},revision\nt,d,a,1,3\nt,d,a,2,3\n"
    refused(file(tmp_path, content), line=3, words="or different numbers in a column `revision`")
    # A missing revision counts as 0.
    content = f"{HEADER},revision\nt,d,a,1,\nt,d,a,2,0\n"
    refused(file(tmp_path, content), line=3, words="has the grade 2, but the grade 1 on line 2")


def test_grades_outside_the_scale_are_an_error_or_missing(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER + ",position\nt,d,a,1,1\nt,e,a,10,2\nt,f,a,-2,3\nt,g,a,5,4\n")
    words = "the grade is 10; expected a level of the scale 0..3"
    refused(path, line=3, words=words, scale=Scale.parse("0..3"))
    with pytest.warns(InputWarning) as told:
        judgments = read_judgments(path, scale=Scale.parse("0..3"), off_scale="missing")
    assert str(told[0].message) == f"{path}:3: {words}; 2 such grades are treated as missing"
    assert judgments_text(judgments) == f"{HEADER},position\nt,d,a,1,1\nt,f,a,-2,3\n"


def test_hostile_bytes_are_refused(tmp_path: Path) -> None:
    head = HEADER.encode()
    refused(file(tmp_path, head + b"\nt,d,a,1\nt,\xff,a,1\n"), line=3, words="is not UTF-8")
    refused(
        file(tmp_path, head + b"\nt,d\x00,a,1\n"), line=2, words="the line contains a NUL character"
    )
    refused(file(tmp_path, head + b'\nt,"d,a,1\n'), line=2, words="the record cannot be read")
    refused(file(tmp_path, head + b",grade\n"), line=1, words="the column 'grade' appears twice")
    refused(file(tmp_path, b"t 0 d 1\nt 0 e x\n", "q"), line=2, words="the grade is 'x'")
    packed = gzip.compress(FULL.encode() * 99)
    for length in (12, 200):
        cut = file(tmp_path, packed[:length])
        refused(cut, line=None, words="cannot be read or decompressed")
    refused(tmp_path, line=None, words="this is a folder; expected a file")
    long = b"\nt,d,a," + b"1" * 10_000_000 + b"\n"
    refused(file(tmp_path, head + long), line=2, words="the grade has 10000000 characters")
    deep = b'{"topic": ' + b"[" * 1_000_000
    refused(file(tmp_path, deep), line=1, words="invalid JSON: nested too deeply")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_once_and_completely(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(FULL,), kwargs={"encoding": "utf-8"})
    writer.start()
    judgments = read_judgments(pipe)
    writer.join()
    assert judgments_text(judgments) == FULL


def columns(**others: list[object]) -> dict[str, list[object]]:
    ids: dict[str, list[object]] = {"topic": ["001", "002"], "doc": ["NA", "1e5"]}
    return {**ids, "assessor": ["a", "a"], "grade": [1, 0.5], **others}


def test_columns_of_python_values_become_judgments() -> None:
    moment = datetime(2024, 5, 1, 12, tzinfo=UTC)
    judgments = Judgments.from_columns(
        columns(judged_at=[moment, None], position=[np.int64(3), float("nan")], note=["x", ""])
    )
    assert judgments_text(judgments) == (
        f"{HEADER},position,judged_at,note\n001,NA,a,1,3,2024-05-01T12:00:00Z,x\n002,1e5,a,0.5,,,\n"
    )


@pytest.mark.parametrize(
    ("given_columns", "words"),
    [
        (columns(doc=[1, 2]), "row 1 of the column doc contains '1', of type int"),
        (columns(doc=["d", ""]), "row 2 of the column doc is empty"),
        (columns(worker=[1, 2]), "the column 'worker' is unknown; expected the columns topic"),
        (
            columns(note=["x"]),
            "the columns of the judgments differ in length; expected the same length",
        ),
        ({"topic": ["t"], "doc": ["d"], "grade": [1]}, "the column 'assessor' is missing"),
        (columns(grade=[1, True]), "judgments:2: the grade is 'True'"),
        (columns(grade=[1, None]), "judgments:2: the grade is empty"),
        (columns(grade=[float("inf"), 1]), "judgments:1: the grade is 'inf'"),
        (columns(judged_at=[datetime(2024, 5, 1), None]), "judgments:1: the judged_at is"),  # noqa: DTZ001
        (columns(doc=["d\n", "e"]), "judgments:1: the doc 'd\\n' contains a control character"),
    ],
)
def test_columns_are_checked_like_files(
    given_columns: Mapping[str, list[object]], words: str
) -> None:
    with pytest.raises((InputError, UsageError)) as caught:
        Judgments.from_columns(given_columns)
    assert words in str(caught.value)


def test_judgments_survive_conversion_to_data_frames(tmp_path: Path) -> None:
    judgments = full(tmp_path)
    frame = judgments.to_pandas()
    assert list(frame.columns[:5]) == ["query_id", "doc_id", "assessor", "relevance", "group"]
    assert isinstance(frame, pandas.DataFrame)
    other = judgments.to_polars(names="qrelsmith")
    assert isinstance(other, polars.DataFrame)
    assert other.columns[:4] == ["topic", "doc", "assessor", "grade"]
    assert str(other["judged_at"].dtype) == "Datetime(time_unit='us', time_zone='UTC')"
    for handed_out in (
        frame,
        judgments.to_pandas(names="qrelsmith"),
        other,
        judgments.to_polars(),
        other.to_arrow(),
    ):
        assert judgments_text(Judgments.from_frame(handed_out)) == FULL
    with pytest.raises(UsageError, match="names='x'; expected 'ir_measures' or 'qrelsmith'"):
        judgments.to_pandas(names="x")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="two columns"):
        Judgments.from_frame({"topic": [], "query_id": []})


def test_parquet_as_data_frame_libraries_write_it_is_read(tmp_path: Path) -> None:
    judgments = full(tmp_path)
    judgments.to_pandas(names="qrelsmith").to_parquet(tmp_path / "pandas")
    judgments.to_polars(names="qrelsmith").write_parquet(tmp_path / "polars")
    for name in ("pandas", "polars"):
        assert judgments_text(read_judgments(tmp_path / name)) == FULL
    frame = judgments.to_pandas(names="qrelsmith")
    frame["judged_at"] = frame["judged_at"].dt.tz_localize(None)
    frame.to_parquet(tmp_path / "naive")
    refused(tmp_path / "naive", line=1, words="the judged_at is '2024-05-01T12:00:09.500000'")
    frame["judged_at"] = pandas.to_datetime(["2024-05-01T12:00:00.000000001Z"] * 6)
    frame.to_parquet(tmp_path / "fine")
    refused(
        tmp_path / "fine",
        line=None,
        words="judged_at has times more precise than a microsecond; expected whole microseconds",
    )


def test_qrels_objects_become_judgments() -> None:
    qrels = Qrels.from_dict({"t": {"d": 1}})
    judgments = Judgments.from_qrels({"b": qrels, "a": qrels})
    assert rows(judgments) == [("t", "d", "a", "1"), ("t", "d", "b", "1")]
    assert len(Judgments.from_qrels({})) == 0


def test_the_llm_labels_of_dl_2023_are_read_with_their_known_errors(shared: Path) -> None:
    folder = shared / "data" / "llmjudge-dl23"
    files = sorted((folder / "llm").glob("*.qrels"))
    judgments = read_judgments(*files)
    assert len(files) == len(judgments.assessors) == 33
    ratings = judgments.ratings()
    assert ratings.values.shape == (33, 4423)
    assert not np.isnan(ratings.values).any()
    assert sorted(judgments.grade[judgments.grade > 3].tolist()) == [5, 5, 10]
    with pytest.warns(InputWarning, match="such grades are treated as missing"):
        clean = read_judgments(*files, scale=Scale.parse("0..3"), off_scale="missing")
    assert len(clean) == len(judgments) - 3
    with pytest.raises(InputError, match=r"RMITIR-llama70B\.qrels:[0-9]+: the grade is 5"):
        read_judgments(*files, scale=Scale.parse("0..3"))


IDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1)
GRADES = st.floats(allow_nan=False, allow_infinity=False)
MOMENTS = st.one_of(st.none(), st.datetimes(timezones=st.just(UTC)))
ROWS = st.lists(
    st.tuples(
        IDS,
        IDS,
        IDS,
        GRADES,
        st.one_of(st.none(), st.integers(0, 2**53)),
        MOMENTS,
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    ),
    unique_by=lambda row: row[:3],
)


@given(ROWS, st.sampled_from(FORMS))
@examples(100)
def test_all_judgments_survive_writing(rows: list[Any], form: str) -> None:
    names = ("topic", "doc", "assessor", "grade", "position", "judged_at", "note")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}
    judgments = Judgments.from_columns({name: columns.get(name, ()) for name in names})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"judgments.{form}"
        write_judgments(judgments, path)
        first = path.read_bytes()
        again = read_judgments(path)
        np.testing.assert_array_equal(again.grade, judgments.grade)
        assert (again.topics, again.docs, again.assessors) == (
            judgments.topics,
            judgments.docs,
            judgments.assessors,
        )
        write_judgments(again, path)
        assert path.read_bytes() == first
