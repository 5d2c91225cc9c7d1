"""Encryption of stored keys with a secret of the server, stored outside campaign folders."""

from __future__ import annotations

import base64
import os
from pathlib import Path

from qrelsmith.base.errors import UsageError
from qrelsmith.web.project import current_instance
from qrelsmith.web.secret_file import SHORTEST, make_secret, read_secret

SECRET = "QRELSMITH_SECRET"  # noqa: S105 - the name of a variable
"""The environment variable with the server's secret"""
SECRET_FILE = f"{SECRET}_FILE"
"""The environment variable with the file of the server's secret, which is created if missing"""


def encrypt(text: str, purpose: str) -> bytes:
    """Encrypt a text; the purpose is needed again for decryption.

    Raises
    ------
    InputError
        If the secret's file cannot be read or created.
    UsageError
        If the secret is too short, or its file is in the campaign's folder.
    """
    from cryptography.fernet import Fernet

    secret = check_secret()
    if not secret:
        make_secret(_file())
        secret = read_secret(_file())
    return Fernet(_key(secret, purpose)).encrypt(text.encode())


def decrypt(token: bytes, purpose: str) -> str | None:
    """Decrypt a text; return None if it was encrypted with another secret or purpose.

    Raises
    ------
    InputError
        If the secret's file cannot be read.
    UsageError
        If the secret is too short, or its file is in the campaign's folder.
    """
    from cryptography.fernet import Fernet, InvalidToken

    secret = check_secret()
    if not secret and not _file().exists():
        return None
    try:
        return Fernet(_key(secret or read_secret(_file()), purpose)).decrypt(token).decode()
    except InvalidToken:
        return None


def check_secret() -> str:
    """Return the secret from the environment; empty if it is not set.

    Raises
    ------
    UsageError
        If the secret is too short.
    """
    secret = os.environ.get(SECRET, "").strip()
    if secret and len(secret) < SHORTEST:
        raise UsageError(f"{SECRET} is too short; expected at least {SHORTEST} random characters")
    return secret


def _key(secret: str, purpose: str) -> bytes:
    """Derive a key from the secret; keys of different purposes are independent."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    derived = HKDF(SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode())
    return base64.urlsafe_b64encode(derived)


def _file() -> Path:
    """Return the file of the secret, which must not be copied with the campaign."""
    states = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    path = Path(os.environ.get(SECRET_FILE) or Path(states, "qrelsmith", "secret.key"))
    if path.resolve().is_relative_to(current_instance().campaign.folder.resolve()):
        raise UsageError(
            f"the server's secret {path} is in the campaign's folder; set {SECRET_FILE} to a file"
            " elsewhere"
        )
    return path
