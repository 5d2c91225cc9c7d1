"""A server of several campaigns as a process, and its users."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from tests.web.fixtures.servers import Server

PASSWORD = "correct horse battery"  # noqa: S105 - of this test


@dataclass(frozen=True)
class Answer:
    """Status, last address and body of a response."""

    status: int
    url: str
    text: str

    @property
    def path(self) -> str:
        return urllib.parse.urlsplit(self.url).path


class Person:
    """A person with a browser that keeps cookies."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    @property
    def csrf(self) -> str:
        if not any(each.name == "qrelsmith_csrf" for each in self.cookies):
            self.send("GET", "/login")
        return next(each.value or "" for each in self.cookies if each.name == "qrelsmith_csrf")

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request: a form, or JSON if the path is of the API."""
        data = None
        if method == "POST":
            fields = body or {}
            is_json = "/api/" in path
            data = (
                json.dumps(fields).encode() if is_json else urllib.parse.urlencode(fields).encode()
            )
            headers |= {"X-CSRFToken": self.csrf, "Referer": self.url + path}
            if is_json:
                headers["Content-Type"] = "application/json"
        url = urllib.parse.urljoin(self.url, path)
        request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310
        try:
            with self._opener.open(request, timeout=60) as answer:
                return Answer(answer.status, answer.url, answer.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.url, error.read().decode())

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, **headers)

    def post(self, path: str, **fields: Any) -> Answer:
        return self.send("POST", path, fields)

    def register(self, link: str, name: str) -> Person:
        """Create an account with the link of an invite."""
        path, _, token = link.removeprefix(self.url).partition("#")
        answer = self.post(path, token=token, login=name, password=PASSWORD, again=PASSWORD)
        assert answer.status == 200, answer.text
        return self

    def link_alone(self, assessor: str) -> str:
        """Create an invite of an assessor on the server of a single campaign; return its link."""
        return self._link("", "assessor", assessor)

    def link(self, campaign: str, role: str, assessor: str = "") -> str:
        """Create an invite on the page People of a campaign; return its link."""
        return self._link(f"/c/{campaign}", role, assessor)

    def _link(self, prefix: str, role: str, assessor: str) -> str:
        answer = self.post(f"{prefix}/organiser/invites", role=role, assessor=assessor)
        found = re.search(r'class="link" value="([^"]+)"', answer.text)
        assert found, answer.text
        return found[1]

    def judge(self, campaign: str, value: int, number: int) -> Answer:
        """Label a doc of the first assignment; the number identifies doc and operation."""
        rows = json.loads(self.get(f"/c/{campaign}/api/assignments").text)["assignments"]
        address = f"/c/{campaign}/api/assignments/{rows[0]['assignment']}"
        docs = json.loads(self.get(f"{address}/docs").text)["docs"]
        doc = docs[number % len(docs)]
        return self.post(
            f"{address}/judgments", op_id=f"operation-{campaign}-{number}", doc=doc["doc"],
            value=value, sha256=doc["sha256"], base_revision=doc["revision"],
        )  # fmt: skip

    def judged(self, campaign: str) -> int:
        rows = json.loads(self.get(f"/c/{campaign}/api/assignments").text)["assignments"]
        return sum(row["judged"] for row in rows)


class Hub(Server):
    """`qrelsmith serve FOLDER` with several campaigns."""

    @property
    def database_url(self) -> str:
        return self._environment.get("DATABASE_URL", "")

    def run_in(self, folder: Path, command: str, *arguments: str) -> None:
        """Run a command on one of the campaigns."""
        done = subprocess.run(
            [sys.executable, "-m", "qrelsmith", "app", command, str(folder), *arguments],
            capture_output=True, text=True, env=self._environment,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    def restart(self) -> None:
        """End the server and start it at the same address."""
        self.close()
        self.__init__(
            self.folder, database_url=self.database_url, port=int(self.url.rpartition(":")[2])
        )  # type: ignore[misc]

    def person(self) -> Person:
        return Person(self.url)

    def first_admin(self) -> Person:
        link = next(line for line in self.said if "/invite#" in line).rpartition(" ")[2]
        return self.person().register(link, "root")

    def children(self) -> dict[str, int]:
        """Return the processes of campaigns by name."""
        found = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rpartition(")")[2].split()[1])
                words = (path.parent / "cmdline").read_text().split("\0")
            except (OSError, ValueError, IndexError):
                continue
            if parent == self.process.pid:
                found[Path(words[3]).name] = int(path.parent.name)
        return found


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)]
)
def hub(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    make_campaign: Callable[..., Path],
    give_tables: Callable[[Path], Path],
) -> Iterator[Hub]:
    """Serve three campaigns on one server, for all tests of a module."""
    folder = tmp_path_factory.mktemp("campaigns")
    with ExitStack() as stack:
        url = ""
        if request.param == "postgresql":
            url = stack.enter_context(request.getfixturevalue("make_database")())
        for name in ("one", "two", "three"):
            make_campaign(folder / name)
            if not url:
                give_tables(folder / name)
        hub = Hub(folder, database_url=url)
        stack.callback(hub.close)
        yield hub


@pytest.fixture(scope="module")
def people(hub: Hub) -> dict[str, Person]:
    """Return an admin of the server, and people with different roles in different campaigns."""
    root = hub.first_admin()
    found = {"root": root, "nobody": hub.person()}
    for name, campaign, role, assessor in (
        ("olga", "one", "organiser", ""),
        ("anna", "one", "assessor", "b1"),
        ("vera", "one", "viewer", ""),
    ):
        link = root.link(campaign, role, assessor)
        found[name] = hub.person().register(link, name)
    link = root.link("two", "assessor", "b1")
    path, _, token = link.removeprefix(hub.url).partition("#")
    assert "Join campaign" in found["vera"].post(path, token=token).text
    assert found["vera"].post(path, token=token, join="1").path == "/c/two/"
    # It works once.
    assert found["olga"].post(path, token=token, join="1").status == 410
    return found
