from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.content import Lines
from qrelsmith.report import kinds, plots

QRELS = "1 0 a 1\n2 0 a 1\n3 0 b 1\n"
RUNS = {"x": "1 Q0 a 1 1 x\n2 Q0 b 1 1 x\n3 Q0 b 1 1 x\n", "y": "2 Q0 a 1 1 y\n3 Q0 b 1 1 y\n"}
COMMAND = "plan topics"
FILES = {"q": QRELS, **RUNS}


@pytest.mark.parametrize(
    ("variance", "difference", "power"), [("0.0284", "0.1", 0.836), ("0.00716", "0.05", 0.833)]
)
def test_the_topic_set_sizes_of_www_4_are_reproduced(
    answered, variance: str, difference: str, power: float
) -> None:
    given = ("--variance", variance, "--difference", difference)
    rows, _ = answered(*given)
    assert [row["topics"] for row in rows] == ["46"]
    rows, _ = answered(*given, "--topic-count", "50")
    assert float(rows[0]["power"]) == pytest.approx(power, abs=5e-4)


def test_a_curve_covers_a_range_of_topics(answered) -> None:
    rows, _ = answered(
        "--variance 0.03 --difference 0.1 --topic-count 10..30:10 --topic-count 5 "
        "--topic-count 19..21"
    )
    assert [row["topics"] for row in rows] == ["5", "10", "19", "20", "21", "30"]
    powers = [float(row["power"]) for row in rows]
    assert powers == sorted(powers)
    reached = [float(row["reached"]) for row in rows]
    assert reached == sorted(reached, reverse=True)


def test_the_variance_of_qrels_and_runs_is_that_of_their_scores(answered, folder: Path) -> None:
    # P@1 of x: 1 0 1, of y: 0 1 1; the residuals are ±.5 on two topics: V_E2 = 4·.25/2.
    rows, err = answered("q x y -m P@1 --difference 0.5")
    assert [row["measure"] for row in rows] == ["P@1"]
    assert float(rows[0]["variance"]) == pytest.approx(0.5)
    assert "note: variance of 2 systems on 3 topics" in err
    (folder / "s.csv").write_text("topic,x,y\n1,1,0\n2,0,1\n3,1,1\n")
    again, _ = answered("--scores s.csv --difference 0.5")
    assert again[0]["topics"] == rows[0]["topics"]


def test_several_tests_and_targets_can_be_planned(answered) -> None:
    rows, _ = answered(
        "--variance 0.03 --test paired-t --test two-sample-interval --difference 0.1 "
        "--difference 0.2 --width 0.3 --alpha 0.01 --power 0.9"
    )
    assert [(row["test"], row["target"], row["alpha"]) for row in rows] == [
        ("paired-t", "0.1", "0.01"),
        ("paired-t", "0.2", "0.01"),
        ("two-sample-interval", "0.3", "0.01"),
    ]
    assert [row["power"] == "nan" for row in rows] == [False, False, True]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("", "no difference given for anova"),
        ("--difference 0.1", "expected a variance, labels and runs"),
        ("--difference 0 --variance 1", "--difference"),
        ("--difference 1 --variance nan", "expected a finite number"),
        ("--difference 1 --variance -1", "--variance"),
        ("--difference 1 --variance 1 q x", "found a variance and scores"),
        ("--difference 1 --variance 1 --width 1", "a width applies only to intervals"),
        ("--test paired-interval --variance 1", "no width given for paired-interval"),
        (
            "--test paired-t --variance 1 --difference 1 --systems 3",
            "paired-t compares 2 systems; found 3",
        ),
        ("--difference 1e-9 --variance 1", "topics are not enough"),
        ("--difference 1 --variance 1 --topic-count 1", "--topic-count '1'; expected"),
        ("--difference 1 --variance 1 --topic-count 9..2", "--topic-count '9..2'"),
        ("--difference 1 --variance 1 --topic-count 2..9:0", "--topic-count '2..9:0'"),
        ("q x -m P@1 --difference 1", "needs two systems and two topics"),
        ("q x y --difference 1", "no measure given"),
    ],
)
def test_wrong_input_is_a_one_line_error(refused, arguments: str, problem: str) -> None:
    assert problem in refused(arguments)


def test_a_figure_is_written_into_a_folder(answered, folder: Path) -> None:
    assert plots.draw  # importing the module registers the drawing functions
    if Lines not in kinds.DRAWERS:
        pytest.skip("nothing draws lines yet")
    rows, err = answered("--variance 0.0284 --difference 0.1 --report out")
    assert [row["topics"] for row in rows] == ["46"]
    assert "note: the figure is in out" in err
    figures = folder / "out" / "figures"
    assert sorted(path.name for path in figures.iterdir()) == ["topic-set-size.svg"]
    assert ">46<" in (figures / "topic-set-size.svg").read_text()


def test_a_folder_with_other_files_is_not_changed(refused, folder: Path) -> None:
    assert "which is not part of a report" in refused("--variance 0.03 --difference 0.1 --report .")
