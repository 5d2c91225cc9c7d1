"""A restore and a rebuild during other operations, in all interleavings."""

from __future__ import annotations

import pytest
from tests.web.crowd.simulator import World
from tests.web.crowd.worlds import schedules_of_two, sweeps

# A restore affects everything; each of these operations runs at the same time.
RESTORED = ("judge", "pair", "doc-hand-in", "import")


@pytest.mark.full
def test_a_rebuild_waits_for_operations_in_progress(world: World) -> None:
    pairs = [("judge", "rebuild"), ("undo", "rebuild"), ("pair", "rebuild"), ("judge", "import")]
    what = "schedules with a rebuilding"
    assert schedules_of_two(world, pairs, 1, what=what, at_least=20) == []


@pytest.mark.parametrize(("database", "step"), sweeps(often=9, seldom=25))
def test_a_restore_runs_without_a_server_and_loses_nothing(world: World, step: int) -> None:
    # A command waits for the other one until nothing has changed for seconds; servers are refused.
    names = [each for each in RESTORED if step < 25 or each != "import"]
    pairs = [pair for each in names for pair in ((each, "restore"), ("restore", each))]
    what = "schedules with a restoration"
    assert schedules_of_two(world, pairs, step, what=what, at_least=4) == []
