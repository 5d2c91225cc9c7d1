"""The pace and grades of each assessor, compared with the rest of the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from qrelsmith.agreement.assessor_differences import (
    GradeDifference,
    SpeedDifference,
    grade_differences,
    slice_judgments,
    speed_differences,
)
from qrelsmith.base.scales import grade_text, levels_seen
from qrelsmith.judging_times.judging_pace import Pace, judging_seconds, pace_of
from qrelsmith.judgments.environments import level_counts
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.organiser.efficiency import efficiency_of
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import UNJUDGED_CODE, judgments_from

# A scale with more levels is shown in this number of slices.
_MOST_LEVELS, _SLICES = 12, 5


@dataclass(frozen=True, slots=True)
class Judge:
    """The pace and grades of an assessor or a group.

    Attributes
    ----------
    name, group : str
        Name of the assessor or group; the group of an assessor, empty for a group.
    docs : int
        Number of docs with a label.
    pace : Pace
        The seconds between two judgments.
    counts : sequence of int
        Number of labels of each kind, in the order of `Judges.kinds`.
    speed : SpeedDifference or None
        Compared with the rest of the group.
    grades : sequence of (str, GradeDifference)
        The kinds of labels given significantly more or less often than by the rest.
    """

    name: str
    group: str
    docs: int
    pace: Pace
    counts: Sequence[int]
    speed: SpeedDifference | None = None
    grades: Sequence[tuple[str, GradeDifference]] = ()

    @property
    def shares(self) -> list[float]:
        """The share of each kind of label."""
        return [count / self.docs for count in self.counts]


@dataclass(frozen=True, slots=True)
class Judges:
    """All assessors and groups.

    Attributes
    ----------
    kinds : sequence of str
        The kinds of labels: levels, slices of the scale, error codes.
    groups : sequence of (Judge, sequence of Judge)
        Every group with its assessors.
    clock : str
        The clock of the times: `active` or `wall`.
    notes : sequence of str
        Notes on problems with the times.
    """

    kinds: Sequence[str]
    groups: Sequence[tuple[Judge, Sequence[Judge]]]
    clock: str
    notes: Sequence[str]


def assessors(*, is_wanted_now: bool = False) -> Computed[Judges]:
    """Return the pace and grades of all assessors in the first round."""
    scale = current_scale()

    def compute(events: EventTable) -> Judges:
        return judges_of(judgments_from(events), scale)

    return computed("assessors", compute, scale.version, is_wanted_now=is_wanted_now)


def judges_of(judgments: Judgments, scale: ShownScale) -> Judges:
    """Return the pace and grades of all assessors in the given judgments."""
    efficiency = efficiency_of(judgments)
    now = judgments.current()
    kinds, now = _kinds(now.select(now.grade != UNJUDGED_CODE), scale)
    differences: dict[str, list[tuple[str, GradeDifference]]] = {}
    for difference in grade_differences(now):
        if difference.is_beyond_chance:
            differences.setdefault(difference.assessor, []).append(
                (kinds[difference.grade], difference)
            )
    speeds = {difference.assessor: difference for difference in speed_differences(efficiency)}

    def of(key: str, groups: Mapping[str, str]) -> list[Judge]:
        seconds = judging_seconds(efficiency, by=key)
        return [
            Judge(
                name=name,
                group=groups.get(name, ""),
                docs=sum(counts.values()),
                pace=pace_of(seconds.get(name, np.empty(0))),
                counts=[counts.get(grade, 0) for grade in kinds],
                speed=speeds.get(name) if groups else None,
                grades=differences.get(name, ()) if groups else (),
            )
            for name, counts in level_counts(now, by=key)
        ]

    members = of("assessor", _group_of(now))
    groups = of("group", {})
    return Judges(
        kinds=list(kinds.values()),
        groups=[
            (group, [each for each in members if each.group == group.name]) for group in groups
        ],
        clock=efficiency.clock,
        notes=efficiency.notes(),
    )


def _kinds(judgments: Judgments, scale: ShownScale) -> tuple[dict[float, str], Judgments]:
    """Return the labels in use, in ascending order with codes last, and their judgments."""
    levels = sorted({*scale.levels, *levels_seen(judgments.grade)})
    kinds = {level: scale.label(level) for level in levels}
    if len(levels) > _MOST_LEVELS:
        ends = np.linspace(levels[0], levels[-1], _SLICES + 1).tolist()
        judgments = slice_judgments(judgments, ends[:-1])
        kinds = {low: f"{grade_text(low)}–{grade_text(high)}" for low, high in pairwise(ends)}
    codes = sorted(set(judgments.grade[judgments.grade < 0].tolist()), reverse=True)
    return kinds | {code: scale.label(code) for code in codes}, judgments


def _group_of(judgments: Judgments) -> dict[str, str]:
    """Return the group of every assessor; empty for assessors without a group."""
    groups = judgments.group or ("",) * len(judgments)
    return {
        judgments.assessors[assessor]: group
        for assessor, group in zip(judgments.assessor.tolist(), groups, strict=True)
    }
