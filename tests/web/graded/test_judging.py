"""The judging page and its API: the actions of an assessor from the first doc to the last."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from qrelsmith.web.instance import find_instance
from qrelsmith.web.models import Activity, Event
from qrelsmith.web.project import use
from qrelsmith.web.serving.start import prepare

SLIDER = """\
format = 1
[scale]
range = "0..100"
levels = [{ grade = 0, label = "nothing" }, { grade = 100, label = "all", note = "required" }]
[judging]
control = "slider"
excerpt = "optional"
[groups.crowd]
assessors = ["b1"]
"""
NUMBER = """\
format = 1
[judging]
control = "number"
errors = []
[groups.crowd]
assessors = ["b1"]
"""


def fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form for a grade."""
    form = page[page.index('id="grade"') :]
    return dict(re.findall(r'name="(op_id|sha256|base_revision)" value="([^"]*)"', form)[:3])


def a_judgment(doc: dict[str, Any], value: float, **more: Any) -> dict[str, Any]:
    return {
        "op_id": f"operation-{doc['doc']}-{doc['revision']}",
        "doc": doc["doc"],
        "value": value,
        "sha256": doc["sha256"],
        "base_revision": doc["revision"],
    } | more


class Script:
    """The calls of the page's script for one assignment."""

    def __init__(self, client: Any, assignment: int) -> None:
        self.client = client
        self.path = f"/api/assignments/{assignment}"

    def get(self, path: str) -> Any:
        answer = self.client.get(f"{self.path}{path}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        answer = self.client.post(f"{self.path}{path}", body, content_type="application/json")
        return answer.status_code, answer.json()


@pytest.fixture
def script(app: Any) -> Script:
    client = app.client("b1")
    found = client.get("/api/assignments").json()["assignments"]
    return Script(client, next(each["assignment"] for each in found if each["topic"] == "q1"))


def test_a_whole_topic_can_be_judged_without_javascript(app: Any) -> None:
    client = app.client("b1")
    home = client.get("/").content.decode()
    link = re.findall(r'href="(/judge/\d+)"', home)[0]
    address = client.get(link)["Location"]
    for position, value in enumerate([2, 1, 0, -2, 1, 2], start=1):
        assert address.endswith(f"/{position}")
        page = client.get(address).content.decode()
        answer = client.post(address, fields(page) | {"value": value, "note": f"note {position}"})
        assert answer.status_code == 302
        address = answer["Location"]
    assert address.endswith("/6"), "after the last doc the page stays"
    assert client.get(link)["Location"].endswith("/6")
    answer = client.post(f"{link}/undo", {"op_id": "undo-by-form"})
    assert answer["Location"].endswith("/6")
    assert client.get("/api/assignments").json()["assignments"][0]["judged"] == 5


def test_a_form_sent_twice_counts_once(app: Any) -> None:
    client = app.client("b1")
    address = client.get(re.findall(r'"(/judge/\d+)"', client.get("/").content.decode())[0])
    page = client.get(address["Location"]).content.decode()
    for _ in range(2):
        answer = client.post(address["Location"], fields(page) | {"value": 1})
        assert answer.status_code == 302
    assert Event.objects.count() == 1


def test_a_form_of_an_outdated_page_shows_the_current_label(app: Any) -> None:
    client = app.client("b1")
    address = client.get(re.findall(r'"(/judge/\d+)"', client.get("/").content.decode())[0])
    pages = [client.get(address["Location"]).content.decode() for _ in range(2)]
    assert client.post(address["Location"], fields(pages[0]) | {"value": 1}).status_code == 302
    answer = client.post(address["Location"], fields(pages[1]) | {"value": 2})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "changed in the meantime" in page
    assert fields(page)["base_revision"] == "1"
    assert client.post(address["Location"], fields(page) | {"value": 2}).status_code == 302


@pytest.mark.parametrize(
    "change", [{"value": ""}, {"value": "x"}, {"value": "nan"}, {"op_id": "x"}, {"sha256": "y"}]
)
def test_a_form_with_an_error_is_refused(lite_app: Any, change: dict[str, str]) -> None:
    client = lite_app.client("b1")
    address = client.get(re.findall(r'"(/judge/\d+)"', client.get("/").content.decode())[0])
    page = client.get(address["Location"]).content.decode()
    answer = client.post(address["Location"], fields(page) | {"value": "1"} | change)
    assert answer.status_code == 400


def test_the_data_in_the_page_equals_that_of_the_api(script: Script) -> None:
    import json

    page = script.client.get(script.path.replace("/api/assignments", "/judge") + "/2")
    found = re.search(
        r'<script id="state" type="application/json">(.*?)</script>', page.content.decode()
    )
    assert found is not None
    state = json.loads(found[1])
    assert state == script.get("") | {"doc": script.get("/docs/2")["doc"]}


def test_the_list_is_filtered_and_sent_in_parts(script: Script) -> None:
    docs = script.get("/docs")["docs"]
    assert [doc["position"] for doc in docs] == [1, 2, 3, 4, 5, 6]
    for doc, value in zip(docs, [2, -2, 0], strict=False):
        note = "noted" if value == 0 else ""
        assert script.post("/judgments", a_judgment(doc, value, note=note))[0] == 200

    def positions(query: str) -> list[int]:
        return [doc["position"] for doc in script.get(f"/docs?{query}")["docs"]]

    assert positions("filter=open") == [4, 5, 6]
    assert positions("filter=judged") == [1, 3]
    assert positions("filter=errors") == [2]
    assert positions("filter=noted") == [3]
    assert positions("filter=stale") == []
    part = script.get("/docs?limit=2&from=2")
    assert ([doc["position"] for doc in part["docs"]], part["next"]) == ([2, 3], 4)
    assert script.get("/docs?limit=2&from=5")["next"] is None
    assert (part["judged"], part["total"]) == (3, 6)
    labels = [doc["label"] for doc in script.get("/docs?limit=3")["docs"]]
    assert labels == ["highly relevant", "could not be displayed", "not relevant"]


def test_the_next_doc_is_the_next_unjudged_one_and_then_the_first(script: Script) -> None:
    docs = script.get("/docs")["docs"]
    assert script.get("/next")["doc"]["position"] == 1
    assert script.get("/next?after=2")["doc"]["position"] == 3
    for doc in docs[2:]:
        assert script.post("/judgments", a_judgment(doc, 1))[0] == 200
    assert script.get("/next?after=2")["doc"]["position"] == 1
    for doc in docs[:2]:
        status, answer = script.post("/judgments", a_judgment(doc, 1))
        assert status == 200
    assert answer["next"] is None
    assert script.get("/next")["doc"] is None


def test_judging_resumes_after_the_last_judged_doc(script: Script) -> None:
    docs = script.get("/docs")["docs"]
    script.post("/judgments", a_judgment(docs[3], 1))
    page = script.path.replace("/api/assignments", "/judge")
    assert script.client.get(page)["Location"].endswith("/5")


def test_a_conflict_contains_the_current_label(script: Script) -> None:
    doc = script.get("/docs/1")["doc"]
    assert script.post("/judgments", a_judgment(doc, 2))[0] == 200
    status, answer = script.post("/judgments", a_judgment(doc, 0, op_id="another-tab"))
    assert (status, answer["error"]) == (409, "stale")
    assert (answer["current"]["value"], answer["current"]["revision"]) == (2, 1)
    insist = a_judgment(answer["current"], 0, op_id="i-insist")
    assert script.post("/judgments", insist)[1]["doc"]["value"] == 0


def test_the_script_can_undo(script: Script) -> None:
    for doc in script.get("/docs")["docs"][:2]:
        script.post("/judgments", a_judgment(doc, 1))
    status, answer = script.post("/undo", {"op_id": "undo-undo-1"})
    assert (status, answer["doc"]["position"], answer["doc"]["status"]) == (200, 2, "open")
    assert script.post("/undo", {"op_id": "undo-undo-1"})[1]["repeated"]
    assert script.post("/undo", {"op_id": "undo-undo-2"})[1]["judged"] == 0
    status, answer = script.post("/undo", {"op_id": "undo-undo-3"})
    assert (status, answer["error"]) == (409, "nothing")


def test_activity_is_logged_according_to_the_settings(app: Any, script: Script) -> None:
    doc = script.get("/docs/1")["doc"]["doc"]
    body = {"doc": doc, "active_ms": 900, "idle_ms": 100}
    assert script.post("/activity", body) == (200, {"logged": True})
    assert Activity.objects.get().active_ms == 900
    settings = app.folder / "campaign.toml"
    settings.write_text(settings.read_text().replace("[judging]", '[judging]\nactivity = "none"'))

    use(find_instance(app.folder))
    assert script.post("/activity", body) == (200, {"logged": False})
    assert Activity.objects.count() == 1
    timing = {"shown_for_ms": 5, "active_ms": 4, "idle_ms": 1, "client_ms": 6}
    judgment = a_judgment(script.get("/docs/1")["doc"], 1, timing=timing)
    assert script.post("/judgments", judgment)[0] == 200
    event = Event.objects.get()
    assert (event.shown_at, event.active_ms, event.idle_ms, event.client_ms) == (None,) * 4
    assert event.judged_at is not None


def test_data_from_a_client_is_parsed_strictly(script: Script) -> None:
    doc = script.get("/docs/1")["doc"]
    for change in (
        {"value": "2"},
        {"value": True},
        {"value": None},
        {"doc": -1},
        {"doc": "1"},
        {"base_revision": 0.5},
        {"sha256": "x"},
        {"op_id": "short"},
        {"op_id": "with blanks in it"},
        {"input_kind": "thought"},
        {"note": "x" * 10_001},
        {"note": "\x00"},
        {"timing": {"active_ms": -1}},
        {"timing": {"walked_ms": 1}},
        {"timing": []},
        {"colour": "red"},
    ):
        status, answer = script.post("/judgments", a_judgment(doc, 1) | change)
        assert (status, answer["error"]) == (400, "parameter"), change
    assert script.get("/docs/1")["doc"]["revision"] == 0


@pytest.fixture
def opened(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
    lite_app: Any,
) -> Callable[..., Any]:
    """Return a function that opens another campaign, and returns an assessor's client."""

    def client(toml: str, **size: int) -> Any:
        folder = tmp_path / f"other-{size.get('docs')}"
        use(find_instance(give_tables(make_campaign(folder, toml=toml, topics=1, **size))))
        prepare()
        return lite_app.client("b1")

    return client


@pytest.mark.parametrize(
    ("toml", "good", "bad"),
    [
        (SLIDER, [0, 1, 50, 99, -2], [0.5, 101, -1, -3]),
        (NUMBER, [0.001, 7, 1000000.5], [0, -1, -2]),
    ],
)
def test_every_control_accepts_its_own_grades(
    opened: Callable[..., Any], toml: str, good: list[float], bad: list[float]
) -> None:
    client = opened(toml)
    assignment = client.get("/api/assignments").json()["assignments"][0]["assignment"]
    script = Script(client, assignment)
    for value in good:
        doc = script.get("/docs/1")["doc"]
        status, answer = script.post("/judgments", a_judgment(doc, value))
        assert (status, answer["doc"]["value"]) == (200, value)
    doc = script.get("/docs/1")["doc"]
    for value in bad:
        status, answer = script.post("/judgments", a_judgment(doc, value))
        assert (status, answer["error"]) == (422, "value"), value
    assert client.get(f"/judge/{assignment}/1").status_code == 200
    assert client.get("/instructions").status_code == 200


def test_a_level_may_need_a_note(opened: Callable[..., Any]) -> None:
    client = opened(SLIDER)
    assignment = client.get("/api/assignments").json()["assignments"][0]["assignment"]
    script = Script(client, assignment)
    doc = script.get("/docs/1")["doc"]
    for note in ("", "  \n"):
        status, answer = script.post("/judgments", a_judgment(doc, 100, note=note))
        assert (status, answer["message"]) == (422, "This grade needs a note.")
    assert script.post("/judgments", a_judgment(doc, 100, note="because"))[0] == 200


def test_pages_do_not_grow_with_the_topic(opened: Callable[..., Any], lite_app: Any) -> None:
    """1,500 docs need as many queries as 100, and pages of nearly the same size."""
    toml = (lite_app.folder / "campaign.toml").read_text()
    seen = []
    for docs in (100, 1500):
        client = opened(toml, docs=docs, words=5)
        found = client.get("/api/assignments").json()["assignments"]
        sizes, queries = [], []
        for path in (
            "/",
            f"/judge/{found[0]['assignment']}/50",
            f"/api/assignments/{found[0]['assignment']}/docs?limit=50",
        ):
            with CaptureQueriesContext(connection) as context:
                answer = client.get(path)
            assert answer.status_code == 200
            sizes.append(len(answer.content))
            queries.append(len(context))
        seen.append((sizes, queries))
    (small, few), (large, many) = seen
    assert few == many
    assert all(b < a * 1.1 for a, b in zip(small, large, strict=True))


def test_a_list_without_docs_is_refused(lite_app: Any, at_work: Any) -> None:
    at = at_work(lite_app, "b1", "q1")
    address = f"/api/assignments/{at.assignment.pk}/docs?limit="
    client = lite_app.client("b1")
    assert client.get(f"{address}1").json()["next"] == 2
    assert client.get(f"{address}0").status_code == 400
