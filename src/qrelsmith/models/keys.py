"""Keys of endpoints: from the environment or a private file, and nowhere else."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.text import FilePath

VARIABLE = "OPENAI_API_KEY"
_SOUND = re.compile(r"[!-~]{1,4096}")


def read_key(*, variable: str = VARIABLE, file: FilePath | None = None) -> str:
    """Return the key of an endpoint; empty where there is none, as local servers want none.

    Parameters
    ----------
    variable : str
        The variable of the environment that holds it.
    file : path, optional
        A file with the key alone, which only its owner may read; it comes before the variable.

    Raises
    ------
    InputError
        If the file cannot be read, others may read it, or it holds no key.
    UsageError
        If the variable holds no key.
    """
    if file is None:
        key = os.environ.get(variable, "").strip()
        if key and not _SOUND.fullmatch(key):
            raise UsageError(f"the variable {quoted(variable)} contains spaces; expected a key")
        return key
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
    if not _SOUND.fullmatch(text):
        raise InputError("the file has no key; expected one word", path=file)
    return text
