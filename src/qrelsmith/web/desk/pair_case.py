"""A pair in the queue or in discussion: its docs, all answers with reasons, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qrelsmith.base.rng import digest_key
from qrelsmith.web.desk.case import MarkedDoc, marked_doc
from qrelsmith.web.desk.contradictions import ContestedPair
from qrelsmith.web.desk.matters import current_verdict
from qrelsmith.web.graded.assigned import topic_text
from qrelsmith.web.models import DeskEvent, Doc, PairTask, TopicVersion
from qrelsmith.web.pairs.choices import LABELS

_RECORD = "desk"


@dataclass(frozen=True, slots=True)
class PairOpinion:
    """An assessor's answer to a pair.

    Attributes
    ----------
    number : int
        Its number among the opinions, from 1; its passages have this number in the docs.
    assessor, group : str
        The assessor and the group.
    outcome : int
        The answer, for the docs on the sides on which they are shown.
    label : str
        The answer in words.
    quotes : sequence of (str, str)
        The passages, each with its doc's side.
    """

    number: int
    assessor: str
    group: str
    outcome: int
    label: str
    quotes: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PairCase:
    """A pair as shown in the queue.

    Attributes
    ----------
    pair : ContestedPair
        The pair.
    text : TopicVersion
        The current version of the topic.
    left, right : MarkedDoc
        The docs.
    turned : int
        −1 if the left doc is the second by name, else 1.
    opinions : sequence of PairOpinion
        All answers; empty until they may be shown.
    newest : DeskEvent or None
        The latest verdict, even if it withdraws an earlier verdict.
    said : sequence of DeskEvent
        The thread of the pair and of its topic.
    """

    pair: ContestedPair
    text: TopicVersion
    left: MarkedDoc
    right: MarkedDoc
    turned: int
    opinions: Sequence[PairOpinion]
    newest: DeskEvent | None
    said: Sequence[DeskEvent]

    @property
    def sides(self) -> tuple[MarkedDoc, MarkedDoc]:
        """Both docs."""
        return self.left, self.right

    @property
    def decided(self) -> str:
        """The verdict in words; empty without a verdict."""
        if self.newest is None or self.newest.value is None:
            return ""
        return str(LABELS[int(self.newest.value) * self.turned])


def desk_sides(task: PairTask) -> tuple[Doc, Doc]:
    """Return the docs of a pair for an adjudicator, on sides drawn by the seed."""
    first, second = sorted((task.left, task.right), key=lambda doc: doc.name)
    keys = (_RECORD, task.contest.topic.name, first.name, second.name)
    is_turned = digest_key(int(task.contest.setting["seed"]), *keys)[0] % 2
    return (second, first) if is_turned else (first, second)


def pair_case_of(
    task: PairTask, pair: ContestedPair, sides: tuple[Doc, Doc], *, is_seen: bool
) -> PairCase:
    """Return a pair with its docs on given sides; for a blind view, without answers."""
    left, right = sides
    opinions, marks = _opinions(pair, left.pk) if is_seen else ([], {})
    words = DeskEvent.objects.filter(topic=task.contest.topic_id, kind=DeskEvent.Kind.SAID)
    about = {(None, None), (pair.matter.doc, pair.matter.other)}
    return PairCase(
        pair=pair,
        text=topic_text(task.contest),
        left=marked_doc(left, marks.get(left.pk, ())),
        right=marked_doc(right, marks.get(right.pk, ())),
        turned=1 if left.pk == pair.matter.doc else -1,
        opinions=opinions,
        newest=current_verdict(pair.matter),
        said=[word for word in words.order_by("id") if (word.doc_id, word.other_id) in about],
    )


def _opinions(
    pair: ContestedPair, left: int
) -> tuple[list[PairOpinion], dict[int, list[tuple[dict[str, Any], int]]]]:
    """Return all answers, and each doc's passages with the numbers of the answers they support."""
    opinions: list[PairOpinion] = []
    marks: dict[int, list[tuple[dict[str, Any], int]]] = {}
    judged = PairTask.objects.filter(pk__in=pair.tasks, is_judged=True, assessor__isnull=False)
    ordered = judged.select_related("assessor").order_by("assessor__group", "assessor__name")
    for number, task in enumerate(ordered, start=1):
        quotes = []
        for passage in task.passages:
            doc = task.left_id if passage["side"] == "left" else task.right_id
            marks.setdefault(doc, []).append((passage, number))
            quotes.append(("left" if doc == left else "right", passage["quote"]))
        outcome = (task.outcome or 0) * (1 if task.left_id == left else -1)
        assessor = task.assessor
        if assessor is None:
            continue
        opinions.append(
            PairOpinion(
                number, assessor.name, assessor.group, outcome, str(LABELS[outcome]), quotes
            )
        )
    return opinions, marks
