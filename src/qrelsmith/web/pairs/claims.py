"""Assignment of pairs, one at a time and each to one assessor only."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.db.models import Exists, F, Max, OuterRef, QuerySet
from django.utils import timezone

from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.challenges import due_challenge, due_repeat
from qrelsmith.web.pairs.open_pairs import add_tasks, derive, is_derived, recount
from qrelsmith.web.pairs.searches import search_tasks
from qrelsmith.web.project import current_instance

_COPIED = ("left_id", "right_id", "round", "slot", "purpose", "better")


def next_pair(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return the assessor's current pair, or assign the next one.

    Return None if there is nothing to judge: the task is closed or done, or other assessors have
    all open pairs. Crowd workers get pairs only in HITs.
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
    """Return the pair after the assessor's current one, for prefetching.

    Return None unless that pair is already determined: only `next_pair` derives new pairs from the
    answers. An assessor with another unanswered pair gets that one again, so that pairs do not
    accumulate.
    """
    if not contest.is_open or contest.derived < 0 or contest.is_changed:
        return None
    held = _own_pair(contest, assessor, besides=besides)
    return held or _claim(contest, assessor, is_last=False, besides=besides)


def own_pairs(contest: Contest, assessor: Assessor) -> QuerySet[PairTask]:
    """Return the valid pairs assigned to an assessor, in that order."""
    tasks = PairTask.objects.filter(contest=contest, assessor=assessor, withdrawn=False)
    return tasks.filter(position__gt=0).order_by("position", "number")


def free_again(tasks: QuerySet[PairTask]) -> list[PairTask]:
    """Withdraw unfinished or discarded pairs of one task, and return open copies of them.

    The withdrawn pairs stay as records with their answers. Only inside a transaction that writes.
    """
    contest = Contest.objects.filter(pairs__in=tasks).distinct().first()
    if contest is None:
        return []
    # Done first to lock the task, so that none of them is answered until the transaction ends.
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


def _own_pair(
    contest: Contest, assessor: Assessor, *, besides: int | None = None
) -> PairTask | None:
    held = own_pairs(contest, assessor).filter(is_judged=False, hit="")
    held = held.exclude(pk=besides) if besides is not None else held
    return held.select_related("left", "right").first()


def _claim(
    contest: Contest, assessor: Assessor, *, is_last: bool, besides: int | None = None
) -> PairTask | None:
    """Assign a pair; an assessor with two open windows gets only one."""
    with writing():
        if connection.features.has_select_for_update:
            # Process the requests of an assessor one after the other, as SQLite does with all
            # writers.
            Assessor.objects.select_for_update(no_key=True).get(pk=assessor.pk)
        held = _own_pair(contest, assessor, besides=besides)
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
        position = (own.aggregate(last=Max("position"))["last"] or 0) + 1
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
    """Return whether an assessor may judge the task; with shared topics, the first one keeps it."""
    if contest.setting["share"] == "pair":
        return True
    if contest.assessor_id is None:
        Contest.objects.filter(pk=contest.pk, assessor=None).update(assessor=assessor)
    return Contest.objects.filter(pk=contest.pk, assessor=assessor).exists()


def _free(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return the first open pair without an assessor that the assessor has not seen."""
    tasks = _unseen_pairs(contest, assessor).filter(assessor=None).select_related("left", "right")
    # On PostgreSQL, rows that other requests are about to take are ignored.
    return tasks.order_by("number").select_for_update(skip_locked=True, of=("self",)).first()


def _abandoned_pair(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return a copy of a pair that another assessor has held for too long without an answer."""
    preferring = current_instance().campaign.preference_judging
    if preferring is None or contest.setting["share"] != "pair":
        return None
    # The task is always locked first, so that no deadlock occurs.
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    limit = timezone.now() - timedelta(minutes=preferring.hold)
    tasks = _unseen_pairs(contest, assessor).filter(claimed_at__lt=limit).exclude(assessor=assessor)
    old = tasks.order_by("number").select_for_update(skip_locked=True, of=("self",)).first()
    if old is None:
        return None
    return free_again(PairTask.objects.filter(pk=old.pk))[0]


def _unseen_pairs(contest: Contest, assessor: Assessor) -> QuerySet[PairTask]:
    """Return unanswered pairs outside HITs, without those the assessor has in another slot."""
    mine = search_tasks(contest).filter(
        assessor=assessor, round=OuterRef("round"), left=OuterRef("left"), right=OuterRef("right")
    )
    open_tasks = search_tasks(contest).filter(is_judged=False, hit="")
    return open_tasks.exclude(Exists(mine)) if contest.setting["per_pair"] > 1 else open_tasks
