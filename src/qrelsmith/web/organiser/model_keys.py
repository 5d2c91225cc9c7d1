"""Keys of endpoints: private files of the campaign's app or of the operator, never shown.

An organiser enters a key, or the operator puts it into a folder, in a file with the name of the
endpoint's host. A key of the operator is therefore sent to its own host only.
"""

from __future__ import annotations

import os
import secrets
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from django.utils.translation import gettext

from qrelsmith.models.keys import SOUND_KEY
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError

KEY_FOLDER = "QRELSMITH_KEY_FOLDER"
"""The environment variable with the folder of the operator's keys"""


def keep_key(endpoint: str, key: str) -> None:
    """Store the key of an endpoint in a file that only its owner can read, replacing any other.

    Raises
    ------
    ParameterError
        If the text is not a key, or the file cannot be written; an earlier key is kept.
    """
    if not SOUND_KEY.fullmatch(key):
        raise ParameterError(gettext("The key is empty or contains spaces."))
    path = _path(endpoint)
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(f"{key}\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = {"reason": error.strerror}
        raise ParameterError(gettext("The key was not saved: %(reason)s.") % reason) from None


def delete_key(endpoint: str) -> None:
    """Delete the key of an endpoint, if there is one."""
    _path(endpoint).unlink(missing_ok=True)


def key_file(endpoint: str) -> Path | None:
    """Return the file of an endpoint's key, the organiser's first, or None if there is no key."""
    path = _path(endpoint)
    return path if path.exists() else operators_key(endpoint)


def has_own_key(endpoint: str) -> bool:
    """Return whether an organiser has entered a key for an endpoint."""
    return _path(endpoint).exists()


def operators_key(endpoint: str) -> Path | None:
    """Return the operator's file with the key of an endpoint's host, or None."""
    folder, host = os.environ.get(KEY_FOLDER), urlsplit(endpoint).hostname
    path = Path(folder, host) if folder and host else None
    return path if path is not None and path.is_file() else None


def _path(endpoint: str) -> Path:
    return current_instance().folder / "keys" / sha256(endpoint.encode()).hexdigest()[:32]
