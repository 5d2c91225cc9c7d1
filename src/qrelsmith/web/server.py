"""The web server."""

from __future__ import annotations

from collections.abc import Callable

from django.core.handlers.wsgi import WSGIHandler

THREADS = 8
# A doc that was pasted into a note at most; uploads there are none.
_LARGEST_BODY = 2 << 20


def serve(
    *, host: str, port: int, threads: int = THREADS, ready: Callable[[int], None] = lambda _: None
) -> None:
    """Serve the app until the process is told to end.

    Parameters
    ----------
    host, port
        Where to listen; port 0 takes a free one.
    threads : int
        How many requests are worked on at a time.
    ready : callable
        Called with the port once requests are answered.
    """
    import waitress

    server = waitress.create_server(
        WSGIHandler(),
        host=host,
        port=port,
        threads=threads,
        ident=None,
        clear_untrusted_proxy_headers=True,
        max_request_body_size=_LARGEST_BODY,
        channel_timeout=60,
    )
    try:
        ready(server.effective_port)
        server.run()
    finally:
        server.close()
