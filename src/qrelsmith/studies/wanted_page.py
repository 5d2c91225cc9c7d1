"""The page of the files that `reproduce` looks for in the folder of data sets."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.studies.registry import Paper, StudyInputs

_ABOUT = (
    "`--data` takes a folder that contains these folders, or one of these folders. Files can be"
    " compressed (`.gz`). If a file is missing, its artefacts are simulated, omitted or computed"
    " from other data; every claim names the kind of data."
)


def data_files_text(papers: Sequence[Paper], inputs: StudyInputs) -> str:
    """Return the files that `reproduce` looks for, and whether they exist, as Markdown."""
    lines = ["# Files that are used if available", "", _ABOUT]
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
