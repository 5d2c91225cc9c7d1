"""Logins with an OpenID Connect provider that runs beside the server.

The provider is Django OAuth Toolkit, in a separate process. It shares no OpenID code with our
client, and every step is an HTTP request: discovery, redirect, code, token, keys, user info. It
refuses a code without the verifier of PKCE or the client's secret.
"""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.web.hub.conftest import PASSWORD, Hub, Person
from tests.web.hub.openid_provider import BEGIN, Provider, Served, hop, is_in, problem, with_value

pytest.importorskip("mozilla_django_oidc", reason="needs the extra openid")
pytest.importorskip("oauth2_provider", reason="needs the extra test")
pytestmark = pytest.mark.slow


@pytest.fixture(
    scope="module",
    params=["several", "one"]
    + [pytest.param(f"{kind}-postgresql", marks=pytest.mark.full) for kind in ("several", "one")],
)
def served(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
) -> Iterator[Served]:
    """Return a server with a provider, of several campaigns or of one."""
    kind, _, database = request.param.partition("-")
    folder = tmp_path_factory.mktemp("openid")
    campaign = make_campaign(folder / "campaigns" / "one")
    if not database:
        give_tables(campaign)
    with socket.create_server(("127.0.0.1", 0)) as free, ExitStack() as stack:
        url = ""
        if database:
            url = stack.enter_context(request.getfixturevalue("make_database")())
        port = free.getsockname()[1]
        provider = Provider(f"http://127.0.0.1:{port}{BEGIN}/answer", folder)
        stack.callback(provider.close)
        (folder / "secret").write_text("a-secret-of-this-test\n")
        environment = pytest.MonkeyPatch()
        stack.callback(environment.undo)
        environment.setenv("QRELSMITH_OIDC_ISSUER", provider.url)
        environment.setenv("QRELSMITH_OIDC_CLIENT", "qrelsmith-test")
        environment.setenv("QRELSMITH_OIDC_SECRET_FILE", str(folder / "secret"))
        free.close()
        served_folder = campaign.parent if kind == "several" else campaign
        hub = Hub(served_folder, port=port, database_url=url)
        stack.callback(hub.close)
        root = hub.first_admin()
        if kind == "several":
            yield Served(hub, provider, root, "/c/one", "/accounts", "/accounts")
        else:
            yield Served(hub, provider, root, "", "/organiser/accounts", "/organiser/people")


@pytest.fixture
def hub(served: Served) -> Hub:
    return served.hub


@pytest.fixture
def provider(served: Served) -> Provider:
    served.provider.write()
    return served.provider


@pytest.fixture
def root(served: Served) -> Person:
    return served.root


def test_a_verified_address_opens_the_account_with_that_address(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("vera", "Vera@example.org")
    browser = hub.person()
    assert "Log in with 127.0.0.1" in browser.get("/login").text
    provider.know(browser, "vera-at-home", "vera@example.org")
    entered = browser.get(f"{BEGIN}?next={served.campaign}/")
    assert (entered.status, entered.path) == (200, f"{served.campaign}/")
    # From now on, the person is identified by the subject, whatever the address.
    again = hub.person()
    provider.know(again, "vera-at-home", "moved@example.org", is_verified=False)
    assert again.get(BEGIN).path == "/"
    # The address's next owner does not get the account.
    successor = hub.person()
    provider.know(successor, "second-vera", "vera@example.org")
    refused = successor.get(BEGIN)
    assert (refused.status, is_in(successor)) == (403, False)
    assert problem(refused) == "No account here is linked to vera@example.org at 127.0.0.1."
    # Logout ends the session here, and the next page links to the provider's logout.
    ended = browser.post("/logout")
    assert "Log out at 127.0.0.1" in ended.text
    assert not is_in(browser)
    asked = browser.get("/logout/openid")
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked.text))
    assert browser.post(asked.url, **hidden, allow="Logout").url == f"{hub.url}/login"
    # A saved address breaks the link.
    root.post(f"{served.accounts}/{served.number('vera')}/email", email="")
    assert again.post("/logout").status == 200
    assert again.get(BEGIN).status == 403


