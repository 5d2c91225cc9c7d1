"""The web server."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler

from qrelsmith.base.errors import UsageError

THREADS = 8
# Addresses that stand for all of a machine.
EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
_PROXY_HEADERS = {"x-forwarded-for", "x-forwarded-proto"}
# A doc that was pasted into a note at most; uploads there are none.
_LARGEST_BODY = 2 << 20


def serve(
    *,
    host: str,
    port: int,
    threads: int = THREADS,
    proxy: str = "",
    ready: Callable[[int], None] = lambda _: None,
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
            max_request_body_size=_LARGEST_BODY,
            channel_timeout=60,
            **trust,
        )
    except OSError as error:
        raise UsageError(f"cannot listen at {host}:{port}: {error.strerror or error}") from None
    try:
        ready(server.effective_port)
        server.run()
    finally:
        server.close()
