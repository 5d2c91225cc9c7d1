"""Workers who fail an attention check: excluded, paid, and their HITs opened for others."""

from __future__ import annotations

import csv
from collections.abc import Callable
from typing import Any

import pytest

from qrelsmith.cli import run
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.web.desk.contested import contested_docs
from qrelsmith.web.models import (
    AssignedDoc,
    Assignment,
    Contest,
    CrowdWorker,
    Event,
    Hit,
    PairTask,
    PreferenceEvent,
    Sitting,
)
from qrelsmith.web.pairs.searches import answers_to, state_of
from qrelsmith.web.tables.event_table import all_events
from qrelsmith.web.tables.judged import judgments_from


def hits(state: str) -> list[Any]:
    return list(Hit.objects.filter(state=state).order_by("number"))


@pytest.mark.parametrize(("kind", "platform"), [("pairs", "mturk"), ("docs", "prolific")])
def test_a_careless_worker_gets_a_code_and_no_other_hit(
    app: Any, make_crowd: Callable[..., Any], kind: str, platform: str
) -> None:
    careless = make_crowd(app, kind, platform, training=False).worker("C1")
    careless.begin()
    published = Hit.objects.count()
    done = careless.answer_all(careful=False)
    assert done.status_code == 200
    assert careless.code()
    assert Sitting.objects.get().pay == 2.0
    worker = CrowdWorker.objects.get()
    assert worker.excluded_at is not None
    (discarded,) = hits("discarded")
    assert discarded.missed > 0
    assert Hit.objects.count() == published + 1
    following = Hit.objects.get(follows=discarded)
    assert (following.state, following.name, following.docs) == (
        "open",
        discarded.name,
        discarded.docs,
    )
    assert following.key != discarded.key
    careless.reference = "ANOTHERREF0001"
    answer = careless.land()
    assert answer.status_code == 409
    assert b"no more tasks for you" in answer.content


def test_all_hits_of_the_batch_are_discarded_and_the_answers_stay_as_records(
    lite_pairs: Any,
) -> None:
    worker = lite_pairs.worker("C1")
    worker.begin()
    worker.answer_all()
    assert hits("discarded") == []
    worker.reference = "SECONDREF000001"
    worker.begin()
    worker.answer_all(careful=False)
    assert len(hits("discarded")) == 2
    assert len(hits("open")) == 3
    assert sum(Sitting.objects.values_list("pay", flat=True)) == 4
    done = PairTask.objects.filter(assessor__name=worker.pseudonym)
    assert all(task.withdrawn for task in done)
    assert PreferenceEvent.objects.count() == done.count()
    for hit in hits("open"):
        tasks = PairTask.objects.filter(hit=hit.key, withdrawn=False)
        assert sorted(tasks.values_list("position", flat=True)) == list(range(1, tasks.count() + 1))
        assert not tasks.filter(is_judged=True).exists()
        assert tasks.filter(purpose="challenge").count() == 2
    asked = PairTask.objects.filter(purpose="search", withdrawn=False)
    assert asked.count() == 12


def test_discarded_work_is_done_by_another_worker_and_then_the_search_continues(
    lite_pairs: Any,
) -> None:
    careless = lite_pairs.worker("C1")
    careless.begin()
    careless.answer_all(careful=False)
    careful = lite_pairs.worker("B1")
    for number in range(3):
        careful.reference = f"CAREFULREF00{number}"
        careful.begin()
        careful.answer_all()
    assert hits("open") == []
    for contest in Contest.objects.select_related("topic"):
        answers = answers_to(contest)
        assert len(answers) == 6
        assert {answer.assessor for answer in answers} == {careful.pseudonym}
        state = state_of(contest)
        assert state.done
        assert contest.is_done
    careful.reference = "CAREFULREF009"
    assert b"No task is available" in careful.land().content


def test_a_worker_never_gets_docs_twice(docs: Any, again: Callable[..., Any]) -> None:
    """Six docs per topic in HITs of three are two HITs, each for two workers."""
    assert Hit.objects.count() == 8
    worker = docs.worker("B1")
    worker.begin()
    worker.answer_all()
    for number in range(3):
        worker.reference = f"REF{number}"
        worker.begin()
        worker.answer_all()
    own = Assignment.objects.filter(assessor__name=worker.pseudonym)
    assert own.count() == 4
    assert len(set(own.values_list("hit", flat=True))) == 4
    worker.reference = "REF9"
    assert worker.land().status_code == 409


def test_labels_of_attention_checks_and_of_discarded_hits_are_not_exported(
    docs: Any, tmp_path: Any
) -> None:
    careful, careless, slow = (docs.worker(name) for name in ("B1", "C1", "D1"))
    for worker in (careful, careless, slow):
        worker.begin()
    careful.answer_all()
    careless.answer_all(careful=False)
    slow.answer()
    passage = {"start": 0, "quote": "word", "sha256": "0" * 64}
    AssignedDoc.objects.filter(is_judged=True).update(passages=[passage])
    assert contested_docs() == []
    live = judgments_from(all_events())
    assert set(live.assessors) == {careful.pseudonym, slow.pseudonym}
    target = tmp_path / "out"
    assert run(["export", str(docs.app.folder), "-o", str(target), "--quiet"]) == 0
    judgments = read_judgments(target / "judgments.csv")
    assert set(judgments.assessors) == {careful.pseudonym}
    hit = Hit.objects.get(state="finished")
    assert set(judgments.docs) == set(hit.docs) - set(hit.challenges)
    assert set(live.select(live.assessor == live.assessors.index(careful.pseudonym)).docs) == set(
        judgments.docs
    )
    with (target / "passages.csv").open(encoding="utf-8", newline="") as file:
        assert {row["doc"] for row in csv.DictReader(file)} == set(judgments.docs)
    assert Event.objects.count() == 2 * len(hit.docs) + 1


def test_labels_of_discarded_hits_and_of_attention_checks_are_no_disagreement(docs: Any) -> None:
    careless = docs.worker("C1")
    careless.begin()
    careless.answer_all(careful=False)
    for name in ("B1", "D1"):
        careful = docs.worker(name)
        for number in range(3):
            careful.reference = f"{name}REFERENCE{number}"
            careful.begin()
            careful.answer_all()
    assert contested_docs() == []