def test_an_unverified_address_gives_no_access(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("ulla", "ulla@example.org")
    thief = hub.person()
    provider.know(thief, "thief", "ulla@example.org", is_verified=False)
    refused = thief.get(BEGIN)
    assert (refused.status, is_in(thief)) == (403, False)
    assert problem(refused) == (
        "127.0.0.1 has not verified the address ulla@example.org, and no account is linked to this"
        " address."
    )


def test_an_unknown_person_links_an_account_only_with_its_password(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("lena")
    before = served.count()
    browser = hub.person()
    # The name of an account is not a proof, and neither is a wrong password.
    provider.know(browser, "lena", "lena@example.org")
    asked = browser.get(BEGIN).text
    assert "Link lena@example.org at 127.0.0.1" in asked
    assert '<form method="post" action="/login">' in asked
    assert browser.post("/login", login="lena", password=PASSWORD[1:], link="1").status == 403
    assert not is_in(browser)
    # Without the ticked box, nothing is linked.
    assert browser.post("/login", login="lena", password=PASSWORD).path == "/"
    browser.post("/logout")
    assert browser.get(BEGIN).status == 403
    assert browser.post("/login", login="lena", password=PASSWORD, link="1").path == "/"
    browser.post("/logout")
    assert browser.get(BEGIN).path == "/"
    assert served.count() == before


def test_an_answer_counts_once_in_the_browser_that_began_the_login(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("nora", "nora@example.org")
    browser, other = hub.person(), hub.person()
    provider.know(browser, "nora", "nora@example.org")
    asked = hop(browser, BEGIN)
    query = parse_qs(urlsplit(asked).query)
    assert query["code_challenge_method"] == ["S256"]
    assert {"nonce", "state", "code_challenge"} <= query.keys()
    expired = "This login has expired or was started in another browser. Start again."
    answered = hop(browser, asked)
    for person, url in (
        (other, answered),
        (browser, with_value(answered, state="x")),
        (browser, f"{BEGIN}/answer"),
    ):
        assert problem(person.get(url)) == expired
        assert not is_in(person)
    assert browser.get(answered).path == "/"
    browser.post("/logout")
    assert problem(browser.get(answered)) == expired
    # A code of another login: its ID token has another nonce.
    answered = hop(browser, with_value(hop(browser, BEGIN), nonce="of-another-login"))
    assert problem(browser.get(answered)).startswith("The response from 127.0.0.1 is not valid.")
    assert not is_in(browser)
    # The provider itself refuses a code without its verifier.
    answered = hop(browser, with_value(hop(browser, BEGIN), code_challenge="x" * 43))
    assert problem(browser.get(answered)) == "127.0.0.1 did not accept this login. Start again."
    # An expired code, and a person who declines.
    provider.write(code_s=-1)
    assert problem(browser.get(BEGIN)) == "127.0.0.1 did not accept this login. Start again."
    provider.write()
    state = parse_qs(urlsplit(hop(browser, BEGIN)).query)["state"][0]
    declined = browser.get(f"{BEGIN}/answer?error=access_denied&state={state}")
    assert problem(declined) == "127.0.0.1 did not log you in. Start again."
    assert not is_in(browser)


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another-client"},
        {"azp": "another-client"},
        {"iss": "http://127.0.0.1:9"},
        {"exp": 1_700_000_000},
        {"sub": "somebody"},
        {"sub": None},
    ],
)
def test_an_id_token_for_another_client_gives_no_access(
    served: Served, hub: Hub, provider: Provider, root: Person, claims: dict[str, object]
) -> None:
    browser = hub.person()
    provider.know(browser, "nora", "nora@example.org")
    provider.write(**claims)
    assert problem(browser.get(BEGIN)).startswith("The response from 127.0.0.1 is not valid.")
    assert not is_in(browser)


def test_a_disabled_account_stays_disabled(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("dora", "dora@example.org")
    browser = hub.person()
    provider.know(browser, "dora", "dora@example.org")
    assert browser.get(BEGIN).path == "/"
    root.post(f"{served.accounts}/{served.number('dora')}/switch")
    assert not is_in(browser)
    assert problem(browser.get(BEGIN)) == "Your account is disabled."
    assert not is_in(browser)


@pytest.fixture
def domains(hub: Hub) -> Iterator[None]:
    """Allow logins only for people of two domains."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QRELSMITH_OIDC_DOMAINS", "example.org uni.example")
        hub.restart()
        yield
    hub.restart()


def test_only_people_of_listed_domains_can_log_in(
    served: Served, hub: Hub, provider: Provider, domains: None
) -> None:
    served.new_account("owner")
    for name, email, is_verified, expected in (
        ("a", "a@elsewhere.org", True, "You need an e-mail address of example.org, uni.example"),
        ("b", "b@sub.uni.example", True, "You need an e-mail address of"),
        ("c", "c@uni.example", False, "127.0.0.1 has not verified your e-mail address."),
        ("owner", "d@uni.example", True, "No account here is linked to d@uni.example"),
    ):
        browser = hub.person()
        provider.know(browser, name, email, is_verified=is_verified)
        assert problem(browser.get(BEGIN)).startswith(expected)
        assert not is_in(browser)


def test_a_new_person_of_a_listed_domain_sees_no_campaign_before_an_invite(
    served: Served, hub: Hub, provider: Provider, domains: None
) -> None:
    browser = hub.person()
    provider.know(browser, "fresh", "fresh@uni.example")
    entered = browser.get(BEGIN)
    path, _, token = served.invite().removeprefix(hub.url).partition("#")
    if served.campaign:
        assert entered.path == "/"
        assert "/c/one/" not in entered.text
        assert browser.get("/c/one/").status == 404
        assert browser.get("/accounts").status == 403
        assert browser.post(path, token=token, join="1").path == "/c/one/"
        provider.know(browser, "n" * 151, "e@uni.example")
        browser.post("/logout")
        nameless = "preferred_username from 127.0.0.1 is not a usable name."
        assert problem(browser.get(BEGIN)).startswith(nameless)
    else:
        assert problem(entered) == "No account here is linked to fresh@uni.example at 127.0.0.1."
        assert not is_in(browser)
        assert browser.post(path, token=token, login="fresh", password="", link="1").path == "/"


def test_an_invite_creates_an_account_without_a_password(
    served: Served, hub: Hub, provider: Provider
) -> None:
    link = served.server_invite()
    path, _, token = link.removeprefix(hub.url).partition("#")
    given = {"token": token, "login": "ivan", "password": "", "link": "1"}
    browser, other = hub.person(), hub.person()
    assert "log in there first, and then open the invite link again" in other.post(
        path, token=token
    ).text.replace("\n", " ")
    assert other.post(path, **given).status == 400
    provider.know(browser, "ivan-at-home", "ivan@example.org", is_verified=False)
    assert "If you have an invite, open its link again." in browser.get(BEGIN).text
    shown = browser.post(path, token=token).text
    assert "You are logged in as ivan@example.org at 127.0.0.1" in shown
    assert browser.post(path, **given | {"login": "root"}).status == 400
    assert browser.post(path, **given).path == "/"
    again = hub.person()
    provider.know(again, "ivan-at-home")
    assert again.get(BEGIN).path == "/"
    # No password opens the account.
    assert other.post("/login", login="ivan", password="").status == 403
    # The link for a new password cannot replace the password.
    stranger = hub.person()
    provider.know(stranger, "stranger")
    assert stranger.get(BEGIN).status == 403
    renewed = served.root.post(f"{served.accounts}/{served.number('ivan')}/renew").text
    found = re.search(r'class="link" value="[^"#]+#([^"]+)"', renewed)
    assert found
    assert "Start without password" not in stranger.post("/invite", token=found[1]).text
    taken = stranger.post("/invite", token=found[1], password="", again="", link="1")
    assert (taken.status, is_in(stranger)) == (400, False)


def test_if_the_provider_is_down_login_by_password_still_works(
    served: Served, hub: Hub, provider: Provider, root: Person
) -> None:
    served.new_account("paul")
    browser = hub.person()
    asked = hop(browser, BEGIN)
    provider.know(browser, "paul", "paul@example.org")
    answered = hop(browser, asked)
    provider.close()
    sentence = "127.0.0.1 does not answer. Try again later, or log in with your password."
    assert problem(browser.get(answered)) == sentence
    hub.restart()
    refused = browser.get(BEGIN)
    assert (refused.status, problem(refused)) == (502, sentence)
    assert browser.post("/login", login="paul", password=PASSWORD).path == "/"


def test_links_of_an_earlier_server_are_kept(
    tmp_path: Path, make_campaign: Callable[..., Path]
) -> None:
    make_campaign(tmp_path / "one")
    hub = Hub(tmp_path)
    try:
        hub.first_admin()
        hub.close()
        with closing(sqlite3.connect(tmp_path / ".qrelsmith" / "server.sqlite3")) as database:
            database.executescript(
                """
                CREATE TABLE qrelsmith_hub_identity (
                    id integer PRIMARY KEY, account_id, issuer, subject, created_at);
                INSERT INTO qrelsmith_hub_identity VALUES (7, 1, 'i', 's', '2026-01-01 00:00:00');
                DELETE FROM django_migrations WHERE name = '0003_shared_identities';
                """
            )
        hub.restart()
        with closing(sqlite3.connect(tmp_path / ".qrelsmith" / "server.sqlite3")) as database:
            rows = database.execute("SELECT issuer, subject, login FROM qrelsmith_web_identity"
                " JOIN qrelsmith_web_account AS a ON a.id = account_id").fetchall()  # fmt: skip
        assert rows == [("i", "s", "root")]
    finally:
        hub.close()


@pytest.mark.parametrize(("variables", "expected"), [
    ({"ISSUER": "http://id.example.org"}, "expected https://HOST"),
    ({"ISSUER": "https://id.example.org"}, "needs QRELSMITH_OIDC_CLIENT"),
    ({"ISSUER": "https://id.example.org", "CLIENT": "c", "SECRET_FILE": "/nowhere"},
     "QRELSMITH_OIDC_SECRET_FILE: /nowhere cannot be read"),
])  # fmt: skip
def test_wrong_settings_stop_the_start_with_a_one_line_error(
    tmp_path: Path, variables: dict[str, str], expected: str
) -> None:
    environment = {key: text for key, text in os.environ.items() if "_OIDC_" not in key}
    environment |= {f"QRELSMITH_OIDC_{name}": value for name, value in variables.items()}
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", "serve", tmp_path, "--port", "0"],
        capture_output=True, text=True, timeout=60, env=environment,
    )  # fmt: skip
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
