"""The tutorial as a newcomer follows it: every command as printed there, and its output."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.web.browser.pressing import press

# The commands of the other pages are run by other tests.
pytestmark = pytest.mark.full
pty = pytest.importorskip("pty", reason="a terminal is imitated by a pty, which is not here")

# The numbers of docs in the demo of Python 3.11, as shown on the page.
DOCS_OF_THE_PAGE = "36402dcd"
FENCE = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Keys that a newcomer might press for the first docs of the topic.
JUDGED = "31210"
TOPIC = "keep log file from growing forever"
SHOWN = "place => Number(document.getElementById('main').dataset.shown) === place"


class Step(NamedTuple):
    """A block of commands, and the output of the last command as shown on the page."""

    commands: list[str]
    output: str


@pytest.fixture(scope="module")
def steps(request: pytest.FixtureRequest) -> list[Step]:
    page = (request.config.rootpath / "docs/tutorial.md").read_text("utf-8")
    # Text in a list is not output.
    found: list[Step] = []
    end = 0
    for match in FENCE.finditer(page):
        kind, body = match.groups()
        if kind == "sh":
            found.append(Step(body.splitlines(), ""))
        elif found and not page[end : match.start()].strip():
            found[-1] = found[-1]._replace(output=body)
        end = match.end()
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, made_demo: Path) -> Path:
    """Return the newcomer's folder with the demo; each test continues after the previous test."""
    folder = tmp_path_factory.mktemp("tutorial")
    shutil.copytree(made_demo, folder / "qrelsmith-demo")
    return folder


def typed(command: str, folder: Path) -> tuple[str, str]:
    """Return a command's output on a terminal (stderr goes to a file, so that no bar is drawn)."""
    screen, terminal = pty.openpty()
    with subprocess.Popen(
        words_of(command, folder), cwd=folder, stdout=terminal, stderr=subprocess.PIPE,
        env=environment() | {"COLUMNS": "200"},
    ) as process:  # fmt: skip
        os.close(terminal)
        said: list[bytes] = []
        assert process.stderr is not None
        reader = threading.Thread(target=lambda: said.append(process.stderr.read()))
        reader.start()
        shown = b"".join(iter(lambda: read(screen), b""))
        reader.join()
    os.close(screen)
    assert process.returncode == 0, said[0].decode()
    return shown.decode().replace("\r\n", "\n"), said[0].decode()


def read(screen: int) -> bytes:
    try:
        return os.read(screen, 65_536)
    except OSError:  # how Linux reports that the other end is closed
        return b""


def words_of(command: str, folder: Path) -> list[str]:
    """Return the command as a shell starts it."""
    program, *words = shlex.split(command)
    assert program == "qrelsmith"
    found: list[str] = []
    for word in words:
        paths = sorted(path.relative_to(folder).as_posix() for path in folder.glob(word))
        found += paths if "*" in word else [word]
    return [sys.executable, "-m", "qrelsmith", *found]


def environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}


def is_of_the_app(step: Step) -> bool:
    return any(word in command for command in step.commands for word in (" serve ", " export "))


def files(folder: Path) -> dict[str, bytes]:
    # The cache of replies contains the time of each reply.
    names = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    paths = [path for path in names if not path.name.startswith("replies.sqlite3")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_commands_print_the_output_on_the_page(
    steps: list[Step], folder: Path, made_demo: Path
) -> None:
    before = [step for step in steps if not is_of_the_app(step)]
    assert len(before) >= 7
    for step in before:
        for command in step.commands:
            shown, _ = typed(command, folder)
            if command == "qrelsmith demo":  # a second time, with byte-identical output
                assert files(folder / "qrelsmith-demo") == files(made_demo)
        if not step.output or not is_the_demo_of_the_page(folder):
            continue
        # The page may omit lines, but not change or reorder any.
        lines = iter(shown.splitlines())
        for line in step.output.splitlines():
            assert line in lines, f"{command} does not show, in this order: {line}"


def is_the_demo_of_the_page(folder: Path) -> bool:
    """Return whether the demo has the docstrings whose numbers the page shows."""
    docs = (folder / "qrelsmith-demo/documents.jsonl").read_bytes()
    return hashlib.sha256(docs).hexdigest().startswith(DOCS_OF_THE_PAGE)


def test_lines_of_files_on_the_page_are_in_the_files(
    request: pytest.FixtureRequest, folder: Path
) -> None:
    page = (request.config.rootpath / "docs/tutorial.md").read_text("utf-8")
    quoted = re.findall(r"^  (P17 .+)$", page, re.MULTILINE)
    files = [*folder.glob("qrelsmith-demo/runs/*.run"), *folder.glob("qrelsmith-demo/qrels/*")]
    lines = {line for file in files for line in file.read_text("utf-8").splitlines()}
    assert len(quoted) == 2
    if is_the_demo_of_the_page(folder):
        assert set(quoted) <= lines


@pytest.fixture
def page(chromium_path: str) -> Iterator[object]:
    """A page of a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=chromium_path, args=["--no-sandbox"])
        yield browser.new_context(locale="en-GB").new_page()
        browser.close()


def test_a_newcomer_judges_a_topic_in_the_app(steps: list[Step], folder: Path, page) -> None:
    pytest.importorskip("django", reason="needs the extra web")
    judging, afterwards = [step for step in steps if is_of_the_app(step)]
    link = ""
    for command in judging.commands[:-1]:
        shown, _ = typed(command, folder)
        link = shown.strip()
    # Only the port differs from the page, since another program may use it.
    serve = [*words_of(judging.commands[-1], folder), "--port", "0", "--quiet"]
    with subprocess.Popen(
        serve,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509 - no thread runs now
    ) as server:
        assert server.stdout is not None
        try:
            told = iter(server.stdout.readline, "")
            address = next(line for line in told if line.startswith("Listening at ")).split()[-1]
            judge(page, link.replace("http://127.0.0.1:8000", address))
        finally:
            server.send_signal(signal.SIGINT)  # Ctrl-C
    assert server.returncode == 0
    for command in afterwards.commands:
        shown, _ = typed(command, folder)
    assert re.search(rf"^all +agreement .* {len(JUDGED)} +2( +topics)?$", shown, re.MULTILINE), (
        shown
    )


def hear_ctrl_c() -> None:
    """Let Ctrl-C end programs even if the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def judge(page, link: str) -> None:
    """Do what the tutorial says to do in the browser."""
    page.goto(link)
    page.fill("#login", "me")
    for field in ("#password", "#again"):
        page.fill(field, "a long password")
    page.click("button.first")
    page.click(f"text={TOPIC}")
    page.wait_for_function(SHOWN, arg=1)
    assert "Highly relevant documents describe" in page.inner_text("main")
    page.keyboard.press("t")  # leave the page, and come back
    page.keyboard.press("t")
    last = len(JUDGED)
    keys = [*zip(JUDGED, range(2, last + 2), strict=True), ("u", last), (JUDGED[-1], last + 1)]
    for key, place in [*keys, ("k", last), ("j", last + 1)]:
        press(page, key)
        page.wait_for_function(SHOWN, arg=place)
    page.wait_for_selector("#sending[data-kind=saved]")
