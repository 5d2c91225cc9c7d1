"""Assessors by group."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.judgments.judgment_events import Judgments


def group_places(judgments: Judgments) -> dict[str, list[int]]:
    """Return the indices of the assessors of each group, skipping assessors without a group.

    Raises
    ------
    UsageError
        If the judgments have no groups, or an assessor is in two groups.
    """
    if judgments.group is None:
        raise UsageError("the judgments have no groups; expected a column `group`")
    group_of: dict[int, str] = {}
    for assessor, group in zip(judgments.assessor.tolist(), judgments.group, strict=True):
        if group and group_of.setdefault(assessor, group) != group:
            raise UsageError(
                f"assessor {quoted(judgments.assessors[assessor])} is in the groups"
                f" {quoted(group_of[assessor])} and {quoted(group)}; expected one group"
            )
    groups: dict[str, list[int]] = {}
    for assessor, group in sorted(group_of.items()):
        groups.setdefault(group, []).append(assessor)
    return groups
