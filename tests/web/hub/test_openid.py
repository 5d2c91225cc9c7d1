"""Logins with an OpenID Connect provider that runs beside the server.

The provider is Django OAuth Toolkit, in a process of its own. It shares no OpenID code with our
client, and every step is an HTTP request: discovery, redirect, code, token, keys, user info. It
refuses a code without the verifier of PKCE or the client's secret.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest
from tests.web.hub.conftest import PASSWORD, Answer, Hub, Person

pytest.importorskip("mozilla_django_oidc", reason="needs the extra openid")
pytest.importorskip("oauth2_provider", reason="needs the extra test")
pytestmark = pytest.mark.slow
BEGIN = "/login/openid"


class Provider:
    """The provider's process, and the file with the claims of its people."""

    def __init__(self, redirect_uri: str, folder: Path) -> None:
        self._file, self._people = folder / "claims.json", {}
        self.write()
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).with_name("provider_program.py"), redirect_uri,
             self._file], stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}"

    def write(self, *, code_s: int = 60, **id_token: object) -> None:
        """Set how long codes are valid, and wrong claims of ID tokens."""
        content = {"people": self._people, "code_s": code_s, "id_token": id_token}
        self._file.write_text(json.dumps(content))

    def know(self, person: Person, name: str, email: str = "", *, is_verified: bool = True) -> None:
        """Log a person's browser in at the provider."""
        self._people[name] = {
            "preferred_username": name, "email": email, "email_verified": is_verified
        }  # fmt: skip
        self.write()
        assert person.get(f"{self.url}/as/{name}").text == name

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)
        if self.process.stdout:
            self.process.stdout.close()


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
) -> Iterator[tuple[Hub, Provider, Person]]:
    """A server with a provider, and the server's admin."""
    folder = tmp_path_factory.mktemp("openid")
    give_tables(make_campaign(folder / "campaigns" / "one"))
    with socket.create_server(("127.0.0.1", 0)) as free, ExitStack() as stack:
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
        hub = Hub(folder / "campaigns", port=port)
        stack.callback(hub.close)
        yield hub, provider, hub.first_admin()


@pytest.fixture
def hub(served: tuple[Hub, Provider, Person]) -> Hub:
    return served[0]


@pytest.fixture
def provider(served: tuple[Hub, Provider, Person]) -> Provider:
    served[1].write()
    return served[1]


@pytest.fixture
def root(served: tuple[Hub, Provider, Person]) -> Person:
    return served[2]


def new_account(hub: Hub, root: Person, name: str, email: str = "") -> Person:
    """Make an account by an invite of a campaign; the admin enters its address."""
    person = hub.person().register(root.link("one", "viewer"), name)
    if email:
        assert root.post(f"/accounts/{number(root, name)}/email", email=email).status == 200
    return person


def number(root: Person, name: str) -> str:
    rows = root.get("/accounts").text.split("<tr>")
    row = next(row for row in rows if f'<th scope="row">{name}</th>' in row)
    found = re.search(r"accounts/(\d+)/switch", row)
    assert found
    return found[1]


class Stay(urllib.request.HTTPRedirectHandler):
    """No redirect is followed."""

    def redirect_request(self, *_: object) -> None:
        return None


def hop(person: Person, url: str) -> str:
    """Where one request of a browser is redirected to."""
    cookies = urllib.request.HTTPCookieProcessor(person.cookies)
    with pytest.raises(urllib.error.HTTPError, match="302") as caught:
        urllib.request.build_opener(cookies, Stay).open(urljoin(person.url, url), timeout=60)
    with caught.value as error:
        return error.headers["Location"]


def with_value(url: str, **values: str) -> str:
    """An address with other values in its query."""
    parts = urlsplit(url)
    query = {name: found[0] for name, found in parse_qs(parts.query).items()} | values
    return parts._replace(query=urlencode(query)).geturl()


def problem(answer: Answer) -> str:
    found = re.search(r'role="alert" id="problem">([^<]*)<', answer.text)
    return found[1] if found else ""


def is_in(person: Person) -> bool:
    return person.get("/").path == "/"


def test_a_verified_address_opens_the_account_that_the_admin_gave_it_to(
    hub: Hub, provider: Provider, root: Person
) -> None:
    new_account(hub, root, "vera", "Vera@example.org")
    browser = hub.person()
    assert "Log in with 127.0.0.1" in browser.get("/login").text
    provider.know(browser, "vera-at-home", "vera@example.org")
    entered = browser.get(f"{BEGIN}?next=/c/one/")
    assert (entered.status, entered.path) == (200, "/c/one/")
    # From now on the person is known by the subject, whatever the address.
    again = hub.person()
    provider.know(again, "vera-at-home", "moved@example.org", is_verified=False)
    assert again.get(BEGIN).path == "/"
    # The address's next owner does not get the account.
    successor = hub.person()
    provider.know(successor, "second-vera", "vera@example.org")
    refused = successor.get(BEGIN)
    assert (refused.status, is_in(successor)) == (403, False)
    assert problem(refused) == "No account here is linked to vera@example.org at 127.0.0.1."
    # Leaving ends the session here, and the next page leads to the provider's logout.
    ended = browser.post("/logout")
    assert "Log out at 127.0.0.1" in ended.text
    assert not is_in(browser)
    asked = browser.get("/logout/openid")
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked.text))
    assert browser.post(asked.url, **hidden, allow="Logout").url == f"{hub.url}/login"
    # A saved address breaks the link.
    root.post(f"/accounts/{number(root, 'vera')}/email", email="")
    assert again.post("/logout").status == 200
    assert again.get(BEGIN).status == 403


