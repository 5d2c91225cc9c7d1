"""The join of large run files with qrels in several processes.

Two threads of one process are hardly 1.3 times as fast as one thread, but two processes are nearly
twice as fast as one process. For large inputs, further processes are therefore started, which begin
to help after a third of a second. A helper process returns a result only for regular input;
anything else is left to the main process, which issues the usual warnings and errors.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Thread
from typing import IO, TYPE_CHECKING, Any, cast

from qrelsmith.collection.judged import (
    JUDGED_COLUMNS,
    JudgedRun,
    judged_run,
    judged_section,
    merged_sections,
)
from qrelsmith.collection.judged_pairs import QREL_COLUMNS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_parts import OddSectionError, Span, sections_of
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.array_messages import read_message, write_message
from qrelsmith.io import sizes
from qrelsmith.io.text import FilePath, is_regular

if TYPE_CHECKING:
    import subprocess

_PROGRAM = "import sys; sys.path[:] = {path!r}; from {module} import answer; answer()"
# Errors that show that a process failed or sent an invalid answer.
_GONE = (OSError, EOFError, ValueError, LookupError, TypeError, MemoryError, OverflowError)


@dataclass(frozen=True, slots=True)
class _Task:
    """A section of a run."""

    place: int
    path: str
    span: Span


def judged_by_processes(
    runs: Sequence[Run | FilePath], qrels: Qrels, *, order: str, condensed: bool, jobs: int
) -> Iterator[JudgedRun] | None:
    """Return the runs joined with the qrels, or None if more processes would not save time."""
    files = [str(run) for run in runs if not isinstance(run, Run) and is_regular(run)]
    if len(files) < len(runs) or not sys.executable:
        return None
    bytes_of = [Path(file).stat().st_size for file in files]
    processes = min(jobs, sum(bytes_of) // sizes.PROCESS)
    if processes < 2:
        return None
    tasks = [
        _Task(place, file, span)
        for place, (file, size) in enumerate(zip(files, bytes_of, strict=True))
        for span in sections_of(file, 1 + 4 * processes * size // sum(bytes_of))
    ]
    if len(tasks) < 2:
        return None
    how = {"order": order, "condensed": condensed}
    return _Shared(tasks, files, qrels, how).runs(processes)


class _Shared:
    """Work shared by several processes, and the results so far."""

    def __init__(
        self, tasks: Sequence[_Task], files: Sequence[str], qrels: Qrels, how: Mapping[str, Any]
    ) -> None:
        self._files = files
        self._qrels = qrels
        self._how = how
        self._tasks = tasks
        self._waiting = deque(tasks)
        self._done: dict[_Task, JudgedRun | None] = {}
        self._arrived = Condition()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ended = False

    def runs(self, processes: int) -> Iterator[JudgedRun]:
        """Yield the judged runs in the order of the files."""
        for _ in range(processes - 1):
            Thread(target=self._help, daemon=True).start()
        try:
            for place, file in enumerate(self._files):
                own = [task for task in self._tasks if task.place == place]
                while not all(task in self._done for task in own):
                    self._step(own)
                sections = [self._done.pop(task) for task in own]
                found = [section for section in sections if section is not None]
                run = None
                if found and len(found) == len(sections):
                    run = merged_sections(found, Path(file).name)
                yield run or judged_run(file, self._qrels, **self._how)
        finally:
            self._ended = True
            self._waiting.clear()
            for process in self._processes:
                process.kill()

    def _step(self, own: Sequence[_Task]) -> None:
        """Join the next section, or wait for the process that is joining it."""
        with suppress(IndexError):
            task = self._waiting.popleft()
            self._done[task] = _section(task.path, task.span, self._qrels, self._how)
            return
        with self._arrived:
            self._arrived.wait_for(lambda: all(task in self._done for task in own))

    def _help(self) -> None:
        """Pass waiting sections to another process until no section is left."""
        import subprocess

        program = _PROGRAM.format(path=sys.path, module=__name__)
        with suppress(*_GONE):
            process = subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._processes.append(process)
            if self._ended:
                process.kill()
            with process:
                there, back = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
                names = {"topics": self._qrels.topics, "docs": self._qrels.docs, "how": self._how}
                write_message(there, names, [getattr(self._qrels, name) for name in QREL_COLUMNS])
                read_message(back)
                while True:
                    try:
                        task = self._waiting.popleft()
                    except IndexError:
                        return
                    self._ask(task, there, back)

    def _ask(self, task: _Task, there: IO[bytes], back: IO[bytes]) -> None:
        judged: JudgedRun | None = None
        try:
            write_message(there, {"path": task.path, "span": task.span}, [])
            head, arrays = read_message(back)
            if head["sound"]:
                columns = dict(zip(JUDGED_COLUMNS, arrays, strict=True))
                judged = JudgedRun(name=head["name"], others=tuple(head["others"]), **columns)
        finally:
            with self._arrived:
                self._done[task] = judged
                self._arrived.notify_all()


def _section(path: str, span: Span, qrels: Qrels, how: Mapping[str, Any]) -> JudgedRun | None:
    """Return a section joined with the qrels, or None if the section is irregular."""
    try:
        return judged_section(path, span, qrels, **how)
    except OddSectionError:
        return None


def answer() -> None:
    """Serve requests of the parent process until it stops sending them."""
    there, back = sys.stdin.buffer, sys.stdout.buffer
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        head, arrays = read_message(there)
        qrels = Qrels("", tuple(head["topics"]), tuple(head["docs"]), *arrays)
        write_message(back, {}, [])
        while True:
            task, _ = read_message(there)
            judged = _section(task["path"], tuple(task["span"]), qrels, head["how"])
            if judged is None:
                write_message(back, {"sound": False}, [])
                continue
            columns = [getattr(judged, name) for name in JUDGED_COLUMNS]
            write_message(
                back, {"sound": True, "name": judged.name, "others": judged.others}, columns
            )
