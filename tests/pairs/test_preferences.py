"""Preferences: all file formats, and every error with its line."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from tests.examples import examples
from tests.faults import assert_refused, file_writer

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.io.table_writing import FORMS
from qrelsmith.pairs.preference_files import preferences_bytes, read_preferences, write_preferences
from qrelsmith.pairs.preferences import Preferences

HEADER = "topic,left,right,outcome,assessor\n"
ROWS = [("t1", "a", "b", -2, "ann"), ("t1", "a", "b", 1, "bob"), ("t2", "c", "a", 0, "ann")]


file = file_writer("preferences")


def outcomes(folder: Path, content: str, **options: Any) -> list[int | None]:
    return [row.outcome for row in read_preferences(file(folder, content), **options).rows()]


def rows_of(preferences: Preferences) -> list[tuple[Any, ...]]:
    """Return the current answers, without the columns that only logs have."""
    return [row[:5] for row in preferences.current().rows()]


def text_of(preferences: Preferences) -> str:
    return preferences_bytes(preferences).decode()


def refused(path: Path, line: int | None, words: str, **options: Any) -> None:
    assert_refused(lambda: read_preferences(path, **options), path, line, words)


def test_a_table_becomes_coded_columns(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER + "t2,c,a,0,ann\nt1,a,b,1,bob\nt1,a,b,-2,ann\n")
    preferences = read_preferences(path).current()
    assert rows_of(preferences) == ROWS
    assert preferences.topics == ("t1", "t2")
    assert preferences.docs == ("a", "b", "c")
    assert preferences.assessors == ("ann", "bob")
    assert preferences.topic.tolist() == [0, 0, 1]
    assert preferences.left.tolist() == [0, 0, 2]
    assert preferences.right.tolist() == [1, 1, 0]
    assert preferences.outcome.tolist() == [-2, 1, 0]
    assert preferences.assessor.tolist() == [0, 1, 0]
    assert len(preferences) == 3


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["-2", "-1", "0", "1", "2.0"], [-2, -1, 0, 1, 2]),
        (["left", "tie", "right", "left", "tie"], [-1, 0, 1, -1, 0]),
        (["a1", "tie", "b3", "b4", "a5"], [-1, 0, 1, 1, -1]),
        (["tie", "tie", "tie", "tie", "tie"], [0, 0, 0, 0, 0]),
    ],
    ids=["numbers", "sides", "winner", "ties"],
)
def test_outcomes_can_be_numbers_sides_or_winners(
    tmp_path: Path, cells: list[str], expected: list[int]
) -> None:
    rows = "".join(f"t,a{n},b{n},{cell}\n" for n, cell in enumerate(cells, start=1))
    assert outcomes(tmp_path, "topic,left,right,outcome\n" + rows) == expected


def test_the_sign_of_the_numbers_can_be_reversed(tmp_path: Path) -> None:
    rows = HEADER + "t,a,b,2,x\nt,c,d,-1,x\n"
    assert outcomes(tmp_path, rows, sign="positive-left") == [-2, 1]
    assert outcomes(tmp_path, HEADER + "t,a,b,left,x\n", sign="positive-left") == [-1]
    with pytest.raises(UsageError, match="the sign is 'up'; expected 'negative-left' or 'pos"):
        outcomes(tmp_path, rows, sign="up")


def test_the_sign_option_applies_only_to_numbers_in_tables(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "t a b a\n", sign="positive-left") == [-1]
    assert outcomes(tmp_path, "@ t a b !\n", sign="positive-left") == [-1]


def test_docs_with_the_names_of_outcomes_need_an_unambiguous_word(tmp_path: Path) -> None:
    numbered = HEADER + "t,1,2,1,x\n"
    words = "the outcome '1' is ambiguous: it can be numbers or winner"
    refused(file(tmp_path, numbered), 2, words)
    assert outcomes(tmp_path, numbered, way="numbers") == [1]
    assert outcomes(tmp_path, numbered, way="winner") == [-1]
    # One outcome that fits only one way decides for the file.
    assert outcomes(tmp_path, numbered + "u,1,2,0,x\n") == [1, 0]
    refused(file(tmp_path, HEADER + "t,right,left,left,x\n"), 2, "sides or winner")
    assert outcomes(tmp_path, HEADER + "t,right,left,left,x\n", way="sides") == [-1]
    # A doc with the name tie takes precedence over the word.
    assert outcomes(tmp_path, HEADER + "t,tie,b,tie,x\n", way="winner") == [-1]
    assert outcomes(tmp_path, "t tie b tie\n") == [-1]
    with pytest.raises(
        UsageError, match="unknown notation 'x'; expected one of numbers, sides, winner"
    ):
        outcomes(tmp_path, numbered, way="x")


def test_lines_of_text_name_the_winner(tmp_path: Path) -> None:
    path = file(tmp_path, "\ufeff# a comment\r\n31_1 a\tb  b\r\n\r\n31_1 c d tie\r\n31_2 a b a")
    assert rows_of(read_preferences(path, assessor="crowd")) == [
        ("31_1", "a", "b", 1, "crowd"),
        ("31_1", "c", "d", 0, "crowd"),
        ("31_2", "a", "b", -1, "crowd"),
    ]
    path = file(tmp_path, "t winner loser\nt left right\n")
    assert rows_of(read_preferences(path)) == [
        ("t", "left", "right", -1, ""),
        ("t", "winner", "loser", -1, ""),
    ]


def test_pairs_without_an_answer_are_counted(tmp_path: Path) -> None:
    path = file(tmp_path, "@ t a b !\n@ t c d =\n@ t e f ?\n")
    with pytest.warns(InputWarning) as told:
        rows = rows_of(read_preferences(path))
    assert rows == [("t", "a", "b", -1, ""), ("t", "c", "d", 0, "")]
    message = f"{path}: 1 pairs have no answer (?) and were ignored"
    assert str(told[0].message) == message


def test_repetitions_are_all_kept(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "t a b a\nt a b b\nt a b a\n") == [-1, 1, -1]


def test_the_columns_of_a_log_are_read(tmp_path: Path) -> None:
    log = (
        "topic,left,right,outcome,assessor,round,revision,judged_at\n"
        "t1,a,b,-2,ann,2,1,2024-05-01T12:00:00Z\nt1,b,a,undo,ann,2,,\n"
    )
    first, second = read_preferences(file(tmp_path, log)).rows()
    assert first == ("t1", "a", "b", -2, "ann", 2, 1, np.datetime64("2024-05-01T12:00:00", "us"))
    assert second == ("t1", "b", "a", None, "ann", 2, 0, None)
    refused(file(tmp_path, log.replace(",2,1,", ",x,1,")), 2, "the round is 'x'; expected a whole")
    refused(file(tmp_path, log.replace("12:00", "25:00")), 2, "the judged_at is '2024")


# The remaining answers after an undo and a later answer: the first one has no effect.
@pytest.mark.parametrize(
    ("log", "left"),
    [
        ([(-1, "w", 1), (1, "w", 1)], [1]),
        ([(-1, "w", 1), (1, "w", 2)], [-1, 1]),
        ([(-1, "w", 1), (1, "v", 1)], [-1, 1]),
        ([(-1, "w", 0), (1, "w", 0)], [1]),
        ([(-1, "", 1), (1, "", 1)], [1]),
        ([(-1, "", 0), (1, "", 0)], [-1, 1]),  # it is unknown whether one replaces the other
        ([(-1, "w", 1), (None, "w", 1)], []),
        ([(-1, "w", 1), (1, "w", 1), (None, "w", 1)], []),
        ([(-1, "w", 1), (None, "w", 1), (0, "w", 1)], [0]),
        ([(-1, "w", 1), (1, "w", 2), (None, "w", 2)], [-1]),
        ([(-1, "w", 1), (1, "w", 2), (None, "w", 0)], [-1]),  # no round: the last answer
        ([(-1, "w", 1), (None, "v", 1)], [-1]),
        ([(-1, "", 0), (1, "", 0), (None, "", 0)], [-1]),
        ([(None, "w", 1)], []),
    ],
)
def test_later_answers_and_undos_determine_the_current_answers(
    log: list[tuple[int | None, str, int]], left: list[int]
) -> None:
    turned = {None: None, -1: 1, 0: 0, 1: -1}
    # The side of a doc does not matter.
    sides = [("t", "a", "b", outcome, who, number) for outcome, who, number in log[:1]]
    sides += [("t", "b", "a", turned[outcome], who, number) for outcome, who, number in log[1:]]
    stand = Preferences.from_rows(sides).current()
    signs = [row.outcome if row.left == "a" else turned[row.outcome] for row in stand.rows()]
    assert sorted(signs) == sorted(left)  # type: ignore[type-var]
    assert not stand.is_undo.any()
    assert len(stand.current()) == len(stand)


def test_the_highest_revision_is_current_wherever_it_is() -> None:
    newest = ("t", "a", "b", 1, "w", 1, 3)
    rows = [newest, ("t", "a", "b", -1, "w", 1, 2), ("u", "a", "b", 0, "w", 1, 1)]
    assert [row.outcome for row in Preferences.from_rows(rows).current().rows()] == [1, 0]
    # An answer without a revision follows those before it.
    added = Preferences.from_rows([*rows, ("t", "a", "b", 2, "w", 1)])
    assert [row.outcome for row in added.current().rows()] == [2, 0]


def test_topics_and_docs_of_withdrawn_answers_are_absent() -> None:
    log = Preferences.from_rows([("u", "c", "d", 1, "w", 1), ("u", "c", "d", None, "w", 1), *ROWS])
    assert (log.topics, log.current().topics) == (("t1", "t2", "u"), ("t1", "t2"))
    assert log.current().docs == ("a", "b", "c")
    assert log.note == (
        "preferences ignored because a later answer replaces them or an undo withdraws them:"
        " 1 (undos: 1)"
    )
    assert log.current().note == ""


def test_an_assessor_in_the_file_overrides_the_option(tmp_path: Path) -> None:
    path = file(tmp_path, HEADER + "t,a,b,0,ann\nt,a,c,0,\n")
    assert [row.assessor for row in read_preferences(path, assessor="x").rows()] == ["ann", "x"]


@pytest.mark.parametrize("form", FORMS)
def test_write_read_write_gives_the_same_bytes(tmp_path: Path, form: str) -> None:
    preferences = Preferences.from_rows(reversed(ROWS))
    path, again = tmp_path / f"a.{form}", tmp_path / f"b.{form}"
    write_preferences(preferences, path)
    write_preferences(read_preferences(path), again)
    assert path.read_bytes() == again.read_bytes()
    assert rows_of(read_preferences(path)) == ROWS
    assert text_of(preferences) == (HEADER + "t1,a,b,-2,ann\nt1,a,b,1,bob\nt2,c,a,0,ann\n")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "the file is empty; expected the columns topic, left, right, outcome and, if"),
        (HEADER + "t,a,a,0,x\n", 2, "the doc 'a' is compared with itself; expected two docs"),
        (HEADER + "t,a,b,3,x\n", 2, "the outcome is '3'; expected -2, -1, 0, 1 or 2, or left,"),
        (HEADER + "t,a,b,1,x\nt,a,b,left,x\n", 3, "with one notation in the whole file"),
        (HEADER + "t,a,b,0.5,x\n", 2, "the outcome is '0.5'"),
        (HEADER + "t,a,b,nan,x\n", 2, "the outcome is 'nan'"),
        (HEADER + "t,a,b,,x\n", 2, "the outcome is empty"),
        (HEADER + "t,,b,0,x\n", 2, "the left is empty"),
        (HEADER + "t,a,b,c,x\n", 2, "the winner's id ('a' or 'b') or tie"),
        (HEADER + "t,a,b,0\n", 2, "4 cells; expected 5"),
        ("topic,left,right\nt,a,b\n", 1, "Use --columns outcome=NAME"),
        ("topic,left,right,outcome,left\n", 1, "the column 'left' appears twice"),
        ("t a b c\n", 1, "the outcome is 'c'; expected the winner's id ('a' or 'b') or tie"),
        ("t a b a\nt a a a\n", 2, "the doc 'a' is compared with itself"),
        ("t a a\n", 1, "the doc 'a' is compared with itself"),
        ("t a b a\nt a b\n", 2, "3 fields in 't a b'; expected topic a b winner, or topic winner"),
        ("t a\n", 1, "2 fields in 't a'"),
        ("t a b ! !\n", 1, "5 fields in 't a b ! !'"),
        ("@ t a b x\n", 1, "the outcome is 'x'; expected !, = or ?"),
        ("t a b a\nt a b\x00 a\n", 2, "the line contains a NUL character"),
        ("t a b\x0bb a\n", 1, "the control character"),
        (b"t a \xff a\n", 1, "the line is not UTF-8"),
        (HEADER + 't,"a,b,0,x\n', 2, "the record cannot be read"),
        ('{"topic": "t", "left": "a", "right": "b"}', 1, "Use --columns outcome=NAME"),
        ('{"topic": "t", "left": {"a": 1}}', 1, "known as the right or the outcome"),
        ("x" * 10_000_000, 1, "1 fields in 'xxx"),
        (gzip.compress(b"t a b a\n" * 9999, mtime=0)[:40], None, "cannot be read or decompressed"),
    ],
)
def test_an_error_names_file_line_and_the_expected_value(
    tmp_path: Path, content: str | bytes, line: int | None, words: str
) -> None:
    refused(file(tmp_path, content), line, words)


def test_the_first_line_of_several_errors_is_named(tmp_path: Path) -> None:
    refused(file(tmp_path, HEADER + "t,a,b,9,x\nt,a,a,0,x\n"), 2, "the outcome is '9'")
    refused(file(tmp_path, "t a b c\nt a\n"), 1, "the outcome is 'c'")


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    refused(tmp_path, None, "this is a folder; expected a file")


def test_a_file_without_preferences_is_refused(tmp_path: Path) -> None:
    for path in (file(tmp_path, HEADER), file(tmp_path, "", "p.jsonl")):
        preferences = read_preferences(path)
        assert len(preferences) == 0
        assert text_of(preferences) == HEADER


def test_parquet_is_read_with_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "p"
    columns: dict[str, list[Any]] = {"topic": ["t"], "left": ["a"], "right": ["b"]}
    parquet.write_table(pyarrow.table({**columns, "outcome": [2]}), path)
    assert rows_of(read_preferences(path)) == [("t", "a", "b", 2, "")]
    parquet.write_table(pyarrow.table({**columns, "outcome": [2.5]}), path)
    refused(path, 1, "the outcome is '2.5'")
    parquet.write_table(pyarrow.table({**columns, "left": [1], "outcome": [2]}), path)
    refused(path, None, "the column left has the type int64; expected text")


def test_invalid_rows_are_refused() -> None:
    for row, words in (
        (("t", "a", "a", 0, ""), "expected two different docs and an outcome from -2 to 2"),
        (("t", "a", "b", 3, ""), "expected two different docs"),
        (("", "a", "b", 0, ""), "contains an empty id or a control character; expected neither"),
        (
            ("t", "a", "b", 0, "x\n"),
            "contains an empty id or a control character; expected neither",
        ),
    ):
        with pytest.raises(UsageError, match=words):
            Preferences.from_rows([row])
    assert len(Preferences.from_rows([])) == 0


def test_preferences_can_be_restricted() -> None:
    preferences = Preferences.from_rows(ROWS)
    assert rows_of(preferences.restricted_to(["t2", "t3"])) == ROWS[2:]


def test_preferences_survive_conversion_to_data_frames() -> None:
    preferences = Preferences.from_rows(ROWS)
    for frame in (preferences.to_pandas(), preferences.to_polars()):
        assert list(frame.columns) == ["topic", "left", "right", "outcome", "assessor"]
        assert rows_of(Preferences.from_frame(frame)) == ROWS
    columns = {"topic": [1], "left": ["a"], "right": ["b"], "outcome": ["a"]}
    with pytest.raises(UsageError, match="row 1 of the column topic contains '1', of type int"):
        Preferences.from_frame(columns)
    columns["topic"] = ["t"]
    assert rows_of(Preferences.from_frame(columns)) == [("t", "a", "b", -1, "")]
    with pytest.raises(UsageError, match="the columns are topic, left; expected the columns topic"):
        Preferences.from_frame({"topic": [], "left": []})
    with pytest.raises(InputError, match="preferences:1: the outcome is 'c'"):
        Preferences.from_frame({**columns, "outcome": ["c"]})


@pytest.mark.parametrize(
    ("name", "count", "topics"),
    [
        ("trec-cast-2019/crowd.pref", 14_573, 171),
        ("trec-cast-2019/local.pref", 3_743, 171),
        ("trec-dl-2021-passage/prefs/human.crowd.prefs", 11_681, 50),
        ("trec-dl-2021-passage/prefs/gpt-4o.round00.prefs.gz", 22_731, 53),
        ("trec-dl-2021-passage/prefs/gpt-4o.round05.prefs", 241, 14),
    ],
)
def test_published_preferences_are_read_completely(
    shared: Path, tmp_path: Path, name: str, count: int, topics: int
) -> None:
    preferences = read_preferences(shared / "data" / name)
    assert len(preferences) == count
    assert len(preferences.topics) == topics
    assert set(preferences.outcome.tolist()) <= {-1, 1}
    path = tmp_path / "p.csv"
    write_preferences(preferences, path)
    assert text_of(read_preferences(path)) == path.read_text(encoding="utf-8")


def test_published_preferences_with_ties_and_unanswered_pairs_are_read(shared: Path) -> None:
    path = shared / "data/trec-dl-2021-passage/prefs/gpt-4o.on-human-pairs.txt.gz"
    with pytest.warns(InputWarning, match="2265 pairs have no answer"):
        outcome = read_preferences(path).outcome.tolist()
    assert (outcome.count(-1), outcome.count(0), len(outcome)) == (6993, 2423, 9416)


IDS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=5)


@given(
    st.lists(
        st.tuples(IDS, IDS, IDS, st.integers(-2, 2), st.just("") | IDS).filter(
            lambda row: row[1] != row[2]
        )
    ),
    st.sampled_from(FORMS),
)
@examples(100)
def test_all_preferences_survive_writing(
    rows: list[tuple[str, str, str, int, str]], form: str
) -> None:
    preferences = Preferences.from_rows(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"preferences.{form}"
        write_preferences(preferences, path)
        first = path.read_bytes()
        again = read_preferences(path, way="numbers")
        assert rows_of(again) == rows_of(preferences)
        write_preferences(again, path)
        assert path.read_bytes() == first


SEVERAL = [("t", "a", "b", -1, ""), ("t", "c", "a", 0, "")]


@pytest.mark.parametrize(
    "source",
    [
        {"topic": ["t", "t"], "left": ["a", "c"], "right": ["b", "a"], "outcome": ["left", "tie"]},
        {"qid": ["t", "t"], "a": ["a", "c"], "b": ["b", "a"], "winner": ["a", "tie"]},
        {"t": [("a", "b"), ("c", "a", "tie")]},
        {"t": [("a", "b", -1), ("c", "a", 0)]},
        [("t", "a", "b", -1), ("t", "c", "a", 0)],
        Preferences.from_rows(SEVERAL),
    ],
)
def test_objects_are_read_like_files(source: Any) -> None:
    assert rows_of(read_preferences(source)) == SEVERAL


def test_the_error_for_other_objects_names_their_type() -> None:
    for source, words in (
        (7, "expected preferences: a path, Preferences, a data frame, {topic: answers} or rows"),
        ([("t", "a", "b")], "has 3 cells; expected topic, left, right, outcome"),
        ({"t": [("a", "b", "c")]}, "the winner is 'c'; expected one of the two docs, or 'tie'"),
        ({"t": [("a",)]}, "has 1 parts"),
    ):
        with pytest.raises(UsageError, match=words):
            read_preferences(source)
