"""Pairs and docs with known answers are read strictly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.topk.crowd.known_answers import (
    KnownDoc,
    KnownPair,
    read_known_docs,
    read_known_pairs,
)


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "known.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_pairs_keep_the_order_of_the_file(written: Callable[[str], Path]) -> None:
    path = written(
        'topic,left,right,answer,feedback\nq2,b,a,tie,\nq1,a,b,left,"Since a, not b, helps."\n'
    )
    assert read_known_pairs(path) == (
        KnownPair("q2", "b", "a", "tie"),
        KnownPair("q1", "a", "b", "left", "Since a, not b, helps."),
    )


def test_feedback_may_be_missing(written: Callable[[str], Path]) -> None:
    assert read_known_pairs(written("topic,left,right,answer\nq,a,b,right\n"))[0].feedback == ""
    assert read_known_docs(written("topic,doc,lowest,highest\nq,a,0,1.5\n")) == (
        KnownDoc("q", "a", 0.0, 1.5),
    )


def test_an_empty_table_contains_no_answers(written: Callable[[str], Path]) -> None:
    assert read_known_pairs(written("topic,left,right,answer\n")) == ()
    assert read_known_docs(written("topic,doc,lowest,highest\n")) == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q,a,b,better", "the answer is 'better'; expected one of left, right, tie"),
        ("q,a,a,left", "the doc 'a' is compared with itself"),
        ("q,b,a,left", "q a b is also on line 2"),
    ],
)
def test_a_malformed_pair_is_reported_with_its_line(
    written: Callable[[str], Path], line: str, problem: str
) -> None:
    path = written(f"topic,left,right,answer\nq,a,b,left\n{line}\n")
    with pytest.raises(InputError, match=rf"known\.csv:3: {problem}"):
        read_known_pairs(path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("q,b,2,1", "lowest is 2, highest 1; expected a range of grades"),
        ("q,b,-1,1", "lowest is -1, highest 1; expected a range"),
        ("q,b,x,1", "the lowest is 'x'; expected a finite decimal number"),
        ("q,a,1,2", "q a is also on line 2"),
    ],
)
def test_a_malformed_doc_is_reported_with_its_line(
    written: Callable[[str], Path], line: str, problem: str
) -> None:
    path = written(f"topic,doc,lowest,highest\nq,a,0,0\n{line}\n")
    with pytest.raises(InputError, match=rf"known\.csv:3: {problem}"):
        read_known_docs(path)
