"""Drafts of campaigns in `FOLDER/.drafts/ID`: the uploads in `files/`, and a file per version.

The file of a version is never replaced: if two organisers save at once, the second save fails
because the number is taken. No lock is needed, and the versions show what changed since a page was
opened.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.web.setup.choices import DraftChoices, choices_of

DRAFTS = ".drafts"
_ID = re.compile("[0-9a-f]{12}")
_VERSION = re.compile(r"([0-9]{1,9})\.json")


class NoDraftError(Exception):
    """The draft does not exist: its campaign was started, or the draft was deleted."""


class StaleDraftError(Exception):
    """Another organiser has saved the draft since it was read; `current` is the latest version."""

    def __init__(self, current: Draft, fields: list[str]) -> None:
        super().__init__(f"version {current.version} by {current.by}: {', '.join(fields)}")
        self.current, self.fields = current, fields


@dataclass(frozen=True)
class Draft:
    """One version of a draft.

    Attributes
    ----------
    folder : Path
        Its folder.
    version : int
        The version number, from 1.
    choices : DraftChoices
        The choices.
    by : str
        Login of the account that saved it.
    at : float
        Time in seconds since 1970.
    people : tuple of str
        Logins of all accounts that have saved it.
    """

    folder: Path
    version: int
    choices: DraftChoices = field(repr=False)
    by: str
    at: float
    people: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The draft's name in addresses."""
        return self.folder.name

    @property
    def files(self) -> Path:
        """The folder of uploaded files."""
        return self.folder / "files"

    def save(self, choices: DraftChoices, *, by: str) -> Draft:
        """Save choices as the next version and return it; return `self` if nothing changed.

        Raises
        ------
        StaleDraftError
            If there is already a next version.
        NoDraftError
            If the draft no longer exists.
        InputError
            If the disk is full or the folder is read-only; the draft does not change then.
        """
        newest = read_draft(self.folder)
        if newest.version == self.version and choices == self.choices:
            return self
        people = tuple(dict.fromkeys((*self.people, by)))
        saved = Draft(self.folder, self.version + 1, choices, by, time.time(), people)
        if newest.version != self.version or not _write(saved):
            newest = read_draft(self.folder)
            raise StaleDraftError(newest, newest.choices.differences(self.choices))
        return saved

    def delete(self) -> None:
        """Delete the draft with its files, in one step."""
        gone = self.folder.with_name(f".{self.id}.{secrets.token_hex(4)}.gone")
        with suppress(FileNotFoundError):
            self.folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def create_draft(root: Path, choices: DraftChoices, *, by: str) -> Draft:
    """Create a draft of a campaign in a folder of campaigns.

    Raises
    ------
    InputError
        If the draft cannot be written.
    """
    folder = root / DRAFTS / secrets.token_hex(6)
    draft = Draft(folder, 1, choices, by, time.time(), (by,))
    try:
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        draft.files.mkdir(mode=0o700, parents=True)
    except OSError as error:
        raise _unwritable(error) from None
    try:
        _write(draft)
    except InputError:
        draft.delete()
        raise
    return draft


def open_draft(root: Path, name: str) -> Draft:
    """Return the latest version of a draft.

    Raises
    ------
    NoDraftError
        If there is no draft with this name.
    """
    if not _ID.fullmatch(name):
        raise NoDraftError(name)
    return read_draft(root / DRAFTS / name)


def all_drafts(root: Path) -> Iterator[Draft]:
    """Yield all drafts in a folder of campaigns, the latest first."""
    found = []
    for folder in (root / DRAFTS).glob("*"):
        if _ID.fullmatch(folder.name):
            with suppress(NoDraftError):
                found.append(read_draft(folder))
    yield from sorted(found, key=lambda each: -each.at)


def read_draft(folder: Path, version: int = 0) -> Draft:
    """Return a version of a draft, by default the latest.

    Raises
    ------
    NoDraftError
        If there is no such draft or version.
    """
    try:
        names = (_VERSION.fullmatch(each.name) for each in folder.iterdir())
        version = version or max((int(name[1]) for name in names if name), default=0)
        data = json.loads((folder / f"{version}.json").read_text(encoding="utf-8"))
    except OSError:
        raise NoDraftError(folder.name) from None
    choices = choices_of(data["choices"])
    return Draft(folder, version, choices, data["by"], data["at"], tuple(data["people"]))


def _write(draft: Draft) -> bool:
    """Write a version, completely or not at all; return False if its number is taken."""
    data: dict[str, object] = {"by": draft.by, "at": draft.at, "people": draft.people}
    data["choices"] = draft.choices.data()
    part = draft.folder / f".{secrets.token_hex(6)}.part"
    try:
        with part.open("x", encoding="utf-8") as out:
            json.dump(data, out, ensure_ascii=False, indent=1)
            out.flush()
            os.fsync(out.fileno())
        os.link(part, draft.folder / f"{draft.version}.json")
    except FileExistsError:
        return False
    except FileNotFoundError:
        raise NoDraftError(draft.id) from None
    except OSError as error:
        raise _unwritable(error) from None
    finally:
        with suppress(OSError):
            part.unlink()
    return True


def _unwritable(error: OSError) -> InputError:
    return InputError(f"the server cannot write: {error.strerror or error}")
