"""The events in memory equal those in the database, whatever happened in between."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrelsmith.judgments.judgment_tables import COLUMNS
from qrelsmith.web.graded.judgments import judgments_of_round
from qrelsmith.web.organiser import computed as module
from qrelsmith.web.organiser.computed import computed
from qrelsmith.web.tables import event_table
from qrelsmith.web.tables.event_table import all_events
from qrelsmith.web.tables.judged import judgments_from

# Columns that pages do not need are omitted.
LEFT_OUT = ("label", "note", "scale")


def assert_same_as_the_export(app: Any, round_: int = 1) -> None:
    """Check that objects and text, without arrays, give the same judgments."""
    fast, plain = judgments_from(all_events(), round_), judgments_of_round(round_)
    if plain is None:
        assert len(fast) == 0
        return
    names = ("topics", "docs", "assessors", "topic", "doc", "assessor", "grade", *COLUMNS.optional)
    for name in names:
        if name in LEFT_OUT:
            continue
        one, other = getattr(fast, name), getattr(plain, name)
        if isinstance(other, np.ndarray):
            np.testing.assert_array_equal(one, other, err_msg=name)
        else:
            assert one == other, name


def test_the_judgments_equal_those_of_the_export(judged: Any) -> None:
    assert_same_as_the_export(judged)


def test_later_events_are_read_too(judged: Any, at_work: Any) -> None:
    before = len(all_events())
    at = at_work(judged, "g1", "q1")
    at.judge(9, 2, note="at last")
    at.judge(1, 0)
    at.undo()
    assert len(all_events()) == before + 3
    assert_same_as_the_export(judged)


def test_without_events_there_are_no_judgments(unjudged: Any) -> None:
    assert len(all_events()) == 0
    assert all_events().newest == 0
    assert_same_as_the_export(unjudged)


def test_another_database_is_not_taken_for_the_previous_one(
    lite_judged: Any, judged_folder: Path, tmp_path: Path, open_app: Any
) -> None:
    """Not even a copy, whose events have the same numbers and names."""
    before = all_events()
    copy = shutil.copytree(judged_folder, tmp_path / "copy")
    with open_app(copy, is_ready=True):
        assert all_events() is not before
        assert len(all_events()) == len(before) > 0


@pytest.mark.parametrize("missing", [1, 3])
def test_an_event_committed_late_is_found(
    judged: Any, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    """Two transactions of PostgreSQL can commit in a different order than their numbers."""
    table = event_table.all_events()
    kept = np.ones(len(table), dtype=bool)
    kept[-1 - missing] = False
    monkeypatch.setattr(event_table._HELD, "table", table.select(kept))
    assert len(event_table.all_events()) == len(table)


def test_results_are_cached_until_an_event_is_newer(judged: Any, at_work: Any) -> None:
    seen: list[int] = []

    def count(events: Any) -> int:
        seen.append(len(events))
        return len(events)

    first = computed("count", count)
    again = computed("count", count)
    assert (first.value, first.newer, again.value, len(seen)) == (seen[0], 0, seen[0], 1)
    assert computed("count", count, "another question").value == seen[0]
    assert len(seen) == 2
    at_work(judged, "g1", "q1").judge(9, 2)
    assert computed("count", count).value == seen[0] + 1


def test_slow_results_are_not_computed_after_every_event(
    judged: Any, at_work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "QUICK_S", -1.0)  # everything is slow
    monkeypatch.setattr(module, "_PATIENCE", 1e9)
    first = module.computed("long", len)
    at_work(judged, "g1", "q1").judge(9, 2)
    held = module.computed("long", len)
    assert (held.value, held.newer) == (first.value, 1)
    wanted = module.computed("long", len, is_wanted_now=True)
    assert (wanted.value, wanted.newer) == (first.value + 1, 0)
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    at_work(judged, "g1", "q2").judge(1, 2, op_id="another-operation")
    assert module.computed("long", len).value == first.value + 2
