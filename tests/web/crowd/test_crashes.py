"""A crash at any statement of any operation, and the database after a retry."""

from __future__ import annotations

import pytest
from tests.web.crowd.simulator import World, crashed
from tests.web.crowd.worlds import print_count, sweeps


# A crash leaves a cursor open.
@pytest.mark.filterwarnings("ignore:.*ServerSideCursor:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:.*ServerSideCursor:ResourceWarning")
@pytest.mark.parametrize(("database", "step"), sweeps(often=6, seldom=45))
def test_a_crash_at_any_statement_loses_and_duplicates_nothing(world: World, step: int) -> None:
    crashes, wrong = 0, []
    for place, name in enumerate(world.operations):
        at = place % step
        while True:
            is_crash, faults = crashed(world, name, at)
            wrong += faults
            if not is_crash:
                break
            crashes += 1
            at += step
    print_count("crashes", crashes)
    assert crashes > 15
    assert wrong == []
