"""Runs scored in the cells of a sweep have the same scores, notes, warnings and errors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

from qrelsmith import evaluate
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.base.tables import Table
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.sweep import Cell

QRELS = {f"t{n}": {f"d{doc}": (n + doc) % 4 - 1 for doc in range(12)} for n in range(4)}
MEASURES = ["nDCG@10", "AP", "ERR@5", "NumRel"]


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Return more run files than possible cells; one run lacks a topic, one has a topic more."""
    paths = []
    for number in range(70):
        rng = rng_for(0, number)
        topics = range(3 if number == 5 else 5 if number == 6 else 4)
        scores = {
            f"t{n}": {f"d{doc}": float(rng.integers(9)) for doc in rng.permutation(20).tolist()}
            for n in topics
        }
        paths.append(tmp_path / f"{number:02}.run")
        write_run(Run.from_dict(scores, name=f"r{number}"), paths[-1])
    return paths


class Counting:
    """A sweep in this process that counts its cells."""

    def __init__(self) -> None:
        self.cells = 0
        self.rows = 0

    def __call__(self, cells: Sequence[Cell]) -> list[Table]:
        tables = [cell.compute() for cell in cells]
        self.cells += len(cells)
        self.rows += sum(len(table.rows) for table in tables)
        return tables


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"condensed": True},
        {"order": "rank"},
        {"missing_topics": "drop"},
        {"gains": Gains((1.0, 4.0))},
        {"scale": Scale((0, 1, 2, 3))},
    ],
    ids=str,
)
def test_table_and_notes_in_a_sweep_equal_those_without_a_sweep(
    runs: list[Path], how: dict[str, object]
) -> None:
    sweep = Counting()
    there = evaluate(QRELS, runs, MEASURES, sweep=sweep, per_topic=True, **how)
    here = evaluate(QRELS, runs, MEASURES, per_topic=True, **how)
    assert there.table() == here.table()
    assert (there.notes, there.tie_notes()) == (here.notes, here.tie_notes())
    assert (sweep.cells, sweep.rows) == (35, 70)


def test_warnings_about_unusual_files_are_given_in_this_process(runs: list[Path]) -> None:
    with runs[1].open("a", encoding="utf-8") as out:
        out.write("t9 Q0 d1 1 1.0 another-tag\n")
    sweep = Counting()
    with warnings.catch_warnings(record=True) as there:
        warnings.simplefilter("always", InputWarning)
        scores = evaluate(QRELS, runs, MEASURES, sweep=sweep).table()
    with pytest.warns(InputWarning, match="another-tag") as here:
        assert evaluate(QRELS, runs, MEASURES).table() == scores
    assert [str(each.message) for each in there] == [str(each.message) for each in here]
    assert sweep.rows == 69


def test_errors_in_files_are_raised_in_this_process(runs: list[Path]) -> None:
    runs[69].write_text("t1 Q0 d1 1 nan r\n")
    with pytest.raises(InputError, match=r"69\.run:1: the score is 'nan'"):
        evaluate(QRELS, runs, MEASURES, sweep=Counting())


def test_runs_in_memory_are_scored_in_this_process(runs: list[Path]) -> None:
    sweep = Counting()
    mixed = [runs[0], Run.from_dict({"t1": {"d3": 1.0}}, name="own")]
    there = evaluate(QRELS, mixed, MEASURES, sweep=sweep)
    assert there.table() == evaluate(QRELS, mixed, MEASURES).table()
    assert sweep.rows == 1
