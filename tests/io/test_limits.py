"""Small files cannot become large, and no part of a compressed file is lost."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.cli import run
from qrelsmith.io.limits import VARIABLE, limit_factor
from qrelsmith.io.parquet import parquet_columns
from qrelsmith.io.text import read_bytes
from qrelsmith.io.toml_settings import read_toml

LINES = b"".join(b"1 0 doc%d %d\n" % (n * n, n % 3) for n in range(2000))
PACKERS = (gzip.compress, bz2.compress, lzma.compress)


@pytest.mark.parametrize("pack", PACKERS)
def test_all_streams_of_a_file_are_read(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "qrels"
    path.write_bytes(pack(LINES) + pack(b"") + pack(b"2 0 d 1\n"))
    assert read_bytes(path) == LINES + b"2 0 d 1\n"


def test_streams_of_xz_may_be_padded(tmp_path: Path) -> None:
    path = tmp_path / "qrels.xz"
    path.write_bytes(lzma.compress(LINES) + b"\0" * 8 + lzma.compress(b"x\n") + b"\0" * 4)
    assert read_bytes(path) == LINES + b"x\n"


@pytest.mark.parametrize("pack", PACKERS)
def test_a_damaged_later_stream_is_an_error(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "qrels"
    second = pack(LINES)
    for place in (0, len(second) // 2, len(second) - 3):
        damaged = second[:place] + bytes([second[place] ^ 0x55]) + second[place + 1 :]
        path.write_bytes(pack(b"1 0 a 1\n") + damaged)
        with pytest.raises(InputError, match="cannot be read or decompressed"):
            read_bytes(path)
    path.write_bytes(pack(b"1 0 a 1\n") + second[:-20])
    with pytest.raises(InputError, match="cannot be read or decompressed"):
        read_bytes(path)


def test_a_file_that_becomes_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.gz"
    path.write_bytes(gzip.compress(b"\n" * 3_000_000))
    with pytest.raises(InputError, match="lines, too many for its size"):
        read_bytes(path)
    monkeypatch.setenv(VARIABLE, "10")
    assert len(read_bytes(path)) == 3_000_000
    monkeypatch.setenv(VARIABLE, "1")
    assert run(["--limits", "10", "transform", str(path), "--reduce", ">=1"]) in (0, 2)
    assert "too many" not in capsys.readouterr().err
    bomb = tmp_path / "bytes.xz"
    bomb.write_bytes(lzma.compress(b"x" * 70_000_000, preset=0))
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(InputError, match="bytes, too many"):
        read_bytes(bomb)


@pytest.mark.parametrize("text", ["0", "x", "nan", "inf", "0.5"])
def test_limits_are_numbers_of_at_least_one(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(UsageError, match="expected a number, 1 or more"):
        limit_factor()


def test_a_parquet_file_of_equal_cells_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    column = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0] * 3_000_000, pyarrow.int8()), pyarrow.array(["d"])
    )
    parquet.write_table(pyarrow.table({"topic": column}), path)
    with pytest.raises(InputError, match="3000000 cells, too many"):
        parquet_columns(path)


def test_a_long_text_in_many_rows_is_stored_once(tmp_path: Path) -> None:
    # As separate texts, these would need 20 GB.
    path = tmp_path / "notes.parquet"
    notes = pyarrow.DictionaryArray.from_arrays(
        pyarrow.array([0, None] * 100_000, pyarrow.int8()), pyarrow.array(["x" * 100_000])
    )
    parquet.write_table(pyarrow.table({"note": notes}), path, store_schema=False)
    cells = parquet_columns(path)["note"]
    assert len(cells) == 200_000
    assert cells[0] is cells[2]
    assert cells[1] == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (".".join(["a"] * 1002) + " = 1\n", "campaign.toml:1: the file has more than 1000 dots"),
        ("".join(f"[groups.g{n}]\n" for n in range(40_000)), "too many for its size"),
    ],
)
def test_settings_that_would_take_minutes_to_parse_are_refused(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        read_toml(path)


@pytest.mark.parametrize(("text", "damaged"), [(b"doc-7", b"d\xffc-7"), (b"doc_id", b"d\xffc_id")])
def test_parquet_with_invalid_text_or_names_is_an_error(
    tmp_path: Path, text: bytes, damaged: bytes
) -> None:
    path = tmp_path / "x.parquet"
    column = pyarrow.table({"doc_id": [f"doc-{n}" for n in range(40)]})
    parquet.write_table(column, path, compression="none", write_statistics=False)
    path.write_bytes(path.read_bytes().replace(text, damaged))
    with pytest.raises(InputError, match="unreadable Parquet"):
        parquet_columns(path)
