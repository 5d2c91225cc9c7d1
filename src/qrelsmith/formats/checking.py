"""The question `check`: what files hold, what is odd about them, and a command that reads them."""

from __future__ import annotations

import shlex
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from qrelsmith.base.errors import InputError, InputWarning, MissingDependencyError
from qrelsmith.base.options import Source
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.qrels import read_qrels_file, stem
from qrelsmith.collection.runs import Run, read_run, runs_of_file
from qrelsmith.collection.topics import read_topics
from qrelsmith.formats.file_kinds import kind_of_file
from qrelsmith.forms.reading import current_reading
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.run_options import run_words
from qrelsmith.pairs.preference_files import read_preferences

_READ_AS = ": read as "


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The content of one file.

    Attributes
    ----------
    file : str
        The file.
    kind : str
        qrels, judgments, runs, topics, documents or preferences; empty if it is unknown.
    form : str
        Its form, such as `trec` or `csv`.
    problems : tuple of str
        What is odd about it, or why it cannot be read.
    holds : str
        What it holds, in numbers.
    is_readable : bool
        Whether it can be read.
    topics : frozenset of str
        The topics of labels, runs and preferences.
    """

    file: str
    kind: str = ""
    form: str = ""
    problems: tuple[str, ...] = ()
    holds: str = ""
    is_readable: bool = True
    topics: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckedFiles(Result):
    """Files that were checked.

    Attributes
    ----------
    files : tuple of FileCheck
        What each holds, in the order in which they were named.
    commands : mapping of str to str
        A command that reads a file, by the file; none for a file that cannot be read.
    """

    files: tuple[FileCheck, ...]
    commands: Mapping[str, str]

    def table(self) -> Table:
        """Return a row for check problem, and one for a file without."""
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
    no_audit="it is asked of loose files; the audit reads a campaign",
    example="qrelsmith check labels.csv bm25.run topics.jsonl",
)
def check_files(
    files: Annotated[
        FilePath | Sequence[FilePath],
        Source("Files or folders of files.", "FILE...", _take, required=True),
    ],
) -> CheckedFiles:
    r"""Check files: kind, form, what is odd, and a command that reads them.

    The content of a file says what it is. Status 2 if a file cannot be read.

    Raises
    ------
    InputError
        If a path leads nowhere.

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
    checks = tuple(map(_check, run_words([str(each) for each in given])))
    notes = [f"{each.file}: {each.holds}" for each in checks if each.holds]
    return CheckedFiles(files=checks, commands=_commands(checks), notes=tuple(notes))


def _check(file: str) -> FileCheck:
    """Return the kind of a file by its content, and all in it by the reader of that kind."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            file_kind = kind_of_file(file)
            holds, more, topics = _READERS[file_kind.kind](file) if file_kind.kind else ("", "", ())
    except (InputError, MissingDependencyError) as error:
        return FileCheck(file, problems=(str(error),), is_readable=False)
    if not file_kind.kind:
        return FileCheck(file, problems=(f"{file}: {file_kind.reason}",), is_readable=False)
    said = dict.fromkeys(
        str(each.message) for each in caught if issubclass(each.category, InputWarning)
    )
    taken = [note.partition(_READ_AS)[2] for note in said if _READ_AS in note]
    problems = tuple(note for note in said if _READ_AS not in note)
    holds = "; ".join(filter(None, [holds, *(f"read as {each}" for each in taken[-1:])]))
    kind = more or file_kind.kind
    return FileCheck(file, kind, file_kind.form, problems, holds, topics=frozenset(topics))


Held = tuple[str, str, Iterable[str]]


def _qrels(file: str) -> Held:
    qrels = read_qrels_file(file)
    holds = f"{len(qrels.grade)} judgments of {len(qrels.topics)} topics{_span(qrels)}"
    return holds, "", qrels.topics


def _judgments(file: str) -> Held:
    judgments = read_judgments(file)
    counts = Counter(zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True))
    kind = "" if max(counts.values(), default=0) > 1 else _ONE_EACH
    holds = f"{len(judgments)} judgments of {len(judgments.topics)} topics"
    holds += f" by {len(judgments.assessors)} assessors{_span(judgments)}"
    return holds, kind, judgments.topics


def _span(labels: Any) -> str:
    if not len(labels.grade):
        return ""
    low, high = float(labels.grade.min()), float(labels.grade.max())
    return f", grades {grade_text(low)}..{grade_text(high)}"


def _runs(file: str) -> Held:
    runs = [each if isinstance(each, Run) else read_run(each) for each in runs_of_file(file)]
    docs = sum(len(ranking) for run in runs for ranking in run.docs.values())
    topics = set(chain.from_iterable(run.topics for run in runs))
    return f"{docs} docs of {len(topics)} topics by {len(runs)} runs", "", topics


def _topics(file: str) -> Held:
    return f"{len(read_topics(file))} topics", "", ()


def _documents(file: str) -> Held:
    return f"{sum(1 for _ in located_documents(file))} docs", "", ()


def _preferences(file: str) -> Held:
    answers = read_preferences(file)
    return f"{len(answers)} preferences of {len(answers.topics)} topics", "", answers.topics


# Judgments of which no doc has two: there is no agreement to compute.
_ONE_EACH = "judgments of one"
_READERS: Mapping[str, Callable[[str], Held]] = {
    "qrels": _qrels, "judgments": _judgments, "runs": _runs, "topics": _topics,
    "documents": _documents, "preferences": _preferences,
}  # fmt: skip


def _commands(checks: Sequence[FileCheck]) -> dict[str, str]:
    """A command for each readable file: with the others where they have topics in common."""
    readable = [each for each in checks if each.is_readable]
    return {
        each.file: shlex.join([*_words(each, readable), *_reading_words()]) for each in readable
    }


def _words(check: FileCheck, others: Sequence[FileCheck]) -> list[str]:
    def related_files(kind: str, of: FileCheck = check) -> list[FileCheck]:
        return [each for each in others if each.kind == kind and each.topics & of.topics]

    qrels = [check] if check.kind == "qrels" else related_files("qrels")
    if check.kind in ("qrels", "runs") and qrels and (runs := related_files("runs", qrels[0])):
        return ["qrelsmith", "evaluate", qrels[0].file, *(run.file for run in runs)]
    if check.kind == "judgments":
        return ["qrelsmith", "agree", check.file]
    if check.kind == "preferences":
        graded = [*related_files("judgments"), *qrels]
        if graded:
            return ["qrelsmith", "pdp", graded[0].file, "--preferences", check.file]
        return ["qrelsmith", "check", check.file]
    kind = check.kind.partition(" ")[0]
    suffix, form = f"{kind}.jsonl", "jsonl"
    if kind == "qrels" and check.form != "trec":
        suffix, form = "qrels", "trec"
    output = f"{stem(check.file)}.{suffix}"
    output = f"converted-{output}" if output == Path(check.file).name else output
    return ["qrelsmith", "convert", check.file, output, "--kind", kind, "--to", form]


def _reading_words() -> list[str]:
    """The options with which the user read the files."""
    said = current_reading()
    columns = ",".join(f"{role}={name}" for role, name in said.columns.items())
    words = ["--from", said.form] if said.form else []
    return [*words, "--columns", columns] if columns else words
