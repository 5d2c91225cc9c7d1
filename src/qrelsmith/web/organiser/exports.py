"""Exports and audits: created by a job, kept until they are deleted.

An export gets its name when it is finished, and never changes afterwards.
"""

from __future__ import annotations

import re
import secrets
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.jobs.queue import UNFINISHED, ask_alone
from qrelsmith.web.jobs.runner import JobWork, background, work_now
from qrelsmith.web.models import Job
from qrelsmith.web.project import current_instance

_NAME = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}(\.zip)?")
EXPORT = "export"
# The folder of each kind of job, and the suffix of names in that folder.
_FOLDERS = {EXPORT: ("exports", ".zip"), "audit": ("audits", "")}
_IN_PROGRESS = {
    EXPORT: gettext_noop("Another export is in progress. Wait until the other export is finished."),
    "audit": gettext_noop("Another audit is in progress."),
}
_PART = ".part"
# The same date in all archives, so that equal records give equal archives.
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Export:
    """An export, or an audit.

    Attributes
    ----------
    name : str
        The file's name.
    state : str
        `ready`, `making` or `failed`.
    at : datetime
        When it was finished, or, if not ready, requested.
    size : int
        Its size in bytes; 0 for a folder.
    job : Job or None
        The job that creates it, or that failed.
    """

    name: str
    state: str
    at: datetime
    size: int = 0
    job: Job | None = None


def exports(kind: str = EXPORT) -> list[Export]:
    """Return the exports or audits, the newest first."""
    by_name: dict[str, Export] = {}
    for job in Job.objects.filter(kind=kind, state__in=(*UNFINISHED, Job.State.FAILED)):
        state = "making" if job.state in UNFINISHED else "failed"
        name = job.options["name"]
        by_name[name] = Export(name, state, job.asked_at, job=job)
    for path in _folder(kind).glob("*"):
        # An export deleted in the meantime is ignored.
        with suppress(OSError):
            # A file exists a moment before its job is finished.
            known = by_name.get(path.name)
            if _is_name(kind, path.name) and (known is None or known.state != "making"):
                facts = path.stat()
                at = datetime.fromtimestamp(facts.st_mtime, UTC)
                size = 0 if path.is_dir() else facts.st_size
                by_name[path.name] = Export(path.name, "ready", at, size)
    return [by_name[name] for name in sorted(by_name, reverse=True)]


def start(kind: str, options: Mapping[str, Any]) -> str:
    """Start a job that creates an export or audit, and return its name.

    Raises
    ------
    RefusedError
        If another job of its kind is in progress.
    """
    name = f"{timezone.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}{_FOLDERS[kind][1]}"
    if ask_alone(kind, {"name": name, **options}) is None:
        raise RefusedError("stale", gettext(_IN_PROGRESS[kind]))
    work_now()
    return name


def export_path(name: str, kind: str = EXPORT) -> Path | None:
    """Return the file of a ready export, or the folder of an audit; None if it does not exist."""
    path = _folder(kind) / name
    return path if _is_name(kind, name) and path.exists() else None


def delete_export(name: str, kind: str = EXPORT) -> bool:
    """Delete an export or audit, ready or failed, and return whether it existed."""
    found = next((each for each in exports(kind) if each.name == name), None)
    if found is None or found.state == "making":
        return False
    if found.job is not None:
        found.job.delete()
    path = _folder(kind) / name
    if path.is_dir():
        # The export disappears at once; its files are deleted afterwards.
        shutil.rmtree(path.rename(path.with_name(f".{name}{_PART}")), ignore_errors=True)
    path.unlink(missing_ok=True)
    return True


@contextmanager
def making(work: JobWork, kind: str) -> Iterator[tuple[Path, Path]]:
    """Yield a working folder for a job, and the final path of its result."""
    folder = _folder(kind)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = str(work.options["name"])
    # Remove leftovers of a killed process.
    for left in folder.glob(f".{name}*{_PART}"):
        shutil.rmtree(left, ignore_errors=True)
    part = folder / f".{name}-{secrets.token_hex(4)}{_PART}"
    part.mkdir()
    try:
        yield part, folder / name
    finally:
        shutil.rmtree(part, ignore_errors=True)


def publish(work: JobWork, made: Path, target: Path) -> None:
    """Give a finished result its final path, unless its job was cancelled."""
    work.confirm()
    made.replace(target)


def _is_name(kind: str, name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and name.endswith(".zip") == (kind == EXPORT)


def _folder(kind: str) -> Path:
    return current_instance().folder / _FOLDERS[kind][0]


@background(EXPORT)
def _make(work: JobWork) -> str:
    """Write the folder of an export, pack it, and publish the archive."""
    options = {name: value for name, value in work.options.items() if name != "name"}
    with making(work, EXPORT) as (part, target):
        content, archive = part / "content", part / target.name
        export(current_instance().campaign, content, WantedExport(**options), step=work.step)
        _pack(content, archive, work)
        publish(work, archive, target)
    return target.name


def _pack(folder: Path, archive: Path, work: JobWork) -> None:
    """Pack a folder; the same files give the same bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for done, path in enumerate(files, start=1):
            work.step(done, len(files))
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date_time=_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as out:
                shutil.copyfileobj(source, out, 1 << 20)
