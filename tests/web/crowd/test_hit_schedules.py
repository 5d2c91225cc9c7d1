"""Whatever happens to the pairs and to the docs of a HIT at once, through all interleavings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from tests.web.crowd.simulator import World
from tests.web.crowd.worlds import schedules_of_three, schedules_of_two, sweeps

# Operations that touch the same things.
PAIRED = ("pair", "pair-undo", "pair-hand-in", "pair-exclude", "rebuild")
DOCS = ("doc", "doc-undo", "doc-hand-in", "doc-exclude", "rebuild")


@pytest.mark.parametrize(("database", "step"), sweeps(often=3, seldom=40))
@pytest.mark.parametrize("names", [PAIRED, DOCS], ids=["pairs", "docs"])
def test_two_operations_in_every_order_leave_what_they_said(
    world: World, names: Sequence[str], step: int
) -> None:
    pairs = permutations(names, 2)
    assert schedules_of_two(world, pairs, step, what="schedules of two", at_least=15) == []


@pytest.mark.full
@pytest.mark.parametrize("names", [PAIRED, DOCS], ids=["pairs", "docs"])
def test_three_operations_one_within_the_other(world: World, names: Sequence[str]) -> None:
    assert schedules_of_three(world, names) == []
