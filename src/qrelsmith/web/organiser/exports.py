"""Exports as files to be downloaded: made beside the requests, kept until they are deleted.

An export appears under its name when it is finished, and is never changed afterwards.
"""

from __future__ import annotations

import logging
import re
import secrets
import shutil
import threading
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.exporting.folder import WantedExport, export
from qrelsmith.web.project import current_instance

_LOG = logging.getLogger("qrelsmith.web.exports")
_NAME = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}\.zip")
_PART, _FAILED = ".part", ".failed"
# The same date in all archives: the records of one campaign make one archive.
_DATE = (1980, 1, 1, 0, 0, 0)
# What has not grown for so long was interrupted, with the server.
_PATIENCE = timedelta(minutes=10)


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
    """

    name: str
    state: str
    at: datetime
    size: int


def exports() -> list[Export]:
    """The exports that there are, the newest first."""
    folder = _folder()
    by_name: dict[str, Export] = {}
    for path in folder.iterdir() if folder.is_dir() else ():
        name = path.name.removeprefix(".").removesuffix(_PART).removesuffix(_FAILED)
        if _NAME.fullmatch(name) is None:
            continue
        at = _changed_at(path)
        state = "ready"
        if path.name != name:
            is_making = path.name.endswith(_PART) and timezone.now() - at < _PATIENCE
            state = "making" if is_making else "failed"
        # What is left of a finished one's work is about to be taken away.
        if name not in by_name or state == "ready":
            by_name[name] = Export(name, state, at, _size(path))
    return [by_name[name] for name in sorted(by_name, reverse=True)]


def start_export(wanted: WantedExport) -> str:
    """Begin to make an export; its name.

    Raises
    ------
    RefusedError
        If another one is being made.
    """
    if any(each.state == "making" for each in exports()):
        raise RefusedError(
            "stale", gettext("Another export is in progress; wait until it is finished.")
        )
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"{timezone.now():%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}.zip"
    part = folder / f".{name}{_PART}"
    part.mkdir()
    campaign = current_instance().campaign
    thread = threading.Thread(target=_make, args=(campaign, name, wanted), name=f"export {name}")
    thread.start()
    return name


def export_path(name: str) -> Path | None:
    """The file of a ready export, None if there is none of that name."""
    path = _folder() / name
    return path if _NAME.fullmatch(name) and path.is_file() else None


def delete_export(name: str) -> bool:
    """Delete an export, ready or failed; whether there was one."""
    deletable = [each for each in exports() if each.name == name and each.state != "making"]
    for path in (_folder() / name, *(_folder() / f".{name}{end}" for end in (_PART, _FAILED))):
        if not deletable:
            break
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return bool(deletable)


def _folder() -> Path:
    return current_instance().folder / "exports"


def _size(path: Path) -> int:
    """The bytes of a file; 0 if it has just gone."""
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _changed_at(path: Path) -> datetime:
    """When a file, or anything inside a folder, was last written; now, if it has just gone."""
    times = []
    # Files and folders come and go while an export is made.
    with suppress(OSError):
        times.append(path.stat().st_mtime)
        for each in path.rglob("*"):
            times.append(each.stat().st_mtime)  # noqa: PERF401 - what was seen counts
    return datetime.fromtimestamp(max(times), UTC) if times else timezone.now()


def _make(campaign: Campaign, name: str, wanted: WantedExport) -> None:
    """Write the folder, pack it, and let it appear; whatever goes wrong is in the log."""
    folder = _folder()
    part = folder / f".{name}{_PART}"
    try:
        content = part / "content"
        export(campaign, content, wanted)
        archive = part / name
        _pack(content, archive)
        shutil.rmtree(content)
        archive.replace(folder / name)
        part.rmdir()
    except (QrelsmithError, OSError, DatabaseError):
        _LOG.exception("an export failed")
        shutil.rmtree(part / "content", ignore_errors=True)
        with suppress(OSError):
            part.rename(folder / f".{name}{_FAILED}")
    finally:
        connection.close()


def _pack(folder: Path, archive: Path) -> None:
    """Pack a folder; the same files make the same bytes."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), date_time=_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as out:
                    shutil.copyfileobj(source, out, 1 << 20)
