"""Reading long docs in Chromium: key to next doc, huge pages, a topic offline, the relevant part.

    python benchmarks/reading.py speed|huge|offline|reader [--docs N]

Times are those of the machine as it is, whose load is told; `huge` tells the processor time of the
server, too. The reader of `reader` is a script: it looks for the definition of a thing in the
documentation of a module of Python, by Page Down from the top, and then by the key `f`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pydoc
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.browser import conftest
from tests.web.browser.test_speed import STOPWATCH

# What somebody would look for in the documentation of a module, and the definition that tells it.
SOUGHT = (
    ("argparse options that exclude each other", "argparse", "add_mutually_exclusive_group("),
    ("send a file over a connected socket", "socket", "sendfile("),
    ("total seconds of a duration between two datetimes", "datetime", "total_seconds("),
    ("copy file permission bits only", "shutil", "copymode("),
    ("run tests again as subtests with parameters", "unittest", "subTest("),
    ("rotate a log file at midnight", "logging.handlers", "class TimedRotatingFileHandler("),
    ("parse the date header of an email", "email.utils", "parsedate_to_datetime("),
    ("find the mode of multimodal data", "statistics", "multimode("),
    ("extract one member of a tar archive as a file object", "tarfile", "extractfile("),
    ("guess the CSV dialect of a sample", "csv", "sniff("),
    ("wait for a condition with a timeout in threads", "threading", "wait_for("),
    ("quantize a decimal to a fixed exponent with rounding", "decimal", "quantize("),
    ("send an error reply with its message", "http.server", "send_error("),
    ("longest contiguous matching block of two sequences", "difflib", "find_longest_match("),
    ("weighted choices with replacement", "random", "choices("),
    ("kill a child process after its timeout expired", "subprocess", "class TimeoutExpired("),
    ("load a certificate chain and private key", "ssl", "load_cert_chain("),
    ("attach a payload to a multipart email message", "email.message", "attach("),
    ("user-defined aggregate functions in SQLite", "sqlite3", "create_aggregate("),
    ("test a ZIP archive for a bad checksum", "zipfile", "testzip("),
)
SEEN = """(words) => {
  const place = document.getElementById("doc-text");
  const room = place.getBoundingClientRect();
  return [...place.querySelectorAll("p")].some((each) => {
    const node = each.firstChild;
    for (let at = node.data.indexOf(words); at >= 0; at = node.data.indexOf(words, at + 1)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      const { top, bottom } = range.getBoundingClientRect();
      if (top >= room.top && bottom <= room.bottom && bottom > top) return true;
    }
    return false;
  });
}"""
MOST_ACTIONS = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("speed", "huge", "offline", "reader"))
    parser.add_argument("--docs", type=int, default=500)
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = started.chromium.launch(executable_path=chromium)
        try:
            {"speed": speed, "huge": huge, "offline": offline, "reader": reader}[options.what](
                Path(folder) / "campaign", browser, options.docs
            )
        finally:
            browser.close()


def with_site(folder: Path, browser: Any, docs: list[dict[str, str]], act: Callable[..., None]):
    """Serve docs as one topic's, and let somebody judge them."""
    conftest.write_site(folder, docs, sizes=(len(docs),), people=1)
    with_folder(folder, browser, act)


def with_folder(folder: Path, browser: Any, act: Callable[..., None]) -> None:
    site = conftest.Site(folder)
    try:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(120_000)
        context.add_cookies([site.cookie("a01")])
        act(conftest.JudgingPage(context, site, "a01"), site)
    finally:
        site.kill()


def words(rng: random.Random, count: int) -> str:
    vocabulary = ["heat", "pump", "house", "winter", "old", *(f"word{n}" for n in range(400))]
    return " ".join(rng.choices(vocabulary, k=count))


def page_of(size: int, seed: int) -> str:
    rng = random.Random(seed)
    parts = [f"<p>This is doc {seed + 1}.</p>"]
    length = 0
    while length < size:
        parts.append(
            f"<h2>{words(rng, 5)}</h2><p>{words(rng, 90)}</p><ul><li>{words(rng, 12)}</ul>"
        )
        length += len(parts[-1])
    return "".join(parts)


def speed(folder: Path, browser: Any, count: int) -> None:
    docs = [
        {"doc_id": f"d{n:04}", "title": f"Doc {n}", "html": page_of(100_000, n)}
        for n in range(count)
    ]

    keys = min(count - 1, 100)

    def act(at: Any, _: Any) -> None:
        at.page.add_init_script(STOPWATCH)
        at.open(1)
        for n in range(keys):
            at.page.wait_for_timeout(1500)
            before = at.shown()
            at.press(str(n % 4))
            at.shown(before + 1)
        at.page.wait_for_function("keys => window.took.length === keys", arg=keys)
        took = at.page.evaluate("window.took")
        print(
            f"key to next doc, {count} docs of 100 kB, {keys} keys, ms:"
            f" median {np.median(took):.0f}, p95 {np.percentile(took, 95):.0f},"
            f" least {min(took):.0f}; load {os.getloadavg()[0]:.1f}"
        )

    with_site(folder, browser, docs, act)


