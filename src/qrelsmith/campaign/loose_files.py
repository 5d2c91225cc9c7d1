"""Qrels and runs that lie anywhere, as if they were a campaign's; there is no campaign.toml."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.campaign.campaign import Campaign


@dataclass(frozen=True)
class LooseFiles(Campaign):
    """Files in place of a campaign's folder, in which nothing is looked for.

    Attributes
    ----------
    qrels_files, run_files : tuple of path
        The files.
    """

    qrels_files: tuple[Path, ...] = ()
    run_files: tuple[Path, ...] = ()

    @property
    def qrels(self) -> tuple[Path, ...]:
        """The qrels that were named."""
        return self.qrels_files

    @property
    def runs(self) -> tuple[Path, ...]:
        """The runs that were named."""
        return self.run_files

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        return (*self.qrels_files, *self.run_files)

    @property
    def is_folder(self) -> bool:
        """Whether there is a folder with a campaign's files: there is none."""
        return False

    def _files_called(self, name: str) -> list[Path]:
        """No file is found by its name."""
        del name
        return []

    def _inside(self, name: str) -> tuple[Path, ...]:
        """No folder is looked into."""
        del name
        return ()
