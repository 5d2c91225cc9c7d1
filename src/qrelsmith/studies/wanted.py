"""The data files that a paper's artefacts look for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file: its name or a pattern of names, its format, and the results computed from it."""

    name: str
    form: str


@dataclass(frozen=True, slots=True)
class WantedFolder:
    """The folder of a data set.

    Attributes
    ----------
    name : str
        The name of the folder in the folder given by `--data`.
    about : str
        Description, as a sentence.
    files : tuple of WantedFile
        The files to look for.
    marks : tuple of str
        Files that identify the folder given by `--data` as this data set, regardless of its name.
    """

    name: str
    about: str
    files: tuple[WantedFile, ...]
    marks: tuple[str, ...] = ()
