"""Measure processor time per judgment: a campaign served alone, and many on one server.

    python benchmarks/hub.py [--campaigns 20] [--docs 25]
    DATABASE_URL=postgresql://… python benchmarks/hub.py

The same number of people judge at a time: all in one campaign served alone, then one in each
campaign of a server. A judgment is three requests, as the judging page sends them: the label, the
content of the next doc, and its labels. The processor time is that of the server and its campaigns'
processes between the first judgment and the last; then for ten seconds without requests. On
PostgreSQL, the number of the database's open connections is counted as well: the largest while
people judge, and the number after half a minute without requests.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.judging import made_up
from tests.web.hub.conftest import Hub, Person

_TICKS = os.sysconf("SC_CLK_TCK")
_IDLE_S = 10
_REST_S = 30
_PAUSE_S = 0.1
_COUNTING: dict[str, Any] = {}
_TRIES = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--campaigns", type=int, default=20)
    parser.add_argument("--docs", type=int, default=25)
    options = parser.parse_args()
    names = [f"c{n:02}" for n in range(options.campaigns)]
    url = os.environ.get("DATABASE_URL", "")
    with tempfile.TemporaryDirectory() as place:
        alone = Path(place, "alone")
        write(alone, names, options.docs)
        measure("one campaign, served alone", Hub(alone, database_url=url), [""], names)
        many = Path(place, "many")
        for name in names:
            write(many / name, [name], options.docs)
        prefixes = [f"/c/{name}" for name in names]
        measure(f"{len(names)} campaigns", Hub(many, database_url=url), prefixes, names)


def write(folder: Path, assessors: list[str], docs: int) -> None:
    """Write a campaign of a topic that all assessors judge."""
    folder.mkdir(parents=True)
    made_up(folder, assessors, topics=1, docs=docs, words=200)


def measure(title: str, server: Hub, prefixes: list[str], names: list[str]) -> None:
    """Print the processor time per judgment, and per second without requests."""
    try:
        admin, people = server.first_admin(), []
        for n, name in enumerate(names):
            prefix = prefixes[n % len(prefixes)]
            people.append((server.person().register(invite(admin, prefix, name), name), prefix))
        counts: list[int] = []
        times_s: list[float] = []
        work = [
            threading.Thread(target=lambda one=one: counts.append(judge(*one, times_s)))
            for one in people
        ]
        begun, started = used_s(server), time.monotonic()
        for thread in work:
            thread.start()
        most = 0
        while any(thread.is_alive() for thread in work):
            most = max(most, connections(server))
            time.sleep(_PAUSE_S)
        spent, took = used_s(server) - begun, time.monotonic() - started
        judgments = sum(counts)
        begun = used_s(server)
        time.sleep(_IDLE_S)
        idle = (used_s(server) - begun) / _IDLE_S
        median, p95 = (1000 * quantile(times_s, share) for share in (0.5, 0.95))
        print(
            f"{title}: {judgments} judgments in {took:.0f} s, {1000 * spent / judgments:.1f} ms of"
            f" processor time each; idle {1000 * idle:.0f} ms per second; the label took"
            f" {median:.0f} ms (median), {p95:.0f} ms (p95)",
            flush=True,
        )
        if server.database_url:
            time.sleep(_REST_S)
            print(f"  connections: {most} under load, {connections(server)} at rest", flush=True)
    finally:
        server.close()


def invite(admin: Person, prefix: str, assessor: str) -> str:
    """Return the link of an invite, as soon as the campaign has started."""
    for _ in range(_TRIES):
        answer = admin.post(f"{prefix}/organiser/invites", role="assessor", assessor=assessor)
        link = re.search(r'class="link" value="([^"]+)"', answer.text)
        if link is not None:
            return link[1]
        time.sleep(1)
    sys.exit(f"{prefix} has not started: {answer.text}")


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]


def connections(server: Hub) -> int:
    """Return the number of the database's connections, without the one that counts them."""
    if not server.database_url:
        return 0
    import psycopg

    query = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    if server.database_url not in _COUNTING:
        # One connection counts all the time: one that ends is still counted for a moment.
        _COUNTING[server.database_url] = psycopg.connect(server.database_url, autocommit=True)
    return int(_COUNTING[server.database_url].execute(query).fetchone()[0])


def judge(person: Person, prefix: str, times_s: list[float]) -> int:
    """Judge all docs; return their number, and add the seconds that each label took."""
    found = json.loads(person.get(f"{prefix}/api/assignments").text)["assignments"]
    path = f"{prefix}/api/assignments/{found[0]['assignment']}"
    doc, judged = json.loads(person.get(f"{path}/next").text)["doc"], 0
    while doc is not None:
        begun = time.perf_counter()
        answer = person.post(
            f"{path}/judgments", op_id=f"operation-{judged:06}-{person.csrf[:8]}", doc=doc["doc"],
            value=1, sha256=doc["sha256"], base_revision=doc["revision"],
        )  # fmt: skip
        if answer.status != 200:
            sys.exit(answer.text)
        times_s.append(time.perf_counter() - begun)
        judged += 1
        position = json.loads(answer.text).get("next")
        if position is None:
            break
        person.get(doc["frame"])
        doc = json.loads(person.get(f"{path}/docs/{position}").text)["doc"]
    return judged


def used_s(server: Hub) -> float:
    """Return the processor seconds of a server and its campaigns' processes."""
    total = 0
    for pid in (server.process.pid, *server.children().values()):
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(words[11]) + int(words[12])
    return total / _TICKS


if __name__ == "__main__":
    main()
