"""Keys of endpoints, never shown: encrypted in the campaign's app, or in files of the operator.

An organiser enters a key, or the operator puts it into a folder, in a file with the name of the
endpoint's host. An operator's key is therefore sent only to the host in the name of its file.
"""

from __future__ import annotations

import os
import secrets
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from django.utils.translation import gettext

from qrelsmith.base.errors import InputError, QrelsmithError
from qrelsmith.models.keys import SOUND_KEY, read_key
from qrelsmith.web.core.encryption import check_secret, decrypt, encrypt
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError

KEY_FOLDER = "QRELSMITH_KEY_FOLDER"
"""The environment variable with the folder of the operator's keys"""
_ENCRYPTED = ".fernet"


def keep_key(endpoint: str, key: str) -> None:
    """Store the encrypted key of an endpoint, replacing any earlier key.

    Raises
    ------
    ParameterError
        If the text is not a key, or the file cannot be written; an earlier key is kept.
    """
    if not SOUND_KEY.fullmatch(key):
        raise ParameterError(gettext("The key is empty or contains spaces."))
    try:
        _write(_path(endpoint), key)
    except (OSError, QrelsmithError) as error:
        reason = {"reason": getattr(error, "strerror", None) or error}
        raise ParameterError(gettext("The key was not saved: %(reason)s.") % reason) from None


def delete_key(endpoint: str) -> None:
    """Delete the key of an endpoint, if there is one."""
    _path(endpoint).unlink(missing_ok=True)


def key_of(endpoint: str) -> str | None:
    """Return the key of an endpoint, or None; an organiser's key overrides the operator's.

    Raises
    ------
    InputError
        If the organiser's key cannot be decrypted, or the operator's file is not a private key.
    """
    if not has_own_key(endpoint):
        file = operators_key(endpoint)
        return None if file is None else read_key(file=file)
    key = _own_key(endpoint)
    if key is None:
        raise InputError(undecryptable(endpoint))
    return key


def undecryptable(endpoint: str) -> str:
    """Return the message for a key that cannot be decrypted."""
    message = gettext(
        "The key of %(endpoint)s cannot be decrypted, because the server's secret has changed."
        " Enter the key again."
    )
    return message % {"endpoint": endpoint}


def has_own_key(endpoint: str) -> bool:
    """Return whether an organiser has entered a key for an endpoint."""
    return _path(endpoint).exists()


def is_readable(endpoint: str) -> bool:
    """Return whether an organiser's key can be decrypted with the server's secret."""
    try:
        return _own_key(endpoint) is not None
    except (OSError, QrelsmithError):
        return False


def operators_key(endpoint: str) -> Path | None:
    """Return the operator's file with the key of an endpoint's host, or None."""
    folder, host = os.environ.get(KEY_FOLDER), urlsplit(endpoint).hostname
    path = Path(folder, host) if folder and host else None
    return path if path is not None and path.is_file() else None


def encrypt_earlier_keys() -> list[str]:
    """Encrypt keys that an earlier version stored in plain text; return notes.

    Raises
    ------
    UsageError
        If the server's secret is too short.
    """
    check_secret()
    plain = [path for path in _folder().glob("*") if path.suffix != _ENCRYPTED]
    earlier = [path for path in plain if not path.name.startswith(".")]
    try:
        for path in earlier:
            _write(path.with_suffix(_ENCRYPTED), path.read_text(encoding="utf-8").strip())
        for path in plain:
            path.unlink()
    except (OSError, QrelsmithError) as error:
        reason = getattr(error, "strerror", None) or error
        return [f"{_folder()}: keys of endpoints are not encrypted, and are not used: {reason}"]
    return [f"keys of endpoints that are now encrypted: {len(earlier)}"] if earlier else []


def _own_key(endpoint: str) -> str | None:
    path = _path(endpoint)
    return decrypt(path.read_bytes(), path.name)


def _write(path: Path, key: str) -> None:
    """Write an encrypted key, completely or not at all."""
    # The name of the file is the purpose, so that a key moved to another endpoint is not sent.
    token = encrypt(key, path.name)
    part = path.with_name(f".{secrets.token_hex(8)}{_ENCRYPTED}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(token)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _path(endpoint: str) -> Path:
    return _folder() / f"{sha256(endpoint.encode()).hexdigest()[:32]}{_ENCRYPTED}"


def _folder() -> Path:
    return current_instance().folder / "keys"
