"""The page of the files that `reproduce` looks for in the folder of data sets."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.studies.registry import Paper, StudyInputs

_ABOUT = (
    "`--data` names a folder that holds these folders, or one of them. A file may be packed"
    " (`.gz`). What is there is computed from; what is not is simulated, left out, or looked at in"
    " other data, and every claim says which."
)


def data_files_text(papers: Sequence[Paper], inputs: StudyInputs) -> str:
    """Return the files that `reproduce` looks for, and whether they exist, as Markdown."""
    lines = ["# Files that are looked for", "", _ABOUT]
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
