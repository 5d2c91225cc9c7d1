"""Access rights of every view in the URL conf, so that a new view is tested automatically."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from qrelsmith.web.accounts.access import policy_of
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.home import front_page
from qrelsmith.web.models import (
    Account,
    ApiToken,
    Assessor,
    AssignedDoc,
    Assignment,
    Batch,
    Doc,
    Invite,
    OrganiserAction,
    RejudgingRound,
    Role,
)
from qrelsmith.web.site.assets import assets
from qrelsmith.web.urls import urlpatterns

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
ROLES = ("admin", "organiser", "assessor", "viewer")
# Views that need no login are listed here, so that a new one is added deliberately.
PUBLIC = {
    "health",
    "metrics",
    "asset",
    "login",
    "openid",
    "openid-callback",
    "openid-logout",
    "invite",
    "invite-old",
    "language",
    "api-document",
    "hit",
}
# Views for programs with a token; see test_model_tokens.
TOKENS = {"api-topics", "api-work", "api-batch"}
# Views of data that belongs to an assessor, by the name of the number in the address.
OWN = {
    "assignment_id": "Assignment", "assigned_id": "AssignedDoc", "contest_id": "Contest",
    "pair_id": "PairTask",
}  # fmt: skip


def some_token(app: Any) -> int:
    """Return the number of an existing token."""
    return ApiToken.objects.create(
        token_sha256="0" * 64, assessor=Assessor.objects.get(name="b2"), expires_at=timezone.now()
    ).pk


def patterns() -> Iterator[Any]:
    yield from urlpatterns


@pytest.fixture
def addresses(lite_app: Any, contests_of: Any, comparing: Any) -> dict[str, str]:
    """Return an address of every view, with the numbers of existing data of `b1`."""
    RejudgingRound.objects.create(number=2, reason="stale")
    lite_app.account("b1")
    terms = {"fee": 0.4, "currency": "USD", "countries": []}
    batch = Batch.objects.create(name="one", kind="pairs", platform="mturk", terms=terms)
    other = lite_app.account("reader", role="viewer")
    invite = Invite.objects.create(
        token_sha256="0" * 64, role="viewer", expires_at="2999-01-01T00:00:00Z"
    )
    assignment = Assignment.objects.get(assessor__name="b1", topic__name="q1")
    contest = next(each for each in contests_of(lite_app) if each.assessor.name == "b1")
    values = {
        "contest_id": contest.pk,
        "pair_id": comparing(lite_app, "b1", contest).next().pk,
        "side": "left",
        "assignment_id": assignment.pk,
        "assigned_id": AssignedDoc.objects.get(assignment=assignment, position=1).pk,
        "position": 1,
        "assessor_id": assignment.assessor_id,
        "topic_id": assignment.topic_id,
        "account_id": other.pk,
        "invite_id": invite.pk,
        "digest": assets()["site.js"].digest,
        "name": "site.js",
        "token": "no-such-token",
        "token_id": some_token(lite_app),
        "number": 2,
        "doc_id": Doc.objects.get(name="d00000").pk,
        "file": "20240101T000000Z-abcd.zip",
        "batch": "no-such-batch",
        "answers_id": 1,
        "job_id": 1,
        "alert": "hurried",
        "path": "audit.html",
        "aspect_id": 1,
        "what": "words",
        "batch_id": batch.pk,
    }
    return {
        pattern.name: reverse(
            pattern.name, kwargs={name: values[name] for name in pattern.pattern.converters}
        )
        for pattern in patterns()
    }


def policy(name: str) -> Any:
    found = next(pattern for pattern in patterns() if pattern.name == name)
    return policy_of(found.callback)


def test_every_view_has_a_policy_and_only_these_are_public(lite_app: Any) -> None:
    policies = {pattern.name: policy_of(pattern.callback) for pattern in patterns()}
    assert None not in policies.values()
    open_ones = {name for name, each in policies.items() if not each.roles and not each.scope}
    assert open_ones == PUBLIC
    assert {name for name, each in policies.items() if each.scope} == TOKENS
    assert not any(each.roles for each in policies.values() if each.scope)


def test_a_view_without_a_policy_is_refused(lite_app: Any, monkeypatch: Any) -> None:
    monkeypatch.delattr(front_page.home, "policy")
    assert lite_app.client("b1").get("/").status_code == 403


def test_requests_without_login_are_refused_everywhere(
    lite_app: Any, addresses: dict[str, str]
) -> None:
    client = lite_app.client()
    for name, address in addresses.items():
        if name in PUBLIC:
            continue
        for method in METHODS:
            answer = client.generic(method, address)
            if name in TOKENS:
                assert answer.status_code == (401 if method in policy(name).methods else 405)
                assert answer["Content-Type"] == "application/problem+json"
            elif policy(name).is_api:
                assert answer.status_code == 401, (name, method)
                assert answer.json()["error"] == "login"
            else:
                assert answer.status_code == 302, (name, method)
                assert answer["Location"].startswith("/login?next="), (name, method)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_not_listed_by_a_view_is_refused(
    lite_app: Any, addresses: dict[str, str], role: str
) -> None:
    login = "b1" if role == "assessor" else f"the-{role}"
    refused = allowed = 0
    client = lite_app.client(login, role=role)
    for name, address in addresses.items():
        if name in PUBLIC | TOKENS or name == "logout":
            continue
        method = policy(name).methods[0]
        answer = client.generic(method, address, "{}", content_type="application/json")
        if role in {each.value for each in policy(name).roles}:
            allowed += 1
            assert answer.status_code not in (401, 403, 405), (name, answer.status_code)
            assert answer.status_code < 500, name
        else:
            refused += 1
            assert answer.status_code == 403, (name, answer.status_code)
    assert refused
    assert allowed


def test_a_method_not_listed_by_a_view_is_refused(lite_app: Any, addresses: dict[str, str]) -> None:
    clients = {
        role: lite_app.client("b1" if role == "assessor" else f"the-{role}", role=role)
        for role in ROLES
    }
    clients[""] = lite_app.client()
    for name, address in addresses.items():
        roles = {each.value for each in policy(name).roles}
        role = next((each for each in ROLES if each in roles), "")
        for method in METHODS:
            if method in policy(name).methods:
                continue
            answer = clients[role].generic(method, address)
            assert answer.status_code == 405, (name, method)
            assert set(answer["Allow"].split(", ")) == set(policy(name).methods)


def test_another_assessors_data_is_not_found(lite_app: Any, addresses: dict[str, str]) -> None:
    own = [
        pattern.name
        for pattern in patterns()
        if OWN.keys() & pattern.pattern.converters.keys()
        and "assessor" in {each.value for each in policy(pattern.name).roles}
    ]
    assert len(own) >= 18
    bodies = {
        "api-assignments-judgments": {"op_id": "x" * 10, "doc": 1, "value": 1,
                                      "sha256": "0" * 64, "base_revision": 0},
        "api-assignments-undo": {"op_id": "x" * 10},
        "api-contests-judgments": {"op_id": "x" * 10, "pair": 1, "outcome": 1,
                                   "left_sha256": "0" * 64, "right_sha256": "0" * 64,
                                   "base_revision": 0},
        "api-contests-undo": {"op_id": "x" * 10},
        "api-answers-judgments": {"op_id": "x" * 10, "aspect": 1, "value": 1, "wording": "x" * 16,
                                  "sha256": "0" * 64, "base_revision": 0},
        "api-answers-undo": {"op_id": "x" * 10},
        "api-activity": {"doc": 1, "active_ms": 1, "idle_ms": 1},
    }  # fmt: skip
    client = lite_app.client("b2")
    for name in own:
        for method in policy(name).methods:
            if policy(name).is_api:
                body = bodies.get(name, {})
                answer = client.generic(
                    method, addresses[name], json.dumps(body), content_type="application/json"
                )
            else:
                data = {"op_id": "x" * 10}
                send = client.post if method == "POST" else client.get
                answer = send(addresses[name], data)
            assert answer.status_code == 404, (name, method, answer.content)


def test_an_assessor_without_a_pseudonym_sees_no_data(
    lite_app: Any, addresses: dict[str, str]
) -> None:
    lite_app.account("b1")
    Account.objects.create(login="nobody", role="assessor")
    client = lite_app.client()
    client.force_login(
        Account.objects.get(login="nobody"), backend="qrelsmith.web.accounts.login.AccountBackend"
    )
    for name in ("judge", "doc", "api-docs", "api-text", "prefer", "pair-doc", "api-pair-next"):
        assert client.get(addresses[name]).status_code == 404, name
    assert client.get("/api/contests").json() == {"contests": []}
    assert client.get("/api/assignments").json() == {"assignments": []}


def test_every_form_and_every_script_must_send_the_token(
    lite_app: Any, addresses: dict[str, str]
) -> None:
    for name, address in addresses.items():
        if "POST" not in policy(name).methods or name in TOKENS:
            continue
        roles = {each.value for each in policy(name).roles}
        role = next((each for each in ROLES if each in roles), "")
        login = "b1" if role == "assessor" else f"the-{role}" if role else ""
        client = lite_app.client(login, role=role, csrf=True)
        answer = client.post(address, {}, content_type="application/json")
        assert answer.status_code == 403, name
        if policy(name).is_api:
            assert answer.json()["error"] == "csrf"


def test_a_script_with_an_ended_session_is_asked_to_log_in(lite_app: Any) -> None:
    client = lite_app.client(csrf=True)
    answer = client.post("/api/assignments/1/judgments", {}, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]) == (401, "login")


def test_every_refusal_is_a_page_with_a_link_back(lite_app: Any, addresses: dict[str, str]) -> None:
    client = lite_app.client("b1")
    for answer, status in (
        (client.get(addresses["overview"]), 403),
        (client.put("/"), 405),
        (client.get("/no/such/page"), 404),
        (client.get(addresses["doc"] + "?view=other"), 400),
        (client.get("/", headers={"host": "evil.example"}), 400),
        (client.post("/login", {f"field-{n}": "x" for n in range(300)}), 400),
    ):
        assert answer.status_code == status
        page = answer.content.decode()
        assert 'href="/">Go to the front page' in page
        assert f"Status {status}" in page
        assert "evil" not in page
    answer = client.get("/", headers={"host": "evil.example"})
    assert "--public-url" in answer.content.decode()


def test_an_organiser_cannot_create_or_manage_admins(lite_app: Any) -> None:
    admin = lite_app.account("root", role="admin")
    organiser = lite_app.client("olga", role="organiser")
    assert organiser.post("/organiser/invites", {"role": "admin"}).status_code == 400
    assert organiser.post(f"/organiser/accounts/{admin.pk}/renew").status_code == 400
    assert organiser.post(f"/organiser/accounts/{admin.pk}/switch").status_code == 400
    assert not Invite.objects.filter(created_by__login="olga").exists()
    assert organiser.post("/organiser/invites", {"role": "viewer"}).status_code == 200


def test_a_withdrawn_invite_cannot_be_used(lite_app: Any) -> None:
    olga = lite_app.client("olga", role="organiser")
    token = make_invite(Role.VIEWER)
    invite = Invite.objects.get()
    page = olga.get("/organiser/people").content.decode()
    assert f"/organiser/invites/{invite.pk}/withdraw" in page
    assert olga.post(f"/organiser/invites/{invite.pk}/withdraw").status_code == 302
    assert lite_app.client().post("/invite", {"token": token}).status_code == 410
    assert OrganiserAction.objects.filter(action="withdraw").exists()
    assert olga.post(f"/organiser/invites/{invite.pk}/withdraw").status_code == 404
    make_invite(Role.ADMIN)
    admins = Invite.objects.get()
    assert olga.post(f"/organiser/invites/{admins.pk}/withdraw").status_code == 400
    assert lite_app.client("root", role="admin").post(
        f"/organiser/invites/{admins.pk}/withdraw"
    ).status_code == 302  # fmt: skip


def test_a_disabled_account_is_logged_out_immediately(lite_app: Any) -> None:
    client = lite_app.client("b1")
    assert client.get("/").status_code == 200
    account = lite_app.account("b1")
    olga = lite_app.client("olga", role="organiser")
    assert olga.post(f"/organiser/accounts/{account.pk}/switch").status_code == 302
    assert client.get("/").status_code == 302
    log = olga.get("/organiser/log").content.decode()
    assert "disable" in log
    assert "b1" in log
