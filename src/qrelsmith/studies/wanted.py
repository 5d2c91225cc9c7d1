"""The files of a paper's own data that `reproduce` looks for, and what it does with each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qrelsmith.studies.registry import Paper, StudyInputs

_ABOUT = (
    "`--data` names a folder that holds these folders, or one of them. A file may be packed"
    " (`.gz`). What is there is computed from; what is not is simulated, left out, or looked at in"
    " other data, and every claim says which."
)


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


Wanted = Callable[[], Sequence[WantedFolder]]
"""The folders that a paper's artefacts look for."""


def wanted_text(papers: Sequence[Paper], inputs: StudyInputs) -> str:
    """What is looked for, and what of it is there, as Markdown."""
    lines = [
        "# Files that are looked for",
        "",
        _ABOUT,
    ]
    for paper in papers:
        lines += ["", f"## {paper.title}"]
        for folder in paper.wanted:
            here = inputs.folder(folder.name, holds=folder.marks)
            lines += ["", f"### {folder.name}", "", folder.about, "", "| file | there | form |"]
            lines.append("| --- | --- | --- |")
            for file in folder.files:
                packed = f"{file.name}.gz"
                found = here is not None and any(
                    path.is_file() for name in (file.name, packed) for path in here.glob(name)
                )
                lines.append(f"| `{file.name}` | {'yes' if found else 'no'} | {file.form} |")
    return "\n".join(lines) + "\n"
