"""Replacement of the baseline's labels after a passed gate."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import UsageError
from qrelsmith.gates.gate_result import Gate
from qrelsmith.io.writing import replacing


def check_files(new: Any, baseline: Any) -> None:
    """Check that the new labels and the baseline are both files.

    Raises
    ------
    UsageError
        If the labels or the baseline are not a file.
    """
    if not (isinstance(new, str | PathLike) and Path(new).is_file()):
        raise UsageError(
            "NEW is not a file; expected a file, because --accept copies the new labels"
        )
    if not (isinstance(baseline, str | PathLike) and Path(baseline).is_file()):
        raise UsageError(
            "--baseline is not a file; expected a file, because --accept overwrites the baseline"
        )


def accept_labels(gate: Gate, new: Any, baseline: Any) -> str:
    """Copy the new labels over the baseline's file if every row passes, and return a note.

    Parameters
    ----------
    new, baseline : path
        The files.
    """
    if gate.verdict != "pass":
        return (
            f"the labels were not accepted, because the gate is {gate.verdict}; {baseline} is"
            " unchanged"
        )
    content = Path(new).read_bytes()  # readers know a compressed file by its content
    with replacing(baseline) as out:
        out.write(content)
    return f"the labels were accepted: {new} was copied to {baseline}"
