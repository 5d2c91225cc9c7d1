"""Training before the first HIT: known answers, with feedback after each."""

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
    """An item of the training, and what the worker said to it.

    Attributes
    ----------
    number : int
        Which one, from 1 on.
    total : int
        How many there are.
    known : mapping
        The pair or doc with its answer, as `topk.crowd.known_answers` has it.
    answer : TrainingAnswer or None
        What was answered.
    """

    number: int
    total: int
    known: Mapping[str, Any]
    answer: TrainingAnswer | None


def needs_training(worker: CrowdWorker, batch: Batch) -> bool:
    """Whether a worker must be trained before the HITs of a batch."""
    return bool(batch.training) and batch.kind not in worker.trained


def next_lesson(worker: CrowdWorker, batch: Batch) -> int:
    """Return the number of the first item that is not answered."""
    return TrainingAnswer.objects.filter(worker=worker, batch=batch).count() + 1


def lesson(worker: CrowdWorker, batch: Batch, number: int) -> Lesson | None:
    """Return an item that the worker may see: an answered one, or the next; None for any other."""
    if not 1 <= number <= min(next_lesson(worker, batch), len(batch.training)):
        return None
    answer = TrainingAnswer.objects.filter(worker=worker, batch=batch, number=number).first()
    return Lesson(number, len(batch.training), batch.training[number - 1], answer)


def learn(sitting: Sitting, number: int, value: float) -> TrainingAnswer | None:
    """Take the answer to the next item; what was answered before stays as it was.

    The last answer decides: who has fewer right than the pass mark says gets no HIT, and the
    sitting is over. None if the item is not the next one.
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
    """Whether an answer is one of those that are right."""
    if "answer" in known:
        return (value > 0) - (value < 0) == _SIGNS[known["answer"]]
    return bool(known["lowest"] <= value <= known["highest"])
