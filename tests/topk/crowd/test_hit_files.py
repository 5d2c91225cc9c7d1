from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.pairs.hits import HitPair, PairHit
from qrelsmith.topk.crowd.hit_files import hits_bytes, read_hits

HITS = [
    PairHit("h1", (HitPair("1", "a", "b", 2), HitPair("2", "good, doc", 'bad "doc"', 0, "left"))),
    PairHit("h0", (HitPair("1", "c", "d", 1),)),
]
HEADER = "hit,position,topic,round,left,right,challenge\n"


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_the_record_is_read_back_in_order(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"r.{form}"
    path.write_bytes(hits_bytes(HITS, form=form))
    assert read_hits(path) == HITS
    assert hits_bytes(read_hits(path), form=form) == path.read_bytes()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("h0,3,1,1,a,b,", "the position is 3; expected 2"),
        ("h1,3,1,1,a,b,", "the HIT 'h1' continues after another HIT"),
        ("h2,1,1,1,a,a,", "compared with itself"),
        ("h2,1,1,1,a,b,up", "the challenge is 'up'"),
        ("h2,x,1,1,a,b,", "the position is 'x'"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, row: str, problem: str) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(hits_bytes(HITS) + f"{row}\n".encode())
    with pytest.raises(InputError, match=rf"r\.csv:5: .*{problem}"):
        read_hits(path)


def test_no_rows_are_written_as_a_header() -> None:
    assert hits_bytes([]).decode() == HEADER
