"""Judgments while slow clients hold connections: how long they take.

    python benchmarks/slow_clients.py [--proxy] [--slow 1000] [--assessors 20] [--seconds 120]

A slow client sends the head of a request, a byte every five seconds, and comes back when it is sent
away. An assessor judges a doc, waits for a second or three, and judges the next one. With `--proxy`
all of them come over TLS through nginx to two processes, else to one process without TLS.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import multiprocessing as mp
import os
import random
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.browser import conftest
from tests.web.serving.test_deploy import HOST, free_ports, started_nginx

HEAD = b"GET /login HTTP/1.1\r\nHost: judge.example.org\r\nX-Slow: " + b"x" * 4000
PAUSE_S = 5.0
_CSRF = "0" * 32
SERVE = Path(conftest.__file__).with_name("serve_site.py")


def slow(port: int, count: int, certificate: str, seconds: float, told: Any) -> None:
    """Hold so many connections for so long; how many there were at a time, and were opened."""
    trust = ssl.create_default_context(cafile=certificate) if certificate else None
    counts: Counter[str] = Counter()

    async def one(number: int) -> None:
        await asyncio.sleep(number * 10 / count)
        while True:
            try:
                name = HOST if trust else None
                _, writer = await asyncio.open_connection(
                    "127.0.0.1", port, ssl=trust, server_hostname=name
                )
            except OSError:
                counts["refused"] += 1
                await asyncio.sleep(1)
                continue
            counts["opened"] += 1
            counts["open"] += 1
            try:
                for byte in HEAD:
                    writer.write(bytes([byte]))
                    await writer.drain()
                    if writer.transport.is_closing():
                        break
                    await asyncio.sleep(PAUSE_S)
            except OSError:
                pass
            counts["open"] -= 1
            writer.close()

    async def everybody() -> None:
        tasks = [asyncio.create_task(one(number)) for number in range(count)]
        seen, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.sleep(1)
            seen.append(counts["open"])
        for task in tasks:
            task.cancel()
        held = seen[15:] or seen
        told.put((min(held), float(np.median(held)), counts["opened"], counts["refused"]))

    asyncio.run(everybody())


class Assessor:
    """Somebody who judges over a connection that is kept."""

    def __init__(self, port: int, cookie: str, certificate: Path | None) -> None:
        if certificate:
            trust = ssl.create_default_context(cafile=str(certificate))
            trust.check_hostname = False
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                "127.0.0.1", port, timeout=60, context=trust
            )
        else:
            self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {
            "Cookie": f"qrelsmith_session={cookie}; qrelsmith_csrf={_CSRF}",
            "X-CSRFToken": _CSRF,
            "Accept": "application/json",
        }

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request."""
        data = json.dumps(body) if body is not None else None
        headers = self._headers | {"Content-Type": "application/json"}
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {text[:200]!r}")
        return json.loads(text)

    def judge(self, end: float, seed: int, took: list[float], failed: list[str]) -> None:
        """Judge until the end; seconds of each judgment."""
        rng = random.Random(seed)
        try:
            number = self.ask("GET", "/api/assignments")["assignments"][0]["assignment"]
            base = f"/api/assignments/{number}"
            for doc in self.ask("GET", f"{base}/docs?limit=500")["docs"]:
                time.sleep(rng.uniform(1, 3))
                if time.monotonic() > end:
                    return
                body = {
                    "op_id": f"{rng.getrandbits(128):032x}", "doc": doc["doc"], "value": 1,
                    "sha256": doc["sha256"], "base_revision": doc["revision"],
                }  # fmt: skip
                start = time.perf_counter()
                self.ask("POST", f"{base}/judgments", body)
                took.append(time.perf_counter() - start)
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            failed.append(str(error))


def served(folder: Path, ports: list[int]) -> tuple[list[subprocess.Popen[str]], dict[str, str]]:
    """A process of the app at each port; the sessions of those who judge."""
    processes, cookies = [], {}
    for port in ports:
        process = subprocess.Popen(
            [sys.executable, SERVE, folder, str(port)], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        cookies |= json.loads((process.stdout or sys.stdin).readline())["cookies"]
        processes.append(process)
    return processes, cookies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proxy", action="store_true")
    parser.add_argument("--slow", type=int, default=1000)
    parser.add_argument("--assessors", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        campaign = conftest.write_site(
            folder / "campaign", conftest.plain_docs(120), sizes=(120,), people=options.assessors
        )
        ports = free_ports(4)
        own = ports[: 2 if options.proxy else 1]
        processes, cookies = served(campaign, own)
        certificate, port = None, own[0]
        if options.proxy:
            nginx, certificate = started_nginx(folder, ports)
            processes.append(nginx)  # type: ignore[arg-type]
            port = ports[2]
            time.sleep(1)
        try:
            measure(port, cookies, certificate, options)
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()


def measure(port: int, cookies: dict[str, str], certificate: Path | None, options: Any) -> None:
    """Run both crowds, and print what became of them."""
    told: Any = mp.Queue()
    crowd = mp.Process(
        target=slow, args=(port, options.slow, str(certificate or ""), options.seconds + 15, told)
    )
    crowd.start()
    time.sleep(12)  # until all of them are there
    end = time.monotonic() + options.seconds
    took: list[float] = []
    failed: list[str] = []
    names = [conftest.pseudonym(n) for n in range(1, options.assessors + 1)]
    threads = []
    for number, name in enumerate(names):
        threads.append(
            threading.Thread(
                target=lambda name=name, number=number: Assessor(
                    port, cookies[name], certificate
                ).judge(end, number, took, failed)
            )
        )
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    least, median, opened, refused = told.get()
    crowd.join()
    ms = 1000 * np.array(took or [np.nan])
    print(
        f"{'nginx, two processes' if certificate else 'one process'}: {len(took)} judgments of"
        f" {options.assessors} assessors in {options.seconds} s, failed {len(failed)}; ms: median"
        f" {np.median(ms):.0f}, p95 {np.percentile(ms, 95):.0f}, most {ms.max():.0f}; slow"
        f" connections: {median:.0f} open in the median, {least} at least, {opened} opened,"
        f" {refused} refused; load {os.getloadavg()[0]:.1f}"
    )
    for each in failed[:3]:
        print(f"  {each}")


if __name__ == "__main__":
    main()
