"""An OpenID Connect provider that runs beside the server, and the servers that use it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import pytest
from tests.web.hub.conftest import Answer, Hub, Person

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
        """Log in a person's browser at the provider."""
        self.add(name, email, is_verified=is_verified)
        assert person.get(f"{self.url}/as/{name}").text == name

    def add(self, name: str, email: str = "", *, is_verified: bool = True) -> None:
        """Add a person."""
        self._people[name] = {
            "preferred_username": name, "email": email, "email_verified": is_verified
        }  # fmt: skip
        self.write()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)
        if self.process.stdout:
            self.process.stdout.close()


@dataclass(frozen=True)
class Served:
    """A server with a provider: of several campaigns, or of a single one.

    Attributes
    ----------
    hub : Hub
        The server.
    provider : Provider
        The provider.
    root : Person
        The server's admin.
    campaign : str
        The address of the campaign, without a slash at the end.
    accounts, page : str
        The address of accounts, and of the page that lists them.
    """

    hub: Hub
    provider: Provider
    root: Person
    campaign: str
    accounts: str
    page: str

    def new_account(self, name: str, email: str = "") -> Person:
        """Create an account by an invite of a campaign; the admin enters its address."""
        person = self.hub.person().register(self.invite(), name)
        if email:
            address = f"{self.accounts}/{self.number(name)}/email"
            assert self.root.post(address, email=email).status == 200
        return person

    def invite(self) -> str:
        """Return the link of an invite of a viewer."""
        answer = self.root.post(f"{self.campaign}/organiser/invites", role="viewer")
        found = re.search(r'class="link" value="([^"]+)"', answer.text)
        assert found, answer.text
        return found[1]

    def server_invite(self) -> str:
        """Return the link of an invite that the server itself answers."""
        if not self.campaign:
            return self.invite()
        answer = self.root.post(self.accounts, role="organiser")
        found = re.search(r'class="link" value="([^"]+)"', answer.text)
        assert found, answer.text
        return found[1]

    def number(self, name: str) -> str:
        """Return the number of an account."""
        rows = self.root.get(self.page).text.split("<tr>")
        row = next(row for row in rows if f'<th scope="row">{name}</th>' in row)
        found = re.search(r"accounts/(\d+)/switch", row)
        assert found
        return found[1]

    def count(self) -> int:
        """Return the number of accounts."""
        return self.root.get(self.page).text.count("/switch")


class Stay(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect."""

    def redirect_request(self, *_: object) -> None:
        return None


def hop(person: Person, url: str) -> str:
    """Return the address to which one request of a browser is redirected."""
    cookies = urllib.request.HTTPCookieProcessor(person.cookies)
    with pytest.raises(urllib.error.HTTPError, match="302") as caught:
        urllib.request.build_opener(cookies, Stay).open(urljoin(person.url, url), timeout=60)
    with caught.value as error:
        return error.headers["Location"]


def with_value(url: str, **values: str) -> str:
    """Return an address with other values in its query."""
    parts = urlsplit(url)
    query = {name: found[0] for name, found in parse_qs(parts.query).items()} | values
    return parts._replace(query=urlencode(query)).geturl()


def problem(answer: Answer) -> str:
    found = re.search(r'role="alert" id="problem">([^<]*)<', answer.text)
    return found[1] if found else ""


def is_in(person: Person) -> bool:
    return person.get("/").path == "/"