def huge(folder: Path, browser: Any, _: int) -> None:
    docs = [
        {"doc_id": "small", "title": "Small", "html": page_of(2000, 0)},
        {"doc_id": "huge", "title": "Huge", "html": page_of(8_400_000, 1)},
    ]

    def act(at: Any, site: Any) -> None:
        address = f"{site.url}/judge/{site.assignment('a01')}"
        for position in (1, 2, 1, 2, 1, 2):
            # By itself: nothing of it was fetched before.
            page = at.context.new_page()
            before, start = cpu(site), time.perf_counter()
            page.goto(f"{address}/{position}")
            page.wait_for_function("() => document.getElementById('main').dataset.shown")
            took = time.perf_counter() - start
            print(
                f"doc {position} ({len(docs[position - 1]['html'])} characters): {took:.2f} s,"
                f" server's processor {cpu(site) - before:.2f} s; load {os.getloadavg()[0]:.1f}"
            )
            page.close()

    with_site(folder, browser, docs, act)


def cpu(site: Any) -> float:
    """User and system time of the server, in seconds."""
    fields = Path(f"/proc/{site.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def offline(folder: Path, browser: Any, _: int) -> None:
    def act(at: Any, site: Any) -> None:
        at.open(1)
        at.page.wait_for_selector("#kept-docs:text('60 of 60')")
        at.page.reload()
        at.page.wait_for_selector("#kept-docs:text('60 of 60')")
        at.shown()
        at.context.set_offline(True)
        port = int(site.url.rpartition(":")[2])
        site.kill()
        pressed = {}
        for n in range(60):
            at.page.wait_for_timeout(400)
            if n == 30:
                at.page.reload()
            before = at.shown()
            at.press(str(n % 4))
            pressed[before] = time.time()
            if n < 59:
                at.shown(before + 1)
        at.page.wait_for_function(
            "() => document.getElementById('sending').dataset.kind === 'lost'"
            " && document.getElementById('sending-text').textContent.startsWith('60')"
        )
        site.start(port)
        at.context.set_offline(False)
        at.saved()
        database = sqlite3.connect(folder / ".qrelsmith" / "app.sqlite3")
        rows = database.execute(
            "SELECT d.position, (julianday(e.judged_at) - 2440587.5) * 86400"
            " FROM qrelsmith_web_event e JOIN qrelsmith_web_assigneddoc d ON d.id = e.assigned_id"
        ).fetchall()
        off = [abs(when - pressed[position]) for position, when in rows]
        print(
            f"offline: {len(rows)} events of {len({row[0] for row in rows})} docs; judged_at is"
            f" {np.median(off):.3f} s from the key in the median, {max(off):.3f} s at most"
        )

    with_site(folder, browser, conftest.plain_docs(60), act)


def reader(folder: Path, browser: Any, _: int) -> None:
    docs = []
    for n, (_, name, _) in enumerate(SOUGHT):
        text = pydoc.plain(pydoc.render_doc(importlib.import_module(name)))
        docs.append({"doc_id": f"d{n:02}", "title": name, "text": text})
    conftest.write_site(folder, docs, sizes=(1,), people=1)
    topics = "".join(
        f'{{"topic": "t{n:02}", "title": "{t}"}}\n' for n, (t, _, _) in enumerate(SOUGHT)
    )
    (folder / "topics.jsonl").write_text(topics, encoding="utf-8")
    pool = "# pool format=1 ordering=prioritised depth=30 seed=0\n"
    rows = "".join(f"t{n:02} d{n:02} 1\n" for n in range(len(SOUGHT)))
    (folder / "pools" / "prioritised.pool").write_text(pool + rows, encoding="utf-8")

    def act(at: Any, _: Any) -> None:
        print("module,characters,pages,page_s,groups,group_s")
        table = []
        for n, (_, name, target) in enumerate(SOUGHT):
            row = [name, len(docs[n]["text"])]
            for keys in (["PageDown"], ["f"]):
                at.open(1, topic=f"t{n:02}")
                at.page.wait_for_function(
                    "() => document.getElementById('group-place').textContent"
                )
                groups = at.page.evaluate("document.getElementById('group-place').textContent")
                most = int(groups.split()[0]) if keys == ["f"] else MOST_ACTIONS
                start, actions = time.perf_counter(), 0
                while not at.page.evaluate(SEEN, target) and actions < MOST_ACTIONS:
                    # Once round all groups the reader gives them up.
                    if actions == most:
                        at.press("Home")
                    at.press(keys[0] if actions < most else "PageDown")
                    actions += 1
                row += [actions, round(time.perf_counter() - start, 2)]
            table.append(row)
            print(",".join(map(str, row)), flush=True)
        figures = np.array([row[2:] for row in table], dtype=float)
        for name, place in (("Page Down", 0), ("groups", 2)):
            print(
                f"{name}: actions median {np.median(figures[:, place]):.1f}, sum"
                f" {figures[:, place].sum():.0f}; seconds sum {figures[:, place + 1].sum():.1f}"
            )
        print(f"fewer actions by groups in {(figures[:, 2] < figures[:, 0]).sum()} of {len(table)}")

    with_folder(folder, browser, act)


if __name__ == "__main__":
    main()
