from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts.cut_tables import CutTable, cut_labels, cut_qrels, read_cut_table
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.scale_operations import Cuts

TEN = Scale.parse("0..10")
QRELS = Qrels.from_dict({"1": {"a": 2.0, "b": 7.0, "c": -1.0}, "2": {"a": 5.0, "b": 10.0}})


@pytest.fixture
def table(tmp_path: Path):
    def write(text: str) -> Path:
        (tmp_path / "best.csv").write_text(text)
        return tmp_path / "best.csv"

    return write


def test_topics_have_their_cuts_or_those_of_the_row_all(table) -> None:
    found = read_cut_table(table("topic,cuts,alpha\n1,2:6,0.5\nall,4:5,nan\n"))
    assert found.of("1") == Cuts((2.0, 6.0))
    assert found.of("7") == Cuts((4.0, 5.0))
    assert found.levels == 3


def test_topics_without_cuts_and_the_row_over_topics_are_ignored(table) -> None:
    text = "topic,cuts,alpha,tied,degenerate,units,tau,measure,systems\n"
    text += "1,0.25,.5,1,0,9,0.5,nDCG@10,3\n2,nan,nan,0,0,0,nan,nDCG@10,3\n"
    text += "all,per-topic,.5,,0,9,0.6,nDCG@10,3\n"
    found = read_cut_table(table(text))
    assert found.of_topic == {"1": Cuts((0.25,))}
    assert found.of("2") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,cuts\n1,nan\n", "no cuts"),
        ("topic,cuts\n1,3\n1,4\n", r"csv:3: the topic '1' appears twice"),
        ("topic,cuts\n1,3\n2,4:5\n", r"csv:3: the cuts 4:5 and the cuts above give different"),
        ("topic,cuts\n1,5:3\n", r"csv:2: the cuts 5:3 must be strictly ascending"),
        ("assessor,cuts\nann,nan\n", "no cuts found; expected cuts of at least one assessor"),
        ("assessor,cuts\nann,3\nann,4\n", r"csv:3: the assessor 'ann' appears twice"),
        ("assessor,topic,cuts\nann,1,3\n", "one of the columns topic and assessor"),
        ("topic,cuts\n1,high\n", r"csv:2: the cuts 'high' cannot be read"),
        ("topic,cut\n1,3\n", "column"),
    ],
)
def test_the_error_for_a_malformed_table_gives_the_reason(table, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_cut_table(table(text))


def test_labels_are_cut_by_topic() -> None:
    cuts = CutTable({"1": Cuts((2.0,)), "2": Cuts((5.0,))})
    moved, without = cut_labels(QRELS, cuts, source=TEN)
    assert moved.to_dict() == {"1": {"a": 0.0, "b": 1.0, "c": -1.0}, "2": {"a": 0.0, "b": 1.0}}
    assert without == ()


def test_judgments_keep_their_other_columns() -> None:
    rows = {"topic": ["1", "2"], "doc": ["a", "a"], "assessor": ["x", "x"], "grade": [2, 9]}
    labels = Judgments.from_columns(rows | {"hit": ["h1", "h2"]})
    moved, _ = cut_labels(labels, CutTable({}, Cuts((5.0,))), source=TEN)
    assert moved.grade.tolist() == [0, 1]
    assert moved.hit == ("h1", "h2")
    moved, without = cut_labels(labels, CutTable({"2": Cuts((5.0,))}), source=TEN)
    assert (moved.topics, without) == (("2",), ("1",))


def test_topics_without_cuts_are_left_out_and_named() -> None:
    moved, without = cut_labels(QRELS, CutTable({"2": Cuts((5.0,))}), source=None)
    assert moved.topics == ("2",)
    assert without == ("1",)
    with pytest.raises(UsageError, match="no topic of the labels has cuts"):
        cut_labels(QRELS, CutTable({"9": Cuts((5.0,))}), source=None)


def test_a_grade_outside_the_scale_is_an_error() -> None:
    with pytest.raises(UsageError, match="the grade 7 is not on the scale"):
        cut_labels(QRELS, CutTable({}, Cuts((1.0,))), source=Scale.parse("0..5"))


def test_several_labels_become_one_level_in_either_order() -> None:
    rows = {"topic": ["1"] * 2, "doc": ["a"] * 2, "assessor": ["x", "y"], "grade": [4, 10]}
    topics = CutTopics.of(Judgments.from_columns(rows))
    table = CutTable({}, Cuts((5.0,)))
    # Mean of the middle labels 7 is above 5; levels 0 and 1 take the lower.
    assert cut_qrels(topics, table, by="median-mean").to_dict() == {"1": {"a": 1.0}}
    assert cut_qrels(topics, table, by="median-mean", order="ta").to_dict() == {"1": {"a": 0.0}}
    assert len(cut_qrels(topics, CutTable({"2": Cuts((5.0,))}))) == 0


def test_a_table_has_one_number_of_levels() -> None:
    with pytest.raises(UsageError, match="different sizes"):
        CutTable({"1": Cuts((5.0,))}, Cuts((1.0, 2.0)))
    with pytest.raises(UsageError, match="no cuts"):
        CutTable({})


def test_a_real_valued_scale_can_have_one_cut(table) -> None:
    labels = Qrels.from_dict({"1": {"a": 0.1, "b": 0.125, "c": 0.3}})
    moved, _ = cut_labels(labels, read_cut_table(table("topic,cuts\nall,0.125\n")), source=None)
    np.testing.assert_array_equal(moved.grade, [0, 0, 1])
