"""Loose qrels and runs as a campaign without a folder or campaign.toml."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.campaign.campaign import Campaign


@dataclass(frozen=True)
class LooseFiles(Campaign):
    """Files in place of a campaign's folder; no other files are used.

    Attributes
    ----------
    qrels_files, run_files : tuple of path
        The given files.
    """

    qrels_files: tuple[Path, ...] = ()
    run_files: tuple[Path, ...] = ()

    @property
    def qrels(self) -> tuple[Path, ...]:
        """The given qrels."""
        return self.qrels_files

    @property
    def runs(self) -> tuple[Path, ...]:
        """The given runs."""
        return self.run_files

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        return (*self.qrels_files, *self.run_files)

    @property
    def is_folder(self) -> bool:
        """Always false, because the campaign is not a folder."""
        return False

    @property
    def arguments(self) -> tuple[str, ...]:
        """The command-line arguments that name the files."""
        return (*(f"--qrels={path}" for path in self.qrels_files), *map(str, self.run_files))

    @property
    def placeholder(self) -> str:
        """The campaign folder that `init_command` creates from the files."""
        return "campaign"

    @property
    def init_command(self) -> tuple[str, ...]:
        """The command that creates a campaign folder from the files."""
        return (
            "qrelsmith", "init", self.placeholder,
            *(f"--qrels={path}" for path in _whole_folder(self.qrels_files)),
            *(f"--runs={path}" for path in _whole_folder(self.run_files)),
        )  # fmt: skip

    @property
    def strangers(self) -> tuple[Path, ...]:
        """Always empty, because no folder is searched."""
        return ()

    def _files_called(self, name: str) -> list[Path]:
        """Return no files."""
        del name
        return []

    def _inside(self, name: str) -> tuple[Path, ...]:
        """Return no files."""
        del name
        return ()


def _whole_folder(files: Sequence[Path]) -> Sequence[Path]:
    """Return the folder if the files are exactly its visible files, otherwise the files."""
    folders = {path.parent for path in files}
    if len(folders) == 1 and len(files) > 1:
        (folder,) = folders
        inside = {path for path in folder.iterdir() if path.is_file() and path.name[0] != "."}
        if inside == set(files):
            return [folder]
    return files
