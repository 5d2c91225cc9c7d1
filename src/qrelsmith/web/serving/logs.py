"""The server's log: JSON, a line for each record; never a doc's text, a label, or a token."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import IO

# Whose messages are others' words.
_STRANGERS = {"django", "waitress"}
# Those of them whose first value is the reason ("Not Found"), and the path comes after it.
_REASON_FIRST = {"django.request", "django.security.csrf"}
_FIELDS = ("request_id", "method", "view", "status", "ms", "cpu_ms", "account", "token")


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without its newline."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        line |= {
            name: getattr(record, name)
            for name in _FIELDS
            if getattr(record, name, None) is not None
        }
        if record.exc_info and _is_ours_to_mend(record):
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _is_ours_to_mend(record: logging.LogRecord) -> bool:
    """Whether an exception is told.

    That of a scanner holds what it sent, that of a template without a name all that its page shows.
    """
    is_refusal = record.name.startswith("django.security")
    return record.levelno >= logging.ERROR and not is_refusal


def _message(record: logging.LogRecord) -> str:
    """Return the message; those of Django and its server omit paths and hosts.

    An invite of 0.1.0 has its secret in the path, and a path can hold whatever was pasted into it.
    """
    house = record.name.split(".")[0]
    if house not in _STRANGERS:
        return record.getMessage()
    if record.args and record.name in _REASON_FIRST and isinstance(record.args, tuple):
        return str(record.args[0])
    # As it was written, before anything was put in.
    return str(record.msg) if record.args else str(record.msg).partition(":")[0]


def log_to(stream: IO[str] | None = None, *, quiet: bool = False) -> None:
    """Send the logs of the app and its server to a stream, stderr by default; quiet: errors only.

    Whatever else is logged in this process has the same form.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (
        ("qrelsmith.web", logging.INFO),
        ("django", logging.WARNING),
        ("waitress", logging.WARNING),
        ("py.warnings", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.ERROR if quiet else level)
        logger.propagate = False
    # What has no handler of its own.
    logging.lastResort = handler
    handler.setLevel(logging.ERROR if quiet else logging.NOTSET)
    logging.captureWarnings(capture=True)
