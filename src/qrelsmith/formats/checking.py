"""The command `check`: content and problems of files, and a command that reads them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.options import Source
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign_folder import CampaignFolder
from qrelsmith.collection.documents import folder_form
from qrelsmith.formats.check_commands import commands_for
from qrelsmith.formats.checked_file import FileCheck, check_file
from qrelsmith.io.text import FilePath

# Suffixes of files in a folder that are not data: code, prose, pictures.
_OTHER_SUFFIXES = (
    ".css", ".html", ".ipynb", ".js", ".log", ".md", ".pdf", ".png", ".py", ".rst", ".sh", ".svg",
    ".tex", ".yaml", ".yml", ".zip",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckedFiles(Result):
    """The results of checking files.

    Attributes
    ----------
    files : tuple of FileCheck
        The content of each file, in the given order.
    commands : mapping of str to str
        A command for each file; unreadable files have none.
    """

    files: tuple[FileCheck, ...]
    commands: Mapping[str, str]

    def table(self) -> Table:
        """Return a row for each problem, and one for each file without problems."""
        rows = (
            (
                check.file,
                check.kind.partition(" ")[0],
                check.form,
                problem,
                self.commands.get(check.file, ""),
            )
            for check in self.files
            for problem in check.problems or ("",)
        )
        return Table.of(("file", "kind", "form", "problem", "command"), rows)

    def exit_status(self) -> int:
        """Return 2 if a file cannot be read, else 0."""
        return 0 if all(each.is_readable for each in self.files) else 2


def _take(words: Sequence[str], _: dict[str, Any]) -> Mapping[str, Any]:
    return {"files": list(words)}


@question(
    "check",
    heading="convert",
    everyday=True,
    no_audit="it checks loose files; the audit reads a campaign",
    example="qrelsmith check labels.csv bm25.run topics.jsonl",
)
def check_files(
    files: Annotated[
        FilePath | Sequence[FilePath],
        Source("Files, or folders whose files are all checked.", "FILE...", _take, required=True),
    ],
) -> CheckedFiles:
    r"""Report each file's kind, format and problems, and suggest a command that reads the file.

    Files are recognised by their content. The exit status is 2 if a file cannot be read.

    Raises
    ------
    InputError
        If a path does not exist.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "gold.csv"
    >>> _ = path.write_text("query_id,doc_id,rating\nq1,d1,2\n")
    >>> [(each.kind, each.form) for each in check_files(path).files]
    [('qrels', 'csv')]
    >>> folder.cleanup()
    """
    given = [files] if isinstance(files, str | PathLike) else list(files)
    checks = _compare_topics([check_file(file) for path in given for file in _files(Path(path))])
    notes = [f"{each.file}: {each.holds}" for each in checks if each.holds]
    return CheckedFiles(files=checks, commands=commands_for(checks), notes=tuple(notes))


def _compare_topics(checks: Sequence[FileCheck]) -> tuple[FileCheck, ...]:
    """Add the topics that have answers but no aspects, or aspects but no answers, to the checks."""
    topics = {
        kind: frozenset().union(*(each.topics for each in checks if each.kind == kind))
        for kind in ("answers", "aspects")
    }
    if not topics["answers"] or not topics["aspects"]:
        return tuple(checks)
    other = {"answers": "aspects", "aspects": "answers"}
    compared = []
    for check in checks:
        needed = other.get(check.kind, "")
        alone = check.topics - topics[needed] if needed else frozenset()
        odd = [f"{check.file}: {_missing(alone, needed)}"] if alone else []
        compared.append(replace(check, problems=(*check.problems, *odd)))
    return tuple(compared)


def _missing(topics: Set[str], of: str) -> str:
    """Return a note on topics without answers or without aspects."""
    count = "1 topic has" if len(topics) == 1 else f"{len(topics)} topics have"
    return f"{count} no {of}, such as {quoted(min(topics))}"


def _files(path: Path) -> Iterator[str]:
    """Yield a file, or all files in a folder and its subfolders; a folder of pages is one file.

    Raises
    ------
    InputError
        If the path does not exist, or the folder has no files.
    """
    if not os.path.lexists(path):
        raise InputError("no such file or folder", path=path)
    if not path.is_dir():
        yield str(path)
        return
    found = list(_in_folder(path))
    if not found:
        raise InputError("the folder has no files; expected at least one", path=path)
    yield from found


def _in_folder(folder: Path) -> Iterator[str]:
    campaign = CampaignFolder(folder)
    if campaign.settings.is_file():
        more = (campaign.documents, campaign.assignments)
        yield from map(str, filter(None, (*campaign.files, *more)))
        return
    inside = sorted(entry for entry in folder.iterdir() if entry.name[0] != ".")
    if folder_form(folder):
        yield str(folder)
        return
    for entry in inside:
        if entry.is_dir():
            yield from _in_folder(entry)
        elif entry.suffix.lower() not in _OTHER_SUFFIXES:
            yield str(entry)
