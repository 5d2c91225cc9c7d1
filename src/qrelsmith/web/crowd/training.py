"""Training before the first HIT: items with known answers, and feedback after each answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.finishing import end_untrained
from qrelsmith.web.models import Batch, CrowdWorker, Sitting, TrainingAnswer

_SIGNS = {"left": -1, "tie": 0, "right": 1}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A training item with the worker's answer.

    Attributes
    ----------
    number : int
        Its number, from 1.
    total : int
        Number of all items.
    known : mapping
        The pair or doc with its correct answer, as in `topk.crowd.known_answers`.
    answer : TrainingAnswer or None
        The worker's answer.
    """

    number: int
    total: int
    known: Mapping[str, Any]
    answer: TrainingAnswer | None


def needs_training(worker: CrowdWorker, batch: Batch) -> bool:
    """Return whether a worker must be trained before the HITs of a batch."""
    return bool(batch.training) and batch.kind not in worker.trained


def next_lesson(worker: CrowdWorker, batch: Batch) -> int:
    """Return the number of the first unanswered item."""
    return TrainingAnswer.objects.filter(worker=worker, batch=batch).count() + 1


def lesson(worker: CrowdWorker, batch: Batch, number: int) -> Lesson | None:
    """Return an item if the worker may see it (answered items and the next item), else None."""
    if not 1 <= number <= min(next_lesson(worker, batch), len(batch.training)):
        return None
    answer = TrainingAnswer.objects.filter(worker=worker, batch=batch, number=number).first()
    return Lesson(number, len(batch.training), batch.training[number - 1], answer)


def learn(sitting: Sitting, number: int, value: float) -> TrainingAnswer | None:
    """Record the answer to the next item; existing answers do not change.

    After the last answer, a worker below the pass mark gets no HIT, and the session ends. Return
    None if the item is not the next item.
    """
    with writing():
        worker = CrowdWorker.objects.select_for_update(no_key=True).get(pk=sitting.worker_id)
        current = Sitting.objects.select_related("batch", "worker").get(pk=sitting.pk)
        batch = current.batch
        answered_lesson = lesson(worker, batch, number)
        if (
            answered_lesson is None
            or answered_lesson.answer is not None
            or current.ended_at is not None
        ):
            return None if answered_lesson is None else answered_lesson.answer
        answer = TrainingAnswer.objects.create(
            worker=worker,
            batch=batch,
            number=number,
            value=value,
            is_right=is_right(answered_lesson.known, value),
        )
        if number == len(batch.training):
            answers = TrainingAnswer.objects.filter(worker=worker, batch=batch)
            right = answers.filter(is_right=True).count()
            passed = 100 * right >= float(batch.terms["pass_mark"]) * len(batch.training)
            worker.trained = {**worker.trained, batch.kind: passed}
            worker.save(update_fields=["trained"])
            if not passed:
                end_untrained(current)
        return answer


def is_right(known: Mapping[str, Any], value: float) -> bool:
    """Return whether an answer is one of the correct answers."""
    if "answer" in known:
        return (value > 0) - (value < 0) == _SIGNS[known["answer"]]
    return bool(known["lowest"] <= value <= known["highest"])
