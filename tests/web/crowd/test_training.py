"""Training: feedback in words, the pass mark, and the payment after a failure."""

from __future__ import annotations

from typing import Any

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.web.models import Batch, Hit, Sitting, TrainingAnswer


def test_every_answer_is_explained(lite_taught: Any) -> None:
    worker = lite_taught.worker()
    worker.begin()
    path = "/work/training/1"
    assert worker.page.request["PATH_INFO"] == path
    worker.follow(worker.post(path, value="1"))
    text = worker.page.content.decode()
    assert "Not correct" in text
    assert "The left doc is better." in text
    assert "The right doc does not name the topic." in text
    # The first answer counts, whatever is sent again.
    assert worker.client.get("/work/training/1").status_code == 200
    worker.get("/work/training/2")
    worker.follow(worker.post("/work/training/2", value="1"))
    assert "Correct" in worker.page.content.decode()
    assert worker.get("/work/training/1/left").status_code == 200
    assert worker.page["Content-Security-Policy"].startswith("sandbox")
    for path in ("/work/training/4", "/work/training/0", "/work/training/1/doc",
                 "/work/training/9"):  # fmt: skip
        assert worker.get(path).status_code == 404, path
    worker.get("/work/training/3")
    for value in ("", "2", "nan", "1e400", "x"):
        assert worker.post("/work/training/3", value=value).status_code == 400, value


def test_an_answer_cannot_be_given_twice(taught: Any) -> None:
    worker = taught.worker()
    worker.begin()
    first = worker.page
    worker.post("/work/training/1", value="1")
    worker.page = first
    worker.post("/work/training/1", value="-1")
    assert [(a.value, a.is_right) for a in TrainingAnswer.objects.all()] == [(1, False)]


def test_a_worker_who_fails_is_thanked_and_paid_according_to_the_terms(taught: Any) -> None:
    worker = taught.worker()
    worker.begin()
    worker.learn(right=False)
    text = worker.page.content.decode()
    assert "Too few answers were correct" in text
    assert worker.code()
    sitting = Sitting.objects.get()
    assert (sitting.result, sitting.pay) == ("untrained", 0.5)
    assert not Hit.objects.exclude(state="open").exists()
    worker.reference = "ANOTHERREF001"
    assert b"You took the training earlier and did not pass" in worker.land().content


def test_the_pass_mark_is_enough(lite_taught: Any) -> None:
    """Three of four answers are 75 percent."""
    worker = lite_taught.worker()
    worker.begin()
    for number, value in enumerate((-1, 1, -1, 1), start=1):
        worker.get(f"/work/training/{number}")
        worker.follow(worker.post(f"/work/training/{number}", value=str(value)))
    assert worker.follow(worker.get("/work")).request["PATH_INFO"].startswith("/prefer/")


def test_the_training_is_shown_only_once(lite_taught: Any) -> None:
    worker = lite_taught.worker()
    worker.begin()
    worker.learn()
    worker.answer_all()
    worker.reference = "ANOTHERREF001"
    assert worker.begin().request["PATH_INFO"].startswith("/prefer/")


def test_docs_have_a_separate_training(lite_app: Any, make_crowd: Any) -> None:
    worker = make_crowd(lite_app, "docs", "prolific").worker()
    text = worker.begin().content.decode()
    assert "How relevant is the doc?" in text
    assert "highly relevant" in text
    worker.follow(worker.post("/work/training/1", value="0"))
    assert "Any grade from 1 to 2 is correct." in worker.page.content.decode()
    assert worker.get("/work/training/1/doc").status_code == 200


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("q1,d00000,d00000,left,", "is compared with itself"),
        ("q1,d00000,d00001,both,", "expected one of left, right, tie"),
        ("q9,d00000,d00001,left,", "the topic 'q9' is not in the app"),
        ("q1,nowhere,d00001,left,", "the doc 'nowhere' is not in the app"),
    ],
)
def test_an_invalid_training_opens_no_batch(
    lite_app: Any, make_crowd: Any, again: Any, line: str, words: str
) -> None:
    make_crowd(lite_app, training=False)
    path = lite_app.folder / "training_pairs.csv"
    path.write_text(f"topic,left,right,answer,feedback\n{line}\n")
    with pytest.raises(InputError, match=words):
        again(lite_app)
    assert Batch.objects.count() == 1
