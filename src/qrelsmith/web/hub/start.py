"""Startup of the server of several campaigns."""

from __future__ import annotations

import threading
from collections.abc import Callable

from qrelsmith.web.accounts.sessions import SessionStore
from qrelsmith.web.core.alive import app_address
from qrelsmith.web.core.encryption import check_secret
from qrelsmith.web.hub.processes import PROCESSES
from qrelsmith.web.hub.registry import find_campaigns
from qrelsmith.web.serving.server import serve
from qrelsmith.web.serving.start import migrate_app

# Limit for a file of a new campaign. Forwarding limits requests to campaigns.
_LARGEST_UPLOAD = 1 << 30
# Most threads wait for a campaign's process.
_THREADS_PER_THREAD = 4


def prepare_hub() -> list[str]:
    """Migrate the server's database to the current schema, and return notes."""
    check_secret()
    notes = migrate_app()
    SessionStore.clear_expired()
    return notes + find_campaigns()


def serve_hub(
    *, host: str, port: int, threads: int, proxy: str, ready: Callable[[int], None], public_url: str
) -> None:
    """Serve all campaigns of the folder until the process is asked to end."""

    def begin(bound: int) -> None:
        ready(bound)
        PROCESSES.base = app_address()

    PROCESSES.public_url, PROCESSES.threads = public_url, threads
    threading.Thread(target=PROCESSES.end_idle, daemon=True).start()
    try:
        serve(
            host=host,
            port=port,
            threads=_THREADS_PER_THREAD * threads,
            proxy=proxy,
            ready=begin,
            largest_body=_LARGEST_UPLOAD,
        )
    finally:
        PROCESSES.close()
