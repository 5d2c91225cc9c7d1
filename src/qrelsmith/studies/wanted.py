"""The data sets that a paper's artefacts look for, file by file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file: its name, or a pattern of names, and its form with what is computed from it."""

    name: str
    form: str


@dataclass(frozen=True, slots=True)
class WantedFolder:
    """The folder of a data set.

    Attributes
    ----------
    name : str
        What the folder is called in the one that `--data` names.
    about : str
        What it is, in a sentence.
    files : tuple of WantedFile
        The files that are looked for.
    marks : tuple of str
        Files by which `--data` is known to be this folder itself, whatever it is called.
    """

    name: str
    about: str
    files: tuple[WantedFile, ...]
    marks: tuple[str, ...] = ()
