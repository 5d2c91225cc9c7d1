from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.agreement.disagreement.disagree import write_round
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.collection.pools.pool_files import Pools, read_pools

ROUND = Pools("prioritised", 60, 3, {"2": ("x",), "1": ("b", "a")})


def test_a_round_is_written_as_a_pool_file(tmp_path: Path) -> None:
    path = tmp_path / "round-2.pool"
    write_round(ROUND, path)
    assert path.read_text() == (
        "# pool format=1 ordering=prioritised depth=60 seed=3\n1 b 1\n1 a 2\n2 x 1\n"
    )
    assert read_pools(path) == ROUND


@pytest.mark.parametrize("docs", [{"1": ("a b",)}, {"": ("a",)}])
def test_values_that_would_change_when_read_back_are_refused(docs, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_round(Pools("docno", 1, 0, docs), tmp_path / "round.pool")
    assert not list(tmp_path.iterdir())


def test_an_earlier_round_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "round.pool"
    write_round(ROUND, path)
    first = path.read_bytes()
    write_round(ROUND, path)
    with pytest.raises(UsageError, match="earlier rounds are never overwritten"):
        write_round(Pools("prioritised", 60, 4, ROUND.docs), path)
    assert path.read_bytes() == first
