"""`judge` against the hostile server of the tests: kills, caps, storms of 429, processor time.

    python benchmarks/judge.py --docs 10000 --concurrency 8 64 --kills 10
    python benchmarks/judge.py --checks plain --docs 100000 --concurrency 64

One line a check. Processor time is that of the program alone; the server is another process's.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from qrelsmith.models.requests import request_digest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.models.hostile import HostileServer, running  # noqa: E402

STORM = {
    "busy": 0.1, "broken": 0.03, "half": 0.02, "wrong-json": 0.02, "off-scale": 0.01,
    "twice": 0.05, "no-usage": 0.02,
}  # fmt: skip
SETTINGS = 'format = 1\ntitle = "bench"\n\n[scale]\nrange = "0..2"\n'


def campaign_of(folder: Path, docs: int) -> Path:
    (folder / "runs").mkdir(parents=True)
    (folder / "campaign.toml").write_text(SETTINGS, encoding="utf-8")
    (folder / "topics.jsonl").write_text('{"topic": "t", "title": "truth"}\n', encoding="utf-8")
    with (
        (folder / "documents.jsonl").open("w", encoding="utf-8") as texts,
        (folder / "runs" / "a.run").open("w", encoding="utf-8") as run,
    ):
        for number in range(docs):
            text = f"truth {number % 3} of doc {number}. " + "Some words that say little. " * 40
            texts.write(json.dumps({"doc_id": f"d{number}", "text": text}) + "\n")
            run.write(f"t Q0 d{number} {number + 1} {docs - number} run\n")
    return folder


def started(folder: Path, server: HostileServer, docs: int, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "qrelsmith", "judge", str(folder), "--endpoint"]
    command += [server.address, "--model", "m", "--depth", str(docs), "--price-in", "1"]
    command += ["--price-out", "2", "-o", str(folder / "labels.csv"), "--timeout", "20", *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def finished(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """Processor seconds and MiB of a run that ends."""
    _, status, usage = os.wait4(process.pid, 0)
    said = process.stderr.read().decode() if process.stderr else ""
    if status:
        raise SystemExit(f"the run ended with {status}: {said[-400:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def wrong_grades(folder: Path) -> tuple[int, int]:
    with (folder / "labels.csv").open(encoding="utf-8") as file:
        rows = [(int(row["doc"][1:]), float(row["grade"])) for row in csv.DictReader(file)]
    return len(rows), sum(grade != number % 3 for number, grade in rows)


def kept_replies(folder: Path) -> set[str]:
    with closing(sqlite3.connect(folder / ".qrelsmith" / "replies.sqlite3")) as opened:
        return {digest for (digest,) in opened.execute("SELECT digest FROM replies")}


def counted(folder: Path) -> tuple[int, float]:
    """Requests without an answer, and all money that counts as spent."""
    with closing(sqlite3.connect(folder / ".qrelsmith" / "replies.sqlite3")) as opened:
        (unanswered,) = opened.execute("SELECT COUNT(*) FROM asked").fetchone()
        money = sum(
            opened.execute(f"SELECT COALESCE(SUM(money), 0) FROM {table}").fetchone()[0]  # noqa: S608
            for table in ("replies", "asked")
        )
    return unanswered, money / 1e9


class Kills:
    """Runs that are killed at random moments; what each left behind is held against the next."""

    def __init__(self, folder: Path, server: HostileServer, docs: int, words: list[str]) -> None:
        self.folder, self.server, self.docs, self.words = folder, server, docs, words
        self.kept: set[str] = set()
        self.looked_at = self.again = self.lost = 0

    def kill(self, goal: int) -> None:
        """Start, and kill when so many requests more have come in."""
        goal += len(self.server.bodies)
        process = started(self.folder, self.server, self.docs, *self.words)
        while len(self.server.bodies) < goal and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.look()

    def look(self) -> None:
        """Count kept replies that were asked again since the last look, or are gone."""
        bodies, self.looked_at = self.server.bodies[self.looked_at :], len(self.server.bodies)
        self.again += sum(request_digest(self.server.address, body) in self.kept for body in bodies)
        kept = kept_replies(self.folder)
        self.lost += len(self.kept - kept)
        self.kept = kept


def killed(folder: Path, docs: int, concurrency: int, kills: int) -> None:
    draw = random.Random(concurrency)
    with running(HostileServer(STORM, delay=0.002)) as server:
        words = ["--concurrency", str(concurrency), "--budget", "1000"]
        runs = Kills(folder, server, docs, words)
        for _ in range(kills):
            runs.kill(draw.randrange(1, max(docs // kills, 2)))
        killed_at = len(server.bodies)
        unanswered, _ = counted(folder)
        seconds, _ = finished(started(folder, server, docs, *words))
        runs.look()
        sent = len(server.bodies)
        labels, wrong = wrong_grades(folder)
        _, money = counted(folder)
        first = (folder / "labels.csv").read_bytes()
        finished(started(folder, server, docs, *words))
        same = (folder / "labels.csv").read_bytes() == first
        print(
            f"{docs} docs, {concurrency} at once, {kills} kills: {labels} labels, {wrong} wrong,"
            f" {runs.again} kept replies asked again, {runs.lost} lost, {unanswered} requests"
            f" without an answer after the kills,"
            f" server {server.money / 1e6:.4f} <= counted {money:.4f};"
            f" warm run: {len(server.bodies) - sent} requests, same bytes: {same};"
            f" last run: {1000 * seconds / max(sent - killed_at, 1):.2f} ms a request",
            flush=True,
        )


def capped(folder: Path, docs: int, concurrency: int, kills: int) -> None:
    """A cap of about a third of the cost: runs that are killed, and two that are not."""
    draw = random.Random(concurrency)
    cap = docs * 0.0002
    with running(HostileServer(STORM, delay=0.002)) as server:
        words = ["--concurrency", str(concurrency), "--budget", f"{cap}"]
        runs = Kills(folder, server, docs, words)
        for _ in range(kills):
            runs.kill(draw.randrange(1, max(docs // kills, 2)))
        for _ in range(2):
            finished(started(folder, server, docs, *words))
        runs.look()
        labels, wrong = wrong_grades(folder)
        print(
            f"{docs} docs, {concurrency} at once, {kills} kills, cap {cap:.4f}: server"
            f" {server.money / 1e6:.4f}, counted {counted(folder)[1]:.4f}; {labels} labels,"
            f" {wrong} wrong, {runs.again} kept replies asked again, {runs.lost} lost",
            flush=True,
        )


def plain(folder: Path, docs: int, concurrency: int) -> None:
    with running(HostileServer()) as server:
        seconds, memory = finished(started(folder, server, docs, "--concurrency", str(concurrency)))
        print(
            f"{docs} docs, {concurrency} at once, no faults: {1000 * seconds / docs:.2f} ms of"
            f" processor time a reply (start of the program included), {memory:.0f} MiB",
            flush=True,
        )


def storm(folder: Path, docs: int, concurrency: int, rate: float) -> None:
    with running(HostileServer(rate=rate, burst=int(rate / 4))) as server:
        begin = time.monotonic()
        process = started(folder, server, docs, "--concurrency", str(concurrency))
        while not server.bodies and process.poll() is None:
            time.sleep(0.01)
        begin = time.monotonic()
        finished(process)
        took = time.monotonic() - begin
        print(
            f"{docs} docs, {concurrency} at once, {rate:.0f} a second allowed:"
            f" {docs / took:.1f} a second ({docs / took / rate:.0%}), {server.counts['429']} told"
            " to wait",
            flush=True,
        )


def main() -> None:
    checks: dict[str, Callable[..., None]] = {
        "killed": killed,
        "capped": capped,
        "plain": plain,
        "storm": storm,
    }
    parser = argparse.ArgumentParser()
    parser.add_argument("--checks", nargs="+", choices=checks, default=list(checks))
    parser.add_argument("--docs", type=int, default=10_000)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[8, 64])
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rate", type=float, default=100.0)
    chosen = parser.parse_args()
    extra = {"killed": (chosen.kills,), "capped": (chosen.kills,), "storm": (chosen.rate,)}
    for concurrency in chosen.concurrency:
        for name in chosen.checks:
            folder = Path(tempfile.mkdtemp(prefix="judge"))
            # A storm is about the pace: a thousand docs tell it.
            docs = min(chosen.docs, 1000) if name == "storm" else chosen.docs
            campaign_of(folder / "c", docs)
            checks[name](folder / "c", docs, concurrency, *extra.get(name, ()))
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
