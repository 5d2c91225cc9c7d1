"""The files of a campaign's folder, found by name on demand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.base.errors import InputError

SETTINGS, MANIFEST = "campaign.toml", "manifest.json"
# Files with any suffix, and folders whose files all belong to the campaign.
_SINGLE = (
    "topics", "assignments", "judgments", "preferences", "documents", "sample", "answers",
    "aspects",
)  # fmt: skip
_FOLDERS = ("runs", "pools", "qrels", "answers")
# The folder of the judging app's database and secrets.
APP_FOLDER = ".qrelsmith"
# Files that the app exports: its records, labels of each assessor and group, later rounds.
RECORDS_FOLDER = "app"
_EXPORTED = (RECORDS_FOLDER, "labels", "rejudging", MANIFEST)
# Files that other commands add: scores of the runs, and docs found while topics were written.
_BESIDE = ("evaluation.csv", "found.txt")


@dataclass(frozen=True)
class CampaignFolder:
    """A campaign's folder.

    Attributes
    ----------
    folder : path
        The path of the folder.
    """

    folder: Path

    @property
    def settings(self) -> Path:
        """The file `campaign.toml`."""
        return self.folder / SETTINGS

    @property
    def topics(self) -> Path | None:
        """The file `topics.*`, if there is one."""
        return self._single("topics")

    @property
    def documents(self) -> Path | None:
        """The file `documents.*` or the folder `documents`, if there is one."""
        return self._single("documents")

    @property
    def assignments(self) -> Path | None:
        """The file `assignments.*`, if there is one."""
        return self._single("assignments")

    @property
    def judgments(self) -> Path | None:
        """The file `judgments.*`, if there is one."""
        return self._single("judgments")

    @property
    def preferences(self) -> Path | None:
        """The file `preferences.*`, if there is one."""
        return self._single("preferences")

    @property
    def sample(self) -> Path | None:
        """The file `sample.*` of docs drawn for human judging, if there is one."""
        return self._single("sample")

    @property
    def answers(self) -> tuple[Path, ...]:
        """The file `answers.*`, or the files in `answers/`, sorted."""
        single = self._single("answers")
        return self._inside("answers") if single is None else (single,)

    @property
    def aspects(self) -> Path | None:
        """The file `aspects.*` of aspects by which answers are judged, if there is one."""
        return self._single("aspects")

    @property
    def runs(self) -> tuple[Path, ...]:
        """The files in `runs/`, sorted."""
        return self._inside("runs")

    @property
    def pools(self) -> tuple[Path, ...]:
        """The files in `pools/`, sorted."""
        return self._inside("pools")

    @property
    def qrels(self) -> tuple[Path, ...]:
        """The files in `qrels/`, sorted."""
        return self._inside("qrels")

    @property
    def files(self) -> tuple[Path, ...]:
        """The existing files: settings, labels, runs and other inputs of commands."""
        single = (
            self.settings, self.topics, self.judgments, self.preferences, self.sample, self.aspects,
        )  # fmt: skip
        there = (path for path in single if path is not None)
        return (*there, *self.qrels, *self.pools, *self.runs, *self.answers)

    @property
    def is_folder(self) -> bool:
        """Whether the campaign is a folder."""
        return True

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command-line arguments that name the campaign."""
        return (str(self.folder),)

    @property
    def placeholder(self) -> str:
        """The placeholder for the campaign's path in the commands of a report."""
        return "CAMPAIGN"

    @property
    def strangers(self) -> tuple[Path, ...]:
        """Files and folders that are not part of the campaign, including hidden ones, sorted."""
        own = {self.settings, *self.runs, *self.pools, *self.qrels, *self.answers}
        own |= {self.folder / name for name in (*_FOLDERS, APP_FOLDER, *_EXPORTED, *_BESIDE)}
        for name in _SINGLE:
            own.update(self._files_called(name))
        found = _entries(self.folder)
        for name in _FOLDERS:
            found += _entries(self.folder / name)
        return tuple(sorted(path for path in found if path not in own))

    def _single(self, name: str) -> Path | None:
        files = self._files_called(name)
        if len(files) > 1:
            raise InputError(
                f"found two files named {name}: {files[0].name} and {files[1].name}; expected one",
                path=self.folder,
            )
        return files[0] if files else None

    def _files_called(self, name: str) -> list[Path]:
        """Return the files named `name` with any suffix, and for documents also the folder."""
        return sorted(
            path
            for path in _entries(self.folder)
            if (path.is_file() and path.name.startswith(f"{name}."))
            or (name == "documents" and path.name == name and path.is_dir())
        )

    def _inside(self, name: str) -> tuple[Path, ...]:
        files = (path for path in _entries(self.folder / name) if path.is_file())
        return tuple(sorted(path for path in files if not path.name.startswith(".")))


def _entries(folder: Path) -> list[Path]:
    """Return the files and folders in a folder; empty if the folder does not exist."""
    return list(folder.iterdir()) if folder.is_dir() else []
