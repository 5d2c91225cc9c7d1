"""The server's log: a line of JSON per record, without texts of docs, labels or tokens."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import IO

# Loggers whose messages may contain untrusted input.
_STRANGERS = {"django", "waitress"}
# Loggers whose messages have the reason ("Not Found") as the first value, followed by the path.
_REASON_FIRST = {"django.request", "django.security.csrf"}
_FIELDS = ("request_id", "method", "view", "status", "ms", "cpu_ms", "account", "token")


class JsonLines(logging.Formatter):
    """A formatter that writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line without a newline."""
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
    """Return whether the exception of a record is logged.

    A scanner's exception contains its input; a template error can contain the data of the page.
    """
    is_refusal = record.name.startswith("django.security")
    return record.levelno >= logging.ERROR and not is_refusal


def _message(record: logging.LogRecord) -> str:
    """Return the message, without the paths and hosts in messages of Django and its server.

    An invite of 0.1.0 has its secret in the path, and a path can contain any pasted text.
    """
    house = record.name.split(".")[0]
    if house not in _STRANGERS:
        return record.getMessage()
    if record.args and record.name in _REASON_FIRST and isinstance(record.args, tuple):
        return str(record.args[0])
    # The message template, before values are inserted.
    return str(record.msg) if record.args else str(record.msg).partition(":")[0]


def log_to(stream: IO[str] | None = None) -> None:
    """Send the logs of app and server to a stream, by default stderr.

    All other logs of this process have the same format.
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
        logger.setLevel(level)
        logger.propagate = False
    # For loggers without a handler.
    logging.lastResort = handler
    logging.captureWarnings(capture=True)
