"""HITs created from the open HITs of the assignments table, each with its own assignment."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from django.db.models import QuerySet
from django.urls import reverse

from qrelsmith.assigning.answer_plan import AnswerPlan
from qrelsmith.assigning.assignment import Assignment as Place
from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.topk.hits import pilot_topics
from qrelsmith.web.answers.kind import ASPECTS
from qrelsmith.web.core.closing import close_assignment
from qrelsmith.web.crowd.hit_kind import HitKind
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Batch, Hit, Topic

TABLE = "assignments.csv"


class _Known(Protocol):
    @property
    def topic(self) -> str: ...


Known = TypeVar("Known", bound=_Known)
Filler = Callable[[Place], dict[str, Any]]


class AssignedHits(HitKind):
    """HITs that each have an assignment of their own, which contains the items.

    Attributes
    ----------
    column : str
        The column of a HIT that refers to the assignment.
    page : str
        The name of the page on which the assignment is judged.
    """

    column: ClassVar[str]
    page: ClassVar[str]

    @abstractmethod
    def takes(self, place: Place, answers: AnswerPlan | None) -> bool:
        """Return whether an open HIT of the table is of this kind."""

    @abstractmethod
    def filler(self, batch: Batch, campaign: Campaign, answers: AnswerPlan | None) -> Filler:
        """Return a function that turns an open HIT of the table into the columns of a `Hit`."""

    def make(self, batch: Batch, campaign: Campaign, pilot: float | None) -> list[Hit]:
        """Create a HIT for each open HIT of the assignments table that is in no earlier batch.

        The workers join the group that the table names.

        Raises
        ------
        UsageError
            If the table has no open HIT.
        InputError
            If there is no table, or a topic or doc is not in the app.
        UndefinedError
            If a topic has too few attention checks.
        """
        answers = ASPECTS.plan_work(campaign)
        places = [each for each in _places(campaign, batch) if self.takes(each, answers)]
        if pilot is not None and places:
            chosen = set(pilot_topics(sorted({p.topic for p in places}), pilot, seed=batch.seed))
            places = [place for place in places if place.topic in chosen]
        if not places:
            raise UsageError(
                f"{TABLE} has no open HITs of {self.name} outside a batch; expected at least one"
            )
        groups = sorted({place.group for place in places})
        if len(groups) > 1:
            raise UsageError(
                f"found open HITs of the groups {', '.join(groups)}; expected one group"
            )
        batch.group = groups[0]
        batch.save(update_fields=["group"])
        topics = dict(Topic.objects.values_list("name", "id"))
        fill = self.filler(batch, campaign, answers)
        for name in sorted({place.topic for place in places} - topics.keys()):
            raise InputError(f"the topic {quoted(name)} is not in the app", path=campaign.folder)
        hits = [
            Hit(
                name=place.hit,
                topic_id=topics[place.topic],
                ordering=place.ordering,
                seed=place.seed,
                **fill(place),
            )
            for place in places
        ]
        return record_hits(batch, hits)

    def items(self, hit: Hit) -> QuerySet[Any]:
        """Return the items of the assignment."""
        own = {self.judged.stream: getattr(hit, f"{self.column}_id")}
        items: QuerySet[Any] = self.judged.units.objects.filter(**own)
        return items.order_by("position")

    def address(self, hit: Hit) -> str:
        """Return the address of the assignment, which opens at the next item."""
        return reverse(self.page, args=[getattr(hit, f"{self.column}_id")])

    def lock(self, hit: Hit) -> None:
        """Lock the HIT and its assignment."""
        super().lock(hit)
        streams = self.judged.streams.objects.select_for_update(no_key=True)
        streams.get(pk=getattr(hit, f"{self.column}_id"))

    def close(self, hit: Hit) -> None:
        """Close the assignment."""
        close_assignment(getattr(hit, f"{self.column}_id"), self.judged.streams)

    def claim_faults(self, hit: Hit, assessor: int | None) -> Iterator[str]:
        """Yield faults of the assignment's assessor and state."""
        stream = getattr(hit, self.column)
        if stream is not None and stream.assessor_id != assessor:
            yield f"the {self.name} of HIT {hit.key} are assigned to another worker"
        if (stream is None) is not (hit.state == Hit.State.OPEN):
            yield f"HIT {hit.key} is {hit.state}, but the state of its {self.name} differs"


def _places(campaign: Campaign, batch: Batch) -> list[Place]:
    """Return the table's open HITs that are not in earlier batches, shuffled with the seed."""
    path = campaign.folder / TABLE
    if not path.exists():
        raise InputError(
            "file not found; expected the HITs of a group without assessors. Create the "
            "HITs with qrelsmith assign --hit-size 8 --per-doc 10",
            path=path,
        )
    known = set(Hit.objects.filter(follows=None).values_list("name", "seed"))
    places = [each for each in read_assignments(path) if not each.assessor]
    new = [each for each in places if (each.hit, each.seed) not in known]
    return shuffle(new, seed=batch.seed, keys=("doc HITs",))


def checks_by_topic(
    batch: Batch,
    campaign: Campaign,
    file: str,
    setting: str,
    read: Callable[[Any], Iterable[Known]],
) -> dict[str, list[Known]]:
    """Return the items of known grade, by topic; empty if HITs need none."""
    if not batch.terms[setting]:
        return {}
    path = campaign.folder / file
    if not path.exists():
        problem = f"the file is missing, but {setting} = {batch.terms[setting]}"
        raise InputError(f"{problem} in [hits]", path=path)
    by_topic: dict[str, list[Known]] = {}
    for each in read(path):
        by_topic.setdefault(each.topic, []).append(each)
    return by_topic


def drawn_checks(
    place: Place, free: Sequence[Known], batch: Batch, file: str, setting: str
) -> list[Known]:
    """Draw the attention checks of a place from items that are not in the place itself."""
    count = int(batch.terms[setting])
    keys = (setting.replace("_", " "), place.hit, place.seed)
    drawn = shuffle(free, seed=batch.seed, keys=keys)[:count]
    if len(drawn) < count:
        what = setting.replace("_", " ")
        raise UndefinedError(
            f"{file} has {len(drawn)} {what} for the HIT {quoted(place.hit)};"
            f" expected {count}. Add {what.split()[1]} of topic {quoted(place.topic)}"
        )
    return drawn


def docs_with_checks(place: Place, checks: Iterable[str]) -> list[str]:
    """Return the docs of a place in order, with attention checks at random positions."""
    docs = list(place.docs)
    for each in checks:
        drawn = digest_key(place.seed, "challenge place", place.hit, each)
        docs.insert(int.from_bytes(drawn[:8], "big") % (len(docs) + 1), each)
    return docs
