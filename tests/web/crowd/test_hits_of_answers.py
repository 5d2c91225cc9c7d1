"""HITs of answers: content, attention checks, counted labels, and what a worker cannot do."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.answers.test_answers import Judge
from tests.web.crowd.conftest import ANSWERS_TOML, publish_answers
from tests.web.fixtures.exports import exported

from qrelsmith.base.errors import InputError, UndefinedError
from qrelsmith.cli import run
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.payments import approve_code, payment_rows
from qrelsmith.web.crowd.terms import work_of
from qrelsmith.web.desk.aspects import contested_aspects
from qrelsmith.web.models import AnswerAspect, AnswerAssignment, CrowdWorker, Doc, Hit
from qrelsmith.web.organiser.matrix import matrix_sums
from qrelsmith.web.verification.whole import verified


@pytest.fixture
def lite_answers(tmp_path: Path, make_answers: Callable[..., Path], open_app: Any) -> Iterator[Any]:
    """Return an app of answers on SQLite, without a batch."""
    with open_app(make_answers(tmp_path / "answers")) as app:
        yield app


def wrong() -> list[str]:
    return [each for check in verified() for each in check.examples]


def runs_of(hit: Any) -> list[str]:
    return [answer["run"] for answer in hit.docs]


def own_runs(hit: Any) -> set[str]:
    """Return the runs of a HIT that are not attention checks."""
    return set(runs_of(hit)) - set(hit.challenges)


def test_a_worker_judges_all_aspects_submits_and_is_paid(of_answers: Any, tmp_path: Path) -> None:
    worker = of_answers.worker()
    assert b"Judge " in worker.land().content
    worker.begin()
    assert b'id="answer"' in worker.page.content
    worker.answer_all()
    assert approve_code(worker.code()).state == "approved"
    (paid,) = payment_rows()
    assert paid[7:9] == ("finished", "2.00")
    (hit,) = Hit.objects.filter(state="finished")
    out = exported(of_answers.app.folder, tmp_path / "out")
    rows = list(csv.DictReader((out / "judgments.csv").read_text().splitlines()))
    assert {(row["assessor"], row["hit"]) for row in rows} == {(worker.pseudonym, hit.name)}
    assert {row["doc"] for row in rows} == own_runs(hit)
    assert {row["aspect"] for row in rows} >= {"n1", "fluency"}
    assert wrong() == []


def test_hits_have_the_answers_of_the_table_and_answers_with_known_aspects(of_answers: Any) -> None:
    hits = list(Hit.objects.select_related("topic", "batch"))
    # Four answers of each of three topics are two HITs, each for two workers.
    assert len(hits) == 12
    for hit in hits:
        assert len(own_runs(hit)) == 2
        assert sum(map(len, hit.challenges.values())) == 2
        assert hit.aspects == sum(len(answer["items"]) for answer in hit.docs)
    work = work_of(of_answers.batch)
    assert (work.items, work.challenges) == (max(hit.aspects for hit in hits), 2)
    assert work.seconds == 15 * work.items


def test_a_hit_cannot_be_submitted_before_every_aspect_is_judged(of_answers: Any) -> None:
    worker = of_answers.worker()
    worker.begin()
    worker.judge_aspects(worker.state()["items"][1:])
    worker.follow(worker.get("/work/hand-in"))
    assert b"One aspect is left." in worker.page.content
    assert worker.post("/work/hand-in").status_code == 409


def test_a_careless_worker_is_paid_and_the_hit_is_opened_again(
    of_answers: Any, tmp_path: Path
) -> None:
    careless = of_answers.worker("C1")
    careless.begin()
    careless.answer_all(careful=False)
    assert careless.code()
    assert CrowdWorker.objects.get().excluded_at is not None
    (discarded,) = Hit.objects.filter(state="discarded")
    assert discarded.missed == 2
    following = Hit.objects.get(follows=discarded)
    assert (following.state, following.docs, following.aspects) == (
        "open", discarded.docs, discarded.aspects,
    )  # fmt: skip
    assert not AnswerAssignment.objects.get(crowd_hit=discarded).is_open
    assert not (exported(of_answers.app.folder, tmp_path / "out") / "judgments.csv").exists()
    assert wrong() == []


def test_an_export_with_hits_is_imported_again(
    of_answers: Any, tmp_path: Path, comes_back: Callable[..., Path]
) -> None:
    careful, careless, slow = (of_answers.worker(name) for name in ("A1", "C1", "D1"))
    for worker in (careful, careless, slow):
        worker.begin()
    careful.answer_all()
    careless.answer_all(careful=False)
    slow.judge_aspects(slow.state()["items"][:3])
    comes_back(exported(of_answers.app.folder, tmp_path / "first", "--documents"), "--documents")


def test_labels_of_workers_are_not_in_the_matrix_and_the_adjudication_queue(
    of_answers: Any,
) -> None:
    worker = of_answers.worker()
    worker.begin()
    worker.answer_all()
    topic = AnswerAssignment.objects.get(assessor__name=worker.pseudonym).topic.name
    before = matrix_sums()["judged"]
    own = Judge(of_answers.app, "a01", topic)
    for row in own.rows("nugget"):
        own.judge(row, 0)
    assert matrix_sums()["judged"] - before == len(own.rows("nugget"))
    assert contested_aspects() == []


def test_workers_cannot_edit_nuggets(of_answers: Any) -> None:
    worker = of_answers.worker()
    worker.begin()
    assert b'data-deed="edit"' not in worker.page.content
    number = worker.state()["assignment"]
    form = {"op_id": "edit-00000001", "place": 1, "position": 1, "aspect": 0, "text": "A fact.",
            "value": 1}  # fmt: skip
    assert worker.post(f"/answers/{number}/nuggets", **form).status_code == 404


def test_a_submitted_hit_stays_complete_when_nuggets_are_edited(of_answers: Any) -> None:
    worker = of_answers.worker()
    worker.begin()
    number = worker.state()["assignment"]
    topic = AnswerAssignment.objects.get(pk=number).topic.name
    editor = Judge(of_answers.app, "a01", topic)
    nugget = editor.rows("nugget", name="n5")[0]
    editor.edit(nugget, value=0)
    editor.edit(None, text="Another fact.")
    items = AnswerAspect.objects.filter(assignment=number, family="nugget")
    assert not items.exclude(aspect__in=[f"n{n}" for n in range(1, 6)]).exists()
    worker.answer_all()
    hit = Hit.objects.get(state="finished")
    assert not items.filter(aspect="n5", is_judged=True).exists()
    editor.edit(nugget, value=1)
    assert hit_kind(hit).progress(hit).left == 0
    assert wrong() == []


@pytest.mark.parametrize(
    ("checks", "row", "error", "words"),
    [
        (2, "heat,garden,n9,2,2", InputError, "no aspect 'n9' in the app"),
        (2, "heat,robot,n1,2,2", InputError, "the answer of 'robot' to topic 'heat'"),
        (9, "", UndefinedError, "challenge aspects for the HIT"),
    ],
)
def test_unusable_attention_checks_open_no_batch(
    lite_answers: Any, checks: int, row: str, error: Any, words: str
) -> None:
    toml = ANSWERS_TOML.replace("challenge_aspects = 2", f"challenge_aspects = {checks}")
    with pytest.raises(error, match=words):
        publish_answers(lite_answers, toml, row)
    assert not Hit.objects.exists()


def test_a_table_without_open_hits_of_answers_opens_no_batch(of_answers: Any) -> None:
    folder = str(of_answers.app.folder)
    assert run(["app", "crowd", "open", folder, "answers", "--on", "mturk", "--quiet"]) == 2
    assert run(["app", "crowd", "open", folder, "docs", "--on", "mturk", "--quiet"]) == 2


def test_an_answer_that_was_not_imported_is_refused(lite_answers: Any) -> None:
    Doc.objects.filter(name__contains="island").update(version=0)
    with pytest.raises(InputError, match=r"the answer of 'island' .* is not in the app"):
        publish_answers(lite_answers, ANSWERS_TOML.replace("aspects = 2", "aspects = 0"))
