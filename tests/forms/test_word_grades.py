"""Grades as words or letters, and tables with one column per judge."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.formats.checking import check_files
from qrelsmith.forms.word_grades import _SCALES, word_grades
from qrelsmith.judgments.judgment_files import read_judgments


def file(folder: Path, text: str, name: str = "labels.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("words", "grades"),
    [
        ("Relevant, not_relevant", "not_relevant 0, Relevant 1"),
        ("relevant, partially relevant, irrelevant",
"irrelevant 0, partially relevant 1, relevant 2"),
        ("not relevant, relevant, highly-relevant",
"not relevant 0, relevant 1, highly-relevant 2"),
        ("partially relevant, highly relevant", "partially relevant 1, highly relevant 2"),
        ("marginally relevant, fairly relevant, highly relevant, not relevant",
         "not relevant 0, marginally relevant 1, fairly relevant 2, highly relevant 3"),
        ("YES, no", "no 0, YES 1"),
        ("exact, Substitute, complement, irrelevant",
"irrelevant 0, complement 1, Substitute 2, exact 3"),
        ("perfect", "perfect 4"),
        ("E, S", ""),
        ("yes, relevant", ""),
    ],
)  # fmt: skip
def test_words_are_levels_of_the_shortest_scale_that_contains_them(words: str, grades: str) -> None:
    found = word_grades(words.split(", "))
    assert ", ".join(f"{word} {grade}" for word, grade in found.items()) == grades


def test_no_words_have_two_meanings_on_the_shortest_scales() -> None:
    named = [
        {name: grade for grade, level in enumerate(scale) for name in level.split("|")}
        for scale in _SCALES
    ]
    words = sorted(set().union(*named))
    for count in (1, 2, 3):
        for chosen in combinations(words, count):
            fitting = [scale for scale in named if set(chosen) <= scale.keys()]
            lengths = [len(set(scale.values())) for scale in fitting]
            shortest = [scale for scale, length in zip(fitting, lengths, strict=True)
                        if length == min(lengths)]  # fmt: skip
            assert len({tuple(scale[word] for word in chosen) for scale in shortest}) <= 1, chosen


def test_letters_of_esci_are_grades_3_to_0(tmp_path: Path) -> None:
    path = file(tmp_path, "query_id,product_id,esci_label\n1,a,E\n1,b,S\n1,c,C\n1,d,I\n")
    with pytest.warns(InputWarning, match="words are read as grades: I = 0, C = 1, S = 2, E = 3"):
        assert read_qrels_file(path).grade.tolist() == [3, 2, 1, 0]
    letters = file(tmp_path, "query_id,product_id,label\n1,a,E\n1,b,S\n", "letters.csv")
    with pytest.raises(InputError, match=r"letters\.csv:2: the grades are 'E', 'S'; expected num"):
        read_qrels_file(letters)


def test_the_error_for_unknown_words_names_a_solution(tmp_path: Path) -> None:
    path = file(tmp_path, "topic,doc,grade\n1,a,on topic\n1,b,off topic\n")
    with pytest.raises(InputError, match="a number before each word, such as '1: word'"):
        read_qrels_file(path)
    path = file(tmp_path, "query_id,doc,grade\n1,a,1: on topic\n")
    with pytest.warns(InputWarning, match="grade from grade"):
        assert read_qrels_file(path).grade == [1]


def test_a_column_of_grades_per_judge_is_a_label_set(tmp_path: Path) -> None:
    table = "query_id,query,doc,text,human,llm\n1,x,a,foo,yes,no\n1,x,b,bar,no,\n"
    with pytest.warns(InputWarning) as caught:
        judgments = read_judgments(file(tmp_path, table))
    assert {who: judgments.to_qrels(assessor=who).to_dict() for who in judgments.assessors} == {
        "human": {"1": {"a": 1, "b": 0}}, "llm": {"1": {"a": 0}},
    }  # fmt: skip
    (said,) = (str(each.message) for each in caught)
    assert said.endswith(
        "read as wide: topic from query_id, doc from doc, grade from the cells, assessor from the"
        " columns human, llm; ignored: query, text; docs without a rating are ignored: 1;"
        " words are read as grades: no = 0, yes = 1"
    )


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("bm25,dense", "1.5,2"),
        ("clicks,views", "1,2"),
        ("length,alice", "1,1"),
        ("alice,words", "1,11"),
        ("example_id,alice,bob", "1,1,1"),
        ("alice,remark", "1,odd"),
    ],
)
def test_other_columns_are_not_taken_for_judges(tmp_path: Path, header: str, row: str) -> None:
    path = file(tmp_path, f"topic,doc,{header}\n1,a,{row}\n")
    (check,) = check_files(path).files
    assert not check.is_readable
    assert "or rows with topic,doc,assessor,grade" in check.problems[0]


def test_a_word_at_the_end_of_a_qrels_line_is_not_a_winner(tmp_path: Path) -> None:
    (check,) = check_files(file(tmp_path, "1 0 a relevant\n", "words.qrels")).files
    assert check.problems[0].endswith(
        "the last field is 'relevant'; expected a number as the grade, or the winner of '0' and 'a'"
    )
