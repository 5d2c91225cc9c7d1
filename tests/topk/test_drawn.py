"""The scheduler `drawn`: the pairs of a list, given to assessors as listed."""

from __future__ import annotations

from pathlib import Path

import pytest

import qrelsmith as qs
from qrelsmith import InputError, UsageError
from qrelsmith.cli import run
from qrelsmith.pairs.drawn_pairs import read_drawn_pairs
from qrelsmith.topk import Answer, Drawn, Pair

PAIRS = {"t": [("b", "a"), ("a", "c")], "u": [("a", "b")]}


def test_all_pairs_of_the_topic_are_open_on_their_listed_sides() -> None:
    scheduler = Drawn(["c", "a", "b"], k=2, topic="t", pairs=PAIRS)
    assert scheduler.replay([]).open_pairs == (Pair("b", "a"), Pair("a", "c"))
    state = scheduler.replay([Answer("a", "b", -2, "ann"), Answer("b", "c", 1, "ann")])
    assert state.open_pairs == (Pair("a", "c"),)
    assert (state.comparisons, state.unused) == (1, 1)  # the pair of b and c is not in the list


def test_several_assessors_give_the_sign_of_their_median() -> None:
    scheduler = Drawn(["a", "b"], k=1, topic="u", pairs=PAIRS)
    said = [Answer("a", "b", 2, "ann"), Answer("b", "a", 1, "ben"), Answer("a", "b", 1, "eve")]
    assert [place.doc for place in scheduler.replay(said).result] == ["b"]


@pytest.mark.parametrize(
    "pairs", [{"t": [("a", "x")]}, {"t": [("a", "b"), ("b", "a")]}, {"t": [("a", "a")]}]
)
def test_an_unusable_list_is_refused(pairs: dict[str, list[tuple[str, str]]]) -> None:
    with pytest.raises(UsageError):
        Drawn(["a", "b"], k=1, topic="t", pairs=pairs)


def test_a_list_is_read_with_its_other_columns(tmp_path: Path) -> None:
    file = tmp_path / "tests.csv"
    file.write_text("topic,left,right\nt,b,a\nt,a,c\nu,a,b\n")
    assert read_drawn_pairs(file) == {name: tuple(pairs) for name, pairs in PAIRS.items()}
    file.write_text("topic,left,right\nt,b,a\nt,a,b\n")
    with pytest.raises(InputError, match=r"tests.csv:3: the doc 'a'"):
        read_drawn_pairs(file)
    file.write_text("topic,left\nt,b\n")
    with pytest.raises(InputError, match="right"):
        read_drawn_pairs(file)


def test_the_commands_accept_the_list_without_grades(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests, log = tmp_path / "tests.csv", tmp_path / "log.csv"
    tests.write_text("topic,left,right\nt,b,a\nt,a,c\n")
    drawn = ["--scheduler", "drawn", "--pair-list", str(tests), "--quiet"]
    assert run(["topk", "pairs", *drawn]) == 0
    assert capsys.readouterr().out == "topic,round,left,right\nt,1,b,a\nt,1,a,c\n"
    for _ in range(2):  # a new log, then an existing one
        assert run(["topk", "answer", str(log), "t", "a", "b", "a", *drawn]) == 0
        assert capsys.readouterr().out == "topic,round,left,right\nt,1,a,c\n"
    assert run(["topk", "pairs", str(log), *drawn]) == 0
    assert capsys.readouterr().out == "topic,round,left,right\nt,1,a,c\n"
    assert run(["topk", "pairs", "--quiet"]) == 2
    assert "Missing argument 'QRELS'" in capsys.readouterr().err


def test_the_commands_accept_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    qrels, tests, log = (tmp_path / name for name in ("q.qrels", "tests.csv", "log.csv"))
    qrels.write_text("t 0 a 1\nt 0 b 0\nt 0 c 2\n")
    tests.write_text("topic,left,right\nt,b,a\nt,a,c\n")
    drawn = ["--scheduler", "drawn", "--pair-list", str(tests), "--quiet"]
    assert run(["topk", "answer", str(qrels), str(log), "t", "a", "b", "a", *drawn]) == 0
    capsys.readouterr()
    assert run(["topk", "pairs", str(qrels), str(log), *drawn]) == 0
    assert capsys.readouterr().out == "topic,round,left,right\nt,1,a,c\n"
    assert run(["topk", "answer", str(qrels), str(log), "t", "b", "c", "c", *drawn]) == 2
    assert "fit no pair" in capsys.readouterr().err
    with pytest.raises(UsageError, match="needs a list of pairs, but found none"):
        qs.topk_pairs(qrels, scheduler="drawn")
