"""Tokens of model assessors: who creates them, what they allow, and when they end."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from qrelsmith.base.errors import UsageError
from qrelsmith.web.accounts.limits import TOKENS
from qrelsmith.web.accounts.tokens import make_token, revoke
from qrelsmith.web.maintenance.forget import forget
from qrelsmith.web.models import Account, ApiToken, Assessor, LoginFailure, OrganiserAction


def test_only_a_token_gives_access_but_no_cookie(app: Any, model: Any) -> None:
    for client in (app.client(), app.client("b1"), app.client("olga", role="organiser")):
        for path in ("/api/topics", "/api/work"):
            answer = client.get(path)
            assert answer.status_code == 401, path
            assert answer["WWW-Authenticate"].startswith("Bearer")
            assert answer["Content-Type"] == "application/problem+json"
    organiser = app.client("olga", role="organiser")
    answer = organiser.get("/api/topics", headers={"Authorization": f"Bearer {model.token}"})
    assert answer.status_code == 200
    # A token gives access to nothing else.
    for path in ("/", "/api/assignments", "/organiser/people", "/api/session"):
        assert model.get(path).status_code in (302, 401), path


def test_a_token_is_valid_for_its_scopes_until_it_is_revoked_or_expires(
    app: Any, make_model: Any
) -> None:
    reader = make_model(app, scopes=["work:read"])
    assert reader.get("/api/work").status_code == 200
    refused = reader.judge({"doc": "d00000"})
    assert refused.status_code == 403
    assert "judgments:write" in refused.json()["detail"]
    writer = make_model(app, scopes=["judgments:write"])
    assert writer.get("/api/work").status_code == 403
    assert writer.judge({"doc": "d00000"}).status_code == 200
    ApiToken.objects.filter(scopes="work:read").update(expires_at=timezone.now())
    assert "expired" in reader.get("/api/work").json()["detail"]
    assert revoke(ApiToken.objects.filter(scopes="judgments:write")) == 1
    assert revoke(ApiToken.objects.filter(scopes="judgments:write")) == 0
    assert "revoked" in writer.judge({"doc": "d00001"}).json()["detail"]


def test_the_database_contains_only_the_digest(lite_app: Any, lite_model: Any) -> None:
    token = lite_model.token
    assert len(token) > 40
    assert lite_model.get("/api/topics").status_code == 200
    found = ApiToken.objects.get()
    assert found.last_used_at is not None
    assert all(token not in str(value) for value in vars(found).values())
    content = b"".join(
        path.read_bytes() for path in (lite_app.folder / ".qrelsmith").glob("app.sqlite3*")
    )
    assert token.encode() not in content


def test_wrong_tokens_have_to_wait_and_right_ones_do_not(app: Any, model: Any) -> None:
    wrong = type(model)(model.client, "qrelsmith_wrong")
    for _ in range(TOKENS):
        assert wrong.get("/api/topics").status_code == 401
    for _ in range(3):
        answer = wrong.get("/api/topics")
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) > 0
    assert LoginFailure.objects.count() == TOKENS
    assert model.get("/api/topics").status_code == 200
    assert app.client().get("/login").status_code == 200


def test_only_models_get_tokens(lite_app: Any, lite_model: Any) -> None:
    with pytest.raises(UsageError, match="b2 is not an assessor in a group with the role 'llm'"):
        make_token(Assessor.objects.get(name="b2"))
    with pytest.raises(UsageError, match="expected some of"):
        make_token(Assessor.objects.get(name="gpt-x"), ["everything"])
    # If a person gets the pseudonym nevertheless, the token ends.
    Account.objects.create(
        login="someone", role="assessor", assessor=Assessor.objects.get(name="gpt-x")
    )
    assert lite_model.get("/api/topics").status_code == 401


def test_a_method_missing_from_an_operation_is_refused(lite_model: Any) -> None:
    answer = lite_model.client.delete("/api/judgments")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert answer["Content-Type"] == "application/problem+json"


def test_an_organiser_creates_and_revokes_tokens(lite_app: Any, lite_model: Any) -> None:
    olga = lite_app.client("olga", role="organiser")
    wanted = {"assessor": "gpt-x", "scope": ["work:read", "judgments:write"], "days": "7"}
    page = olga.post("/organiser/tokens", wanted)
    made = ApiToken.objects.latest("pk")
    token = page.content.decode().split('value="qrelsmith_')[1].split('"')[0]
    client = type(lite_model)(lite_app.client(), f"qrelsmith_{token}")
    assert client.get("/api/work").status_code == 200
    assert made.created_by is not None
    assert made.created_by.login == "olga"
    assert made.expires_at - made.created_at < timedelta(days=7, seconds=1)
    assert token not in olga.get("/organiser/tokens").content.decode()
    assert olga.post(f"/organiser/tokens/{made.pk}/revoke").status_code == 302
    assert client.get("/api/work").status_code == 401
    actions = OrganiserAction.objects.order_by("id").values_list("action", "target")
    assert list(actions)[-2:] == [("token", "gpt-x"), ("revoke token", f"gpt-x {made.pk}")]


@pytest.mark.parametrize(
    "fields",
    [{}, {"assessor": "b1", "scope": "work:read"}, {"assessor": "gpt-x"},
     {"assessor": "gpt-x", "scope": "x"}, {"assessor": "gpt-x", "scope": "work:read", "days": "9"}],
)  # fmt: skip
def test_invalid_forms_create_no_token(
    lite_app: Any, lite_model: Any, fields: dict[str, str]
) -> None:
    olga = lite_app.client("olga", role="organiser")
    assert olga.post("/organiser/tokens", fields).status_code == 400


def test_a_model_gets_no_invite(lite_app: Any, lite_model: Any) -> None:
    olga = lite_app.client("olga", role="organiser")
    answer = olga.post("/organiser/invites", {"role": "assessor", "assessor": "gpt-x"})
    assert answer.status_code == 400
    assert 'value="gpt-x"' not in olga.get("/organiser/people").content.decode()


def test_forgetting_a_model_ends_its_tokens(lite_app: Any, lite_model: Any) -> None:
    forget("gpt-x")
    assert lite_model.get("/api/topics").status_code == 401


def test_a_model_added_while_the_app_is_served_can_connect_immediately(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    server = start_server(folder)
    with (folder / "campaign.toml").open("a") as out:
        out.write('\n[groups.llm]\nrole = "llm"\nassessors = ["gpt-x"]\n')
    server.run("import")
    token = server.run("token", "--assessor", "gpt-x").strip()
    request = urllib.request.Request(  # noqa: S310 - our own server
        f"{server.url}/api/topics", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 - our own server
        assert answer.status == 200
        assert "Set-Cookie" not in answer.headers
        assert len(json.load(answer)["topics"]) == 2
    server.close()
    log = (folder / "server.log").read_text()
    assert token not in log
    assert '"token": 1' in log  # its number
