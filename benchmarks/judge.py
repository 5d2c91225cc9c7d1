"""`judge` against the hostile server of the tests: kills, caps, storms of 429, processor time.

    python benchmarks/judge.py --docs 10000 --concurrency 8 64 --kills 10

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


def killed(folder: Path, docs: int, concurrency: int, kills: int) -> None:
    draw = random.Random(concurrency)
    again = in_flight = 0
    with running(HostileServer(STORM, delay=0.002)) as server:
        words = ("--concurrency", str(concurrency), "--budget", "1000")
        for _ in range(kills):
            goal = len(server.bodies) + draw.randrange(1, max(docs // kills, 2))
            process = started(folder, server, docs, *words)
            while len(server.bodies) < goal and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            before = len(server.bodies)
            with closing(sqlite3.connect(folder / ".qrelsmith" / "replies.sqlite3")) as opened:
                kept = {digest for (digest,) in opened.execute("SELECT digest FROM replies")}
                (in_flight,) = opened.execute("SELECT COUNT(*) FROM asked").fetchone()
            server.counts["kept"] = len(kept)
            later = server.bodies[before:]
            again += sum(request_digest(server.address, body) in kept for body in later)
        sent = len(server.bodies)
        seconds, memory = finished(started(folder, server, docs, *words))
        digests = (request_digest(server.address, body) for body in server.bodies[sent:])
        again += sum(digest in kept for digest in digests)
        replies = len(server.bodies) - sent
        labels, wrong = wrong_grades(folder)
        with closing(sqlite3.connect(folder / ".qrelsmith" / "replies.sqlite3")) as opened:
            money = sum(
                opened.execute(f"SELECT COALESCE(SUM(money), 0) FROM {table}").fetchone()[0]  # noqa: S608
                for table in ("replies", "asked")
            )
        first = (folder / "labels.csv").read_bytes()
        finished(started(folder, server, docs, *words))
        same = (folder / "labels.csv").read_bytes() == first
        print(
            f"{docs} docs, {concurrency} at once, {kills} kills: {labels} labels, {wrong} wrong,"
            f" {again} kept replies asked again, {in_flight} in flight or lost at the last kill,"
            f" server {server.money / 1e6:.4f} <= counted {money / 1e9:.4f};"
            f" warm run: {len(server.bodies) - sent - replies} requests, same bytes: {same};"
            f" last run: {1000 * seconds / max(replies, 1):.2f} ms a request, {memory:.0f} MiB"
        )


def plain(folder: Path, docs: int, concurrency: int) -> None:
    with running(HostileServer()) as server:
        seconds, memory = finished(started(folder, server, docs, "--concurrency", str(concurrency)))
        print(
            f"{docs} docs, {concurrency} at once, no faults: {1000 * seconds / docs:.2f} ms of"
            f" processor time a reply (start of the program included), {memory:.0f} MiB"
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
            f" {docs / took:.0f} a second, {server.counts['429']} told to wait"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--docs", type=int, default=10_000)
    parser.add_argument("--concurrency", type=int, nargs="+", default=[8, 64])
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rate", type=float, default=100.0)
    chosen = parser.parse_args()
    for concurrency in chosen.concurrency:
        for check in (killed, plain, storm):
            folder = Path(tempfile.mkdtemp(prefix="judge"))
            docs = min(chosen.docs, 1000) if check is storm else chosen.docs
            campaign_of(folder / "c", docs)
            extra = {killed: chosen.kills, storm: chosen.rate}.get(check)
            check(folder / "c", docs, concurrency, *(() if extra is None else (extra,)))
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