def test_an_unverified_address_opens_nothing(hub: Hub, provider: Provider, root: Person) -> None:
    new_account(hub, root, "ulla", "ulla@example.org")
    thief = hub.person()
    provider.know(thief, "thief", "ulla@example.org", is_verified=False)
    refused = thief.get(BEGIN)
    assert (refused.status, is_in(thief)) == (403, False)
    assert problem(refused) == (
        "127.0.0.1 has not verified ulla@example.org, and no account is linked."
    )


def test_an_unknown_person_links_an_account_with_its_password_alone(
    hub: Hub, provider: Provider, root: Person
) -> None:
    new_account(hub, root, "lena")
    before = root.get("/accounts").text.count("<tr>")
    browser = hub.person()
    # The name of an account is no proof, and neither is a wrong password.
    provider.know(browser, "lena", "lena@example.org")
    asked = browser.get(BEGIN).text
    assert "Link lena@example.org at 127.0.0.1" in asked
    assert '<form method="post" action="/login">' in asked
    assert browser.post("/login", login="lena", password=PASSWORD[1:], link="1").status == 403
    assert not is_in(browser)
    # Without the tick nothing is linked.
    assert browser.post("/login", login="lena", password=PASSWORD).path == "/"
    browser.post("/logout")
    assert browser.get(BEGIN).status == 403
    assert browser.post("/login", login="lena", password=PASSWORD, link="1").path == "/"
    browser.post("/logout")
    assert browser.get(BEGIN).path == "/"
    assert root.get("/accounts").text.count("<tr>") == before


def test_an_answer_counts_once_in_the_browser_that_asked(
    hub: Hub, provider: Provider, root: Person
) -> None:
    new_account(hub, root, "nora", "nora@example.org")
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
    # A code that belongs to another login: its ID token has another nonce.
    answered = hop(browser, with_value(hop(browser, BEGIN), nonce="of-another-login"))
    assert problem(browser.get(answered)).startswith("The answer of 127.0.0.1 is not valid.")
    assert not is_in(browser)
    # The provider itself refuses a code without the verifier that belongs to it.
    answered = hop(browser, with_value(hop(browser, BEGIN), code_challenge="x" * 43))
    assert problem(browser.get(answered)) == "127.0.0.1 did not accept this login. Start again."
    # A code that has expired, and a person who declines.
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
def test_an_id_token_for_others_opens_nothing(
    hub: Hub, provider: Provider, root: Person, claims: dict[str, object]
) -> None:
    browser = hub.person()
    provider.know(browser, "nora", "nora@example.org")
    provider.write(**claims)
    assert problem(browser.get(BEGIN)).startswith("The answer of 127.0.0.1 is not valid.")
    assert not is_in(browser)


def test_a_disabled_account_stays_closed(hub: Hub, provider: Provider, root: Person) -> None:
    new_account(hub, root, "dora", "dora@example.org")
    browser = hub.person()
    provider.know(browser, "dora", "dora@example.org")
    assert browser.get(BEGIN).path == "/"
    root.post(f"/accounts/{number(root, 'dora')}/switch")
    assert not is_in(browser)
    assert problem(browser.get(BEGIN)) == "Your account is disabled."
    assert not is_in(browser)


def test_only_people_of_listed_domains_enter_and_new_ones_without_a_role(
    hub: Hub, provider: Provider, root: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_account(hub, root, "owner")
    monkeypatch.setenv("QRELSMITH_OIDC_DOMAINS", "example.org uni.example")
    hub.restart()
    for name, email, is_verified, expected in (
        ("a", "a@elsewhere.org", True, "You need an e-mail address of example.org, uni.example"),
        ("b", "b@sub.uni.example", True, "You need an e-mail address of"),
        ("c", "c@uni.example", False, "127.0.0.1 has not verified your e-mail address."),
        ("owner", "d@uni.example", True, "No account here is linked to d@uni.example"),
        ("n" * 151, "e@uni.example", True, "127.0.0.1 sent no usable name in preferred_username."),
    ):
        browser = hub.person()
        provider.know(browser, name, email, is_verified=is_verified)
        assert problem(browser.get(BEGIN)).startswith(expected)
        assert not is_in(browser)
    browser = hub.person()
    provider.know(browser, "fresh", "fresh@uni.example")
    entered = browser.get(BEGIN)
    assert entered.path == "/"
    assert "/c/one/" not in entered.text
    assert browser.get("/c/one/").status == 404
    assert browser.get("/accounts").status == 403
    # An invite then gives the account a role.
    path, _, token = root.link("one", "viewer").removeprefix(hub.url).partition("#")
    assert browser.post(path, token=token, join="1").path == "/c/one/"


def test_a_provider_that_is_down_leaves_the_login_by_password(
    hub: Hub, provider: Provider, root: Person
) -> None:
    new_account(hub, root, "paul")
    browser = hub.person()
    asked = hop(browser, BEGIN)
    provider.know(browser, "paul", "paul@example.org")
    answered = hop(browser, asked)
    provider.close()
    sentence = "127.0.0.1 does not answer. Try again later, or log in with your password."
    assert problem(browser.get(answered)) == sentence
    hub.restart()  # also ends what the test before has set
    refused = browser.get(BEGIN)
    assert (refused.status, problem(refused)) == (502, sentence)
    assert browser.post("/login", login="paul", password=PASSWORD).path == "/"


@pytest.mark.parametrize(("variables", "expected"), [
    ({"ISSUER": "http://id.example.org"}, "expected https://HOST"),
    ({"ISSUER": "https://id.example.org"}, "needs QRELSMITH_OIDC_CLIENT"),
    ({"ISSUER": "https://id.example.org", "CLIENT": "c", "SECRET_FILE": "/nowhere"},
     "QRELSMITH_OIDC_SECRET_FILE: /nowhere cannot be read"),
])  # fmt: skip
def test_wrong_settings_stop_the_start_in_one_line(
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
