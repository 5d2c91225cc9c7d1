from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.io.array_tables import write_parts


def test_parts_are_read_back_as_one_table(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    parts = [
        {"topic": [name] * 2, "alpha": np.array([0.5, np.nan]), "units": np.array([1, 0])}
        for name in ("1", "2")
    ]
    assert write_parts(tmp_path / "a.parquet", parts) == 4
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.column("topic").to_pylist() == ["1", "1", "2", "2"]
    assert table.column("units").to_pylist() == [1, 0, 1, 0]
    first = (tmp_path / "a.parquet").read_bytes()
    write_parts(tmp_path / "a.parquet", parts)
    assert (tmp_path / "a.parquet").read_bytes() == first


def test_a_failed_write_leaves_no_file(tmp_path: Path) -> None:
    def parts():
        yield {"alpha": np.zeros(3)}
        raise UsageError("stop")

    with pytest.raises(UsageError, match="stop"):
        write_parts(tmp_path / "a.parquet", parts())
    with pytest.raises(UsageError, match="nothing to write"):
        write_parts(tmp_path / "a.parquet", [])
    with pytest.raises(UsageError, match=r"must end in \.parquet"):
        write_parts(tmp_path / "a.csv", [])
    assert list(tmp_path.iterdir()) == []
