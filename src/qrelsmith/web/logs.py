"""The server's log: JSON, a line for each record; never a doc's text, a label, or a token."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import IO

_FIELDS = ("request_id", "method", "view", "status", "ms", "cpu_ms", "account", "token")


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its newline."""
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
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    """The message; Django's hold paths, and an invite's path is a token."""
    if record.name == "django.request" and isinstance(record.args, tuple) and record.args:
        return str(record.args[0])
    return record.getMessage()


def log_to(stream: IO[str] | None = None) -> None:
    """Send the logs of the app and its server to a stream, stderr by default."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (
        ("qrelsmith.web", logging.INFO),
        ("django", logging.WARNING),
        ("waitress", logging.WARNING),
    ):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False
