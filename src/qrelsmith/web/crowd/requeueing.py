"""HITs given to another worker: the earlier answers stay in the log, but do not count."""

from __future__ import annotations

from django.utils import timezone

from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Hit, Sitting

_COPIED = ("name", "topic_id", "docs", "challenges", "aspects", "ordering", "seed")


def abandon(hit: Hit) -> Hit:
    """Take an unfinished HIT from its worker, end the session, and return the replacement HIT.

    Requires a write transaction.
    """
    sitting = Sitting.objects.filter(hit=hit, ended_at=None)
    sitting.update(ended_at=timezone.now(), result=Sitting.Result.ABANDONED)
    return _requeue(hit, Hit.State.ABANDONED)


def discard(hit: Hit) -> Hit:
    """Discard a finished HIT, which remains paid, and return the replacement HIT.

    Requires a write transaction.
    """
    return _requeue(hit, Hit.State.DISCARDED)


def _requeue(hit: Hit, state: Hit.State) -> Hit:
    """Return a new HIT with the same items in the same order; it is open if the batch is open."""
    kind = hit_kind(hit)
    kind.lock(hit)
    hit.state = state
    hit.save(update_fields=["state"])
    kind.close(hit)
    following = Hit(follows=hit, **{name: getattr(hit, name) for name in _COPIED})
    record_hits(hit.batch, [following])
    kind.requeue(hit, following)
    return following
