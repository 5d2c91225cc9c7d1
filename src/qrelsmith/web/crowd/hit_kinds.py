"""All kinds of HITs."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.web.crowd.answer_hits import AnswerHits
from qrelsmith.web.crowd.doc_hits import DocHits
from qrelsmith.web.crowd.hit_kind import HitKind
from qrelsmith.web.crowd.pair_hits import PairHits
from qrelsmith.web.models import Hit

HIT_KINDS: Mapping[str, HitKind] = {
    kind.name: kind for kind in (PairHits(), DocHits(), AnswerHits())
}


def hit_kind(hit: Hit) -> HitKind:
    """Return the kind of a HIT."""
    return HIT_KINDS[hit.batch.kind]
