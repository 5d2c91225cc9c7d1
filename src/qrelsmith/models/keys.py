"""Keys of endpoints, which are read only from the environment or a private file."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.text import FilePath

VARIABLE = "OPENAI_API_KEY"
SOUND_KEY = re.compile(r"[!-~]{1,4096}")
"""Keys that an HTTP header can contain."""


def read_key(*, variable: str = VARIABLE, file: FilePath | None = None) -> str:
    """Read the key; return an empty string for an endpoint without a key, such as a local server.

    Parameters
    ----------
    variable : str
        The environment variable of the key.
    file : path, optional
        A file with only the key, readable only by its owner, or `-` for standard input; it
        overrides the variable.

    Raises
    ------
    InputError
        If the file cannot be read, is readable by other users, or does not contain a key.
    UsageError
        If the value of the variable is not a key.
    """
    if file is None:
        key = os.environ.get(variable, "").strip()
        if key and not SOUND_KEY.fullmatch(key):
            raise UsageError(f"the variable {quoted(variable)} contains spaces; expected a key")
        return key
    if str(file) == "-":
        text = sys.stdin.read().strip()
        if not SOUND_KEY.fullmatch(text):
            raise UsageError("standard input has no key; expected the key as one word")
        return text
    try:
        mode = Path(file).stat().st_mode
        text = Path(file).read_bytes().decode("utf-8", "replace").strip()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or 'error'}", path=file) from None
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(
            f"other users can read this key (mode {stat.S_IMODE(mode):o}); expected mode 600",
            path=file,
        )
    if not SOUND_KEY.fullmatch(text):
        raise InputError("the file has no key; expected the key as one word", path=file)
    return text
