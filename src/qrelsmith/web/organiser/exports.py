"""Exports as files to be downloaded: made by a job, kept until they are deleted.

An export appears under its name when it is finished, and is never changed afterwards.
"""

from __future__ import annotations

import re
import secrets
import shutil
import zipfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.jobs.queue import ask, unfinished_jobs
from qrelsmith.web.jobs.runner import JobWork, background, work_now
from qrelsmith.web.models import Job
from qrelsmith.web.project import current_instance

_NAME = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}\.zip")
_JOB = "export"
_PART = ".part"
# The same date in all archives: the records of one campaign make one archive.
_DATE = (1980, 1, 1, 0, 0, 0)
_MAKING = (Job.State.WAITING, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Export:
    """An export.

    Attributes
    ----------
    name : str
        The file's name.
    state : str
        `ready`, `making` or `failed`.
    at : datetime
        When it was asked for, or, of a ready one, finished.
    size : int
        Its bytes.
    job : Job or None
        The job that makes it, or could not.
    """

    name: str
    state: str
    at: datetime
    size: int = 0
    job: Job | None = None


def exports() -> list[Export]:
    """Return the exports that there are, the newest first."""
    by_name: dict[str, Export] = {}
    for job in Job.objects.filter(kind=_JOB, state__in=(*_MAKING, Job.State.FAILED)):
        state = "making" if job.state in _MAKING else "failed"
        name = job.options["name"]
        by_name[name] = Export(name, state, job.asked_at, job=job)
    for path in _folder().glob("*.zip"):
        # One that was deleted meanwhile is none.
        with suppress(OSError):
            if _NAME.fullmatch(path.name):
                facts = path.stat()
                at = datetime.fromtimestamp(facts.st_mtime, UTC)
                by_name[path.name] = Export(path.name, "ready", at, facts.st_size)
    return [by_name[name] for name in sorted(by_name, reverse=True)]


def start_export(wanted: WantedExport) -> str:
    """Have an export made; return its name.

    Raises
    ------
    RefusedError
        If another one is being made.
    """
    if unfinished_jobs(_JOB).exists():
        raise RefusedError(
            "stale", gettext("Another export is in progress; wait until it is finished.")
        )
    name = f"{timezone.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}.zip"
    ask(_JOB, {"name": name, **asdict(wanted)})
    work_now()
    return name


def export_path(name: str) -> Path | None:
    """Return the file of a ready export, None if there is none of that name."""
    path = _folder() / name
    return path if _NAME.fullmatch(name) and path.is_file() else None


def delete_export(name: str) -> bool:
    """Delete an export, ready or failed; return whether there was one."""
    found = next((each for each in exports() if each.name == name), None)
    if found is None or found.state == "making":
        return False
    if found.job is not None:
        found.job.delete()
    (_folder() / name).unlink(missing_ok=True)
    return True


def _folder() -> Path:
    return current_instance().folder / "exports"


@background(_JOB)
def _make(work: JobWork) -> str:
    """Write the folder of an export, pack it, and let it appear."""
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = dict(work.options)
    name = str(options.pop("name"))
    # What a process that was killed has left is in the way of none.
    for left in folder.glob(f".{name}*{_PART}"):
        shutil.rmtree(left, ignore_errors=True)
    part = folder / f".{name}-{secrets.token_hex(4)}{_PART}"
    part.mkdir()
    try:
        content, archive = part / "content", part / name
        export(current_instance().campaign, content, WantedExport(**options), step=work.step)
        _pack(content, archive, work)
        archive.replace(folder / name)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return name


def _pack(folder: Path, archive: Path, work: JobWork) -> None:
    """Pack a folder; the same files make the same bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for done, path in enumerate(files, start=1):
            work.step(done, len(files))
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date_time=_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as out:
                shutil.copyfileobj(source, out, 1 << 20)
