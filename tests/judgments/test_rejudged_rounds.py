from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.judgments.rejudged_rounds import (
    HIDDEN,
    SHOWN,
    RejudgedRound,
    read_rejudged_rounds,
    write_rejudged_rounds,
)

RULE = "gold < relevant and all >= relevant"


def folder_with(tmp_path: Path, *names: str) -> Path:
    (tmp_path / "rejudging").mkdir()
    for name in names:
        (tmp_path / "rejudging" / name).write_text("topic,doc,assessor,grade\n")
    return tmp_path


def test_without_a_table_rounds_have_only_their_files(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "round-2.csv", "round-10.csv", "notes.txt", "round-x.csv")
    found = read_rejudged_rounds(folder)
    assert [each.number for each in found] == [2, 10]
    assert found[0] == RejudgedRound(2, folder / "rejudging" / "round-2.csv")


def test_the_table_contains_the_reasons_and_survives_writing(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "round-2.csv")
    path = folder / "rejudging" / "rounds.csv"
    rounds = [
        RejudgedRound(3, None, "stale", 'topic "a", doc', "", HIDDEN, 0),
        RejudgedRound(2, None, "disagreement", RULE, "gold", SHOWN, 218),
    ]
    write_rejudged_rounds(rounds, path)
    content = path.read_bytes()
    second, third = read_rejudged_rounds(folder)
    assert second == RejudgedRound(
        2, folder / "rejudging" / "round-2.csv", "disagreement", RULE, "gold", SHOWN, 218
    )
    assert third == rounds[0]
    write_rejudged_rounds([second, third], path)
    assert path.read_bytes() == content


def test_without_a_file_of_rounds_no_round_is_read(tmp_path: Path) -> None:
    assert read_rejudged_rounds(tmp_path) == ()


def test_an_invalid_number_is_named_with_its_line(tmp_path: Path) -> None:
    path = folder_with(tmp_path) / "rejudging" / "rounds.csv"
    path.write_text("round,reason\n2,stale\ntwo,stale\n")
    with pytest.raises(InputError, match=r"rounds\.csv:3: .*'two'"):
        read_rejudged_rounds(tmp_path)
