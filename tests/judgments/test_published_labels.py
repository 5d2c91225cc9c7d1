from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.judgments.published_labels import read_published

HEADER = (
    "topic_id,unit_id,document_id,gold,doc_pos,worker_id,relevance_score,"
    "normalized_relevance_score,cumulative_time,comment,trec,sormunen,relevance_scale\n"
)
ROWS = """\
402,u1,FT911-1,False,0,w1,30,0.30,12.5,"about, ""so"", or",1,2,S100
402,u1,FT911-2,True,1,w1,0,0.00,20.1,,0,,S100
402,u2,FT911-1,False,0,w2,80,0.80,9.0,,1,2,S100
403,u3,FT911-1,False,0,w2,1,1,9.0,,0,N,S2
"""
TRUTH = """\
unit_id,position,statement_id,name,source,label,time_elapsed_s,politifact_label,abc_label
unit_1,0,11,doc1,ABC,33,360.62,,Negative
unit_1,1,12,doc2,Politifact,80,368.81,half-true,
unit_1,2,LOW,,gold_question,7,133.84,,
unit_2,0,12,doc2,Politifact,61,1,half-true,
unit_2,1,12,doc2,Politifact,99,1,half-true,
"""


@pytest.fixture
def written(tmp_path: Path):
    def write(text: str) -> Path:
        (tmp_path / "published.csv").write_text(text)
        return tmp_path / "published.csv"

    return write


def test_relevance_labels_become_judgments_for_each_scale(written) -> None:
    found = read_published(written(HEADER + ROWS))
    assert list(found.judgments) == ["S100", "S2"]
    labels = found.judgments["S100"]
    assert labels.assessors == ("w1", "w2")
    assert labels.grade.tolist() == [30, 80, 0]
    assert labels.hit == ("u1", "u2", "u1")
    assert labels.position.tolist() == [0, 0, 1]
    assert labels.note == ('about, "so", or', "", "")
    assert found.judgments["S2"].topics == ("403",)
    assert found.gold == 1


def test_labels_of_experts_become_qrels(written) -> None:
    found = read_published(written(HEADER + ROWS))
    assert found.experts["trec"].to_dict() == {
        "402": {"FT911-1": 1.0, "FT911-2": 0.0},
        "403": {"FT911-1": 0.0},
    }
    # An empty cell is not judged; N, M, R, H are 0 to 3.
    assert found.experts["sormunen"].to_dict() == {"402": {"FT911-1": 2.0}, "403": {"FT911-1": 0.0}}


def test_gold_rows_can_be_excluded_and_normalised_scores_chosen(written) -> None:
    found = read_published(written(HEADER + ROWS), score="normalized", gold_labels="drop")
    assert found.judgments["S100"].grade.tolist() == [0.3, 0.8]
    # The experts' labels of a gold doc are kept.
    assert len(found.experts["trec"]) == 3


def test_truthfulness_labels_become_judgments(written) -> None:
    with pytest.warns(InputWarning, match="1 rows repeat a doc that the assessor had labelled"):
        found = read_published(written(TRUTH))
    labels = found.judgments[""]
    assert labels.topics == ("ABC", "Politifact")
    assert labels.grade.tolist() == [33, 80, 61]
    assert labels.hit == ("unit_1", "unit_1", "unit_2")
    assert found.experts["abc"].to_dict() == {"ABC": {"doc1": 0.0}}
    assert found.experts["politifact"].to_dict() == {"Politifact": {"doc2": 3.0}}
    assert found.gold == 1


@pytest.mark.parametrize(("scale", "alpha"), [("S3", 0.1132), ("S6", 0.1104), ("S100", 0.1173)])
def test_alpha_of_the_truthfulness_labels_has_the_known_value(
    shared: Path, scale: str, alpha: float
) -> None:
    # Computed independently from the formula (ordinal, all items together).
    path = shared / "data" / "truthfulness-multiscale" / f"{scale}.csv"
    if scale == "S3":
        with pytest.warns(InputWarning, match="9 rows"):
            found = read_published(path)
    else:
        found = read_published(path)
    ratings = found.judgments[""].ratings().values
    assert krippendorff_alpha(ratings).value == pytest.approx(alpha, abs=5e-5)
    assert {name: len(qrels) for name, qrels in found.experts.items()} == {
        "politifact": 120,
        "abc": 60,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "header matches no known publication"),
        (HEADER + ROWS.replace(",30,", ",-3,"), r"csv:2: the relevance_score is '-3'"),
        (HEADER, "no rows below the header"),
        (HEADER + ROWS.replace(",30,", ",101,"), "csv:2: .* is '101' on the scale 'S100'; expect"),
        (
            HEADER + ROWS.replace(",2,1,1,9", ",2,2,1,9").replace("w2,1,1", "w2,2,1"),
            "expected 0 to 1",
        ),
        (HEADER + ROWS.replace("S100", "ME"), "csv:3: .* is '0' .* expected a number above 0"),
        (HEADER + ROWS.replace(",30,", ",high,"), r"csv:2: the relevance_score is 'high'"),
        (HEADER + ROWS.replace("0,2,S100", "0,3,S100").replace("1,2,S100", "1,X,S100", 1), "'X'"),
        (HEADER + ROWS.replace(",,1,2,S100", ",,0,2,S100"), "two labels in trec: 1 and 0"),
        (TRUTH.replace(",doc1,", ",,"), r"csv:2: the column 'name' is empty"),
        (TRUTH.replace("Negative", "bad"), "the label of abc is 'bad'; expected negative"),
        ("unit_id,name,source,label\nu,,gold_question,1\n", "expected other rows"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*had labelled before")
def test_errors_name_their_line(written, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_published(written(text))


def test_a_missing_column_or_choice_is_an_error(written) -> None:
    path = written("topic_id,unit_id,document_id,worker_id,relevance_score\n1,u,d,w,3\n")
    assert read_published(path).judgments[""].grade.tolist() == [3.0]
    with pytest.raises(InputError, match="normalized_relevance_score is missing"):
        read_published(path, score="normalized")
    with pytest.raises(UsageError, match="unknown value of gold"):
        read_published(path, gold_labels="maybe")
    gold = written("topic_id,unit_id,document_id,worker_id,relevance_score,gold\n1,u,d,w,3,1\n")
    with pytest.raises(InputError, match="every row is marked as gold"):
        read_published(gold, gold_labels="drop")
