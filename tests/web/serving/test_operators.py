"""The page for operators, followed literally: the user's commands, by a user without rights."""

from __future__ import annotations

import csv
import http.cookiejar
import lzma
import os
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "operators.md"
FENCE = re.compile(r"^```sh\n# as the user(.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOBODY = "nobody"
PASSWORD = "correct horse battery"  # noqa: S105 - of an app that is deleted

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel of this source tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


class Home:
    """The folder of a user with ordinary permissions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._user = NOBODY if os.geteuid() == 0 else None
        kept = ("LANG", "PIP_INDEX_URL", "PIP_CONFIG_FILE", "PIP_FIND_LINKS")
        self._environment = {key: os.environ[key] for key in kept if key in os.environ}
        self._environment |= {"HOME": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin"}

    def run(self, commands: str) -> str:
        """Run the lines of a block like a shell; return the output."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=self.folder, env=self._environment, user=self._user, text=True,
            capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{commands}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def can(self, command: str) -> bool:
        """Return whether a command succeeds."""
        with self.started(command) as process:
            return process.wait() == 0

    def started(self, command: str) -> subprocess.Popen[str]:
        """Start a command that keeps running."""
        return subprocess.Popen(
            ["bash", "-c", command], cwd=self.folder, env=self._environment, user=self._user,
            text=True, stdout=subprocess.PIPE,
        )  # fmt: skip

    def take(self, path: Path) -> None:
        """Copy a file or folder here, for the user."""
        target = self.folder / path.name
        if path.is_dir():
            shutil.copytree(path, target)
        else:
            shutil.copy(path, target)
        if self._user:
            for each in (target, *target.rglob("*")):
                shutil.chown(each, self._user)


@pytest.fixture
def home(wheel: Path) -> Iterator[Home]:
    """Return a user's home with the release in it, accessible to every user."""
    with tempfile.TemporaryDirectory(prefix="operators-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(folder, NOBODY)
        home = Home(folder)
        if not home.can("python3 -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))'"):
            pytest.skip("needs a python3 with venv, 3.11 or newer, that every user can start")
        home.take(wheel)
        home.take(ROOT / "constraints.txt")
        yield home


def blocks() -> dict[str, list[str]]:
    """Return the user's blocks of the page: the first start, and the upgrade."""
    found: dict[str, list[str]] = {"": [], ", after the backup": []}
    for when, body in FENCE.findall(PAGE.read_text(encoding="utf-8")):
        found[when].append(body)
    return found


class Person:
    """A person with a browser without JavaScript that follows links and fills forms."""

    def __init__(self, *, certificate: Path | None = None) -> None:
        handlers: list[urllib.request.BaseHandler] = [
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        ]
        if certificate:
            trust = ssl.create_default_context(cafile=certificate)
            handlers.append(urllib.request.HTTPSHandler(context=trust))
        self._opener = urllib.request.build_opener(*handlers)
        self.url = self.text = ""

    def go(self, url: str, **fields: str) -> Person:
        """Open a page, or send the form on the screen with these fields."""
        data = urllib.parse.urlencode(fields).encode() if fields else None
        request = urllib.request.Request(  # noqa: S310 - our own server
            urllib.parse.urljoin(self.url, url), data, {"Referer": self.url} if fields else {}
        )
        with self._opener.open(request, timeout=60) as answer:
            self.url, self.text = answer.url, answer.read().decode()
        return self

    def fill(self, **fields: str) -> Person:
        """Send the first form of the page that has the first of these fields."""
        forms = re.findall(r"<form[^>]*>.*?</form>", self.text, re.DOTALL)
        form = next(form for form in forms if f'name="{next(iter(fields))}"' in form)
        hidden = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form)
        action = re.match(r'<form[^>]* action="([^"]+)"', form)
        return self.go(action[1] if action else self.url, **{**dict(hidden), **fields})

    def enter(self, link: str) -> Person:
        """Accept an invite."""
        page, _, token = link.partition("#")
        self.go(page).fill(token=token)
        name = f"somebody-{secrets.token_hex(4)}"
        return self.fill(login=name, password=PASSWORD, again=PASSWORD)


@pytest.mark.skipif(os.name == "nt", reason="the page is for systems with a shell")
def test_a_first_start_and_an_upgrade_from_0_1_0_work_as_on_the_page(
    home: Home, tmp_path: Path
) -> None:
    setting_up, checking = blocks()[""]
    (upgrading,) = blocks()[", after the backup"]
    said = home.run(setting_up)
    link = said.strip().splitlines()[-1]
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/invite#[\w-]{20,}", link)
    judge_first(home)
    # No server runs at port 8000 here, which is the only problem that doctor reports.
    checking, doctor = checking.strip().rsplit("\n", 1)
    home.run(checking)
    found = home.run(f"{doctor} --format csv || true")
    wrong = [line for line in found.splitlines() if ",wrong," in line]
    assert [line.split(",")[0] for line in wrong] == ["answer"], found

    shutil.rmtree(home.folder / "campaign")
    home.take(campaign_of_0_1_0(tmp_path))
    home.run(upgrading)
    # The earlier database is kept beside the new one, and its judgments are current.
    assert list((home.folder / "campaign" / ".qrelsmith" / "backups").glob("*.sqlite3"))
    home.run(".venv/bin/qrelsmith app export campaign -o exported")
    released = ROOT / "tests" / "fixtures" / "v0_1_0" / "sqlite" / "export" / "judgments.csv"
    assert labels(home.folder / "exported" / "judgments.csv") == labels(released)


def campaign_of_0_1_0(folder: Path) -> Path:
    """Return a campaign with the app that 0.1.0 left."""
    released = ROOT / "tests" / "fixtures" / "v0_1_0"
    campaign = Path(shutil.copytree(released / "campaign", folder / "campaign"))
    app = campaign / ".qrelsmith"
    app.mkdir(mode=0o700)
    (app / "app.sqlite3").write_bytes(
        lzma.decompress((released / "sqlite" / "app.sqlite3.xz").read_bytes())
    )
    shutil.copy(released / "sqlite" / "secret.key", app)
    return campaign


def labels(path: Path) -> list[tuple[str, ...]]:
    """Return the labels by assessor and doc."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return sorted((row["assessor"], row["topic"], row["doc"], row["grade"]) for row in rows)


def judge_first(home: Home) -> None:
    """Serve the campaign like a unit, invite an assessor, and judge a doc."""
    serve = "exec .venv/bin/qrelsmith serve campaign --port 0 --quiet"
    server = home.started(serve)
    try:
        assert server.stdout is not None
        said = next(line for line in server.stdout if line.startswith("Listening at "))
        link = home.run(
            ".venv/bin/qrelsmith app invite campaign --role assessor --assessor gold-1"
            f" --url {said.split()[-1]}"
        )
        person = Person().enter(link.strip())
        judged = re.search(r'href="(/judge/\d+)"', person.text)
        assert judged, person.text
        person.go(judged[1]).fill(value="1")
        assert "/judge/" in person.url
        # The signal sent by systemd.
        server.terminate()
        assert server.wait(timeout=30) == 0
    finally:
        server.kill()
        server.wait()
        if server.stdout:
            server.stdout.close()
    assert "events follow one another,1,0" in home.run(".venv/bin/qrelsmith app verify campaign")
