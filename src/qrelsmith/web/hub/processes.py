"""The processes of campaigns: started on first use, ended after a long idle time."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.server_settings import ServerSettings, server_settings, variable_of
from qrelsmith.web.accounts.openid_settings import PREFIX as OPENID_PREFIX
from qrelsmith.web.hub.schemas import keeps_sqlite
from qrelsmith.web.instance import VARIABLE

# A new campaign reads its docs on start. After this time, users are asked to try again.
_START_S = 12.0
_IDLE_S = 3600.0
_END_S = 25.0
# Maximum number of concurrent requests to a campaign, and how long a further request waits.
_AT_A_TIME = 16
_WAIT_S = 20.0
_ANSWER_S = 120.0
# Delay before a failed process is started again.
_PAUSE_S = 3.0


class NotReadyError(Exception):
    """A campaign that is still starting, or has too many concurrent requests."""


@dataclass
class Running:
    """The process of a campaign.

    Attributes
    ----------
    process : Popen
        The process; its standard input keeps it alive.
    secret : str
        Secret that signs claims, new at every start.
    port : int
        Its port; 0 until it listens.
    problem : str
        Why it failed to start.
    """

    process: subprocess.Popen[str]
    secret: str
    port: int = 0
    problem: str = ""
    started: float = field(default_factory=time.monotonic)
    used: float = field(default_factory=time.monotonic)
    is_ready: threading.Event = field(default_factory=threading.Event)
    turns: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_AT_A_TIME))

    def wait_until_ready(self, name: str) -> None:
        """Wait until the process accepts connections, up to the time limit for starting.

        Raises
        ------
        NotReadyError
            If the process takes longer.
        InputError
            If the campaign cannot be served.
        """
        if not self.is_ready.wait(_START_S):
            raise NotReadyError(name)
        if self.problem:
            raise InputError(self.problem)

    def read_port(self) -> None:
        """Read the port or the error printed by the process."""
        lines = self.process.stdout or ()
        for line in lines:
            said = json.loads(line)
            self.port, self.problem = int(said.get("port", 0)), str(said.get("problem", ""))
            break
        if not self.port and not self.problem:
            self.problem = "the campaign's process ended while starting; see the server's log"
        self.is_ready.set()

    @contextmanager
    def connection(self, name: str) -> Iterator[http.client.HTTPConnection]:
        """Lend a connection to the process; it is closed if the response was not read completely.

        Raises
        ------
        NotReadyError
            If too many requests are in progress.
        """
        if not self.turns.acquire(timeout=_WAIT_S):
            raise NotReadyError(name)
        self.used = time.monotonic()
        made = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_ANSWER_S)
        try:
            yield made
        finally:
            made.close()
            self.turns.release()


class Processes:
    """All processes of a server's campaigns.

    Attributes
    ----------
    base : str
        The address of the server.
    public_url : str
        The address for browsers, if there is a proxy.
    threads : int
        Threads of each process.
    """

    def __init__(self) -> None:
        self.base, self.public_url, self.threads = "", "", 8
        self._running: dict[str, Running] = {}
        self._lock = threading.Lock()
        self._is_over = threading.Event()

    def of(self, folder: Path) -> Running:
        """Return the process of a campaign, started if necessary.

        Raises
        ------
        NotReadyError
            If the process is not ready soon, or the server ends.
        InputError
            If the campaign cannot be served.
        """
        name = folder.name
        with self._lock:
            if self._is_over.is_set():
                raise NotReadyError(name)
            running = self._running.get(name)
            is_over = running is not None and running.process.poll() is not None
            if running is None or (is_over and running.started < time.monotonic() - _PAUSE_S):
                running = self._running[name] = self._start(folder)
        running.wait_until_ready(name)
        return running

    def alive(self, name: str) -> Running | None:
        """Return the process of a campaign, or None if it does not currently answer requests."""
        running = self._running.get(name)
        is_alive = running is not None and running.port and running.process.poll() is None
        return running if is_alive else None

    def end(self, name: str) -> None:
        """End the process of a campaign after its requests in progress."""
        with self._lock:
            running = self._running.pop(name, None)
        if running is not None:
            _end([running])

    def end_idle(self) -> None:
        """End processes that have long been idle; repeat this until `close` is called."""
        while not self._is_over.wait(30):
            late = time.monotonic() - _IDLE_S
            for name, running in list(self._running.items()):
                if running.is_ready.is_set() and running.used < late:
                    self.end(name)

    def close(self) -> None:
        """End all processes, and prevent new starts."""
        self._is_over.set()
        with self._lock:
            all_running = list(self._running.values())
            self._running.clear()
        _end(all_running)

    def _start(self, folder: Path) -> Running:
        secret = secrets.token_urlsafe(32)
        process = subprocess.Popen(  # noqa: S603 - this program, no shell
            [sys.executable, "-m", "qrelsmith.web.hub.campaign_process", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            # Only the server handles an interrupt at the terminal. The server then ends the
            # processes.
            start_new_session=True,
            env=_environment(folder),
        )
        running = Running(process, secret)
        prefix = f"/c/{folder.name}"
        options: dict[str, Any] = {
            "prefix": prefix, "secret": secret, "public_url": self.public_url,
            "address": f"{self.base}{prefix}", "threads": self.threads,
            "connections": server_settings(ServerSettings()).connections,
        }  # fmt: skip
        if process.stdin is not None:
            process.stdin.write(json.dumps(options) + "\n")
            process.stdin.flush()
        threading.Thread(target=running.read_port, daemon=True).start()
        return running


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of a campaign's process, without the server's settings."""
    servers = {variable_of(each.name) for each in fields(ServerSettings)} - {VARIABLE}
    own = {
        key: text
        for key, text in os.environ.items()
        if key not in servers and not key.startswith(OPENID_PREFIX)
    }
    if keeps_sqlite(folder):
        own.pop(VARIABLE, None)
    return own


def _end(all_running: list[Running]) -> None:
    """Close the standard input of processes, wait, and kill processes that do not end."""
    for running in all_running:
        if running.process.stdin is not None:
            running.process.stdin.close()
    deadline = time.monotonic() + _END_S
    for running in all_running:
        try:
            running.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            running.process.kill()
            running.process.wait()


PROCESSES = Processes()
