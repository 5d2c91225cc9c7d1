"""Nothing that a worker's browser sends causes an error or reaches data of other workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.web.models import LoginFailure, PairTask, PreferenceEvent, Sitting

MANY = examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
texts = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["", "\x00", "\ud800", "A" * 9999, "-1", "1e999", "nan", "٣", "..", "yes"]),
)
parameters = st.sampled_from(
    ["workerId", "assignmentId", "hitId", "turkSubmitTo", "PROLIFIC_PID", "SESSION_ID", "STUDY_ID",
     "agree", "next"]
)  # fmt: skip
METHODS = ("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")


def encoded(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


@MANY
@given(data=st.data())
def test_parameters_of_the_landing_page_cause_no_error(pairs: Any, data: st.DataObject) -> None:
    LoginFailure.objects.all().delete()
    query = dict(pairs.worker().query) if data.draw(st.booleans()) else {}
    query |= data.draw(st.dictionaries(parameters, texts, max_size=4))
    written = "&".join(f"{name}={encoded(value)}" for name, value in query.items())
    client = pairs.app.client()
    for send in (client.get, lambda address: client.post(address, {"agree": "yes"})):
        assert send(f"{pairs.address}?{written}").status_code < 500, written


@MANY
@given(value=texts.filter(lambda text: "\ud800" not in text), number=st.integers(0, 2**40))
def test_submitted_data_causes_no_error(lite_taught: Any, value: str, number: int) -> None:
    LoginFailure.objects.all().delete()
    worker = lite_taught.worker()
    worker.client = lite_taught.app.client()
    worker.client.post(f"{lite_taught.address}?{urlencode(worker.query)}", {"agree": "yes"})
    for path in ("/work/training/1", f"/work/training/{number}", "/work/hand-in", "/work"):
        answer = worker.client.post(path, {"value": value, "op_id": value})
        assert answer.status_code < 500, (path, value)
    for path in (f"/work/training/1/{encoded(value) or 'x'}", f"/work/training/{number}/left"):
        assert worker.client.get(path).status_code < 500, path
    answer = worker.client.get("/work/training/1/left", {"sha256": value, "view": value})
    assert answer.status_code < 500


@pytest.mark.parametrize("method", METHODS)
def test_other_methods_are_refused(lite_pairs: Any, method: str) -> None:
    worker = lite_pairs.worker()
    worker.client = lite_pairs.app.client()
    address = f"{lite_pairs.address}?{urlencode(worker.query)}"
    allowed = {"/work": "GET HEAD", "/work/hand-in": "GET HEAD POST", address: "GET HEAD POST"}
    worker.client.post(address, {"agree": "yes"})
    for path, methods in allowed.items():
        answer = worker.client.generic(method, path)
        assert (answer.status_code == 405) is (method not in methods.split()), path


def test_every_form_needs_the_token(lite_pairs: Any) -> None:
    worker = lite_pairs.worker()
    worker.begin()
    for path in (f"{lite_pairs.address}?{urlencode(worker.query)}", "/work/hand-in"):
        assert worker.client.post(path, {"agree": "yes"}).status_code == 403


def test_other_users_have_no_access_to_a_workers_pages(
    lite_pairs: Any, make_crowd: Callable[..., Any]
) -> None:
    for path in ("/work", "/work/hand-in", "/work/training/1", "/work/training/1/left"):
        assert lite_pairs.app.client().get(path).status_code == 302
        assert lite_pairs.app.client("b1").get(path).status_code == 404
        assert lite_pairs.app.client("olga", role="organiser").get(path).status_code == 403


def test_a_hit_is_refused_before_everything_is_answered(lite_pairs: Any) -> None:
    worker = lite_pairs.worker()
    worker.begin()
    worker.answer()
    worker.get("/work/hand-in")
    assert b"6 pairs are left" in worker.page.content
    assert worker.post("/work/hand-in").status_code == 409
    assert Sitting.objects.get().ended_at is None


def test_a_submitted_hit_cannot_be_changed(lite_pairs: Any) -> None:
    worker = lite_pairs.worker()
    worker.begin()
    first = worker.page
    worker.answer_all()
    events = PreferenceEvent.objects.count()
    path = first.request["PATH_INFO"]
    task = PairTask.objects.get(pk=path.rpartition("/")[2])
    worker.page = first
    state = worker.state()
    fields = {"op_id": "another-op-id", "outcome": 0, "base_revision": task.revision}
    fields |= {f"{side}_sha256": state["pair"][side]["sha256"] for side in ("left", "right")}
    assert worker.post(path, **fields).status_code in (403, 404, 409)
    worker.page = first
    undo = worker.post(f"/prefer/{task.contest_id}/undo", op_id="another-op-id")
    assert undo.status_code in (403, 404)
    assert PreferenceEvent.objects.count() == events
    # Submitting again gives the same code.
    code = worker.follow(worker.get("/work")) and worker.code()
    worker.page = first
    worker.follow(worker.post("/work/hand-in"))
    assert worker.code() == code
