"""Pairs with contradicting answers, and the outcome of their adjudication."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from qrelsmith.web.desk.matters import Matter, pair_matter
from qrelsmith.web.models import Assessor, DeskEvent, PairTask

_KIND = DeskEvent.Kind


@dataclass(frozen=True, slots=True)
class ContestedPair:
    """A pair with contradicting answers, or a pair that was discussed or adjudicated.

    Attributes
    ----------
    matter : Matter
        The disagreement's key.
    topic, doc, other : str
        The names of the topic and the docs.
    task : int
        The number of one of its tasks, for addresses.
    tasks : tuple of int
        The numbers of all its tasks.
    answers : tuple of int
        The current answers for `doc` against `other`, ascending; below 0: `doc` is better.
    opened : DeskEvent or None
        The opening of the discussion, with the answers before it.
    verdict : DeskEvent or None
        The verdict; also None if it was withdrawn.
    """

    matter: Matter
    topic: str
    doc: str
    other: str
    tasks: tuple[int, ...]
    answers: tuple[int, ...]
    opened: DeskEvent | None
    verdict: DeskEvent | None

    @property
    def task(self) -> int:
        """The number of the first task that shows the pair."""
        return self.tasks[0]

    @property
    def is_contradicted(self) -> bool:
        """Whether assessors prefer different docs."""
        return bool(self.answers) and min(self.answers) < 0 < max(self.answers)

    @property
    def state(self) -> str:
        """The state: `decided`, `discussed`, `settled` (by its assessors), or `waiting`."""
        if self.verdict is not None:
            return "decided"
        if self.answers and not self.is_contradicted:
            return "settled"
        return "waiting" if self.opened is None else "discussed"

    @property
    def answers_text(self) -> str:
        """The answers as written in files."""
        return " ".join(map(str, self.answers))


def contested_pairs(assessor: Assessor | None = None) -> list[ContestedPair]:
    """Return the disagreements about pairs, by topic and docs; optionally of one assessor only.

    A pair enters the queue only after all its assessors have answered, so that no answer influences
    another.
    """
    events = _events()
    own = None
    if assessor is not None:
        own = set(_search_tasks().filter(assessor=assessor).values_list("pk", flat=True))
        if not own or not events:
            return []
    return [
        pair
        for pair in _pairs(events)
        if (own is None or not own.isdisjoint(pair.tasks))
        and (pair.opened is not None or pair.verdict is not None or pair.is_contradicted)
    ]


def brought_pairs() -> list[ContestedPair]:
    """Return the pairs that are under discussion or decided, by topic and docs."""
    if not DeskEvent.objects.filter(other__isnull=False).exists():
        return []
    brought = (pair for pair in contested_pairs() if pair.opened or pair.verdict)
    return sorted(brought, key=lambda pair: (pair.topic, pair.doc, pair.other))


def contested_pair(task: PairTask) -> ContestedPair:
    """Return the pair of a task, whether contradicted or not."""
    matter = pair_matter(task.contest.topic_id, task.left, task.right)
    return next(_pairs(_events(matter), matter))


def _pairs(
    events: dict[Matter, dict[str, DeskEvent]], matter: Matter | None = None
) -> Iterator[ContestedPair]:
    asked = _search_tasks()
    if matter is not None:
        docs = (matter.doc, matter.other)
        asked = asked.filter(contest__topic=matter.topic, left__in=docs, right__in=docs)
    ordered = asked.select_related("contest__topic", "left", "right").defer(
        "contest__candidates", "contest__nonrelevant", "passages"
    )
    groups: dict[Matter, list[PairTask]] = {}
    for task in ordered.order_by("contest__topic__name", "number"):
        key = pair_matter(task.contest.topic_id, task.left, task.right)
        groups.setdefault(key, []).append(task)
    for about, tasks in groups.items():
        first, second = sorted((tasks[0].left.name, tasks[0].right.name))
        done = events.get(about, {})
        verdict = done.get(_KIND.ADJUDICATED)
        is_over = all(task.is_judged for task in tasks)
        yield ContestedPair(
            matter=about,
            topic=tasks[0].contest.topic.name,
            doc=first,
            other=second,
            tasks=tuple(task.pk for task in tasks),
            answers=tuple(sorted(_outcome(task, about) for task in tasks)) if is_over else (),
            opened=done.get(_KIND.OPENED),
            verdict=verdict if verdict is not None and verdict.value is not None else None,
        )


def _search_tasks() -> QuerySet[PairTask]:
    """Return the tasks whose answers count."""
    return PairTask.objects.filter(purpose=PairTask.Purpose.SEARCH, withdrawn=False)


def _outcome(task: PairTask, matter: Matter) -> int:
    """Return the answer to a task, as if the first doc of the pair were on the left."""
    outcome = task.outcome or 0
    return outcome if task.left_id == matter.doc else -outcome


def _events(matter: Matter | None = None) -> dict[Matter, dict[str, DeskEvent]]:
    """Return the latest event of each kind about each pair."""
    kinds = (_KIND.ADJUDICATED, _KIND.OPENED)
    found = DeskEvent.objects.filter(other__isnull=False, kind__in=kinds)
    if matter is not None:
        found = matter.events(*kinds)
    events: dict[Matter, dict[str, DeskEvent]] = {}
    for event in found.order_by("id"):
        of = Matter(event.topic_id, event.doc_id, event.other_id)
        events.setdefault(of, {})[event.kind] = event
    return events
