"""Two and three concurrent operations on each further kind of judgment, in all interleavings."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from tests.web.crowd.simulator import World, interleaved
from tests.web.crowd.worlds import schedules_of_three, schedules_of_two, sweeps

# Operations on the same data.
PAIRED = ("pair", "pair-undo", "pair-hand-in", "pair-exclude", "rebuild")
ANSWERS = (
    "nugget", "nugget-too", "answer-undo", "edit", "edit-too", "answer-close", "shut-out",
    "answer-reassign", "rebuild", "import",
)  # fmt: skip
MODELS = ("model", "model-too", "model-close", "rebuild", "import")
VERDICTS = ("verdict", "verdict-too", "reveal", "change", "import")
ASPECT_VERDICTS = ("aspect-verdict", "aspect-verdict-too", "nugget", "edit")
DOCS = ("doc", "doc-undo", "doc-hand-in", "doc-exclude", "rebuild")
HIT_ASPECTS = ("aspect", "aspect-undo", "aspect-hand-in", "aspect-exclude", "edit", "rebuild")
EVERY = pytest.mark.parametrize(
    "names",
    [PAIRED, DOCS, HIT_ASPECTS, ANSWERS, MODELS, VERDICTS, ASPECT_VERDICTS],
    ids=["pairs", "docs", "aspects", "answers", "models", "verdicts", "verdicts-on-aspects"],
)


@pytest.mark.parametrize(("database", "step"), sweeps(often=12, seldom=90))
@EVERY
def test_two_operations_in_every_order_leave_the_acknowledged_state(
    world: World, names: Sequence[str], step: int
) -> None:
    pairs = permutations(names, 2)
    assert schedules_of_two(world, pairs, step, what="schedules of two", at_least=5) == []


@pytest.mark.full
@EVERY
def test_three_operations_one_within_the_other_leave_the_acknowledged_state(
    world: World, names: Sequence[str]
) -> None:
    assert schedules_of_three(world, names) == []


@pytest.mark.full
@pytest.mark.parametrize("database", ["postgresql"])
def test_a_verdict_is_not_blind_if_another_window_shows_the_labels_meanwhile(world: World) -> None:
    found = [interleaved(world, ("verdict", "reveal"), (at,)) for at in range(16)]
    assert [faults for _, faults in found if faults] == []
    assert sum(stopped for stopped, _ in found) > 8
