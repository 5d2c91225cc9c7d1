"""Untrusted docs in a real browser: nothing is sent out or forged, every word is visible."""

from __future__ import annotations

import re
import socketserver
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from qrelsmith.collection.document import form_fields

# Six of them are tested in test_hostile_pairs.py in every run.
pytestmark = [pytest.mark.slow, pytest.mark.full]

_PAGES = run_path(str(Path(__file__).with_name("hostile_docs.py")))
_FORMS = run_path(str(Path(__file__).with_name("hostile_forms.py")))["HOSTILE_FORMS"]
HOSTILE_DOCS = _PAGES["HOSTILE_DOCS"] + tuple(
    _PAGES["HostileDoc"](name, content, words, form) for name, form, content, words in _FORMS
)
NAMES = [doc.name for doc in HOSTILE_DOCS]


class Canary(socketserver.ThreadingTCPServer):
    """A server that records every connection, even one without a request."""

    daemon_threads = True

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        super().__init__(("127.0.0.1", 0), _Listener)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Listener(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.settimeout(2)
        assert isinstance(self.server, Canary)
        self.server.heard.append(b"connected")
        self.server.heard.append(self.request.recv(4096))


@dataclass
class Seen:
    """The observations of the docs.

    Attributes
    ----------
    framed, alone : dict of str to str
        The words of each doc in the judging page, and in a separate tab.
    requests : list of str
        The addresses requested by docs, or from other servers than the app.
    cookies : dict of str to str
        The cookies that a doc in a separate tab can read.
    strayed : list of str
        Docs after which the page had a different address.
    """

    framed: dict[str, str] = field(default_factory=dict)
    alone: dict[str, str] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    cookies: dict[str, str] = field(default_factory=dict)
    strayed: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def canary() -> Iterator[Canary]:
    server = Canary()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def hostile_site(serve: Callable[..., Any], canary: Canary) -> Any:
    """Serve a campaign of these docs. The port is not known yet, so `SITE` is a path."""

    def pointed(content: str) -> str:
        return content.replace("CANARY", canary.url).replace("SITE", "")

    docs = [
        {"doc_id": doc.name, "title": doc.name, **form_fields(doc.form, pointed(doc.content))}
        for doc in HOSTILE_DOCS
    ]
    return serve(docs, sizes=(len(docs),), people=1)


@pytest.fixture(scope="module")
def seen(hostile_site: Any, chromium: Any, conftest: Any) -> Iterator[Seen]:
    """Judge every doc in the judging page, open it separately, and click in it."""
    seen = Seen()
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(15_000)
    context.add_cookies([hostile_site.cookie("a01")])
    context.on("requestfinished", lambda request: _watch(request, hostile_site.url, seen))
    context.on("requestfailed", lambda request: _watch(request, hostile_site.url, seen))
    at = conftest.JudgingPage(context, hostile_site, "a01").open(1)
    addresses = {}
    for position, name in enumerate(NAMES, start=1):
        at.shown(position)
        addresses[name] = at.page.evaluate(
            "async url => (await (await fetch(url)).json()).doc.frame",
            f"/api/assignments/{hostile_site.assignment('a01')}/docs/{position}",
        )
        seen.framed[name] = _words(at.doc_words())
        box = at.page.locator("#doc-place").bounding_box()
        at.page.mouse.click(box["x"] + 250, box["y"] + 120)
        at.breathe()
        if at.page.url != f"{at.page.url.rpartition('/')[0]}/{position}" or len(context.pages) > 1:
            seen.strayed.append(name)
        at.press("1")
    at.page.wait_for_selector("#finished:not([hidden])")
    at.saved()
    alone = context.new_page()
    for name, address in addresses.items():
        alone.goto(hostile_site.url + address)
        seen.alone[name] = _words(alone.evaluate("document.body.innerText"))
        seen.cookies[name] = alone.evaluate(
            "() => { try { return document.cookie } catch (error) { return error.name } }"
        )
        alone.mouse.click(250, 120)
        alone.wait_for_timeout(10)
        if alone.url != hostile_site.url + address or len(context.pages) > 2:
            seen.strayed.append(f"{name}, alone")
    alone.wait_for_timeout(500)  # late requests
    yield seen
    context.close()


def _watch(request: Any, site: str, seen: Seen) -> None:
    """Record a request that the app did not make itself, or that a doc made.

    Requests blocked by the policy are reported as well, but are never sent, as the canary proves.
    """
    if request.failure == "csp":
        return
    path = request.url.removeprefix(site)
    is_known = re.match(r"/(judge|static|api|doc)/", path) or path == "/api/session"
    is_doc = path.startswith("/doc/") and request.is_navigation_request()
    # The page's own worker has no frame; a doc's frame can register none (no scripts).
    frame = "" if request.service_worker else request.frame.url
    from_doc = "/doc/" in frame and not is_doc
    if path == request.url or not is_known or from_doc:
        seen.requests.append(request.url)


def _words(text: str) -> str:
    return " ".join(text.split())


def test_there_are_enough_hostile_docs():
    assert len(set(NAMES)) == len(NAMES) >= 40 + len(_FORMS)
    assert len(_FORMS) >= 60


@pytest.mark.parametrize("doc", HOSTILE_DOCS, ids=NAMES)
def test_exactly_the_visible_words_are_visible(doc: Any, seen: Seen, canary: Canary):
    expected = _words(doc.words.replace("CANARY", canary.url))
    assert seen.framed[doc.name][:5000] == expected[:5000]
    assert len(seen.framed[doc.name]) == len(expected)
    if doc.form != "text":  # text is shown in the page itself, and here in a frame
        assert seen.alone[doc.name] == seen.framed[doc.name]


def test_no_server_is_contacted(seen: Seen, canary: Canary):
    assert seen.requests == []
    assert canary.heard == []


def test_the_canary_records_requests():
    with Canary() as canary:
        threading.Thread(target=canary.handle_request, daemon=True).start()
        with socketserver.socket.create_connection(canary.server_address) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            connection.recv(1)
        assert canary.heard[0] == b"connected"


def test_no_doc_reads_a_cookie(seen: Seen):
    assert set(seen.cookies.values()) == {"SecurityError"}


def test_no_page_is_navigated_away(seen: Seen):
    assert seen.strayed == []


def test_keys_work_in_every_doc_and_no_judgment_is_forged(seen: Seen, hostile_site: Any):
    everything = dict.fromkeys(range(1, len(NAMES) + 1), 1)
    assert hostile_site.labels("a01") == everything
    events = hostile_site.events("a01")
    assert [(event["kind"], event["value"], event["input_kind"]) for event in events] == [
        ("judge", 1, "key")
    ] * len(NAMES)
