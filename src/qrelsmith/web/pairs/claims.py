"""Assignment of pairs, one at a time and each to one assessor only."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.challenges import due_challenge, due_repeat
from qrelsmith.web.pairs.open_pairs import add_tasks, derive, is_derived, recount
from qrelsmith.web.pairs.searches import search_tasks
from qrelsmith.web.project import current_instance

_COPIED = ("left_id", "right_id", "round", "slot", "purpose", "better")
# Query for an assessor, with a lock on the row.
_LOCKED = Prepared[int](
    lambda pk: (
        Assessor.objects.select_for_update(no_key=True).filter(pk=pk).values_list("pk", flat=True)
    )
)
# Query for the unanswered pair of an assessor, except a given pair.
_HELD = Prepared[PairTask](
    lambda contest, assessor, besides: (
        own_pairs(contest, assessor)
        .filter(is_judged=False, hit="")
        .exclude(pk=besides)
        .select_related("left", "right")[:1]
    )
)
# Query for the last position of an assessor's pairs.
_LAST_POSITION = Prepared[int](
    lambda contest, assessor: (
        own_pairs(contest, assessor).reverse().values_list("position", flat=True)[:1]
    )
)
# Queries for the first pair without an assessor; the second query excludes pairs that the assessor
# has in another slot.
_FREE = Prepared[PairTask](
    lambda contest: _first_unlocked(_open_tasks(contest).filter(assessor=None))
)
_FREE_UNSEEN = Prepared[PairTask](
    lambda contest, assessor: _first_unlocked(
        _unseen_tasks(contest, assessor).filter(assessor=None)
    )
)


def next_pair(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return the assessor's current pair, or assign the next pair.

    Return None if there is nothing to judge: the task is closed or done, or all open pairs are
    assigned to other assessors. Crowd workers get pairs only in HITs.
    """
    if not contest.is_open or hasattr(assessor, "crowd_worker"):
        return None
    if contest.derived < 0 or contest.is_changed:
        # The assessor's current pair may have been closed.
        contest = derive(contest.pk)
    task = _claim(contest, assessor, is_last=is_derived(contest))
    if task is not None or is_derived(contest):
        return task
    # New pairs are derived from the answers only when no earlier open pair is left.
    return _claim(derive(contest.pk), assessor, is_last=True)


def pair_ahead(contest: Contest, assessor: Assessor, *, besides: int) -> PairTask | None:
    """Return the pair after the assessor's current pair, for prefetching.

    Return None unless that pair is already determined: only `next_pair` derives new pairs from the
    answers. An assessor with another unanswered pair gets that pair again, so that pairs do not
    accumulate.
    """
    if not contest.is_open or contest.derived < 0 or contest.is_changed:
        return None
    held = _HELD.first(contest.pk, assessor.pk, besides)
    return held or _claim(contest, assessor, is_last=False, besides=besides)


def own_pairs(contest: Contest | int, assessor: Assessor | int) -> QuerySet[PairTask]:
    """Return the valid pairs assigned to an assessor, in the order of assignment."""
    tasks = PairTask.objects.filter(contest=contest, assessor=assessor, withdrawn=False)
    return tasks.filter(position__gt=0).order_by("position", "number")


def free_again(tasks: QuerySet[PairTask]) -> list[PairTask]:
    """Withdraw unfinished or discarded pairs of one task, and return open copies of them.

    The withdrawn pairs stay as records with their answers. Requires a write transaction.
    """
    contest = Contest.objects.filter(pairs__in=tasks).distinct().first()
    if contest is None:
        return []
    # Done first to lock the task, so that no pair is answered until the transaction ends.
    Contest.objects.filter(pk=contest.pk).update(revision=F("revision"))
    old = list(tasks.order_by("number"))
    # Without a withdrawn answer, other pairs may follow from the remaining answers.
    if any(task.is_judged for task in old):
        Contest.objects.filter(pk=contest.pk).update(is_changed=True)
    PairTask.objects.filter(pk__in=[task.pk for task in old]).update(withdrawn=True)
    copies = [PairTask(**{name: getattr(task, name) for name in _COPIED}) for task in old]
    add_tasks(contest, copies)
    recount(contest.pk)
    return copies


