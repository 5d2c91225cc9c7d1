"""The landing page: parameters of platforms, terms, agreement, refused workers, resuming."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from qrelsmith.web.accounts import limits
from qrelsmith.web.models import Account, Batch, Contest, CrowdWorker, Hit, PairTask, Sitting


def test_the_terms_come_first_and_nothing_is_stored_before_the_worker_agrees(
    lite_taught: Any,
) -> None:
    worker = lite_taught.worker()
    text = worker.land().content.decode()
    for words in ("Compare 7 pairs of docs", "2.00 USD", "takes about 5 minutes",
                  "4 training items", "0.50 USD", "60 minutes", "crowd@example.org",
                  "pseudonym"):  # fmt: skip
        assert words in text, words
    address = f"{lite_taught.address}?{urlencode(worker.query)}"
    refused = worker.post(address)
    assert refused.status_code == 400
    assert "start without agreeing" in refused.content.decode()
    assert not CrowdWorker.objects.exists()
    worker.follow(worker.post(address, agree="yes"))
    account = Account.objects.get(login=CrowdWorker.objects.get().assessor.name)
    assert (account.role, account.has_usable_password()) == ("assessor", False)
    sitting = Sitting.objects.get()
    assert (sitting.reference, sitting.study) == (worker.reference, "HIT0000000001")
    assert sitting.submit_to == "https://workersandbox.mturk.com"


def test_a_preview_shows_the_terms_and_begins_nothing(lite_pairs: Any) -> None:
    client = lite_pairs.app.client()
    query = "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1"
    for answer in (
        client.get(lite_pairs.address + query),
        client.post(lite_pairs.address + query, {"agree": "yes"}),
    ):
        assert answer.status_code == 200
        assert b"This is a preview" in answer.content
        assert b'name="agree"' not in answer.content
        assert b"externalSubmit" not in answer.content
    assert not CrowdWorker.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"workerId": ""},
        {"workerId": "a b"},
        {"workerId": "A" * 65},
        {"assignmentId": "<script>"},
        {"turkSubmitTo": "https://evil.example"},
        {"turkSubmitTo": "https://www.mturk.com.evil.example"},
        {"hitId": "\x00"},
    ],
)
def test_parameters_that_no_platform_sends_are_refused(
    lite_pairs: Any, change: dict[str, str]
) -> None:
    query = lite_pairs.worker().query | change
    answer = lite_pairs.app.client().get(lite_pairs.address, query)
    assert answer.status_code == 400


def test_an_address_without_parameters_shows_a_description_of_the_work(lite_pairs: Any) -> None:
    answer = lite_pairs.app.client().get(lite_pairs.address)
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "Open the task from Mechanical Turk." in text
    assert "2.00 USD" in text
    assert 'name="agree"' not in text
    query = {"workerId": "AWORKER00"}
    refused = lite_pairs.app.client().get(lite_pairs.address, query)
    assert refused.status_code == 400
    assert "Open the task from Mechanical Turk." in refused.content.decode()


def test_ids_of_prolific_have_twenty_four_digits(
    lite_app: Any, make_crowd: Callable[..., Any]
) -> None:
    crowd = make_crowd(lite_app, "docs", "prolific")
    assert crowd.worker().land().status_code == 200
    for wrong in ("{{%PROLIFIC_PID%}}", "", "ABC"):
        query = crowd.worker().query | {"PROLIFIC_PID": wrong}
        assert lite_app.client().get(crowd.address, query).status_code == 400


def test_an_address_cannot_be_found_by_counting(lite_pairs: Any) -> None:
    client = lite_pairs.app.client()
    number = lite_pairs.batch.pk
    for guess in (str(number), f"{number}-{'0' * 32}", f"0{lite_pairs.address[5:]}", "x", "1" * 40):
        assert client.get(f"/hit/{guess}").status_code == 404
    worker = lite_pairs.worker()
    assert worker.land().status_code == 200
    for _ in range(25):
        assert client.get("/hit/1-guess").status_code == 404
    assert worker.land().status_code == 429
    assert b"Too many attempts" in worker.page.content


def test_new_workers_from_one_address_are_limited(lite_pairs: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "NEW_WORKERS", 1)
    lite_pairs.worker("A1").begin()
    second = lite_pairs.worker("A2")
    second.land()
    answer = second.post(f"{lite_pairs.address}?{urlencode(second.query)}", agree="yes")
    assert answer.status_code == 429


def test_a_worker_who_returns_in_another_browser_continues(pairs: Any) -> None:
    worker = pairs.worker()
    worker.begin()
    for _ in range(3):
        worker.answer()
    place = worker.page.request["PATH_INFO"]
    elsewhere = pairs.worker()
    text = elsewhere.land().content.decode()
    assert "Continue where you stopped" in text
    page = elsewhere.follow(
        elsewhere.post(f"{pairs.address}?{urlencode(elsewhere.query)}", agree="yes")
    )
    assert page.request["PATH_INFO"] == place
    elsewhere.answer_all()
    code = elsewhere.code()
    # The code is shown again, in the first browser, too.
    worker.follow(worker.get("/work"))
    assert worker.code() == code


def test_a_forged_id_shows_and_changes_nothing(pairs: Any) -> None:
    worker = pairs.worker()
    worker.begin()
    worker.answer()
    forger = pairs.worker(reference="FORGED0000001")
    answer = forger.land()
    assert answer.status_code == 409
    assert b"You have already started a task" in answer.content
    assert forger.get("/work").status_code == 302
    assert forger.page["Location"].startswith("/login")
    assert Sitting.objects.count() == 1
    assert Hit.objects.filter(state="taken").count() == 1
    worker.follow(worker.get("/work"))
    worker.answer_all()
    assert worker.code()


def test_in_the_same_browser_a_new_assignment_continues_the_same_hit(lite_pairs: Any) -> None:
    worker = lite_pairs.worker()
    worker.begin()
    place = worker.page.request["PATH_INFO"]
    worker.reference = "TAKENAGAIN0001"
    assert worker.begin().request["PATH_INFO"] == place
    assert Sitting.objects.get().reference == "TAKENAGAIN0001"


def test_without_work_no_worker_is_asked_to_agree(
    lite_pairs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    holders = [lite_pairs.worker(f"A{n}") for n in range(3)]
    for each in holders:
        each.begin()
    late = lite_pairs.worker("B1")
    assert late.land().status_code == 409
    assert b"No task is available" in late.page.content
    Batch.objects.update(is_open=False)
    assert b"This work has ended" in late.land().content
    # Workers who have begun are not refused.
    assert holders[0].land().status_code == 200


def test_a_hit_held_too_long_goes_to_the_next_worker(pairs: Any) -> None:
    slow = pairs.worker("A1")
    slow.begin()
    slow.answer()
    place = slow.page.request["PATH_INFO"]
    held = Hit.objects.get(state="taken")
    Hit.objects.filter(pk=held.pk).update(taken_at=timezone.now() - timedelta(minutes=61))
    for name in ("B1", "B2"):
        other = pairs.worker(name)
        other.begin()
    assert not Hit.objects.filter(state="abandoned").exists()
    third = pairs.worker("B3")
    third.begin()
    held.refresh_from_db()
    assert held.state == "abandoned"
    following = Hit.objects.get(follows=held)
    assert (following.state, following.worker.assessor.name) == ("taken", third.pseudonym)
    assert PairTask.objects.filter(hit=following.key, is_judged=True).count() == 0
    # The slow worker's page says so, and the session ends without a code.
    assert slow.get(place).status_code == 302
    assert slow.follow(slow.page).status_code == 200
    assert b"time for this task has run out" in slow.page.content
    assert slow.land().status_code == 409
    sitting = Sitting.objects.get(hit=held)
    assert (sitting.result, sitting.pay, sitting.code_sha256) == ("abandoned", 0, None)


def test_a_worker_who_returns_too_late_begins_again(lite_pairs: Any) -> None:
    slow = lite_pairs.worker("A1")
    slow.begin()
    Hit.objects.filter(state="taken").update(taken_at=timezone.now() - timedelta(minutes=61))
    # In the browser of the slow worker and with the same link, the HIT continues, since no other
    # worker has taken it.
    assert slow.land().status_code == 200
    again = lite_pairs.worker("A1", reference="ANOTHERREF001")
    again.begin()
    assert sorted(Hit.objects.values_list("state", flat=True)) == [
        "abandoned", "open", "open", "taken",
    ]  # fmt: skip


def test_the_frame_of_mechanical_turk_is_allowed_and_opens_a_window(lite_pairs: Any) -> None:
    client = lite_pairs.app.client()
    answer = client.get(
        lite_pairs.address, lite_pairs.worker().query, headers={"Sec-Fetch-Dest": "iframe"}
    )
    policy = answer["Content-Security-Policy"]
    assert "frame-ancestors https://*.mturk.com" in policy
    assert "form-action 'self' https://workersandbox.mturk.com" in policy
    text = answer.content.decode()
    assert 'target="_blank"' in text
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in text
    assert "csrfmiddlewaretoken" not in text


def test_other_pages_cannot_be_framed(
    lite_app: Any, make_crowd: Callable[..., Any], again: Callable[..., Any]
) -> None:
    crowd = make_crowd(lite_app, "docs", "prolific")
    worker = crowd.worker()
    assert "frame-ancestors 'none'" in worker.land()["Content-Security-Policy"]
    worker.begin()
    assert "frame-ancestors 'none'" in worker.page["Content-Security-Policy"]


def test_a_worker_sees_no_other_task_and_no_hit_of_others(lite_pairs: Any) -> None:
    first, second = lite_pairs.worker("A1"), lite_pairs.worker("A2")
    for worker in (first, second):
        worker.begin()
    own = PairTask.objects.filter(assessor__name=first.pseudonym)
    for task in own:
        assert first.get(f"/prefer/{task.contest_id}/{task.pk}").status_code == 200
        assert second.get(f"/prefer/{task.contest_id}/{task.pk}").status_code == 404
        assert second.get(f"/pair/{task.pk}/left").status_code == 404
    # No pair outside HITs is ever assigned.
    PairTask.objects.filter(assessor=None).update(hit="")
    for contest in Contest.objects.all():
        answer = first.get(f"/api/contests/{contest.pk}/next")
        assert answer.status_code in (200, 404)
        if answer.status_code == 200:
            told = answer.json()
            assert (told["pair"], told["reason"]) == (None, "hit")
            assert told["address"] == "/work"
    assert PairTask.objects.filter(assessor__name=first.pseudonym).count() == own.count()


def test_the_front_page_of_a_worker_is_the_hit(lite_pairs: Any) -> None:
    worker = lite_pairs.worker()
    worker.begin()
    place = worker.page.request["PATH_INFO"]
    assert worker.follow(worker.get("/")).request["PATH_INFO"] == place
    assert worker.get("/organiser/crowd").status_code == 403
    other = lite_pairs.app.client("b1")
    assert other.get("/work").status_code == 404
