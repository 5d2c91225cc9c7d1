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

from qrelsmith.base.errors import UsageError
from qrelsmith.web.jobs.runner import serve_jobs

THREADS = 8
# Addresses that stand for all of a machine.
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
_PROXY_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}
# A doc that was pasted into a note at most; uploads there are none.
_LARGEST_BODY = 2 << 20
# Connections that say nothing cost a file and some kilobytes each; with waitress' own hundred, as
# many slow clients shut all others out.
_MOST_CONNECTIONS = 4000
_OWN_FILES = 100
_CAN_POLL = hasattr(select, "poll")
_TURN_S = 0.5
# After each query a thread waits until another one gives way; Python's own 5 ms, a dozen times a
# request, are more than the request takes.
_TURN_OF_A_THREAD_S = 0.0005
# How long requests may go on after SIGTERM.
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
    """Serve the app until the process is told to end.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    threads : int
        How many requests are worked on at a time.
    proxy : str
        The address of a proxy whose word on clients and protocol is taken; empty: nobody's.
    ready : callable
        Called with the port once requests are answered.
    largest_body : int
        How many bytes the body of a request may have.

    Raises
    ------
    UsageError
        If nobody can listen there.
    """
    import waitress

    trust: dict[str, object] = {"clear_untrusted_proxy_headers": True}
    if proxy:
        trust |= {"trusted_proxy": proxy, "trusted_proxy_headers": _PROXY_HEADERS}
    if host not in EVERYWHERE:
        # Who listens there by name may be asked for by that name.
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
    # The addresses name all views, and with them what jobs there are.
    import_module(settings.ROOT_URLCONF)
    jobs = serve_jobs()
    try:
        ready(int(server.effective_port))
        _run(server, is_ending)
    finally:
        if previous is not None:
            signal.signal(signal.SIGTERM, previous)
        jobs.close()
        server.close()


def _on_terminate(end: Callable[[], None]) -> Any:
    """Have SIGTERM call a function; what it did before, None where no signal can be had."""
    if threading.current_thread() is not threading.main_thread():
        return None
    return signal.signal(signal.SIGTERM, lambda *_: end())


def _run(server: Any, is_ending: threading.Event) -> None:
    """Answer requests until the process is told to end; then those that are there already."""
    from waitress import wasyncore

    def turn() -> None:
        wasyncore.loop(timeout=_TURN_S, map=server._map, use_poll=_CAN_POLL, count=1)

    try:
        while not is_ending.is_set():
            turn()
        # Who asks now is refused at once, and a proxy may ask another process.
        wasyncore.dispatcher.close(server)
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline and any(map(_is_busy, list(server._map.values()))):
            turn()
    except (KeyboardInterrupt, SystemExit):
        pass
    server.task_dispatcher.shutdown()


def _is_busy(channel: Any) -> bool:
    """Whether a connection has a request that is worked on, or an answer that is not yet sent."""
    return bool(getattr(channel, "requests", ())) or getattr(channel, "total_outbufs_len", 0) > 0


def _connections() -> int:
    """How many connections may be open at a time: as many as the system lets a process have."""
    if not _CAN_POLL:
        return 400
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_CONNECTIONS + _OWN_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return _MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - _OWN_FILES
