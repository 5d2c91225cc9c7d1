"""Jobs that run a command of qrelsmith in a separate process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from django.db import close_old_connections

from qrelsmith.base.errors import InputError
from qrelsmith.web.jobs.runner import JobWork

_TURN_S = 0.2


def run_command(command: Sequence[str], work: JobWork, *, given: str | None = None) -> None:
    """Run a command to its end, or until the job is cancelled or returned to the queue.

    The command's output is read through a pipe, because on a full disk, the error could not be
    written to a file.

    Parameters
    ----------
    command : sequence of str
        The arguments of qrelsmith.
    work : JobWork
        The job.
    given : str, optional
        The command's standard input.

    Raises
    ------
    InputError
        If the exit status is not 0; the message contains the last line of the output.
    """
    close_old_connections()  # returned to the pool while the command runs
    words = [sys.executable, "-m", "qrelsmith", *command]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - this program; no shell reads the words
        words, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    ) as process:
        try:
            said = _output(process, work, given)
        finally:
            process.kill()
    if process.returncode:
        lines = said.strip().splitlines() or [f"exit status {process.returncode}"]
        raise InputError(lines[-1].removeprefix("qrelsmith: error: "))


def _output(process: subprocess.Popen[str], work: JobWork, unsent: str | None) -> str:
    """Return a process's output after the process has ended."""
    while True:
        work.step()
        try:
            return process.communicate(unsent, timeout=_TURN_S)[0]
        except subprocess.TimeoutExpired:
            unsent = None  # the first call keeps it
