"""Measure the judging app: server time of a judgment, and of pages of small and large campaigns.

    python benchmarks/judging.py [--clients 20] [--seconds 60] [--think 2]
    python benchmarks/judging.py --topics 50 --docs 10000
    python benchmarks/judging.py --pairs rounds --topics 20 --docs 112
    python benchmarks/judging.py --answers 8
    DATABASE_URL=postgresql://… python benchmarks/judging.py

A campaign is made up and imported, `qrelsmith serve` started, and every client judges docs of its
own with pauses between 0 and `--think` seconds. Server times are what the server logs for each
request; `work` is the processor's part of it, which tells more on a machine that is busy otherwise.
Pages are then fetched one after the other. With `--pairs`, clients compare pairs of docs instead,
all docs of all topics being candidates of a scheduler; with `--answers`, they label aspects of the
answers of so many systems. The budgets: p95 of a judgment of a doc or aspect at most 40 ms, of a
pair 50 ms, and 5 ms of processor time for half of them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

# The budgets of p95 and of the median of the processor's work, by view.
BUDGETS_MS = {
    "api-assignments-judgments": (40.0, 5.0),
    "api-answers-judgments": (40.0, 5.0),
    "api-contests-judgments": (50.0, 5.0),
}
NUGGETS = 25
TOML = """\
format = 1
title = "A benchmark"
[scale]
levels = [{{ grade = 0 }}, {{ grade = 1 }}, {{ grade = 2 }}]
[groups.bronze]
assessors = [{names}]
per_doc = {count}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=2.0)
    parser.add_argument("--topics", type=int, default=2)
    parser.add_argument("--docs", type=int, default=200)
    parser.add_argument("--pairs", metavar="SCHEDULER", help="Compare pairs, asked by a scheduler.")
    parser.add_argument("--answers", type=int, metavar="SYSTEMS", help="Label aspects of answers.")
    parser.add_argument("--words", type=int, default=200, help="Words in a doc.")
    parser.add_argument("--assessors", type=int, help="Who judge all; default: one a client.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options)


def measure(folder: Path, options: argparse.Namespace) -> None:
    assessors = [f"a{n:02}" for n in range(options.assessors or options.clients)]
    made_up(folder, assessors, topics=options.topics, docs=options.docs, words=options.words)
    if options.pairs:
        ask_pairs(folder, options.pairs)
    if options.answers:
        write_answers(folder, options.topics, options.answers)
    work = compare if options.pairs else label if options.answers else judge
    start = time.perf_counter()
    qrelsmith("import", folder, "--quiet")
    print(f"import: {time.perf_counter() - start:.1f} s")
    logins = [logged_in(folder, name) for name in assessors]
    log = (folder / "log").open("w", encoding="utf-8")
    server = subprocess.Popen(
        [sys.executable, "-m", "qrelsmith", "serve", str(folder), "--port", "0"],
        stdout=subprocess.PIPE, stderr=log, text=True,
    )  # fmt: skip
    try:
        host = address(server)
        end = time.monotonic() + options.seconds
        threads = [
            threading.Thread(
                target=work, args=(host, logins[n % len(logins)], n, options.think, end)
            )
            for n in range(options.clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        mark = (folder / "log").stat().st_size
        look_around(host, logins[0], options.docs)
    finally:
        server.terminate()
        server.wait()
        log.close()
    lines = (folder / "log").read_bytes()
    over = report(f"{options.clients} clients", lines[:mark].decode())
    report("one client, page after page", lines[mark:].decode())
    qrelsmith("verify", folder, "--quiet")
    if over:
        sys.exit("\n".join(over))


def made_up(folder: Path, assessors: list[str], *, topics: int, docs: int, words: int) -> None:
    """Write a campaign whose topics have docs of their own, half of them HTML."""
    names = ", ".join(f'"{name}"' for name in assessors)
    (folder / "campaign.toml").write_text(
        TOML.format(names=names, count=len(assessors)), encoding="utf-8"
    )
    (folder / "pools").mkdir()
    rng = random.Random(0)
    vocabulary = [f"word{n}" for n in range(1000)]
    with (
        (folder / "topics.jsonl").open("w", encoding="utf-8") as asked,
        (folder / "documents.jsonl").open("w", encoding="utf-8") as documents,
        (folder / "pools" / "all.pool").open("w", encoding="utf-8") as pool,
    ):
        pool.write("# pool format=1 ordering=prioritised depth=100 seed=0\n")
        for topic in range(topics):
            asked.write(json.dumps({"topic": f"q{topic}", "title": f"word{topic} word1"}) + "\n")
            for n in range(docs):
                text = " ".join(rng.choices(vocabulary, k=words))
                form = "html" if n % 2 else "text"
                doc = {"doc_id": f"q{topic}-d{n}", form: text, "title": text[:40]}
                documents.write(json.dumps(doc) + "\n")
                pool.write(f"q{topic} q{topic}-d{n} {n + 1}\n")


def ask_pairs(folder: Path, scheduler: str) -> None:
    """Have all docs of the pools compared."""
    with (folder / "campaign.toml").open("a", encoding="utf-8") as out:
        out.write(
            f'[preferences]\nscheduler = "{scheduler}"\nsource = "all.qrels"\nshare = "pair"\n'
        )
    rows = (folder / "pools" / "all.pool").read_text(encoding="utf-8").splitlines()[1:]
    lines = [f"{topic} 0 {doc} 1\n" for topic, doc, _ in map(str.split, rows)]
    (folder / "all.qrels").write_text("".join(lines), encoding="utf-8")


def write_answers(folder: Path, topics: int, systems: int) -> None:
    """Write an answer of each system to each topic, and nuggets to judge them for."""
    answers = [
        {"topic_id": f"q{topic}", "run_id": f"s{n}", "answer": [{"text": f"word{n}"}]}
        for topic in range(topics)
        for n in range(systems)
    ]
    aspects = [
        {"topic": f"q{topic}", "aspect": f"n{n}", "kind": "nugget", "text": f"It says word{n}."}
        for topic in range(topics)
        for n in range(NUGGETS)
    ]
    for name, rows in (("answers", answers), ("aspects", aspects)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def qrelsmith(command: str, folder: Path, *arguments: str) -> str:
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", command, str(folder), *arguments],
        check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return done.stdout


def logged_in(folder: Path, name: str) -> dict[str, str]:
    """The headers of a session of an assessor."""
    from qrelsmith.web.instance import find_instance
    from qrelsmith.web.project import use

    use(find_instance(folder))
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.db import connections

    from qrelsmith.web.accounts.sessions import SessionStore
    from qrelsmith.web.models import Account, Assessor

    assessor = Assessor.objects.get(name=name)
    account = Account.objects.create(login=name, role="assessor", assessor=assessor)
    session = SessionStore()
    session[SESSION_KEY] = str(account.pk)
    session[BACKEND_SESSION_KEY] = "qrelsmith.web.accounts.login.AccountBackend"
    session[HASH_SESSION_KEY] = account.get_session_auth_hash()
    session.create()
    csrf = f"{random.getrandbits(128):032x}"
    headers = {
        "Cookie": f"qrelsmith_session={session.session_key}; qrelsmith_csrf={csrf}",
        "X-CSRFToken": csrf,
        "Content-Type": "application/json",
    }
    connections.close_all()
    return headers


def address(server: subprocess.Popen[str]) -> str:
    """Host and port that the server listens at."""
    for line in server.stdout or ():
        found = re.search(r"Listening at http://(\S+)", line)
        if found:
            return found[1]
    sys.exit(f"the server ended with {server.wait()}")


def judge(host: str, headers: dict[str, str], seed: int, think: float, end: float) -> None:
    """Judge doc after doc, thinking between them."""
    rng = random.Random(seed)
    connection = http.client.HTTPConnection(host)
    found = fetched(connection, headers, "GET", "/api/assignments")["assignments"]
    assignment = found[seed % len(found)]["assignment"]
    path = f"/api/assignments/{assignment}"
    doc = fetched(connection, headers, "GET", f"{path}/next")["doc"]
    while doc is not None and time.monotonic() < end:
        time.sleep(rng.uniform(0, think))
        body = {
            "op_id": f"{rng.getrandbits(128):032x}",
            "doc": doc["doc"],
            "value": rng.randrange(3),
            "sha256": doc["sha256"],
            "base_revision": doc["revision"],
        }
        answer = fetched(connection, headers, "POST", f"{path}/judgments", body)
        if answer.get("next") is None and "error" not in answer:
            return
        position = answer.get("next", doc["position"])
        fetched(connection, headers, "GET", doc["frame"], raw=True)
        doc = fetched(connection, headers, "GET", f"{path}/docs/{position}")["doc"]


def compare(host: str, headers: dict[str, str], seed: int, think: float, end: float) -> None:
    """Compare pair after pair of a topic, then of the next one, thinking between them."""
    rng = random.Random(seed)
    connection = http.client.HTTPConnection(host)
    contests = [
        each["contest"] for each in fetched(connection, headers, "GET", "/api/contests")["contests"]
    ]
    place = seed
    while time.monotonic() < end:
        path = f"/api/contests/{contests[place % len(contests)]}"
        time.sleep(rng.uniform(0, think))
        pair = fetched(connection, headers, "GET", f"{path}/next")["pair"]
        if pair is None:
            place += 1
            continue
        for side in ("left", "right"):
            fetched(connection, headers, "GET", pair[side]["frame"], raw=True)
        body = {
            "op_id": f"{rng.getrandbits(128):032x}",
            "pair": pair["pair"],
            "outcome": rng.choice([-1, 1]),
            "base_revision": pair["revision"],
            "left_sha256": pair["left"]["sha256"],
            "right_sha256": pair["right"]["sha256"],
        }
        fetched(connection, headers, "POST", f"{path}/judgments", body)


def label(host: str, headers: dict[str, str], seed: int, think: float, end: float) -> None:
    """Label aspect after aspect of the answers to each topic, thinking between them."""
    rng = random.Random(seed)
    connection = http.client.HTTPConnection(host)
    front = fetched(connection, headers, "GET", "/", raw=True).decode()
    for path in dict.fromkeys(re.findall(r"/answers/\d+", front)):
        page = fetched(connection, headers, "GET", path, raw=True).decode()
        (state,) = re.findall(r'<script id="state"[^>]*>(.*?)</script>', page)
        for row in json.loads(state)["items"]:
            if time.monotonic() > end:
                return
            time.sleep(rng.uniform(0, think))
            body = {
                "op_id": f"{rng.getrandbits(128):032x}",
                "aspect": row["aspect"],
                "value": rng.randrange(3),
                "wording": row["text"],
                "sha256": row["sha256"],
                "base_revision": row["revision"],
            }
            fetched(connection, headers, "POST", f"/api{path}/judgments", body)


def look_around(host: str, headers: dict[str, str], docs: int) -> None:
    """Fetch every page of an assessor twenty times."""
    connection = http.client.HTTPConnection(host)
    found = fetched(connection, headers, "GET", "/api/assignments")["assignments"]
    assignment = found[0]["assignment"]
    api = f"/api/assignments/{assignment}"
    for place in range(20):
        position = 1 + place * (docs - 1) // 20
        for path in (
            "/",
            f"/judge/{assignment}/{position}",
            f"{api}/docs?from={position}",
            f"{api}/docs?filter=open&from={position}",
            f"{api}/docs?filter=judged",
            f"{api}/docs?filter=stale",
            f"{api}/next?after={position}",
        ):
            fetched(connection, headers, "GET", path, raw=True)


def fetched(
    connection: http.client.HTTPConnection,
    headers: dict[str, str],
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    *,
    raw: bool = False,
) -> Any:
    """The JSON of an answer; with `raw` its bytes."""
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status not in (200, 409):
        sys.exit(f"{method} {path}: {answer.status} {content[:200]!r}")
    return content if raw else json.loads(content)


def report(title: str, log: str) -> list[str]:
    """Print the server times by view; the budgets that judgments exceed."""
    times: dict[str, list[float]] = defaultdict(list)
    work: dict[str, list[float]] = defaultdict(list)
    for line in log.splitlines():
        record = json.loads(line) if line.startswith("{") else {}
        if record.get("view"):
            times[record["view"]].append(record["ms"])
            work[record["view"]].append(record["cpu_ms"])
    database = "PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite"
    print(f"\n{title}; server time in ms ({database})")
    print("| view | requests | median | p95 | max | work: median | work: p95 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for view, all_ms in sorted(times.items()):
        row = [share(all_ms, 0.5), share(all_ms, 0.95), max(all_ms)]
        row += [share(work[view], part) for part in (0.5, 0.95)]
        print(f"| {view} | {len(all_ms)} | " + " | ".join(f"{ms:.1f}" for ms in row) + " |")
    over = []
    for view, (most, most_work) in BUDGETS_MS.items():
        p95, median = share(times.get(view, [0.0]), 0.95), share(work.get(view, [0.0]), 0.5)
        if p95 > most or median > most_work:
            over.append(
                f"{view}: p95 {p95:.1f} ms, processor {median:.1f} ms; the budgets are"
                f" {most:.0f} ms and {most_work:.0f} ms"
            )
    return over


def share(values: list[float], part: float) -> float:
    """The value that this part of the values does not exceed."""
    return sorted(values)[math.ceil(part * len(values)) - 1]


if __name__ == "__main__":
    main()
