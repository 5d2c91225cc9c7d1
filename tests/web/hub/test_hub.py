"""Several campaigns on one server: access rights, processes that die, backups of one campaign."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.web.hub.conftest import Hub, Person

from qrelsmith.web.accounts.access import policy_of
from qrelsmith.web.hub.claims import HEADER, MemberClaim, open_claim, sign
from qrelsmith.web.urls import urlpatterns

pytestmark = pytest.mark.slow
# The addresses of a campaign that the server itself answers.
SERVERS = {"login", "logout", "invite", "asset"}


def addresses() -> Iterator[tuple[str, str, Any]]:
    """Return name, path and policy of every view of a campaign, with unused numbers."""
    for pattern in urlpatterns:
        if pattern.name not in SERVERS:
            path = re.sub("<int:[^>]*>", "99999", str(pattern.pattern))
            yield str(pattern.name), re.sub("<[^>]*>", "x", path), policy_of(pattern.callback)


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.full)])
def test_every_address_answers_or_refuses_by_role_and_campaign(
    hub: Hub, people: dict[str, Person], step: int
) -> None:
    """All people request all addresses of their campaigns, and some addresses of other ones.

    In daily runs, two of seven roles request each address; `accounts/test_access.py` requests each
    address with all roles, in one campaign served alone.
    """
    roles = {
        ("root", "one"): "admin", ("root", "two"): "admin", ("olga", "one"): "organiser",
        ("anna", "one"): "assessor", ("vera", "one"): "viewer", ("vera", "two"): "assessor",
    }  # fmt: skip
    checked = strange = asked = 0
    for name, path, policy in addresses():
        method = policy.methods[0]
        for who, person in people.items():
            for campaign in ("one", "two", "three", "none"):
                if who == "root" and campaign == "three":
                    continue
                role = roles.get((who, campaign))
                if role is None and (who, campaign) != ("nobody", "one"):
                    strange += 1
                    if strange % step:
                        continue
                else:
                    asked += 1
                    if step > 1 and asked % 7 not in (0, 3):
                        continue
                checked += 1
                answer = person.send(method, f"/c/{campaign}/{path}")
                place = (name, who, campaign, answer.status, answer.text[-300:])
                if who == "nobody":
                    assert answer.status == (404 if name == "hit" else answer.status), place
                    assert answer.status in (401, 404) or answer.path == "/login", place
                elif role is None:
                    assert answer.status == 404, place
                elif policy.scope:
                    assert answer.status == 401, place
                elif policy.roles and role not in policy.roles:
                    assert answer.status == 403, place
                else:
                    assert answer.status not in (401, 405), place
                    assert answer.status < 500, place
                    assert "Your role does not allow this action." not in answer.text, place
    assert checked > (1000 if step == 1 else 250)
    for who, person in people.items():
        shown = set(re.findall('href="/c/([a-z]+)/"', person.get("/").text))
        assert shown == ({"one", "two", "three"} if who == "root" else {
            campaign for (name, campaign) in roles if name == who
        })  # fmt: skip


def test_the_servers_own_pages_are_for_its_admins(hub: Hub, people: dict[str, Person]) -> None:
    for who in ("olga", "anna", "vera", "nobody"):
        for path in ("/accounts", "/accounts/1/renew", "/accounts/1/switch", "/accounts/1/email"):
            method = "GET" if path == "/accounts" else "POST"
            answer = people[who].send(method, path)
            assert answer.status == 403 or answer.path == "/login", (who, path)
        managed = people[who].get("/campaigns/one")
        assert managed.status == {"olga": 200, "nobody": 200}.get(who, 404)
        assert (managed.path == "/login") == (who == "nobody")
    # Without a provider, there is no login with one.
    assert "login/openid" not in people["nobody"].get("/login").text
    for path in ("/login/openid", "/login/openid/answer", "/logout/openid"):
        assert people["nobody"].get(path).status == 404
    answer = people["root"].post("/accounts", role="organiser")
    assert "/invite#" in answer.text
    # A person disabled in one campaign can still enter the other one.
    accounts = people["root"].get("/c/one/organiser/people").text
    number = re.search(r"(\d+)/switch[^<]*<[^>]*>[^<]*<button>[^<]*<span[^>]*> vera", accounts)
    assert number
    people["root"].post(f"/c/one/organiser/accounts/{number[1]}/switch")
    assert people["vera"].get("/c/one/").status == 403
    assert people["vera"].get("/c/two/").status == 200
    people["root"].post(f"/c/one/organiser/accounts/{number[1]}/switch")
    assert people["vera"].get("/c/one/").status == 200


def test_requests_without_credentials_do_not_reveal_which_campaigns_exist(
    hub: Hub, people: dict[str, Person]
) -> None:
    strangers = (
        ("GET", "hit/1-00000000000000000000000000000000", {}),
        ("GET", "hit/x?workerId=w", {}),
        ("GET", "api/openapi.json", {"Authorization": "Bearer qrelsmith_x"}),
        ("POST", "api/judgments", {"Authorization": "Basic eA=="}),
        ("GET", "work", {"Cookie": "qrelsmith_campaign=x"}),
        ("GET", "invite", {}),
    )  # fmt: skip
    people["root"].post("/campaigns/two", action="archive")
    before = hub.children()
    for method, path, headers in strangers:
        answers = []
        for campaign in ("three", "two", "none"):
            with_path = f"/c/{campaign}/{path}"
            answer = hub.person().send(method, with_path, **headers)
            answers.append((answer.status, without_what_differs(answer.text, campaign)))
        assert answers[0] == answers[1] == answers[2], path
    for campaign in ("three", "two", "none"):
        assert hub.person().post(f"/c/{campaign}/invite", token=campaign).status == 410
    assert hub.children() == before, "no process is started for a stranger"
    assert "three" not in before
    people["root"].post("/campaigns/two", action="reopen")


def without_what_differs(text: str, campaign: str) -> str:
    text = re.sub(r'value="[A-Za-z0-9]{64}"|request [0-9a-f-]+', "", text)
    return re.sub(f"(/c/|%2F){campaign}\\b", "NAME", text)


def test_claims_are_accepted_only_from_the_server(hub: Hub, people: dict[str, Person]) -> None:
    secret = b"a secret of a start"
    header = sign(MemberClaim("olga", "organiser"), secret, "GET", "/?")
    assert open_claim(header, secret, "GET", "/?") == MemberClaim("olga", "organiser")
    assert open_claim(header, b"another", "GET", "/?") is None
    assert open_claim(header, secret, "GET", "/organiser/?") is None
    assert open_claim(header, secret, "POST", "/?") is None
    assert open_claim("", secret, "GET", "/?") is None
    for name in (HEADER, HEADER.lower(), HEADER.replace("-", "_")):
        forged = {name: header}
        assert people["vera"].get("/c/one/organiser/people", **forged).status == 403
        assert people["nobody"].get("/c/one/", **forged).path == "/login"
    direct = Person(f"http://127.0.0.1:{_port_of(hub.children()['one'])}")
    for path in ("/", "/login", "/health", "/.server/status", "/organiser/people"):
        assert direct.get(path, **{HEADER: header}).status == 403
        assert direct.get(path).status == 403


def _port_of(process: int) -> int:
    """Return the port at which a process listens."""
    files = {str(path.readlink()) for path in Path(f"/proc/{process}/fd").iterdir()}
    for line in Path(f"/proc/{process}/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in files:
            return int(fields[1].partition(":")[2], 16)
    raise AssertionError("listens nowhere")


def test_a_campaign_is_archived_reopened_and_deleted(hub: Hub, people: dict[str, Person]) -> None:
    olga, anna = people["olga"], people["anna"]
    assert olga.post("/campaigns/one", action="archive").status == 200
    assert "one" not in hub.children()
    assert anna.get("/c/one/").status == 404
    assert 'href="/c/one/"' not in anna.get("/").text
    olga.post("/campaigns/one", action="reopen")
    assert anna.get("/c/one/").status == 200
    assert olga.post("/campaigns/three", action="delete", name="three").status == 404
    root = people["root"]
    assert root.post("/campaigns/three", action="delete", name="two").status == 400
    assert (hub.folder / "three").exists()
    root.post("/campaigns/three", action="delete", name="three")
    assert not (hub.folder / "three").exists()
    assert root.get("/c/three/").status == 404


@pytest.mark.full
def test_a_killed_process_restarts_with_all_acknowledged_data(
    hub: Hub, people: dict[str, Person]
) -> None:
    anna, acknowledged = people["anna"], set()
    for number in range(12):
        if number % 4 == 1:
            os.kill(hub.children()["one"], signal.SIGKILL)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if anna.judge("one", number % 2, number % 4).status == 200:
                    acknowledged.add(number % 4)
                    break
            except (ValueError, KeyError):
                time.sleep(0.2)
    assert acknowledged == set(range(4))
    assert anna.judged("one") == 4
    assert people["vera"].judged("two") == 0
    assert "two" in hub.children()


@pytest.mark.full
def test_one_of_many_campaigns_is_backed_up_restored_and_served_alone(
    hub: Hub, people: dict[str, Person], start_server: Callable[..., Any], tmp_path: Path
) -> None:
    anna, vera, one = people["anna"], people["vera"], hub.folder / "one"
    before, others = anna.judged("one"), vera.judged("two")
    backup = tmp_path / "one.backup"
    hub.run_in(one, "backup", "--output", str(backup))
    assert anna.judge("one", 1, 5).status == 200
    assert vera.judge("two", 1, 1).status == 200
    assert (anna.judged("one"), vera.judged("two")) == (before + 1, others + 1)
    hub.close()
    hub.run_in(one, "restore", str(backup))
    hub.restart()
    assert (anna.judged("one"), vera.judged("two")) == (before, others + 1)
    hub.close()
    assert not hub.children()
    moved = tmp_path / "alone"
    shutil.move(one, moved)
    alone = start_server(moved, database_url=hub.database_url)
    assert Person(alone.url).get("/health").status == 200
    assert "/invite#" in alone.invite("viewer", "")
    alone.run("verify")
