"""Handing out pairs, one at a time, so that no two assessors have the same one."""

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
    """Return the pair that the assessor has, or the next one, which is his or hers from now on.

    None if there is nothing to judge: the contest is closed or done, or all open pairs are with
    other assessors; a crowd worker has pairs in HITs only.
    """
    if not contest.is_open or hasattr(assessor, "crowd_worker"):
        return None
    if contest.derived < 0 or contest.is_changed:
        # What the assessor has may be closed by now.
        contest = derive(contest.pk)
    task = _claim(contest, assessor, is_last=is_derived(contest))
    if task is not None or is_derived(contest):
        return task
    # Only now, when nothing is left of what was open before, it is looked what the answers opened.
    return _claim(derive(contest.pk), assessor, is_last=True)


def pair_ahead(contest: Contest, assessor: Assessor, *, besides: int) -> PairTask | None:
    """Return the pair after the assessor's current one, so that it can be loaded ahead.

    None unless it is sure by now: what the answers open is looked at only by `next_pair`. Who has
    another unanswered pair gets that one, so that nobody collects them.
    """
    if not contest.is_open or contest.derived < 0 or contest.is_changed:
        return None
    held = _own_pair(contest, assessor, besides=besides)
    return held or _claim(contest, assessor, is_last=False, besides=besides)


def own_pairs(contest: Contest, assessor: Assessor) -> QuerySet[PairTask]:
    """Return the pairs in play that were handed out to an assessor, in that order."""
    tasks = PairTask.objects.filter(contest=contest, assessor=assessor, withdrawn=False)
    return tasks.filter(position__gt=0).order_by("position", "number")


def free_again(tasks: QuerySet[PairTask]) -> list[PairTask]:
    """Withdraw unfinished or discarded tasks of one contest, and ask their pairs anew; the copies.

    The tasks stay as records, together with what was answered to them. Only inside a transaction
    that writes.
    """
    contest = Contest.objects.filter(pairs__in=tasks).distinct().first()
    if contest is None:
        return []
    # First, so that nobody answers one of them until the transaction is over.
    Contest.objects.filter(pk=contest.pk).update(revision=F("revision"))
    old = list(tasks.order_by("number"))
    # An answer that is withdrawn changes what follows from the others.
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
    """Take a pair; of an assessor with two windows only one takes one."""
    with writing():
        if connection.features.has_select_for_update:
            # An assessor's requests come one after the other; with SQLite all writers do.
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
    """Whether the assessor may have pairs of the contest; who comes first keeps a whole topic."""
    if contest.setting["share"] == "pair":
        return True
    if contest.assessor_id is None:
        Contest.objects.filter(pk=contest.pk, assessor=None).update(assessor=assessor)
    return Contest.objects.filter(pk=contest.pk, assessor=assessor).exists()


def _free(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return the first open pair that nobody has and the assessor never had."""
    tasks = _unseen_pairs(contest, assessor).filter(assessor=None).select_related("left", "right")
    # On PostgreSQL rows that others are about to take are ignored.
    return tasks.order_by("number").select_for_update(skip_locked=True, of=("self",)).first()


def _abandoned_pair(contest: Contest, assessor: Assessor) -> PairTask | None:
    """Return a pair that somebody has had for too long without an answer, as a new task."""
    preferring = current_instance().campaign.preference_judging
    if preferring is None or contest.setting["share"] != "pair":
        return None
    # The contest first, everywhere: so no two transactions wait for each other.
    Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    limit = timezone.now() - timedelta(minutes=preferring.hold)
    tasks = _unseen_pairs(contest, assessor).filter(claimed_at__lt=limit).exclude(assessor=assessor)
    old = tasks.order_by("number").select_for_update(skip_locked=True, of=("self",)).first()
    if old is None:
        return None
    return free_again(PairTask.objects.filter(pk=old.pk))[0]


def _unseen_pairs(contest: Contest, assessor: Assessor) -> QuerySet[PairTask]:
    """Unanswered pairs of the search outside HITs of which the assessor has no other slot."""
    mine = search_tasks(contest).filter(
        assessor=assessor, round=OuterRef("round"), left=OuterRef("left"), right=OuterRef("right")
    )
    open_tasks = search_tasks(contest).filter(is_judged=False, hit="")
    return open_tasks.exclude(Exists(mine)) if contest.setting["per_pair"] > 1 else open_tasks
