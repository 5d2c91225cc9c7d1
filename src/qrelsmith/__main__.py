"""The command `qrelsmith`, also as `python -m qrelsmith`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line; on SIGTERM, delete unfinished files and exit with status 143."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        from qrelsmith.cli import main

        main()
    except KeyboardInterrupt:  # during the imports
        sys.exit(130)


if __name__ == "__main__":
    main()
