"""HITs given to another worker: the earlier answers stay in the log, but do not count."""

from __future__ import annotations

from django.utils import timezone

from qrelsmith.web.core.closing import close_hit, lock_hit
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Hit, PairTask, Sitting
from qrelsmith.web.pairs.claims import free_again

_COPIED = ("name", "topic_id", "docs", "challenges", "ordering", "seed")


def abandon(hit: Hit) -> Hit:
    """Take an unfinished HIT from its worker, end the session, and return the replacement HIT.

    Only inside a transaction that writes.
    """
    sitting = Sitting.objects.filter(hit=hit, ended_at=None)
    sitting.update(ended_at=timezone.now(), result=Sitting.Result.ABANDONED)
    return _requeue(hit, Hit.State.ABANDONED)


def discard(hit: Hit) -> Hit:
    """Discard a finished HIT, which remains paid, and return the replacement HIT.

    Only inside a transaction that writes.
    """
    return _requeue(hit, Hit.State.DISCARDED)


def _requeue(hit: Hit, state: Hit.State) -> Hit:
    """Return a new HIT with the same pairs or docs in order; it is open while the batch is."""
    lock_hit(hit.pk)
    hit.state = state
    hit.save(update_fields=["state"])
    close_hit(hit)
    following = Hit(follows=hit, **{name: getattr(hit, name) for name in _COPIED})
    record_hits(hit.batch, [following])
    _move_pairs(hit, following)
    return following


def _move_pairs(hit: Hit, following: Hit) -> None:
    tasks = PairTask.objects.filter(hit=hit.key, withdrawn=False)
    for contest in sorted(set(tasks.values_list("contest", flat=True))):
        own = tasks.filter(contest=contest).order_by("number")
        places = list(own.values_list("position", flat=True))
        # The keys are listed first, because queries do not find withdrawn pairs.
        copies = free_again(PairTask.objects.filter(pk__in=list(own.values_list("pk", flat=True))))
        for copy, place in zip(copies, places, strict=True):
            copy.hit = following.key
            copy.position = place
        PairTask.objects.bulk_update(copies, ["hit", "position"])
