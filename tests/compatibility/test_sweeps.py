"""Cells stored by a released version: found by the same keys, read, and not computed again.

This holds only for the version that stored the cells. Another version computes them again, since
its numbers may differ, and all cells of a sweep must be from one version (see tests/sweep).
"""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from pyarrow import parquet

from qrelsmith.base.tables import Table
from qrelsmith.sweep import Cell, Parts, run_cells


def kept_cells(folder: Path) -> tuple[list[Cell], set[tuple[str, str]]]:
    """Return the cells of a folder from their manifests, and the programs that stored them."""
    cells, programs = [], set()
    for path in sorted(folder.glob("*.parquet")):
        manifest = json.loads(parquet.read_schema(path).metadata[b"qrelsmith_manifest"])
        parameters = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in manifest["parameters"].items()
        }
        cells.append(Cell(manifest["command"][1], parameters, manifest["seed"]))
        programs.add((manifest["version"], manifest["commit"]))
        assert path.stem == cells[-1].key
    return cells, programs


@pytest.fixture
def resumed(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[Table]]:
    """Return the tables of sweeps resumed by the version that stored them, without computing."""

    def compute(_: Cell) -> Table:
        pytest.fail("a cell that was kept is computed anew")

    monkeypatch.setattr(Cell, "compute", compute)
    found = {}
    for name in ("simulate-pdp", "plan-campaign"):
        folder = shutil.copytree(release / "cells" / name, tmp_path / name)
        cells, programs = kept_cells(folder)
        ((version, commit),) = programs
        monkeypatch.setattr("qrelsmith.sweep.parts.running_version", lambda of=version: of)
        monkeypatch.setattr("qrelsmith.sweep.parts.checkout_commit", lambda of=commit: of)
        found[name] = run_cells(cells, parts=Parts(folder), jobs=1)
    return found


def printed(release: Path, name: str) -> list[dict[str, str]]:
    with (release / "cells" / f"{name}.csv").open(newline="") as rows:
        return list(csv.DictReader(rows))


def test_a_sweep_is_resumed_from_stored_cells(
    release: Path, resumed: dict[str, list[Table]]
) -> None:
    rows = sorted(row for table in resumed["simulate-pdp"] for row in table.rows)
    expected = printed(release, "simulate-pdp")
    assert [[float(cell) for cell in row.values()] for row in expected] == [list(r) for r in rows]
    (table,) = resumed["plan-campaign"]
    cost = table.columns.index("cost")
    (plan,) = printed(release, "plan-campaign")
    assert sum(row[cost] for row in table.rows) / len(table.rows) == float(plan["cost_mean"])
