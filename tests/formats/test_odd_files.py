"""Unusual files: `check` reports the problem of each, and the command that it prints works."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import shlex
from pathlib import Path

import pytest

from qrelsmith.cli import run

# The content of each file, and the reported problem.
ODD: dict[str, tuple[str | bytes, str]] = {
    "swapped.qrels": ("q1 0 1 d1\nq1 0 0 d2\n", "(are columns swapped?)"),
    "two-grades.csv": (
        "qid,docid,rating,user\nq1,d1,2,ann\nq1,d1,1,ann\n",
        "two-grades.csv:3: topic 'q1' doc 'd1' assessor 'ann' has the grade 1, but the grade 2",
    ),
    "words.csv": (
        "query,doc,label,annotator\nq1,d1,interesting,ann\n",
        "words.csv:2: the grade is 'interesting'; expected numbers, or words of one known scale",
    ),
    "no-header.csv": ("q1,d1,2\nq1,d2,0\n", "have no header; expected spaces, or a header such as"),
    "swapped.run": (
        "".join(f"q1 Q0 d{n} 0.{n} {n} me\n" for n in range(1, 8)), "are rank and score swapped?"
    ),
    "distances.run": (
        "".join(f"q1 Q0 d{n} {n} 0.{n} me\n" for n in range(1, 8)), "are the scores distances?"
    ),
    "twice.run": ("q1 Q0 d1 1 2 me\nq1 Q0 d1 2 1 me\n", "twice.run:2: doc 'd1' appears twice"),
    "half.jsonl": (
        '{"qid": "q1", "docid": "d1", "score": 1}\n{"qid": "q1", "docid"', "as if it were cut off"
    ),
    "latin.tsv": ("topic\ttitle\nq1\tcaf\xe9\n".encode("latin-1"), "the line is not UTF-8"),
    "cut.qrels.gz": (gzip.compress(b"q1 0 d1 1\n" * 999)[:40], "compressed stream is truncated"),
    "one-grade.qrels": ("".join(f"q1 0 d{n} 0\n" for n in range(60)), "all 60 judgments have the"),
    "other-columns.csv": ("case,item,stars\nq1,d1,2\n", "--columns topic=NAME,doc=NAME,grade=NAME"),
    "short-row.csv": ("qid,docid,rating\nq1,d1,2\nq1,d2\n", "3: found 2 cells; expected 3"),
}  # fmt: skip


def checked(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    run(["check", *words])
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.parametrize("name", ODD)
def test_check_reports_the_problem(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, expected = ODD[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (row,) = checked(capsys, str(path))
    assert expected in row["problem"]


def test_two_commands_compute_the_agreement_of_people_in_csv_and_a_model_in_jsonl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    draw = random.Random(3)
    true = {(f"q{n % 9}", f"d{n}"): draw.choice([0, 1, 2]) for n in range(90)}
    people = [
        f"{topic},{doc},{min(2, max(0, grade + draw.choice([0, 0, 1, -1])))},{who}"
        for (topic, doc), grade in true.items()
        for who in ("ann", "bob")
    ]
    Path("people.csv").write_text("\n".join(["query_id,doc_id,relevance,annotator", *people]))
    model = [
        json.dumps({"qid": topic, "docid": doc, "score": grade, "model": "judge-1"})
        for (topic, doc), grade in true.items()
    ]
    Path("model.jsonl").write_text("\n".join(model))
    rows = checked(capsys, "people.csv", "model.jsonl")
    (command,) = {row["command"] for row in rows}
    assert command == "qrelsmith agree people.csv model.jsonl"
    assert run([*shlex.split(command)[1:], "--by", "group-pair"]) == 0
    answer = capsys.readouterr().out.splitlines()
    assert answer[2].startswith("model ~ people,alpha-ordinal,0.")
