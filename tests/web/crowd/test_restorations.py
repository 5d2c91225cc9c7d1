"""A restoration and a rebuilding beside whatever else happens, through all interleavings."""

from __future__ import annotations

import pytest
from tests.web.crowd.simulator import World
from tests.web.crowd.worlds import schedules_of_two, sweeps

# A restoration touches everything; each of these meets it.
RESTORED = ("judge", "pair", "doc-hand-in", "import")


@pytest.mark.full
def test_a_rebuilding_waits_for_what_is_under_way(world: World) -> None:
    pairs = [("judge", "rebuild"), ("undo", "rebuild"), ("pair", "rebuild"), ("judge", "import")]
    what = "schedules with a rebuilding"
    assert schedules_of_two(world, pairs, 1, what=what, at_least=20) == []


@pytest.mark.parametrize(("database", "step"), sweeps(often=9, seldom=25))
def test_a_restoration_meets_no_server_and_loses_nothing(world: World, step: int) -> None:
    # A command waits for the other one until nothing has moved for seconds; servers are refused.
    names = [each for each in RESTORED if step < 25 or each != "import"]
    pairs = [pair for each in names for pair in ((each, "restore"), ("restore", each))]
    what = "schedules with a restoration"
    assert schedules_of_two(world, pairs, step, what=what, at_least=4) == []
