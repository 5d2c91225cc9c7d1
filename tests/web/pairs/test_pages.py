"""The pages and the API of preference judging, as used by an assessor's browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from qrelsmith.web.core.submissions import Timing
from qrelsmith.web.models import AssignedDoc, Assignment, Contest, PairTask, PreferenceEvent


@pytest.fixture
def contest(app: Any, contests_of: Any) -> Any:
    return contests_of(app, share="pair", scheduler="round-robin", instructions="The better one.")[
        0
    ]


def fields(html: str) -> dict[str, str]:
    """Return the hidden fields of the form for answering a pair."""
    form = html.partition('id="answer"')[2].partition("</form>")[0]
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def test_all_pairs_can_be_compared_without_javascript(app: Any, contest: Any) -> None:
    client = app.client("b1")
    home = client.get("/").content.decode()
    assert f'href="/prefer/{contest.pk}"' in home
    for number in range(15):
        address = client.get(f"/prefer/{contest.pk}")["Location"]
        html = client.get(address).content.decode()
        for words in ("topic 1", "What is it?", "The better one.", "Left is better", "Continue"):
            assert words in html
        assert ('id="to-previous" href="/prefer' in html) == (number > 0)
        answer = client.post(address, fields(html) | {"outcome": "-1"})
        assert (answer.status_code, answer["Location"]) == (302, f"/prefer/{contest.pk}")
    over = client.get(f"/prefer/{contest.pk}")
    assert over.status_code == 200
    assert b"No pairs are left" in over.content
    assert b"Pairs: 15 compared" in over.content
    events = PreferenceEvent.objects.all()
    assert events.count() == 15
    assert set(events.values_list("input_kind", "outcome")) == {("form", -1)}
    assert b"Done" in client.get("/").content


def test_an_assessor_who_answered_every_pair_once_is_told_that_the_rest_is_for_others(
    lite_app: Any, contests_of: Any
) -> None:
    chosen = {"share": "pair", "scheduler": "round-robin", "per_pair": 2}
    contest = contests_of(lite_app, grades={"d00000": 1, "d00001": 1}, **chosen)[0]
    client = lite_app.client("b1")
    address = client.get(f"/prefer/{contest.pk}")["Location"]
    html = client.get(address).content.decode()
    assert "Pairs: 0 compared, at most 1 left" in html
    client.post(address, fields(html) | {"outcome": "-1"})
    over = client.get(f"/prefer/{contest.pk}").content.decode()
    assert '<span id="progress-text">Pairs: 1 compared</span>' in over
    assert "The open pairs are assigned to other assessors" in over


def test_the_form_goes_back_and_undoes(app: Any, contest: Any) -> None:
    client = app.client("b1")
    first = client.get(f"/prefer/{contest.pk}")["Location"]
    client.post(first, fields(client.get(first).content.decode()) | {"outcome": "1"})
    second = client.get(f"/prefer/{contest.pk}")["Location"]
    html = client.get(second).content.decode()
    assert f'id="to-previous" href="{first}"' in html
    back = client.get(first).content.decode()
    assert f'id="to-next" href="{second}"' in back
    assert re.search(r'value="1"[^>]* checked', back)
    changed = client.post(first, fields(back) | {"outcome": "-1"})
    assert changed.status_code == 302
    undone = client.post(f"/prefer/{contest.pk}/undo", {"op_id": "undo-by-form-1"})
    assert undone["Location"] == first
    assert re.search(r'value="1"[^>]* checked', client.get(first).content.decode())


def test_a_form_sent_twice_is_one_event(app: Any, contest: Any) -> None:
    client = app.client("b1")
    address = client.get(f"/prefer/{contest.pk}")["Location"]
    data = fields(client.get(address).content.decode()) | {"outcome": "0"}
    for _ in range(2):
        assert client.post(address, data).status_code == 302
    assert PreferenceEvent.objects.count() == 1
    other = client.post(address, data | {"op_id": "another-operation", "outcome": "1"})
    assert other.status_code == 409
    assert b"changed in the meantime" in other.content
    assert client.post(address, data | {"outcome": "left"}).status_code == 400
    assert client.post(address, {}).status_code == 400


def test_a_pair_that_is_no_longer_open_leads_to_the_next_pair(
    lite_app: Any, contests_of: Any
) -> None:
    contest = contests_of(lite_app, share="pair")[0]
    client = lite_app.client("b1")
    address = client.get(f"/prefer/{contest.pk}")["Location"]
    data = fields(client.get(address).content.decode()) | {"outcome": "1"}
    PairTask.objects.filter(pk=int(address.rpartition("/")[2])).update(withdrawn=True)
    for answer in (client.get(address), client.post(address, data)):
        assert (answer.status_code, answer["Location"]) == (302, f"/prefer/{contest.pk}")


def test_the_api_returns_what_an_answer_must_contain(app: Any, contest: Any) -> None:
    client = app.client("b1")
    found = client.get(f"/api/contests/{contest.pk}/next").json()
    pair = found["pair"]
    assert found["contest"]["judged"] == 0
    assert found["contest"]["expected"] == found["contest"]["total"] == 15
    for side in ("left", "right"):
        assert set(pair[side]) == {"title", "url", "form", "frame", "sha256"}
        frame = client.get(pair[side]["frame"])
        assert frame.status_code == 200
        assert frame["Content-Security-Policy"].startswith(
            "sandbox allow-same-origin; default-src 'none'"
        )
    body = {
        "op_id": "operation-1", "pair": pair["pair"], "outcome": 1,
        "base_revision": pair["revision"], "left_sha256": pair["left"]["sha256"],
        "right_sha256": pair["right"]["sha256"], "topic_version": pair["topic_version"],
        "input_kind": "key", "timing": {"shown_for_ms": 2000, "active_ms": 1500, "idle_ms": 500},
    }  # fmt: skip
    address = f"/api/contests/{contest.pk}/judgments"
    first = client.post(address, body, content_type="application/json")
    again = client.post(address, body, content_type="application/json")
    assert (first.status_code, first.json()["repeated"]) == (200, False)
    assert (again.status_code, again.json()["repeated"]) == (200, True)
    assert first.json()["pair"] == {
        "pair": pair["pair"], "revision": 1, "outcome": 1, "withdrawn": False, "passages": [],
    }  # fmt: skip
    assert first.json()["contest"]["own"] == 1
    stale = client.post(address, body | {"op_id": "operation-2"}, content_type="application/json")
    assert (stale.status_code, stale.json()["error"]) == (409, "stale")
    assert stale.json()["current"]["revision"] == 1
    undo = client.post(
        f"/api/contests/{contest.pk}/undo", {"op_id": "operation-3"},
        content_type="application/json",
    )  # fmt: skip
    assert undo.json()["pair"]["outcome"] is None


def test_earlier_pairs_of_the_assessor_can_be_opened(
    app: Any, contest: Any, comparing: Any
) -> None:
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    mine = []
    for _ in range(3):
        b2.answer(b2.next(), 1)
        mine.append(b1.next())
        b1.answer(mine[-1], 1)
    client = app.client("b1")
    address = f"/api/contests/{contest.pk}/pairs"
    middle = client.get(f"{address}/{mine[1].pk}").json()["pair"]
    assert (middle["previous"], middle["following"]) == (mine[0].pk, mine[2].pk)
    assert (middle["outcome"], middle["revision"]) == (1, 1)
    other = b2.next()
    assert client.get(f"{address}/{other.pk}").status_code == 404
    assert client.get(f"/pair/{other.pk}/left").status_code == 404
    assert client.get(f"/pair/{mine[0].pk}/middle").status_code == 404


def test_words_of_both_docs_are_found(lite_app: Any, contests_of: Any) -> None:
    contest = contests_of(lite_app, share="pair")[0]
    client = lite_app.client("b1")
    pair = client.get(f"/api/contests/{contest.pk}/next").json()["pair"]["pair"]
    for side in ("left", "right"):
        text = client.get(f"/api/pairs/{pair}/{side}/text").json()["text"]
        assert text.split().count("word") == 20
        assert client.get(f"/api/pairs/{pair}/{side}/find?find=word").json() == {"count": 20}


def test_times_are_stored_and_are_after_the_assignment_of_the_pair(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    work = comparing(lite_app, "b1", contests_of(lite_app, share="pair")[0])
    task = work.next()
    timing = Timing(delay_ms=0, shown_for_ms=9_000_000, client_ms=5, active_ms=3, idle_ms=4)
    event = work.answer(task, 1, timing=timing).event
    assert event.shown_at == task.claimed_at <= event.judged_at <= event.accepted_at
    assert (event.client_ms, event.active_ms, event.idle_ms) == (5, 3, 4)


def test_the_api_returns_the_pair_after_the_current_one(lite_app: Any, contests_of: Any) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin")[0]
    client = lite_app.client("b1")
    address = f"/api/contests/{contest.pk}/next"
    first = client.get(address).json()["pair"]
    ahead = client.get(f"{address}?besides={first['pair']}").json()["pair"]
    assert (first["number"], ahead["number"]) == (1, 2)
    assert ahead["previous"] == first["pair"]
    # As long as the first pair is unanswered, no later pair can be opened.
    again = client.get(f"/api/contests/{contest.pk}/pairs/{first['pair']}").json()["pair"]
    assert again["following"] is None
    assert client.get(f"{address}?besides=x").status_code == 400


@pytest.mark.parametrize(
    ("settings", "is_bound"),
    [({}, True), ({"scheduler": "rounds", "forced": True}, False), ({"challenges": 1}, False)],
)
def test_the_number_of_remaining_pairs_is_a_bound_or_a_forecast(
    lite_app: Any, contests_of: Any, settings: dict[str, Any], is_bound: bool
) -> None:
    contest = contests_of(lite_app, share="pair", **settings)[0]
    client = lite_app.client("b1")
    state = client.get(f"/api/contests/{contest.pk}/next").json()["contest"]
    assert state["is_bound"] is is_bound
    page = client.get(f"/prefer/{contest.pk}", follow=True).content.decode()
    assert (
        f"Pairs: 0 compared, {'at most' if is_bound else 'about'} {state['expected']} left" in page
    )
    assert ("of at most" if is_bound else "of about") in client.get("/").content.decode()


def test_the_page_without_a_pair_gives_the_reason_and_a_link_back(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    contest = contests_of(lite_app, share="pair", k=1, grades={"d00000": 1, "d00001": 1})[0]
    work = comparing(lite_app, "b2", contest)
    only = work.next()
    client = lite_app.client("b1")
    waiting = client.get(f"/prefer/{contest.pk}").content.decode()
    assert 'http-equiv="refresh"' in waiting  # without JavaScript, too, it checks again
    assert re.search('data-reason="waiting">', waiting)
    work.answer(only, 1)
    done = lite_app.client("b2").get(f"/prefer/{contest.pk}").content.decode()
    assert re.search('data-reason="done">', done)
    assert f'href="/prefer/{contest.pk}/{only.pk}"' in done
    Contest.objects.filter(pk=contest.pk).update(is_open=False, is_done=False)
    closed = client.get(f"/prefer/{contest.pk}").content.decode()
    assert re.search('data-reason="closed">', closed)
    assert 'http-equiv="refresh"' not in closed


def test_the_instructions_are_those_for_the_users_own_work(app: Any, contests_of: Any) -> None:
    def headings(name: str) -> list[str]:
        page = app.client(name).get("/instructions").content.decode().partition("<main")[2]
        assert ("Read the topic first." in page) == ("<dt>" in page)
        assert ("The better one." in page) == ("Your answers" in page)
        return re.findall(r"<h[123]>([^<]+)</h[123]>", page)

    grades = ["Grades", "Cannot be judged", "Recorded data"]
    assert headings("b1") == ["Instructions", *grades]
    contests_of(app, share="pair", instructions="The better one.")
    assert headings("b1") == [
        "Instructions", "Grade docs", *grades, "Compare pairs", "Recorded data",
    ]  # fmt: skip
    own = Assignment.objects.filter(assessor__name="b2")
    AssignedDoc.objects.filter(assignment__in=own).delete()
    own.delete()
    assert headings("b2") == ["Instructions", "Recorded data"]
