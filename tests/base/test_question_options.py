"""Arguments of questions: a mistake is a one-line error, and one name is a list of one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas
import pytest

from qrelsmith import (
    Scale,
    UsageError,
    agree,
    cut,
    disagree,
    loto,
    pdp,
    plan_topics,
    pool,
    topk_simulate,
    transform,
)
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.command_words import command_words
from qrelsmith.base.question_options import checked_argument
from qrelsmith.cli import run

LABELS = {"ann": {"t1": {"d1": 1, "d2": 0}}, "ben": {"t1": {"d1": 0, "d2": 0}}}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, int),
        (np.int64(3), int),
        (3, float),
        (np.float64(0.5), float | None),
        (None, str | None),
        (np.True_, bool),
        (range(3), int | Sequence[int]),
        (np.arange(3), Sequence[int]),
        (np.eye(2), FloatArray | None),
        (pandas.Series(["a", "b"]), str | Sequence[str]),
        ((20.0, 40.0), tuple[float, float] | None),
        ("all", Literal["pair", "all"]),
        ("anything", Any),
    ],
)
def test_valid_arguments_are_unchanged(value: object, kind: Any) -> None:
    assert checked_argument("option", value, kind) is value


@pytest.mark.parametrize(
    ("value", "kind", "told"),
    [
        ("3", int, "option is '3'; expected a whole number"),
        (True, int, "option is True; expected a whole number"),
        (1.5, int | None, "option is 1.5; expected a whole number or None"),
        ("0..3", Scale | None, "expected a Scale (Scale.parse reads text) or None"),
        ("pairs", Literal["pair", "all"], "did you mean pair?"),
        (pandas.DataFrame({"a": ["b"]}), str | Sequence[str], "of type DataFrame"),
        (["a", 1], Sequence[str], "of type list; expected several of text"),
        ([[0.5]], FloatArray | None, "of type list; expected an array of numbers or None"),
        ((1.0,), tuple[float, float], "of type tuple"),
    ],
)
def test_invalid_arguments_are_reported_in_one_line(value: object, kind: Any, told: str) -> None:
    with pytest.raises(UsageError) as error:
        checked_argument("option", value, kind)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_a_matrix_is_an_array_or_a_file(tmp_path: Path) -> None:
    matrix = np.array([[0.5, 0.2], [0.8, 0.5]])
    np.savetxt(tmp_path / "m.csv", matrix, delimiter=",")
    of_array, of_file = (
        pdp(LABELS, grade_matrix=given, scale=Scale.parse("0..1")).table()
        for given in (matrix, tmp_path / "m.csv")
    )
    assert of_array == of_file


def test_one_name_becomes_a_list_and_an_iterator_is_stored() -> None:
    assert checked_argument("option", "crowd", Sequence[str]) == ("crowd",)
    assert checked_argument("option", (name for name in "ab"), Collection[str]) == ("a", "b")
    assert disagree(LABELS, gold="ann", bronze="ben").asked.options["bronze"] == ("ben",)


def test_labels_in_place_of_options_are_reported() -> None:
    with pytest.raises(UsageError, match="coefficients is of type dict"):
        agree(LABELS["ann"], LABELS["ben"])  # type: ignore[arg-type]


def test_a_command_names_values_that_it_cannot_contain() -> None:
    frame = pandas.DataFrame({"qid": ["t1"]})
    assert command_words("qrels", "--qrels", frame) == ["--qrels", "QRELS"]
    assert command_words("runs", "--runs", [frame, frame]) == ["--runs", "RUNS"]
    plan = plan_topics(variance=0.04, difference=0.1, topic_count=range(10, 40, 10))
    assert plan.asked.command().endswith("--topic-count 10 --topic-count 20 --topic-count 30")
    runs = {"a-1": {"t1": {"d1": 1.0}}}
    result = pool(runs, depth=1, topic_set=["t1"])
    assert result.asked.command("runs/") == "qrelsmith pool runs/ --depth 1 --topic-set TOPIC_SET"
    assert command_words("teams", "--teams", {"a-1": "a"}) == ["--teams", "TEAMS"]
    moved = transform({"t1": {"d1": 3}}, cuts=[0, 1], scale=Scale.parse("0..3"))
    assert moved.asked.command("x.qrels") == "qrelsmith transform x.qrels --cuts 0:1 --scale 0..3"


def test_messages_name_options_on_the_command_line_and_keywords_in_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.qrels").write_text("t1 0 d1 1\nt1 0 d2 0\n")
    with pytest.raises(UsageError, match=r"^a fitted reliability needs preferences$"):
        topk_simulate(tmp_path / "g.qrels", k=1, reliability="fitted", forced=True)
    words = ["topk", "simulate", str(tmp_path / "g.qrels"), "-k", "1", "--force"]
    assert run([*words, "--reliability", "fitted"]) == 2
    assert "needs --preferences" in capsys.readouterr().err
    loto_of = {"x-1": {"t1": {"d1": 1.0}}, "y-1": {"t1": {"d2": 1.0}}}
    notes = loto({"t1": {"d1": 1, "d2": 1}}, loto_of, "P@1", depth=1).notes
    assert any(
        note.startswith("without teams, teams are read from the names of the runs")
        for note in notes
    )


def test_transform_accepts_a_result_of_cut_and_errors_of_cut_name_the_target() -> None:
    grades = {"ann": {"t1": {"d1": 0, "d2": 3}}, "ben": {"t1": {"d1": 1, "d2": 3}}}
    cuts = cut(grades, levels=2, method="topicwide", scale=Scale.parse("0..3"))
    moved = transform(grades, cuts=cuts, scale=Scale.parse("0..3"))
    assert (
        moved.table() == transform(grades, cuts=cuts.cut_table, scale=Scale.parse("0..3")).table()
    )
    with pytest.raises(UsageError, match=r"^target: topic 't1' doc 'd1' has the grade 5"):
        cut(grades, levels=2, method="hit2", target={"t1": {"d1": 5}})
