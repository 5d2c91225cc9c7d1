"""Whatever the parameters, the status is 2xx, 3xx or 4xx, never 5xx."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.models import AssignedDoc, Assignment, Role
from qrelsmith.web.urls import urlpatterns

MANY = examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
FORM_FIELDS = (
    "op_id", "value", "sha256", "base_revision", "note", "excerpt", "login", "password", "again",
    "next", "role", "assessor", "outcome", "left_sha256", "right_sha256", "reference", "other",
    "rule", "ordering", "who", "labels", "after", "part", "topic", "what", "agree", "code",
)  # fmt: skip

numbers = st.one_of(st.integers(0, 8), st.integers(0, 2**70))
texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["", "\x00", "\ud800", "page", "%00", "../..", "-1", "1e999", "٣", "a" * 9999]),
)
words = st.sampled_from(
    [
        "view",
        "sha256",
        "terms",
        "find",
        "filter",
        "from",
        "limit",
        "after",
        "next",
        "hours",
        "coefficient",
        "reference",
        "other",
        "rule",
        "ordering",
        "part",
        "topic",
        "now",
    ]
)
plain = st.one_of(st.none(), st.booleans(), numbers, st.floats(allow_nan=False), texts)
json_values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
keys = st.sampled_from(
    ["op_id", "doc", "value", "sha256", "base_revision", "topic_version", "scale_version", "note",
     "excerpt", "input_kind", "timing", "active_ms", "idle_ms", "pair", "outcome", "left_sha256",
     "right_sha256", "settings_version"]
)  # fmt: skip


@pytest.fixture
def clients(app: Any) -> list[Any]:
    """Return an assessor, an organiser and a visitor without login."""
    return [app.client("b1"), app.client("olga", role="organiser"), app.client()]


def assert_no_fault(answer: Any, *what: object) -> None:
    assert answer.status_code < 500, what


def encoded(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


@MANY
@given(data=st.data())
def test_addresses_cause_no_server_error(clients: list[Any], data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from(urlpatterns))
    path = "/" + str(pattern.pattern)
    for name, converter in pattern.pattern.converters.items():
        kind = "int" if "Int" in type(converter).__name__ else ""
        value = str(data.draw(numbers)) if kind else encoded(data.draw(texts) or "x")
        for written in (f"<int:{name}>", f"<str:{name}>", f"<path:{name}>"):
            path = path.replace(written, value)
    query = data.draw(st.lists(st.tuples(words, texts), max_size=3))
    address = path + "?" + "&".join(f"{key}={encoded(value)}" for key, value in query)
    for client in clients:
        for method in ("GET", "POST"):
            assert_no_fault(client.generic(method, address), method, address)


@MANY
@given(data=st.data())
def test_json_bodies_cause_no_server_error(clients: list[Any], data: st.DataObject) -> None:
    assignment = Assignment.objects.filter(assessor__name="b1").first()
    assert assignment is not None
    doc = AssignedDoc.objects.filter(assignment=assignment).first()
    assert doc is not None
    body: Any = {"op_id": "operation-1", "doc": doc.pk, "value": 1, "base_revision": 0}
    body |= data.draw(st.dictionaries(st.one_of(keys, texts), json_values, max_size=4))
    if data.draw(st.integers(0, 5)) == 0:
        body = data.draw(json_values)
    name = data.draw(st.sampled_from(["judgments", "undo", "activity"]))
    content = json.dumps(body)
    if data.draw(st.integers(0, 9)) == 0:
        content = data.draw(st.sampled_from(["", "{", "[" * 9000, "NaN", '{"value": Infinity}']))
    answer = clients[0].post(
        f"/api/assignments/{assignment.pk}/{name}", content, content_type="application/json"
    )
    assert_no_fault(answer, name, content)


@pytest.fixture
def pair(app: Any, contests_of: Any, comparing: Any) -> Any:
    """Return a pair assigned to `b1`."""
    contest = contests_of(app, share="pair")[0]
    return comparing(app, "b1", contest).next()


@MANY
@given(data=st.data())
def test_json_bodies_about_pairs_cause_no_server_error(
    clients: list[Any], pair: Any, data: st.DataObject
) -> None:
    digest = "0" * 64
    body: Any = {"op_id": "operation-1", "pair": pair.pk, "outcome": 1, "base_revision": 0}
    body |= {"left_sha256": digest, "right_sha256": digest}
    body |= data.draw(st.dictionaries(st.one_of(keys, texts), json_values, max_size=4))
    if data.draw(st.integers(0, 5)) == 0:
        body = data.draw(json_values)
    name = data.draw(st.sampled_from(["judgments", "undo"]))
    content = json.dumps(body)
    answer = clients[0].post(
        f"/api/contests/{pair.contest_id}/{name}", content, content_type="application/json"
    )
    assert_no_fault(answer, name, content)


@pytest.mark.parametrize("half", ["\ud800", "a\udfffb"])
def test_a_lone_surrogate_in_a_key_is_named_in_the_refusal(
    clients: list[Any], pair: Any, half: str
) -> None:
    for address in (f"contests/{pair.contest_id}", "assignments/1"):
        answer = clients[0].post(
            f"/api/{address}/judgments", json.dumps({half: 1}), content_type="application/json"
        )
        assert answer.status_code == 400
        assert half.encode(errors="backslashreplace").decode() in answer.json()["message"]


@examples(15, parent=MANY)
@given(data=st.data())
def test_forms_about_pairs_cause_no_server_error(
    clients: list[Any], pair: Any, data: st.DataObject
) -> None:
    sendable = texts.filter(lambda text: "\ud800" not in text)
    fields = data.draw(st.dictionaries(st.sampled_from(FORM_FIELDS), sendable, max_size=5))
    for address in (
        f"/prefer/{pair.contest_id}/{pair.pk}",
        f"/prefer/{pair.contest_id}/undo",
        f"/prefer/{pair.contest_id}",
    ):
        assert_no_fault(clients[0].post(address, fields), address, fields)


@examples(15, parent=MANY)
@given(data=st.data())
def test_forms_cause_no_server_error(clients: list[Any], data: st.DataObject) -> None:
    assignment = Assignment.objects.filter(assessor__name="b1").first()
    assert assignment is not None
    token = make_invite(Role.VIEWER)
    sendable = texts.filter(lambda text: "\ud800" not in text)
    fields = data.draw(st.dictionaries(st.sampled_from(FORM_FIELDS), sendable, max_size=5))
    fields.setdefault("token", token)
    for client, address in (
        (clients[0], f"/judge/{assignment.pk}/1"),
        (clients[0], f"/judge/{assignment.pk}/undo"),
        (clients[1], "/organiser/invites"),
        (clients[1], "/organiser/disagreements/round"),
        (clients[1], "/organiser/versions/round"),
        (clients[1], "/organiser/crowd/codes"),
        (clients[2], "/invite"),
        (clients[2], "/login"),
    ):
        assert_no_fault(client.post(address, fields), address, fields)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "x" * 70_000])
def test_texts_that_no_database_can_store_cause_no_server_error(app: Any, text: str) -> None:
    client = app.client("b1")
    doc = AssignedDoc.objects.filter(assignment__assessor__name="b1").first()
    assert doc is not None
    for key in ("view", "sha256", "terms", "find"):
        for path in (f"/doc/{doc.pk}", f"/api/docs/{doc.pk}/find", f"/api/docs/{doc.pk}/text"):
            answer = client.get(f"{path}?{key}={encoded(text)}")
            assert_no_fault(answer, path, key)
    if text != "\ud800":  # which no form can send
        olga = app.client("olga", role="organiser")
        for key in ("role", "assessor"):
            fields = {"role": "assessor"} | {key: text}
            assert olga.post("/organiser/invites", fields).status_code == 400


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b'{"op_id": "\xff"}', b"\x00" * 10, b'{"value": 1e400}']
)
def test_bytes_that_are_not_text_cause_no_server_error(lite_app: Any, content: bytes) -> None:
    client = lite_app.client("b1")
    answer = client.post("/api/assignments/1/judgments", content, content_type="application/json")
    assert answer.status_code == 400
    answer = client.post("/login", content, content_type="application/x-www-form-urlencoded")
    assert_no_fault(answer)


def test_a_body_that_is_too_large_is_refused(lite_app: Any) -> None:
    client = lite_app.client("b1")
    content = json.dumps({"note": "x" * (1 << 21)})
    answer = client.post("/api/assignments/1/judgments", content, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (413, "size")


@pytest.mark.parametrize("text", ["", "1_0", "٣", " 1", "nan", "inf", "0x1", "1e999", "9" * 400])
def test_numbers_in_forms_are_parsed_as_strictly_as_in_json(lite_app: Any, text: str) -> None:
    client = lite_app.client("b1")
    whole = {"op_id": "operation-1", "value": "1", "sha256": "0" * 64, "base_revision": "0"}
    for name in ("value", "base_revision"):
        answer = client.post("/judge/1/1", whole | {name: text})
        assert answer.status_code == 400, name
    assert client.post("/judge/1/1", whole).status_code == 409


@pytest.mark.parametrize("path", ["api/assignments", "judge", "answers", "organiser/desk"])
def test_a_key_too_large_for_a_database_is_not_found(app: Any, path: str) -> None:
    assert app.client("b1").get(f"/{path}/9223372036854775808").status_code in (403, 404)
