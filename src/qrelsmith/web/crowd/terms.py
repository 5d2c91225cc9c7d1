"""Terms of a batch: its conditions, and the amount of work in one HIT."""

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
        Maximum number of pairs or docs, attention checks included.
    challenges : int
        Number of attention checks among them.
    seconds : float
        Expected duration.
    """

    items: int
    challenges: int
    seconds: float

    @property
    def minutes(self) -> int:
        """The expected duration in minutes, at least 1."""
        return max(1, round(self.seconds / 60))


def terms_of(batch: Batch) -> HitTerms:
    """Return the terms of a batch, as they were when it was opened."""
    values = dict(batch.terms)
    return HitTerms(**{**values, "countries": tuple(values["countries"])})


def work_of(batch: Batch) -> HitWork:
    """Return the amount of work in a HIT of a batch."""
    terms = terms_of(batch)
    if batch.kind == Batch.Kind.PAIRS:
        items = terms.pairs + terms.challenges
        return HitWork(items, terms.challenges, items * terms.seconds)
    items = max((len(docs) for docs in batch.hits.values_list("docs", flat=True)), default=0)
    return HitWork(items, terms.challenge_docs, items * terms.doc_seconds)
