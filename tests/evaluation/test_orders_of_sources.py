"""A run's order has the same meaning for a path, a DataFrame and a Run, or is an error."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest

from qrelsmith import RUN_ORDERS, Run, evaluate, read_run, read_runs
from qrelsmith.base.errors import InputWarning, UsageError

# By score (trec), by line (file) and by rank: three orders, so three scores.
ROWS = [("b", 3, 1.0), ("a", 1, 0.5), ("d", 4, 2.00000001), ("c", 2, 1.0), ("e", 5, 2.0)]
QRELS = {"1": {"a": 3, "b": 2, "c": 1, "d": 0, "e": 1}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "r.run"
    file.write_text("".join(f"1 Q0 {doc} {rank} {score} r\n" for doc, rank, score in ROWS))
    return file


@pytest.fixture
def frame() -> pandas.DataFrame:
    columns = pandas.DataFrame(ROWS, columns=["docno", "rank", "score"])
    return columns.assign(qid="1")


def score(runs: object, order: str, measure: str = "nDCG@3") -> float:
    (row,) = evaluate(QRELS, runs, measure, order=order).table().rows
    return float(row[-1])


def test_every_order_is_the_same_for_every_source(path: Path, frame: pandas.DataFrame) -> None:
    expected = {order: score(path, order) for order in RUN_ORDERS.names()}
    assert len(set(expected.values())) == 5
    sources = {"Run": read_run(path), "read_runs": read_runs(path), "frame": frame,
               "named": {"r": read_run(path)}, "Run of a frame": Run.from_frame(frame)}  # fmt: skip
    for name, source in sources.items():
        assert {order: score(source, order) for order in expected} == expected, name


def test_a_frame_or_a_mapping_without_ranks_cannot_be_ordered_by_rank(
    frame: pandas.DataFrame,
) -> None:
    for source in (frame.drop(columns="rank"), frame.assign(rank="x"), {"1": {"a": 1.0}}):
        with pytest.raises(UsageError, match=r"has no ranks.* for order='rank'"):
            score(source, "rank")


def test_a_run_with_non_numeric_ranks_cannot_be_ordered_by_rank(path: Path) -> None:
    path.write_text("1 Q0 a x 1 r\n1 Q0 b 2 2 r\n")
    with pytest.warns(InputWarning, match="rank 'x' on line 1"):
        run = read_run(path)
    assert score(run, "file") != score(run, "trec")
    with pytest.raises(UsageError, match="the run 'r' has no ranks"):
        score(run, "rank")


def test_a_run_cut_to_a_depth_has_one_order(path: Path) -> None:
    for run in (read_run(path, depth=2), read_run(path).to_depth(2)):
        assert score(run, "trec") == score(run.to_depth(2), "trec")
        with pytest.raises(UsageError, match="'r' contains only the first docs of each topic"):
            score(run, "file")


def test_a_run_read_in_another_order_is_ranked_again_with_a_warning(path: Path) -> None:
    with pytest.warns(InputWarning, match=r"read with order='?file'? .* order='?file'? to keep"):
        assert score(read_run(path, order="file"), "trec") == score(path, "trec")
    assert score(read_run(path, order="file"), "file") == score(path, "file")


def test_an_empty_run_has_every_order() -> None:
    for run in (Run.from_dict({}), Run("r", {}, {}), Run.from_dict({"1": {}})):
        assert [run.in_order(order).docs for order in ("trec", "file")] == [run.docs] * 2