def _claim(
    contest: Contest, assessor: Assessor, *, is_last: bool, besides: int = 0
) -> PairTask | None:
    """Assign a pair; an assessor with two open windows gets only one pair."""
    with writing():
        if connection.features.has_select_for_update:
            # Process the requests of an assessor one after the other, as SQLite does with all
            # writers.
            _LOCKED.first(assessor.pk)
        held = _HELD.first(contest.pk, assessor.pk, besides)
        if held is not None:
            return held
        if not _is_ours(contest, assessor):
            return None
        own = own_pairs(contest, assessor)
        new = due_repeat(contest, assessor, own) or due_challenge(contest, assessor, own)
        free = None if new else _free(contest, assessor)
        if not new and free is None and is_last:
            free = _abandoned_pair(contest, assessor)
            new = None if free else due_repeat(contest, assessor, own, is_last=True)
        position = (_LAST_POSITION.first(contest.pk, assessor.pk) or 0) + 1
        mine = {"assessor": assessor, "claimed_at": timezone.now(), "position": position}
        if new is not None:
            for name, value in mine.items():
                setattr(new, name, value)
            add_tasks(contest, [new])
            return new
        guarded = PairTask.objects.filter(assessor=None, withdrawn=False)
        if free is None or not guarded.filter(pk=free.pk).update(**mine):
            return None
        for name, value in mine.items():
            setattr(free, name, value)
        return free


def _is_ours(contest: Contest, assessor: Assessor) -> bool:
    """Return whether an assessor may judge a task; an unshared task keeps its first assessor."""
    if contest.setting["share"] == "pair":
        return True
    if contest.assessor_id is None:
        Contest.objects.filter(pk=contest.pk, assessor=None).update(assessor=assessor)
    return Contest.objects.filter(pk=contest.pk, assessor=assessor).exists()


def _free(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return the first open, unassigned pair that the assessor has not seen."""
    if contest.setting["per_pair"] > 1:
        return _FREE_UNSEEN.first(contest.pk, assessor.pk)
    return _FREE.first(contest.pk)


def _abandoned_pair(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return a copy of a pair that another assessor has held for too long without an answer."""
    preferring = current_instance().campaign.preference_judging
    if preferring is None or contest.setting["share"] != "pair":
        return None
    # The task is always locked first, so that no deadlock occurs.
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    limit = timezone.now() - timedelta(minutes=preferring.hold)
    tasks = _unseen_tasks(contest, assessor).filter(claimed_at__lt=limit)
    old = _first_unlocked(tasks.exclude(assessor=assessor)).first()
    if old is None:
        return None
    return free_again(PairTask.objects.filter(pk=old.pk))[0]


def _open_tasks(contest: Contest | int) -> QuerySet[PairTask]:
    """Return unanswered pairs outside HITs."""
    return search_tasks(contest).filter(is_judged=False, hit="")


def _unseen_tasks(contest: Contest | int, assessor: Assessor | int) -> QuerySet[PairTask]:
    """Return unanswered pairs outside HITs, except pairs that the assessor has in other slots."""
    mine = search_tasks(contest).filter(
        assessor=assessor, round=OuterRef("round"), left=OuterRef("left"), right=OuterRef("right")
    )
    return _open_tasks(contest).exclude(Exists(mine))


def _first_unlocked(tasks: QuerySet[PairTask]) -> QuerySet[PairTask]:
    """Return the first pair and lock it; ignore pairs that other requests have locked."""
    shown = tasks.select_related("left", "right").order_by("number")
    return shown.select_for_update(skip_locked=True, of=("self",))[:1]
