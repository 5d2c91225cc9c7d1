"""The web server."""

from __future__ import annotations

import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections

from qrelsmith.base.errors import UsageError
from qrelsmith.web.jobs.runner import serve_jobs

THREADS = 8
# Addresses that mean all network interfaces.
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
_PROXY_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}
# Enough for a doc pasted into a note. There are no uploads.
_LARGEST_BODY = 2 << 20
# An idle connection costs a file and some kilobytes. With waitress' default of 100, a hundred slow
# clients would block all other clients.
_MOST_CONNECTIONS = 4000
_OWN_FILES = 100
_CAN_POLL = hasattr(select, "poll")
_TURN_S = 0.5
# After each query, a thread waits until another thread yields. With Python's default of 5 ms, a
# dozen waits per request would take longer than the request.
_TURN_OF_A_THREAD_S = 0.0005
# How long requests may continue after SIGTERM.
_PATIENCE_S = 20.0


def serve(
    *,
    host: str,
    port: int,
    threads: int = THREADS,
    proxy: str = "",
    ready: Callable[[int], None] = lambda _: None,
    largest_body: int = _LARGEST_BODY,
) -> None:
    """Serve the app until the process is asked to end.

    Parameters
    ----------
    host, port
        Where to listen; port 0 means a free port.
    threads : int
        Number of requests handled at a time.
    proxy : str
        Address of a proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted; empty for none.
    ready : callable
        Called with the port once requests are answered.
    largest_body : int
        Largest body of a request, in bytes.

    Raises
    ------
    UsageError
        If the address and port cannot be used.
    """
    import waitress

    trust: dict[str, object] = {"clear_untrusted_proxy_headers": True}
    if proxy:
        trust |= {"trusted_proxy": proxy, "trusted_proxy_headers": _PROXY_HEADERS}
    if host not in EVERYWHERE:
        # If the host is a name, requests may use that name.
        named = f"[{host}]" if ":" in host else host
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, named]
    try:
        server = waitress.create_server(
            WSGIHandler(),
            host=host,
            port=port,
            threads=threads,
            ident=None,
            max_request_body_size=largest_body,
            channel_timeout=60,
            connection_limit=_connections(),
            asyncore_use_poll=_CAN_POLL,
            **trust,
        )
    except OSError as error:
        raise UsageError(f"cannot listen at {host}:{port}: {error.strerror or error}") from None
    sys.setswitchinterval(_TURN_OF_A_THREAD_S)
    is_ending = threading.Event()
    previous = _on_terminate(is_ending.set)
    # The URL routes import all views, and thereby register all kinds of jobs.
    import_module(settings.ROOT_URLCONF)
    jobs = serve_jobs()
    try:
        ready(int(server.effective_port))
        close_old_connections()  # this thread makes no further queries
        _run(server, is_ending)
    finally:
        if previous is not None:
            signal.signal(signal.SIGTERM, previous)
        jobs.close()
        server.close()


def _on_terminate(end: Callable[[], None]) -> Any:
    """Call a function on SIGTERM; return the previous handler, or None outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.signal(signal.SIGTERM, lambda *_: end())


def _run(server: Any, is_ending: threading.Event) -> None:
    """Answer requests until the process is asked to end, then finish the requests in progress."""
    from waitress import wasyncore

    def turn() -> None:
        wasyncore.loop(timeout=_TURN_S, map=server._map, use_poll=_CAN_POLL, count=1)

    try:
        while not is_ending.is_set():
            turn()
        # New connections are refused at once, so that a proxy can use another process.
        wasyncore.dispatcher.close(server)
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline and any(map(_is_busy, list(server._map.values()))):
            turn()
    except (KeyboardInterrupt, SystemExit):
        pass
    server.task_dispatcher.shutdown()


def _is_busy(channel: Any) -> bool:
    """Return whether a connection has a request in progress or an unsent response."""
    return bool(getattr(channel, "requests", ())) or getattr(channel, "total_outbufs_len", 0) > 0


def _connections() -> int:
    """Return the largest number of open connections that the system allows for a process."""
    if not _CAN_POLL:
        return 400
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return _MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - _OWN_FILES
