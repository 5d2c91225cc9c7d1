"""Jobs that run a command of qrelsmith in a separate process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from django.db import close_old_connections

from qrelsmith.base.errors import InputError
from qrelsmith.web.jobs.runner import JobWork

_TURN_S = 0.2


def run_command(command: Sequence[str], work: JobWork, *, log: Path, given: str = "") -> None:
    """Run a command to its end, or until the job is cancelled or returned to the queue.

    Parameters
    ----------
    command : sequence of str
        The arguments of qrelsmith.
    work : JobWork
        The job.
    log : Path
        The file of the command's output.
    given : str
        The command's standard input, at most 4 kB.

    Raises
    ------
    InputError
        If the exit status is not 0; the message contains the last line of the output.
    """
    close_old_connections()  # returned to the pool while the command runs
    with log.open("wb") as out:
        process = subprocess.Popen(  # noqa: S603 - this program; no shell reads the words
            [sys.executable, "-m", "qrelsmith", *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
        )
        try:
            if process.stdin is not None:
                with suppress(BrokenPipeError), process.stdin as pipe:
                    pipe.write(given.encode())
            while process.poll() is None:
                work.step()
                time.sleep(_TURN_S)
        finally:
            process.kill()
            process.wait()
    if process.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        said = lines[-1] if lines else f"exit status {process.returncode}"
        raise InputError(said.removeprefix("error: "))
