"""Starting the server of several campaigns."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.web.accounts.sessions import SessionStore
from qrelsmith.web.hub.registry import find_campaigns
from qrelsmith.web.serving.server import serve
from qrelsmith.web.serving.start import migrate_app

# A file of a new campaign; requests to campaigns are limited where they are passed on.
_LARGEST_UPLOAD = 1 << 30
# Most of them wait for the process of a campaign.
_THREADS_PER_THREAD = 4


def prepare_hub() -> list[str]:
    """Bring the server's database to this program's schema; return notes."""
    notes = migrate_app()
    SessionStore.clear_expired()
    return notes + find_campaigns()


def serve_hub(
    *, host: str, port: int, threads: int, proxy: str, ready: Callable[[int], None]
) -> None:
    """Serve all campaigns of the folder until the process is told to end."""
    serve(
        host=host,
        port=port,
        threads=_THREADS_PER_THREAD * threads,
        proxy=proxy,
        ready=ready,
        largest_body=_LARGEST_UPLOAD,
    )
