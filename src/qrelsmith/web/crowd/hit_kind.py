"""The interface of a kind of HIT: items, attention checks, and how HITs are opened and closed.

A new kind is one subclass, listed in `hit_kinds`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.db.models import QuerySet

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Assessor, Batch, Hit


@dataclass(frozen=True, slots=True)
class HitProgress:
    """Progress in a HIT.

    Attributes
    ----------
    done, total : int
        Number of answered items, and of all items.
    address : str
        Address of the next unanswered item, or of the first item if none is left.
    """

    done: int
    total: int
    address: str

    @property
    def left(self) -> int:
        """The number of items without an answer."""
        return self.total - self.done


class HitKind(ABC):
    """A kind of HIT.

    Attributes
    ----------
    name : str
        The kind of its batches.
    judged : JudgmentKind
        The kind of judgment of its items.
    seconds, checks : str
        The settings of `[hits]` with the time per item, and with the number of attention checks.
    training : str
        The file of its training; empty if there is none for this kind.
    """

    name: ClassVar[str]
    judged: ClassVar[JudgmentKind]
    seconds: ClassVar[str]
    checks: ClassVar[str]
    training: ClassVar[str] = ""

    @abstractmethod
    def make(self, batch: Batch, campaign: Campaign, pilot: float | None) -> list[Hit]:
        """Bundle the open work into HITs of a new batch."""

    @abstractmethod
    def size(self, batch: Batch, terms: HitTerms) -> int:
        """Return the maximum number of items in a HIT, including attention checks."""

    @abstractmethod
    def give(self, hit: Hit, assessor: Assessor) -> None:
        """Assign the items to the worker who has taken the HIT."""

    @abstractmethod
    def items(self, hit: Hit) -> QuerySet[Any]:
        """Return the items that the worker must answer, in order."""

    @abstractmethod
    def check_ranges(self, hit: Hit) -> dict[int, tuple[float, float]]:
        """Return the lowest and highest correct value of each attention check, by item."""

    @abstractmethod
    def address(self, hit: Hit) -> str:
        """Return the address of the next item."""

    @abstractmethod
    def close(self, hit: Hit) -> None:
        """Close the items to answers; requires the lock of the HIT."""

    @abstractmethod
    def claim_faults(self, hit: Hit, assessor: int | None) -> Iterator[str]:
        """Yield errors in the assignment of the items to the HIT's worker."""

    def lock(self, hit: Hit) -> None:
        """Lock a HIT and its contents until the end of the transaction."""
        Hit.objects.select_for_update(no_key=True).get(pk=hit.pk)

    def requeue(self, hit: Hit, following: Hit) -> None:  # noqa: B027
        """Move contents that are not stored in the HIT's columns to the replacement HIT."""

    def progress(self, hit: Hit) -> HitProgress:
        """Return the progress of a HIT that a worker has taken."""
        items = self.items(hit)
        done = items.filter(is_judged=True).count()
        return HitProgress(done, items.count(), self.address(hit))

    def count_missed(self, hit: Hit, values: Mapping[int, float | None] | None = None) -> int:
        """Return the number of failed attention checks, by default from the current answers.

        A check without a value counts as failed.
        """
        if values is None:
            judged = self.items(hit).filter(is_judged=True)
            values = dict(judged.values_list("pk", self.judged.value))
        checks = [(values.get(pk), *span) for pk, span in self.check_ranges(hit).items()]
        return sum(
            value is None or not lowest <= value <= highest for value, lowest, highest in checks
        )
