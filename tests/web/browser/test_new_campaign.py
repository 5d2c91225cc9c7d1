"""A new campaign in the browser: from files to an audit, and possible errors on the way."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.web.browser.complaints import complaints
from tests.web.browser.person import Person
from tests.web.fixtures.exports import tree
from tests.web.fixtures.loose_files import write_loose_files

pytestmark = [pytest.mark.slow, pytest.mark.full]


@pytest.fixture
def people(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., list[Person]]]:
    """Start a server on a new folder, and its organiser in one window or two."""
    contexts: list[Any] = []
    servers: list[subprocess.Popen[str]] = []

    def serve(folder: Path, windows: int = 1) -> list[Person]:
        folder.mkdir(exist_ok=True)
        words = [sys.executable, "-m", "qrelsmith", "serve", folder, "--port", "0"]
        with (tmp_path / "log").open("w") as log:
            servers.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True))
        assert servers[0].stdout is not None
        link = servers[0].stdout.readline().split()[-1]
        url = servers[0].stdout.readline().split()[-1]
        contexts.append(chromium.new_context(viewport={"width": 1440, "height": 900}))
        first = Person(contexts[0], url)
        first.register(link, "ada")
        return [first, *(Person(contexts[0], url) for _ in range(windows - 1))]

    yield serve
    for context in contexts:
        context.close()
    for server in servers:
        with server:
            server.terminate()


def test_files_lead_to_labels_a_decision_an_export_and_an_audit(
    people: Callable[..., list[Person]], chromium: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "server" / "heat-pumps"
    (ada,) = people(folder.parent)
    began, ada.clicks = time.monotonic(), 0
    ada.begin("Heat pumps", write_loose_files(tmp_path / "loose"))
    ada.click("main a.first")
    ada.page.fill("[name=group-0-people]", "r1\nr2\nr3")
    ada.click("button.first")
    ada.page.fill("[name=depth]", "2")
    ada.page.fill("[name=per_doc-assessors]", "2")
    ada.click("button.first")
    ada.page.fill("#text", "Read the *topic* first.")
    for _ in ("instructions", "people", "review"):
        ada.click("button.first")
    links = ada.page.input_value("textarea.link").split()[1:]
    readers = []
    for place, line in enumerate(links):
        with closing(chromium.new_context()) as context:
            reader = Person(context, ada.url)
            name, _, link = line.partition(",")
            reader.register(link, f"reader-{name}")
            if place == 0:
                # The browser is closed on the page of a doc.
                reader.click("main a.button.first")
                reader.page.wait_for_selector("#progress")
                reader.page.keyboard.press("1")
                reader = reopened(reader)
                reader.page.goto(f"{ada.url}/c/heat-pumps/")
            # The two assessors differ on every third doc.
            judged = reader.judge_all(lambda number, place=place: (number + place) % 3)
            readers.append((judged, reader.clicks, reader.keys))
    # The key pressed when the browser was closed counts once, or was too early.
    assert sum(judged for judged, *_ in readers) in (119, 120)

    ada.click("main a.first")
    ada.click("nav.pages >> text=Disagreements")
    ada.click("text=Adjudicate blind")
    assert "You decide blind" in ada.page.inner_text("main")
    ada.page.fill("#verdict [name=text]", "It says so.")
    ada.page.wait_for_timeout(500)  # clicks on a doc that has only just appeared are ignored
    ada.click("#verdict button[value='2']")
    assert "decided: Relevant. Decided blind. It says so." in ada.page.inner_text("main")
    assert ada.page.locator("table.figures tbody tr").count() == 2

    ada.click("nav.pages >> text=Export")
    ada.click("button.first")
    ada = reopened(ada)
    ada.page.wait_for_selector("main a[href$='.zip']", timeout=60_000)
    with ada.page.expect_download() as download:
        ada.click("main a[href$='.zip']")
    by_browser = tmp_path / "by-browser"
    with zipfile.ZipFile(download.value.path()) as packed:
        packed.extractall(by_browser)
    ada.click("nav.pages >> text=Audit")
    ada.page.select_option("[name=reference]", "adjudicated")
    ada.clicks += 1
    ada.click("main button.first")
    ada = reopened(ada)
    ada.page.wait_for_selector("th a", timeout=120_000)
    ada.click("th a")
    report = ada.page.frame_locator("iframe.report")
    assert "adjudicated" in report.locator("body").inner_text()
    minutes = (time.monotonic() - began) / 60
    print(f"{minutes:.1f} minutes, {ada.clicks} clicks of the organiser, readers {readers}")

    by_command = tmp_path / "by-command"
    words = ["app", "export", str(folder), "-o", str(by_command), "--quiet"]
    subprocess.run([sys.executable, "-m", "qrelsmith", *words], check=True)
    assert tree(by_command) == tree(by_browser)
    decided = (by_command / "adjudications.csv").read_text()
    assert decided.count("It says so.") == 1


def test_pages_of_a_draft_are_accessible_and_fit(
    people: Callable[..., list[Person]], tmp_path: Path
) -> None:
    (ada,) = people(tmp_path / "server")
    ada.begin("Heat pumps", write_loose_files(tmp_path / "loose"))
    assert complaints(ada.page) == []
    ada.click("main a.first")
    ada.page.fill("[name=group-0-people]", "r1\nr2@example.org\nr3")
    assert complaints(ada.page) == []
    ada.click("button.first")
    before = ada.page.inner_text("#preview")
    ada.page.fill("[name=depth]", "3")
    ada.page.wait_for_function(
        "before => document.querySelector('#preview').innerText !== before", arg=before
    )
    assert complaints(ada.page) == []
    ada.click("button.first")
    ada.page.fill("#text", "Read the *topic* first.")
    ada.page.wait_for_selector("#preview em")
    assert complaints(ada.page) == []
    ada.click("button.first")
    assert complaints(ada.page) == []
    ada.click("button.first")
    assert complaints(ada.page) == []
    for width in (1024, 390):
        ada.page.set_viewport_size({"width": width, "height": 844})
        overflow = "document.documentElement.scrollWidth - innerWidth"
        assert ada.page.evaluate(overflow) <= 0, width
    ada.click("button.first")
    links = ada.page.input_value("textarea.link").split()[1:]
    assert [line.partition(",")[0] for line in links] == ["r1", "assessors-2", "r3"]
    settings = tmp_path / "server" / "heat-pumps" / "campaign.toml"
    assert "example.org" not in settings.read_text()


def test_two_windows_and_a_closed_browser_lose_nothing(
    people: Callable[..., list[Person]], tmp_path: Path
) -> None:
    one, two = people(tmp_path / "server", windows=2)
    one.begin("Heat pumps", write_loose_files(tmp_path / "loose"))
    one.step("docs")
    two.page.goto(one.page.url)
    one.page.fill("[name=depth]", "7")
    one.click("button[name=stay]")
    two.page.fill("[name=depth]", "9")
    two.click("button[name=stay]")
    assert two.problem.startswith("ada has changed this draft since you opened the page (depth).")
    assert two.page.input_value("[name=depth]") == "9"
    two.page.reload()  # as after the browser was closed
    two.page.goto(one.page.url)
    assert two.page.input_value("[name=depth]") == "9"
    two.click("#discard")
    two.page.wait_for_function("() => document.querySelector('[name=depth]').value === '7'")
    two.step("files")
    assert two.page.locator("table.files tbody tr").count() == 6
    wrong = tmp_path / "bad.run"
    wrong.write_text("T01 Q0 d001 1 30 x\nT01 Q0 d002 2\n")
    two.upload(wrong)
    row = two.page.locator("tr", has_text="bad.run").inner_text()
    assert "Not used" in row
    assert "bad.run:2:" in row
    two.click("button[value='bad.run']")
    two.step("asked")
    two.page.fill("[name=level-0-grade]", "x")
    two.click("button.first")
    assert two.problem == "Grade: expected a number from 0 to 1,000,000, found 'x'."
    assert two.page.input_value("[name=level-0-grade]") == "x"


def test_typed_text_survives_a_closed_browser_at_each_step(
    people: Callable[..., list[Person]], tmp_path: Path
) -> None:
    (ada,) = people(tmp_path / "server")
    ada.begin("Heat pumps", write_loose_files(tmp_path / "loose"))
    ada.page.set_default_timeout(10_000)
    for step, field, text in (
        ("asked", "group-0-people", "r1\nr2\nr3"),
        ("docs", "seed", "7"),
        ("instructions", "instructions", "Read the topic first."),
        ("people", "email-r1", "r1@example.org"),
    ):
        ada.step(step)
        ada.page.fill(f"[name={field}]", text)
        if step == "docs":
            ada.page.check("[name=pooled][value=all]")
        ada = reopened(ada)
        assert ada.page.input_value(f"[name={field}]") == text
        if step == "docs":
            assert ada.page.is_checked("[name=pooled][value=all]")
        ada.page.dblclick("button.first")
        ada.page.wait_for_url(f"**/{_FOLLOWING[step]}")
        ada.step(step)
        assert ada.page.input_value(f"[name={field}]") == text
        assert ada.page.evaluate("localStorage.length") == 0
    ada.step("review")
    ada = reopened(ada)
    # A second click meanwhile does not remove the links.
    ada.page.dblclick("button.first")
    assert len(ada.page.input_value("textarea.link").split()) == 4


_FOLLOWING = {
    "asked": "docs", "docs": "instructions", "instructions": "people", "people": "review",
}  # fmt: skip


def reopened(person: Person) -> Person:
    """Close the page and open it again."""
    url = person.page.url
    again = Person(person.page.context, person.url)
    again.clicks = person.clicks
    person.page.close()
    again.page.goto(url)
    return again


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small disk")
def test_a_full_disk_loses_nothing(people: Callable[..., list[Person]], tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", folder])
    if mounted.returncode:
        pytest.skip("cannot mount a small disk")
    try:
        (ada,) = people(folder)
        ada.begin("Heat pumps", write_loose_files(tmp_path / "loose"))
        large = tmp_path / "large.jsonl"
        large.write_text('{"doc_id": "d", "text": "' + "x" * (8 << 20) + '"}\n')
        ada.upload(large)
        assert "large.jsonl was not saved: the server cannot write" in ada.problem
        assert ada.page.locator("table.files tbody tr").count() == 6
        filler = folder / "filler"
        free = os.statvfs(folder)
        filler.write_bytes(b"x" * (free.f_bavail * free.f_bsize))
        ada.step("instructions")
        ada.page.fill("#text", "Read.")
        ada.click("button.first")
        assert ada.problem.startswith("Nothing was saved:")
        filler.unlink()
        ada.click("button.first")
        assert ada.page.url.endswith("/people")
    finally:
        subprocess.run(["umount", "-l", folder])
