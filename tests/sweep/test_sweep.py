import math
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from joblib.externals.loky import get_reusable_executor

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.sweep import Cell, Parts, run_cells

WORK = """
import math
import os
from collections.abc import Iterator
from pathlib import Path
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table

def draws(*, name, size, log, seed):
    if log:
        with (Path(log) / name).open("a") as calls:
            calls.write("x")
    rng = rng_for(seed, name)
    rows = [(name, place, float(rng.random()), math.nan, None) for place in range(size)]
    return Table.of(("name", "place", "value", "undefined", "empty"), rows)

def fails(*, name, seed):
    raise ValueError(name)

def wrong(*, seed):
    return [1]
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Write a module with work that the processes of a sweep can import."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "work_of_sweep_tests.py").write_text(WORK)
    # Processes left by other tests would not know the folder.
    get_reusable_executor().shutdown(wait=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield "work_of_sweep_tests"


def cells(work: str, *, count: int = 5, seed: int = 3, log: Path | None = None) -> list[Cell]:
    return [
        Cell(
            f"{work}:draws",
            {"name": f"cell{number}", "size": number + 1, "log": str(log) if log else None},
            seed,
        )
        for number in range(count)
    ]


def same(one: Table, two: Table) -> bool:
    return one.text("csv") == two.text("csv")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Return a folder in which finished work leaves a mark."""
    folder = tmp_path / "log"
    folder.mkdir()
    return folder


def calls(log: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in log.iterdir()}


def test_rows_are_in_the_order_of_the_cells_and_use_their_own_seeds(work: str) -> None:
    tables = run_cells(cells(work), jobs=2)
    assert [table.rows[0][0] for table in tables] == [f"cell{number}" for number in range(5)]
    expected = [float(value) for value in rng_for(3, "cell2").random(3)]
    assert [row[2] for row in tables[2].rows] == expected


def test_the_rows_do_not_depend_on_the_number_of_jobs(work: str, tmp_path: Path) -> None:
    one = run_cells(cells(work), jobs=1)
    two = run_cells(cells(work), jobs=2)
    turned = run_cells(cells(work)[::-1], jobs=2)[::-1]
    kept = run_cells(cells(work), parts=Parts(tmp_path / "parts"), jobs=2)
    assert all(
        same(first, other)
        for others in (two, turned, kept)
        for first, other in zip(one, others, strict=True)
    )


def test_the_bytes_of_the_files_do_not_depend_on_the_number_of_jobs(
    work: str, tmp_path: Path
) -> None:
    for jobs in (1, 2):
        run_cells(cells(work), parts=Parts(tmp_path / f"jobs{jobs}"), jobs=jobs)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("jobs1", "jobs2")
    )
    assert len(one) == 5
    assert one == two


def test_a_stopped_sweep_is_resumed(work: str, tmp_path: Path, log: Path) -> None:
    parts = Parts(tmp_path / "parts")
    run_cells(cells(work, count=3, log=log), parts=parts, jobs=1)
    steps = []
    tables = run_cells(cells(work, log=log), parts=parts, jobs=1, advance=lambda: steps.append(1))
    assert calls(log) == {f"cell{number}": 1 for number in range(5)}
    assert len(steps) == 5
    assert all(same(a, b) for a, b in zip(tables, run_cells(cells(work), jobs=1), strict=True))


def test_undefined_and_empty_cells_are_read_back_unchanged(work: str, tmp_path: Path) -> None:
    parts = Parts(tmp_path / "parts")
    run_cells(cells(work), parts=parts, jobs=1)
    row = parts.get(cells(work)[1]).rows[0]
    assert math.isnan(row[3])
    assert row[4] is None
    assert type(row[1]) is int


def test_finished_cells_are_kept_if_a_cell_fails(work: str, tmp_path: Path) -> None:
    parts = Parts(tmp_path / "parts")
    wanted = [*cells(work, count=2), Cell(f"{work}:fails", {"name": "x"}, 0)]
    with pytest.raises(ValueError, match="x"):
        run_cells(wanted, parts=parts, jobs=1)
    assert [parts.get(cell) is not None for cell in wanted] == [True, True, False]


def test_a_damaged_part_and_a_part_of_another_cell_are_computed_again(
    work: str, tmp_path: Path, log: Path
) -> None:
    parts = Parts(tmp_path / "parts")
    first, second, *_ = cells(work, log=log)
    run_cells([first, second], parts=parts, jobs=1)
    parts.path(first).write_bytes(parts.path(first).read_bytes()[:100])
    third = cells(work, log=log)[2]
    parts.path(third).write_bytes(parts.path(second).read_bytes())
    assert parts.get(first) is None
    assert parts.get(second) is not None
    assert parts.get(third) is None
    run_cells([first, second, third], parts=parts, jobs=1)
    assert calls(log) == {"cell0": 2, "cell1": 1, "cell2": 1}


def test_a_part_with_one_changed_bit_is_unchanged_or_computed_again(tmp_path: Path) -> None:
    cell, parts = Cell("a:b", {"x": 1}, seed=0), Parts(tmp_path)
    rows = Table.of(("n", "score"), [(1, 0.1 + 0.2), (2, math.pi)])
    parts.put(cell, rows)
    path, taken = parts.path(cell), 0
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        found = parts.get(cell)
        assert found is None or (found.columns, found.rows) == (rows.columns, rows.rows), place
        taken += found is not None
    assert 0 < taken < len(whole)  # the content of the manifest does not matter


def test_a_part_of_an_older_program_is_not_used(
    work: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = cells(work)[0]
    monkeypatch.setattr("qrelsmith.sweep.parts.running_version", lambda: "0.0.1")
    run_cells([cell], parts=Parts(tmp_path / "parts"), jobs=1)
    monkeypatch.undo()
    assert Parts(tmp_path / "parts").get(cell) is None


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (Cell("m:f", {"b": 2, "a": 1}, 0), True),
        (Cell("m:f", {"a": 1, "b": 3}, 0), False),
        (Cell("m:f", {"a": 1, "b": 2}, 1), False),
        (Cell("m:g", {"a": 1, "b": 2}, 0), False),
        (Cell("m:f", {"a": "1", "b": 2}, 0), False),
    ],
)
def test_a_key_depends_on_work_parameters_and_seed(other: Cell, alike: bool) -> None:
    assert (Cell("m:f", {"a": 1, "b": 2}, 0).key == other.key) is alike


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (Cell("no_such_module:f", {}, 0), "'no_such_module:f' of a cell cannot be imported"),
        (Cell("math:no_such", {}, 0), "cannot be imported"),
        (Cell("math", {}, 0), "cannot be imported"),
        (Cell("m:f", {"a": math.nan}, 0), "a=nan; expected a finite number"),
        (Cell("m:f", {"a": (1, [2])}, 0), "expected text, a number"),
    ],
)
def test_the_error_of_a_cell_that_cannot_be_computed_gives_the_reason(
    cell: Cell, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run_cells([cell], jobs=1)


def test_work_must_return_a_table(work: str) -> None:
    with pytest.raises(UsageError, match="returned a list; expected a Table"):
        run_cells([Cell(f"{work}:wrong", {}, 0)], jobs=1)


def test_a_repeated_cell_is_refused(work: str) -> None:
    with pytest.raises(UsageError, match="appears twice"):
        run_cells([*cells(work), cells(work)[0]], jobs=1)


def test_without_cells_there_is_no_work() -> None:
    assert run_cells([], jobs=2) == []
    with pytest.raises(UsageError, match="jobs=0"):
        run_cells([], jobs=0)
