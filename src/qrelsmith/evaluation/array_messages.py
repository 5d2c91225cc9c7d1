"""Names and numeric columns as bytes, for processes without shared memory."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import IO, Any

import numpy as np

from qrelsmith.base.arrays import AnyArray

_SIZE = struct.Struct("<q")


def write_message(pipe: IO[bytes], head: Mapping[str, Any], arrays: Sequence[AnyArray]) -> None:
    """Write names and numeric columns for `read_message`."""
    forms = [(array.dtype.str, array.size) for array in arrays]
    text = json.dumps([head, forms]).encode()
    pipe.write(_SIZE.pack(len(text)) + text + b"".join(array.tobytes() for array in arrays))
    pipe.flush()


def read_message(pipe: IO[bytes]) -> tuple[dict[str, Any], list[AnyArray]]:
    """Return the names and numeric columns that `write_message` wrote.

    Raises
    ------
    EOFError
        If the message is truncated.
    """
    head, forms = json.loads(_exactly(pipe, _SIZE.unpack(_exactly(pipe, _SIZE.size))[0]))
    arrays = [
        np.frombuffer(_exactly(pipe, np.dtype(form).itemsize * size), form) for form, size in forms
    ]
    return head, arrays


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    content = pipe.read(size)
    if len(content) < size:
        raise EOFError
    return content
