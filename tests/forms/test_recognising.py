"""Label files of other programs are read unchanged, with a warning about their interpretation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from qrelsmith.agreement.agree import agree
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments

ROWS = [("q1", "d1", "1", "ann"), ("q1", "d2", "0", "ann"), ("q1", "d1", "2", "bob")]
NAMES = [
    ("query_id", "doc_id", "relevance", "annotator"),
    ("qid", "docno", "rating", "judge"),
    ("query-id", "corpus-id", "score", "Worker"),
]


def _lines(names: tuple[str, ...], delimiter: str) -> str:
    return "".join(f"{delimiter.join(row)}\n" for row in (names, *ROWS))


def _objects(names: tuple[str, ...]) -> str:
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in ROWS)


WRITERS: list[Callable[[tuple[str, ...]], str]] = [
    lambda names: _lines(names, ","), lambda names: _lines(names, "\t"),
    lambda names: _lines(names, ";"), _objects,
]  # fmt: skip


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("write", WRITERS, ids=["csv", "tsv", "semicolons", "jsonl"])
def test_labels_of_people_with_other_column_names_are_read(
    names: tuple[str, ...], write: Callable[[tuple[str, ...]], str], tmp_path: Path
) -> None:
    path = tmp_path / "labels"
    path.write_text(write(names))
    told = f"topic from {names[0]}, doc from {names[1]}, grade from {names[2]}, assessor from"
    with pytest.warns(InputWarning, match=told):
        judgments = read_judgments(path)
    for who in ("ann", "bob"):
        expected = {doc: float(grade) for _, doc, grade, whose in ROWS if whose == who}
        assert judgments.to_qrels(assessor=who).to_dict() == {"q1": expected}
    with pytest.warns(InputWarning, match=told):
        assert agree(path).table


def test_one_grade_per_pair_is_also_read_as_qrels(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("query_id,query,doc_id,relevance,annotator,colour\nq1,tea,d1,2,ann,red\n")
    with pytest.warns(InputWarning, match="ignored: annotator, query, colour"):
        assert read_qrels(path).to_dict() == {"q1": {"d1": 2.0}}


@pytest.mark.parametrize("indent", [None, 1])
def test_grades_in_one_json_object_are_read(indent: int | None, tmp_path: Path) -> None:
    grades = {"q1": {"d1": 1, "d2": 0.5}, "q2": {"d1": 3}}
    path = tmp_path / "grades"
    path.write_text(json.dumps(grades, indent=indent))
    with pytest.warns(InputWarning, match="topic from the keys"):
        assert read_qrels(path).to_dict() == grades


def test_other_programs_files_are_read_like_a_simple_reader_reads_them(shared: Path) -> None:
    path = shared / "data/other-programs/ranx-qrels.json"
    with pytest.warns(InputWarning, match="topic from the keys"):
        assert read_qrels(path).to_dict() == json.loads(path.read_text())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("qid,docno,rating,score\nq,d,1,2\n", "columns rating and score can both be the grade"),
        ("qid,docno,rating\nq,d,1\nq,e\n", ":3: found 2 cells; expected 3"),
        ("qid,docno,rating\nq,d,much\n", ":2: the grade is 'much'"),
        ("qid,docno,rating\n q,d,1\n", ":2: the topic is ' q'"),
        ("qid,docno,rating,rating\nq,d,1,2\n", "the column 'rating' appears twice"),
        ('{"q": {"d": "much"}}', "topic 'q' doc 'd' has 'much'"),
        ('{"q": {"d": [1]}}', "topic 'q' doc 'd' has \"['1']\""),
        ('{"q": {"d": 1}, "q": {"d": 2}}', "the key 'q' appears twice"),
        ('{\n"q": {"d": 1},\n', ":3: invalid JSON"),
    ],
)
@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_a_malformed_file_is_a_one_line_error(content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(content)
    with pytest.raises(InputError) as fault:
        read_qrels(path)
    assert words in str(fault.value)
    assert "\n" not in str(fault.value)
