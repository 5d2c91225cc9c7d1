"""Keys of disagreements (topic, doc, pair or aspect), and accounts that know or decided them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from django.db.models import QuerySet

from qrelsmith.web.models import Account, DeskEvent, Doc, Role

_KIND = DeskEvent.Kind


@dataclass(frozen=True, slots=True)
class Matter:
    """A topic, a doc, a pair of docs, or an aspect of an answer, identified by numbers.

    Attributes
    ----------
    topic : int
        The topic.
    doc : int or None
        The doc; None: the topic itself.
    other : int or None
        The second doc of a pair, after `doc` in the order of their names.
    aspect : str
        The aspect of the answer `doc`.
    """

    topic: int
    doc: int | None = None
    other: int | None = None
    aspect: str = ""

    def events(self, *kinds: str) -> QuerySet[DeskEvent]:
        """Return the events about the disagreement, optionally only of some kinds."""
        about = {"doc": self.doc, "other": self.other, "aspect": self.aspect}
        found = DeskEvent.objects.filter(topic=self.topic, **about)
        return found.filter(kind__in=kinds) if kinds else found

    def event(self, kind: str, **columns: object) -> DeskEvent:
        """Return a new event about the disagreement."""
        return DeskEvent(
            kind=kind, topic_id=self.topic, doc_id=self.doc, other_id=self.other,
            aspect=self.aspect, **columns,
        )  # fmt: skip

    @property
    def key(self) -> str:
        """The key of the disagreement in operation ids."""
        aspect = sha256(self.aspect.encode()).hexdigest()[:16] if self.aspect else ""
        parts = (self.topic, self.doc, self.other, aspect)
        return "-".join(str(each) for each in parts if each)


def pair_matter(topic: int, left: Doc, right: Doc) -> Matter:
    """Return the key of two docs of a topic, independent of their sides."""
    first, second = sorted((left, right), key=lambda doc: doc.name)
    return Matter(topic, first.pk, second.pk)


def desk_name(account: Account) -> str:
    """Return the name of an account on adjudication pages: a pseudonym, or role and number."""
    return account.assessor.name if account.assessor else f"{account.role}-{account.pk}"


def current_verdict(matter: Matter) -> DeskEvent | None:
    """Return the latest verdict on a disagreement; a withdrawn verdict has no value."""
    return matter.events(_KIND.ADJUDICATED).order_by("-revision").first()


def has_seen(account: Account, matter: Matter) -> bool:
    """Return whether an account knows the labels: it has revealed them, or given a verdict."""
    if account.role == Role.VIEWER:
        return True
    return matter.events(_KIND.ADJUDICATED, _KIND.REVEALED).filter(by=desk_name(account)).exists()


def seen_matters(account: Account, topic: int | None = None) -> set[Matter] | None:
    """Return the disagreements whose labels an account knows; None means all disagreements."""
    if account.role == Role.VIEWER:
        return None
    kinds = (_KIND.ADJUDICATED, _KIND.REVEALED)
    own = DeskEvent.objects.filter(by=desk_name(account), kind__in=kinds)
    if topic is not None:
        own = own.filter(topic=topic)
    return {Matter(*row) for row in own.values_list("topic", "doc", "other", "aspect")}


def decided_matters() -> set[Matter]:
    """Return the docs, pairs and aspects with a verdict that was not withdrawn."""
    found = DeskEvent.objects.filter(kind=_KIND.ADJUDICATED).order_by("revision")
    rows = found.values_list("topic", "doc", "other", "aspect", "value")
    newest = {Matter(*row[:-1]): row[-1] for row in rows}
    return {matter for matter, value in newest.items() if value is not None}
