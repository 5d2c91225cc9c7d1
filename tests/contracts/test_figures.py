"""Answers of the main questions as pictures, each drawn from the numbers in its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith import Qrels, Run, agree, compare, evaluate, write_qrels
from qrelsmith.base.content import Intervals, Points
from qrelsmith.report.picture import picture

TOPICS, DOCS = 10, 6


def label_set(name: str, turn: int) -> Qrels:
    rows = [
        (f"t{t}", f"d{d}", float((t * d + turn * (d == 1)) % 3))
        for t in range(TOPICS)
        for d in range(DOCS)
    ]
    return Qrels.from_rows(rows, name=name)


def run_of(name: str, step: int) -> Run:
    scores = {
        f"t{t}": {f"d{(d * step + t) % DOCS}": float(DOCS - d) for d in range(DOCS)}
        for t in range(TOPICS)
    }
    return Run.from_dict(scores, name=name)


RUNS = [run_of("a", 1), run_of("b", 5)]


def test_means_of_runs_are_drawn_best_first_with_their_intervals() -> None:
    answer = evaluate(label_set("x", 0), RUNS, measures="nDCG@3", intervals=True)
    figure = answer.figure()
    assert figure is not None
    drawing = figure.drawing
    assert isinstance(drawing, Intervals)
    rows = {row[0]: row for row in answer.table().rows}
    assert sorted(drawing.values, reverse=True) == drawing.values
    for name, *numbers in zip(
        drawing.names, drawing.values, drawing.lows, drawing.highs, strict=True
    ):
        assert numbers == pytest.approx([*rows[name][3:6]])
    assert b"Mean nDCG@3" in picture(figure, name="x").svg


def test_two_label_sets_are_drawn_as_system_scores(tmp_path: Path) -> None:
    paths = []
    for turn, name in enumerate("xy"):
        paths.append(tmp_path / f"{name}.qrels")
        write_qrels(label_set(name, turn), paths[-1])
    answer = compare(paths, RUNS, measures="nDCG@3")
    figure = answer.figure()
    assert figure is not None
    drawing = figure.drawing
    assert isinstance(drawing, Points)
    assert drawing.names == ["a", "b"]
    means = [side["nDCG@3"].means().tolist() for side in answer.sides.values()]
    assert [drawing.x, drawing.y] == means


def test_agreement_by_topic_is_drawn_with_its_intervals() -> None:
    answer = agree({name: label_set(name, turn) for turn, name in enumerate("xy")}, by="topic")
    figure = answer.figure()
    assert figure is not None
    assert isinstance(figure.drawing, Intervals)
    assert list(figure.drawing.names) == [part.scope for part in answer.of("alpha-ordinal")]
