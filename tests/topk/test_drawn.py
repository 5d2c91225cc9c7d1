"""The scheduler `drawn`: pairs of a list, served to assessors as they stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith import InputError, UsageError
from qrelsmith.pairs.drawn_pairs import read_drawn_pairs
from qrelsmith.topk import Answer, Drawn, Pair

PAIRS = {"t": [("b", "a"), ("a", "c")], "u": [("a", "b")]}


def test_all_pairs_of_the_topic_are_open_on_their_sides() -> None:
    scheduler = Drawn(["c", "a", "b"], k=2, topic="t", pairs=PAIRS)
    assert scheduler.replay([]).open_pairs == (Pair("b", "a"), Pair("a", "c"))
    state = scheduler.replay([Answer("a", "b", -2, "ann"), Answer("b", "c", 1, "ann")])
    assert state.open_pairs == (Pair("a", "c"),)
    assert (state.comparisons, state.unused) == (1, 1)  # nobody asked about b and c


def test_several_assessors_give_the_sign_of_their_median() -> None:
    scheduler = Drawn(["a", "b"], k=1, topic="u", pairs=PAIRS)
    said = [Answer("a", "b", 2, "ann"), Answer("b", "a", 1, "ben"), Answer("a", "b", 1, "eve")]
    assert [place.doc for place in scheduler.replay(said).result] == ["b"]


@pytest.mark.parametrize(
    "pairs", [{"t": [("a", "x")]}, {"t": [("a", "b"), ("b", "a")]}, {"t": [("a", "a")]}]
)
def test_a_list_that_cannot_be_asked_is_refused(pairs: dict[str, list[tuple[str, str]]]) -> None:
    with pytest.raises(UsageError):
        Drawn(["a", "b"], k=1, topic="t", pairs=pairs)


def test_a_list_is_read_with_what_else_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "tests.csv"
    file.write_text("topic,left,right\nt,b,a\nt,a,c\nu,a,b\n")
    assert read_drawn_pairs(file) == {name: tuple(pairs) for name, pairs in PAIRS.items()}
    file.write_text("topic,left,right\nt,b,a\nt,a,b\n")
    with pytest.raises(InputError, match=r"tests.csv:3: the doc 'a'"):
        read_drawn_pairs(file)
    file.write_text("topic,left\nt,b\n")
    with pytest.raises(InputError, match="right"):
        read_drawn_pairs(file)
