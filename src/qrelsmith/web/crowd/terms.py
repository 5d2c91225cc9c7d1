"""Terms of a batch: its conditions, and the amount of work in one HIT."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.web.crowd.hit_kinds import HIT_KINDS
from qrelsmith.web.models import Batch


@dataclass(frozen=True, slots=True)
class HitWork:
    """The work of one HIT.

    Attributes ---------- items : int Maximum number of pairs, docs or aspects, including attention
    checks. challenges : int Number of attention checks among them. seconds : float Expected
    duration.
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
    kind = HIT_KINDS[batch.kind]
    items = kind.size(batch, terms)
    return HitWork(items, getattr(terms, kind.checks), items * getattr(terms, kind.seconds))
