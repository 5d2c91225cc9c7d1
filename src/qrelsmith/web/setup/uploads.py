"""Uploaded files of a draft: stored completely or not at all, within limits, and checked."""

from __future__ import annotations

import filecmp
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.formats.checked_file import FileCheck, check_file
from qrelsmith.io.table_reading import has_control
from qrelsmith.web.setup.drafts import Draft

# Supported kinds of files, with the part of the campaign that each becomes.
PARTS = {
    "runs": "runs", "topics": "topics", "documents": "documents", "qrels": "qrels",
    "judgments": "qrels", "judgments of one": "qrels",
}  # fmt: skip
_MB = 1 << 20
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum sizes in MB: of a file, of a campaign's files, of all files on the server.

    Each limit can be set with an environment variable: QRELSMITH_UPLOAD_FILE, …_CAMPAIGN, …_SERVER.
    """

    file: int = 1024
    campaign: int = 4096
    server: int = 20480


@dataclass(frozen=True, slots=True)
class Upload:
    """An uploaded file.

    Attributes
    ----------
    name : str
        Its name.
    size : int
        Size in bytes.
    check : FileCheck
        Format and contents.
    part : str
        The part of the campaign that the file becomes; empty: it cannot be used.
    problem : str
        Why the file cannot be used, in one sentence.
    remarks : tuple of str
        Unusual facts about the file.
    """

    name: str
    size: int
    check: FileCheck
    part: str
    problem: str = ""
    remarks: tuple[str, ...] = ()


class FullError(Exception):
    """A file cannot be stored; the text gives the reason."""


def limits() -> Limits:
    """Return the server's limits.

    Raises
    ------
    UsageError
        If a variable is not a whole number.
    """
    values = {}
    for space in fields(Limits):
        variable = f"QRELSMITH_UPLOAD_{space.name.upper()}"
        text = os.environ.get(variable, "")
        if text and not (text.isascii() and text.isdigit()):
            raise UsageError(f"{variable} is {quoted(text)}; expected a whole number of megabytes")
        if text:
            values[space.name] = int(text)
    return Limits(**values)


def keep_upload(draft: Draft, name: str, chunks: Iterable[bytes], most: Limits) -> str:
    """Store an uploaded file; return its name.

    Raises
    ------
    FullError
        If its name is invalid or taken, a limit is reached, or the disk is full. Existing files are
        kept.
    """
    name = PurePosixPath(name.replace("\\", "/")).name
    if not name or name[0] == "." or len(name) > _LONGEST_NAME or has_control(name):
        raise FullError(
            gettext("The file name %(name)s cannot be used. Rename the file.") % {"name": name[:80]}
        )
    spaces = [
        (most.file, 0, gettext("%(name)s is larger than the limit of %(most)s MB per file.")),
        (most.campaign, _size(draft.files), gettext(
            "With %(name)s, the files would exceed the limit of %(most)s MB per campaign.")),
        (most.server, _size(draft.folder.parents[1]), gettext(
            "With %(name)s, the uploaded files would exceed the server's limit of %(most)s MB. Ask"
            " the server's operator.")),
    ]  # fmt: skip
    part = draft.folder / f".{secrets.token_hex(6)}.part"
    size = 0
    try:
        with part.open("xb") as out:
            for chunk in chunks:
                size += len(chunk)
                for space, used, sentence in spaces:
                    if used + size > space * _MB:
                        raise FullError(sentence % {"name": name, "most": f"{space:,}"})
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
        os.link(part, draft.files / name)
    except FileExistsError:
        if filecmp.cmp(part, draft.files / name, shallow=False):
            return name
        raise FullError(
            gettext(
                "Another file is already called %(name)s. Remove the other file first, or rename"
                " your file."
            )
            % {"name": name}
        ) from None
    except OSError as error:
        raise FullError(
            gettext("%(name)s was not saved: the server cannot write the file (%(reason)s).")
            % {"name": name, "reason": error.strerror or error}
        ) from None
    finally:
        with suppress(OSError):
            part.unlink()
    return name


def remove_upload(draft: Draft, name: str) -> None:
    """Remove an uploaded file, if it still exists."""
    if name in {each.name for each in draft.files.iterdir()}:
        (draft.files / name).unlink(missing_ok=True)


def uploads(draft: Draft) -> list[Upload]:
    """Return the uploaded files by part and name; only one file of topics and of docs is used."""
    kept = sorted(
        map(_upload, sorted(draft.files.iterdir())),
        key=lambda file: (not file.part, list(PARTS.values()).index(file.part or "qrels")),
    )
    first: dict[str, str] = {}
    for place, file in enumerate(kept):
        taken = first.setdefault(file.part, file.name)
        if file.part in ("topics", "documents") and taken != file.name:
            what = gettext("topics") if file.part == "topics" else gettext("docs")
            problem = gettext(
                "There is already a file with %(what)s: %(first)s. Remove one of the two files."
            )
            kept[place] = Upload(
                file.name, file.size, file.check, "", problem % {"what": what, "first": taken}
            )
    return kept


def paths_of(draft: Draft) -> dict[str, list[Path]]:
    """Return the usable files, by the part of the campaign that they become."""
    parts: dict[str, list[Path]] = {part: [] for part in PARTS.values()}
    for each in uploads(draft):
        if each.part:
            parts[each.part].append(draft.files / each.name)
    return parts


def _upload(path: Path) -> Upload:
    size = path.stat().st_size
    check = _check(str(path), size, path.stat().st_mtime_ns)
    if not check.is_readable:
        problem = check.problems[0].replace(str(path), path.name)
        return Upload(path.name, size, check, "", problem)
    part = PARTS.get(check.kind, "")
    if not part:
        problem = gettext("This file contains %(kind)s. Expected runs, topics, docs or labels.")
        return Upload(path.name, size, check, "", problem % {"kind": check.kind})
    remarks = tuple(each.replace(str(path), path.name) for each in check.problems)
    return Upload(path.name, size, check, part, remarks=remarks)


@lru_cache(maxsize=2000)
def _check(path: str, _size: int, _changed: int) -> FileCheck:
    """Check a file; the result is cached until the file changes."""
    return check_file(path)


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())
