from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.data.hit_files import HitRow, hit_rows_bytes, read_hit_rows, rows_by_hit
from qrelsmith.errors import InputError

ROWS = [
    HitRow("h1", 1, "1", 2, "a", "b", ""),
    HitRow("h1", 2, "2", 0, "good, doc", 'bad "doc"', "left"),
    HitRow("h0", 1, "1", 1, "c", "d", ""),
]
HEADER = "hit,position,topic,round,left,right,challenge\n"


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_the_record_reads_back_in_its_order(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"r.{form}"
    path.write_bytes(hit_rows_bytes(ROWS, form=form))
    assert read_hit_rows(path) == ROWS
    assert hit_rows_bytes(read_hit_rows(path), form=form) == path.read_bytes()


def test_rows_are_gathered_by_hit() -> None:
    assert {key: len(rows) for key, rows in rows_by_hit(ROWS).items()} == {"h1": 2, "h0": 1}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("h0,3,1,1,a,b,", "the position is 3; expected 2"),
        ("h1,3,1,1,a,b,", "the HIT 'h1' goes on after another one"),
        ("h2,1,1,1,a,a,", "compared with itself"),
        ("h2,1,1,1,a,b,up", "the challenge is 'up'"),
        ("h2,x,1,1,a,b,", "the position is 'x'"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(hit_rows_bytes(ROWS) + f"{row}\n".encode())
    with pytest.raises(InputError, match=rf"r\.csv:5: .*{problem}"):
        read_hit_rows(path)


def test_no_rows_are_a_header() -> None:
    assert hit_rows_bytes([]).decode() == HEADER
