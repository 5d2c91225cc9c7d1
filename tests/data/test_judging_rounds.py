from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.data.judging_rounds import round_text, write_new
from qrelsmith.errors import InputError, UsageError


def test_a_round_is_a_pool_file() -> None:
    text = round_text({"2": ["x"], "1": ["b", "a"]}, ordering="prioritised", depth=60, seed=3)
    assert text == "# pool format=1 ordering=prioritised depth=60 seed=3\n1 b 1\n1 a 2\n2 x 1\n"


@pytest.mark.parametrize(
    ("docs", "ordering", "message"),
    [
        ({"1": ["a b"]}, "docno", "the doc 'a b' cannot be written"),
        ({"": ["a"]}, "docno", "the topic '' cannot be written"),
        ({"1": ["a"]}, "two words", "the ordering 'two words' cannot be written"),
    ],
)
def test_what_would_not_be_read_as_it_is_is_refused(docs, ordering: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        round_text(docs, ordering=ordering, depth=1, seed=0, path="round.pool")
    assert message in str(caught.value)


def test_an_earlier_round_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "round.pool"
    write_new(path, "first\n")
    write_new(path, "first\n")
    with pytest.raises(UsageError, match="an earlier round is never overwritten"):
        write_new(path, "second\n")
    assert path.read_text() == "first\n"
