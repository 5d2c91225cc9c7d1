"""The worker threads of a process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import DatabaseError, close_old_connections, connection

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.web.core.database import is_disk_full
from qrelsmith.web.jobs.queue import BEAT_S, beat, claim, end, release
from qrelsmith.web.models import Job

_LOG = logging.getLogger("qrelsmith.web.jobs")
# How often a process looks for jobs created by other processes.
_LOOK_S = 2.0
# One thread at a time looks for jobs, so that both share a connection to PostgreSQL.
_LOOKING = threading.Lock()


class UnwantedError(Exception):
    """A job that was cancelled, or is no longer held by this process."""


@dataclass(slots=True)
class JobWork:
    """A running job, as passed to the function that runs it.

    Attributes
    ----------
    number : int
        The job's number.
    options : mapping
        The options of the job.
    done, total : int
        Its progress.
    """

    number: int
    options: Mapping[str, Any]
    done: int = 0
    total: int = 0
    stopped: threading.Event = field(default_factory=threading.Event)

    def step(self, done: int = 0, total: int = 0) -> None:
        """Record the progress.

        Raises
        ------
        UnwantedError
            If the job was cancelled or is no longer held by this process.
        """
        if total:
            self.done, self.total = done, total
        if self.stopped.is_set():
            raise UnwantedError

    def confirm(self) -> None:
        """Check in the database, before a result is published, that the job is still wanted.

        Raises
        ------
        UnwantedError
            If the job was cancelled since its last heartbeat, or is no longer running.
        """
        running = Job.objects.filter(pk=self.number, state=Job.State.RUNNING, is_unwanted=False)
        if not running.exists():
            raise UnwantedError


@dataclass(frozen=True, slots=True)
class _Kind:
    """The function of a kind of jobs, which returns the result as text."""

    run: Callable[[JobWork], str]
    is_quick: bool


JobFunction = TypeVar("JobFunction", bound=Callable[[JobWork], str])
_KINDS: dict[str, _Kind] = {}


def background(kind: str, *, is_quick: bool = False) -> Callable[[JobFunction], JobFunction]:
    """Register the function of a kind of jobs; quick jobs do not wait for other jobs."""

    def register(run: JobFunction) -> JobFunction:
        _KINDS[kind] = _Kind(run, is_quick)
        return run

    return register


class Runner:
    """The worker threads of this process: one for quick jobs, one for other jobs.

    Parameters
    ----------
    stays : bool
        Whether the threads keep looking for jobs; otherwise they end when the queue is empty.
    """

    def __init__(self, *, stays: bool) -> None:
        self._stays = stays
        self._ending = threading.Event()
        self._wake = {is_quick: threading.Event() for is_quick in (True, False)}
        self._threads = [
            threading.Thread(target=self._run, args=(is_quick,), name="jobs", daemon=True)
            for is_quick in (True, False)
        ]
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Look for jobs immediately."""
        for event in self._wake.values():
            event.set()

    def close(self, patience_s: float = BEAT_S * 2) -> None:
        """Return jobs to the queue, and end."""
        self._ending.set()
        self.wake()
        for thread in self._threads:
            thread.join(patience_s)

    @property
    def is_alive(self) -> bool:
        """Whether a thread is looking for jobs."""
        return not self._ending.is_set() and all(thread.is_alive() for thread in self._threads)

    def _run(self, is_quick: bool) -> None:
        wake = self._wake[is_quick]
        try:
            while not self._ending.is_set():
                wake.clear()
                try:
                    with _LOOKING:
                        job = claim([name for name in _KINDS if _KINDS[name].is_quick == is_quick])
                        if job is None:
                            close_old_connections()  # returned to the pool while this thread waits
                    if job is not None:
                        self._work_on(job)
                    elif not self._stays:
                        return
                    else:
                        wake.wait(_LOOK_S)
                except DatabaseError:
                    _LOG.exception("the queue of jobs could not be read")
                    connection.close()
                    self._ending.wait(_LOOK_S)
        finally:
            connection.close()

    def _work_on(self, job: Job) -> None:
        """Run a job in a thread, and send heartbeats until it ends."""
        work = JobWork(job.pk, job.options)
        worker = threading.Thread(target=_carry_out, args=(job, work), name=job.kind, daemon=True)
        worker.start()
        while worker.is_alive():
            close_old_connections()
            worker.join(BEAT_S)
            if self._ending.is_set():
                work.stopped.set()
                release(job)
                return
            if worker.is_alive() and not beat(job, work.done, work.total):
                work.stopped.set()


def _carry_out(job: Job, work: JobWork) -> None:
    """Run a job; errors are logged and stored as its problem."""
    try:
        result, problem = _KINDS[job.kind].run(work), ""
    except UnwantedError:
        result, problem = "", "stopped"
    except Exception as error:  # noqa: BLE001 - whatever a job raises, the runner goes on
        _LOG.exception("the job %s of kind %s failed", job.pk, job.kind)
        is_told = isinstance(error, QrelsmithError)
        result, problem = "", str(error) if is_told else type(error).__name__
        if is_disk_full(error):
            problem = "the server's disk is full; free up space, then start it again"
    try:
        end(job, result=result, problem=problem)
    except DatabaseError:
        # This process or another process considers the job lost and starts it again.
        _LOG.exception("the end of the job %s could not be written", job.pk)
    finally:
        connection.close()


_RUNNERS: list[Runner] = []
_LOCK = threading.Lock()


def serve_jobs() -> Runner:
    """Start working on jobs while the process serves requests."""
    runner = Runner(stays=True)
    with _LOCK:
        _RUNNERS[:] = [runner]
    return runner


def is_served() -> bool:
    """Return whether this process works on jobs in the background."""
    return bool(_RUNNERS) and _RUNNERS[0].is_alive


def work_now() -> None:
    """Check the queue now; a process that serves no requests runs all jobs once."""
    with _LOCK:
        if is_served():
            _RUNNERS[0].wake()
        else:
            Runner(stays=False)
