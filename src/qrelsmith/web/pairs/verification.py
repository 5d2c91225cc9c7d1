"""Checks that are specific to pairs: their assignment, and which pairs are open."""

from __future__ import annotations

from django.db.models import Count

from qrelsmith.web.core.checks import Check
from qrelsmith.web.models import Contest, PairTask
from qrelsmith.web.pairs.open_pairs import is_derived
from qrelsmith.web.pairs.searches import search_tasks, state_of


def pair_checks() -> list[Check]:
    """Check every pair and every preference task; requires a snapshot."""
    return [_exclusive(), _check_open_pairs()]


def _exclusive() -> Check:
    """Check that no slot of a pair has two assessors, and no assessor two slots of a pair."""
    check = Check("each slot of a pair has one assessor")
    live = PairTask.objects.filter(withdrawn=False)
    check.rows = live.count()
    asked = live.filter(purpose=PairTask.Purpose.SEARCH)
    place = ("contest", "round", "left", "right", "slot")
    owner = ("contest", "round", "left", "right", "purpose", "assessor")
    # Two HITs of a worker may contain the same attention check.
    held = live.exclude(assessor=None).exclude(purpose=PairTask.Purpose.CHALLENGE)
    doubles = [
        *asked.values_list(*place).annotate(Count("id")).filter(id__count__gt=1),
        *held.values_list(*owner).annotate(Count("id")).filter(id__count__gt=1),
    ]
    for double in doubles:
        check.fault(f"preference task {double[0]} has {double[-1]} assignments for one slot")
    return check


def _check_open_pairs() -> Check:
    """Check that the open pairs correspond to the answers, for tasks whose pairs are derived."""
    check = Check("open pairs match the answers")
    for contest in Contest.objects.select_related("topic").order_by("pk").iterator():
        if not is_derived(contest):
            continue
        check.rows += 1
        tasks = search_tasks(contest).filter(is_judged=False).values_list(
            "round", "left__name", "right__name"
        )  # fmt: skip
        there = {(round_, frozenset(pair)) for round_, *pair in tasks}
        state = state_of(contest)
        asked = {(pair.round, frozenset((pair.left, pair.right))) for pair in state.open_pairs}
        if there != asked or contest.is_done != state.done:
            check.fault(
                f"preference task {contest.pk} has {len(there)} open pairs; expected {len(asked)}"
            )
    return check
