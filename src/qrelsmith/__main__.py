"""The command `qrelsmith`, also as `python -m qrelsmith`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line; on SIGTERM, leave no unfinished files and exit with status 143."""
    try:
        signal.signal(signal.SIGTERM, _end)
        from qrelsmith.cli import main

        main()
    except KeyboardInterrupt:  # during the imports
        sys.exit(130)


def _end(*_: object) -> None:
    if callable(handler := signal.getsignal(signal.SIGINT)) and (
        handler is not signal.default_int_handler
    ):
        signal.raise_signal(signal.SIGINT)  # asyncio's handler, which cancels its tasks first
    else:
        sys.exit(143)


if __name__ == "__main__":
    main()
