"""Files that are valid but probably not as intended give warnings."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputWarning
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.collection.runs import read_run

RANKS = range(1, 7)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("t1 d1 0 1\nt2 d2 0 2\n", "all docs have the id 0; expected topic iter docno grade"),
        ("7 d1 2 0\n8 d2 2 0\n9 d3 2 0\n", "the second column has more names than the third"),
        ("#1 0 d1 1\n#2 0 d2 0\n", "all lines begin with #"),
        ("".join(f"t{n % 9} 0 d{n} 0\n" for n in range(60)), "all 60 judgments have the grade 0"),
    ],
)
def test_unusual_qrels_give_warnings(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "qrels"
    path.write_text(content)
    with pytest.warns(InputWarning, match=problem):
        read_qrels_file(path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1 Q0 d{0} {0} 0.{0} t\n", "the docs of rank 1 have the lowest scores"),
        ("1 Q0 d{0} 4.{0}5 {0} t\n", r"the rank 4.15 is not a whole number; are rank and score sw"),
        ("1 Q0 d{0} x {0} t\n", "the rank 'x' on line 1 is not a number; ranks are ignored"),
        ("1 Q0 d{0} {0} -{0}\n", "5 columns were read as topic Q0 docno rank score"),
        ("#1 Q0 d{0} {0} -{0} t\n", "all lines begin with #"),
        ("# a remark\n", "the file has no docs, so the run scores 0 on every topic"),
    ],
)
def test_unusual_runs_give_warnings(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "run"
    path.write_text("".join(map(line.format, RANKS)))
    with pytest.warns(InputWarning, match=problem):
        read_run(path)


@pytest.mark.parametrize(
    "content",
    [
        "".join(f"1 Q0 d{n} {n} -{n} t\n" for n in RANKS),
        "".join(f"1 Q0 d{n} 0 {n} t\n" for n in RANKS),
        "".join(f"1 Q0 d{n} {n}.0 {-n} t\n" for n in RANKS),
        "".join(f"1 Q0 d{n} - {-n} t\n" for n in RANKS),
    ],
)
def test_ordinary_files_give_no_warnings(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run"
    path.write_text(content)
    read_run(path)
    path.write_text("".join(f"t{n % 9} 0 d{n} 1\n" for n in range(60)) + "# 1 remark here\n")
    read_qrels_file(path)
