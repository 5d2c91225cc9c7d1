"""A random secret in a file that only its owner can read."""

from __future__ import annotations

import os
import secrets
import time
from pathlib import Path

from qrelsmith.base.errors import InputError

SHORTEST = 32
# If another process has just created the file, it may still be empty.
_TIMES, _PAUSE_S = 20, 0.05


def make_secret(path: Path) -> bool:
    """Create a secret and its folder; return False if it already exists.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as out:
            out.write(secrets.token_urlsafe(48) + "\n")
    except FileExistsError:
        return False
    except OSError as error:
        raise _fault(path, error) from None
    return True


def read_secret(path: Path) -> str:
    """Return an existing secret.

    Raises
    ------
    InputError
        If the file cannot be read, or its secret is too short.
    """
    try:
        for _ in range(_TIMES):
            secret = path.read_text(encoding="ascii").strip()
            if len(secret) >= SHORTEST:
                return secret
            time.sleep(_PAUSE_S)
    except (OSError, UnicodeDecodeError) as error:
        raise _fault(path, error) from None
    raise InputError("the app's secret is too short. Delete the file", path=path)


def _fault(path: Path, error: OSError | UnicodeDecodeError) -> InputError:
    reason = getattr(error, "strerror", None) or "it is not ASCII text"
    return InputError(f"the app's secret cannot be stored here: {reason}", path=path)
