"""Terms of a batch: what it promises and asks, and how much work one of its HITs is."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.web.models import Batch


@dataclass(frozen=True, slots=True)
class HitWork:
    """The work of one HIT.

    Attributes
    ----------
    items : int
        Its pairs or docs, at most, challenges included.
    challenges : int
        How many of them are challenges.
    seconds : float
        How long it takes.
    """

    items: int
    challenges: int
    seconds: float

    @property
    def minutes(self) -> int:
        """The same in minutes, one at least."""
        return max(1, round(self.seconds / 60))


def terms_of(batch: Batch) -> HitTerms:
    """Return the terms of a batch, as they were when it was opened."""
    values = dict(batch.terms)
    return HitTerms(**{**values, "countries": tuple(values["countries"])})


def work_of(batch: Batch) -> HitWork:
    """Return the work of a HIT of a batch."""
    terms = terms_of(batch)
    if batch.kind == Batch.Kind.PAIRS:
        items = terms.pairs + terms.challenges
        return HitWork(items, terms.challenges, items * terms.seconds)
    items = max((len(docs) for docs in batch.hits.values_list("docs", flat=True)), default=0)
    return HitWork(items, terms.challenge_docs, items * terms.doc_seconds)
