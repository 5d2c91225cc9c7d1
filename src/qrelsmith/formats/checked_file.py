"""The content of one file, as shown by `check`: kind, format, counts and problems."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from qrelsmith.answers.answer_files import read_answers, unread_fields
from qrelsmith.answers.aspects import read_aspects
from qrelsmith.base.errors import InputError, InputWarning, MissingDependencyError
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.pools.pool_files import read_pools
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.collection.runs import Run, read_run, runs_of_file
from qrelsmith.collection.topics import read_topics
from qrelsmith.formats.file_kinds import FileKind, kind_of_file
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.pairs.preference_files import read_preferences

# Judgments without any doc that has two labels: agreement cannot be computed.
ONE_EACH = "judgments of one"
_READ_AS = ": read as "
Held = tuple[str, str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The content of one file.

    Attributes
    ----------
    file : str
        The file.
    kind : str
        qrels, judgments, runs, topics, documents, preferences, answers, aspects; empty if it is
        unknown.
    form : str
        The format, such as `trec` or `csv`.
    problems : tuple of str
        The problems, or the reason why the file cannot be read.
    holds : str
        The content, in numbers.
    is_readable : bool
        Whether the file can be read.
    topics : frozenset of str
        The topics of labels, runs, preferences, answers and aspects.
    """

    file: str
    kind: str = ""
    form: str = ""
    problems: tuple[str, ...] = ()
    holds: str = ""
    is_readable: bool = True
    topics: frozenset[str] = frozenset()


def check_file(file: str) -> FileCheck:
    """Detect the kind of a file from its content, and read it with the reader for that kind."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            file_kind = _kind(file)
            reader = _READERS.get(file_kind.kind)
            holds, more, topics = reader(file) if reader else ("", "", ())
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


def _kind(file: str) -> FileKind:
    if Path(file).name == SETTINGS:
        return FileKind("campaign", "toml")
    return kind_of_file(file)


def _qrels(file: str) -> Held:
    qrels = read_qrels_file(file)
    holds = f"{len(qrels.grade):,} judgments of {_number(qrels.topics, 'topic')}{_span(qrels)}"
    return holds, "", qrels.topics


def _judgments(file: str) -> Held:
    judgments = read_judgments(file)
    counts = Counter(zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True))
    kind = "" if max(counts.values(), default=0) > 1 else ONE_EACH
    aspects = judgments.aspect
    of = "aspects of answers to " if aspects is not None and all(aspects) else ""
    holds = f"{len(judgments):,} judgments of {of}{_number(judgments.topics, 'topic')}"
    holds += f" by {_number(judgments.assessors, 'assessor')}{_span(judgments)}"
    return holds, kind, judgments.topics


def _number(of: Sized, what: str) -> str:
    return f"{len(of):,} {what}{'' if len(of) == 1 else 's'}"


def _span(labels: Any) -> str:
    if not len(labels.grade):
        return ""
    low, high = float(labels.grade.min()), float(labels.grade.max())
    return f", grades {grade_text(low)}..{grade_text(high)}"


def _runs(file: str) -> Held:
    runs = [each if isinstance(each, Run) else read_run(each) for each in runs_of_file(file)]
    docs = sum(len(ranking) for run in runs for ranking in run.docs.values())
    topics = set(chain.from_iterable(run.topics for run in runs))
    return f"{docs:,} docs of {_number(topics, 'topic')} by {_number(runs, 'run')}", "", topics


def _topics(file: str) -> Held:
    return _number(read_topics(file), "topic"), "", ()


def _documents(file: str) -> Held:
    return f"{sum(1 for _ in located_documents(file)):,} docs", "", ()


def _pool(file: str) -> Held:
    pools = read_pools(file)
    docs = sum(map(len, pools.docs.values()))
    return (
        f"{docs:,} docs of {_number(pools.docs, 'topic')} in {pools.ordering} order",
        "",
        pools.docs,
    )


def _answers(file: str) -> Held:
    answers = read_answers(file)
    sentences = sum(len(each.sentences) for each in answers)
    citations = sum(1 for each in answers for _ in each.citations())
    empty = [f"{each.run} to {each.topic}" for each in answers if not each.text.strip()]
    if empty:
        _warn(file, f"{_number(empty, 'answer')} without text, such as that of {empty[0]}")
    holds = f"{_number(answers, 'answer')} to {_number(answers.topics, 'topic')}"
    holds += f" by {_number(answers.runs, 'run')}, {sentences:,} sentences, {citations:,} citations"
    if "nuggets" in unread_fields(file):
        try:
            holds += f"; also aspects: {_number(read_aspects(file), 'nugget')}"
        except InputError as error:
            _warn(file, f"the nuggets are not aspects: {error.problem}")
    return holds, "", answers.topics


def _aspects(file: str) -> Held:
    aspects = read_aspects(file)
    kinds = Counter(each.kind for each in aspects)
    lost = [each for each in aspects if each.parent and not aspects.find(each.topic, each.parent)]
    if lost:
        _warn(file, f"{_number(lost, 'aspect')} with an unknown parent, such as {lost[0].aspect!r}")
    topics = {each.topic for each in aspects if each.topic}
    counts = ", ".join(
        f"{number:,} {kind if number == 1 else _PLURALS[kind]}"
        for kind, number in sorted(kinds.items())
    )
    return f"{counts} of {_number(topics, 'topic') if topics else 'every topic'}", "", topics


def _warn(file: str, problem: str) -> None:
    warnings.warn(f"{file}: {problem}", InputWarning, stacklevel=2)


_PLURALS = {
    "nugget": "nuggets", "rubric": "rubrics", "criterion": "criteria", "subtopic": "subtopics",
}  # fmt: skip


def _campaign(file: str) -> Held:
    campaign = read_campaign(Path(file).parent)
    parts = _number(campaign.runs, "run"), _number(campaign.qrels, "qrels file")
    return f"a campaign: {', '.join(parts)}", "", ()


def _preferences(file: str) -> Held:
    answers = read_preferences(file)
    return f"{len(answers)} preferences of {_number(answers.topics, 'topic')}", "", answers.topics


_READERS: Mapping[str, Callable[[str], Held]] = {
    "qrels": _qrels, "judgments": _judgments, "runs": _runs, "topics": _topics,
    "documents": _documents, "preferences": _preferences, "pool": _pool, "answers": _answers,
    "aspects": _aspects, "campaign": _campaign,
}  # fmt: skip
