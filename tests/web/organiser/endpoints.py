"""A model endpoint that runs beside the app, and runs of models in the browser."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from qrelsmith.web.jobs.queue import UNFINISHED
from qrelsmith.web.models import Job

PRICES = {"spend": "1", "price_in": "0.5", "price_out": "1"}


class Endpoint:
    """An endpoint, the keys it received, and the process lists at that time."""

    def __init__(self) -> None:
        self.url = ""
        self.keys: list[str] = []
        self.processes: list[bytes] = []


@contextmanager
def served_endpoint() -> Iterator[Endpoint]:
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            endpoint.processes += arguments_and_environments()
            endpoint.keys.append(self.headers["Authorization"])
            self.rfile.read(int(self.headers["Content-Length"]))
            message = {"message": {"content": '{"grade": 1}'}}
            content = json.dumps({"choices": [message]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield endpoint
        server.shutdown()


def arguments_and_environments() -> list[bytes]:
    """Return the output of `ps` about all processes that it may read."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                found.append((path / name).read_bytes())
    return found


def ended_run(client: Any, **given: str) -> Job:
    """Start a run in the browser; return its job when it has ended."""
    assert client.post("/organiser/tokens/run", {"assessor": "gpt-x", **given}).status_code == 302
    jobs = Job.objects.filter(kind="model-run").order_by("-pk")
    deadline = time.monotonic() + 120
    while jobs[0].state in UNFINISHED:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return jobs[0]


def run_model(client: Any, **given: str) -> Job:
    """Start a run that succeeds."""
    job = ended_run(client, **given)
    assert (job.state, job.problem) == (Job.State.DONE, "")
    return job
