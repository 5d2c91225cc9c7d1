"""Further assignments of answers: repeats in a later round, and copies for another assessor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qrelsmith.assigning.repeats import SEED, repeat_place
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.graded.earlier_labels import FIRST_ROUND
from qrelsmith.web.models import AnswerAspect, AnswerAssignment
from qrelsmith.web.project import current_instance

_CARRIED = ("doc_id", "family", "aspect", "text", "importance")


def copy_items(
    items: Iterable[AnswerAspect], *, assessor: int, topic: int, round_: int
) -> AnswerAssignment:
    """Record an assignment with unjudged copies of some aspects, and with their answers.

    Requires a write transaction.

    Parameters
    ----------
    items : iterable of AnswerAspect
        Items of one assignment, in the new order.
    assessor, topic, round_ : int
        The assessor, topic and round of the new assignment.
    """
    old = list(items)
    places = {place: new for new, place in enumerate(dict.fromkeys(e.place for e in old), start=1)}
    answers = old[0].assignment.answers
    copied = AnswerAssignment.objects.create(
        assessor_id=assessor, topic_id=topic, round=round_, total=len(old),
        answers=[answers[place - 1] for place in places],
    )  # fmt: skip
    AnswerAspect.objects.bulk_create(
        AnswerAspect(
            assignment=copied, position=position, place=places[each.place],
            **{name: getattr(each, name) for name in _CARRIED},
        )
        for position, each in enumerate(old, start=1)
    )  # fmt: skip
    return copied


def repeated_answers(share: float, *, round_number: int) -> Iterator[AnswerAspect]:
    """Draw a share of the answers that each assessor judged completely in the first round.

    Yield the aspects of these answers in a new order. The answers are drawn as by `assign`; models
    have no repeats.

    Parameters
    ----------
    share : float
        The probability with which each answer is drawn, above 0 and at most 1.
    round_number : int
        Number of the new round; each round draws different answers.
    """
    seed = current_instance().campaign.seeds.get(SEED, 0)
    first = AnswerAssignment.objects.filter(round=FIRST_ROUND).exclude(assessor__group="llm")
    for assignment in first.select_related("assessor", "topic").order_by("pk"):
        answers: dict[int, list[AnswerAspect]] = {}
        for item in judged_items().filter(assignment=assignment).order_by("position"):
            answers.setdefault(item.place, []).append(item)
        drawn = {}
        for place, items in answers.items():
            run = assignment.answers[place - 1]["run"]
            keys = (assignment.assessor.name, assignment.topic.name, run)
            new = repeat_place(keys, share=share, seed=seed, round_number=round_number)
            if new is not None and all(each.is_judged for each in items):
                drawn[new] = items
        for _, items in sorted(drawn.items()):
            yield from items
