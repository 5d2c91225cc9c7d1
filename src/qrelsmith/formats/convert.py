"""`convert`: translate a file to another format, and report what is lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.answers.answer_files import read_answers, unread_fields
from qrelsmith.answers.aspects import read_aspects
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.qrels import read_qrels_file
from qrelsmith.collection.runs import Run, read_run, runs_of_file
from qrelsmith.collection.topics import Topic, read_topics
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.registry import Content, Texts, resolve_kind
from qrelsmith.forms.reading import reading
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import labels_form, read_judgments

T = TypeVar("T", bound=Document | Topic)


def convert(
    source: FilePath,
    target: FilePath,
    *,
    kind: Kind,
    to: str,
    of: str | None = None,
    topics: FilePath | None = None,
    documents: FilePath | None = None,
) -> str:
    """Convert a file to another format.

    Parameters
    ----------
    source, target : path
        The file to read, and the file to write atomically.
    kind : {'qrels', 'runs', 'topics', 'documents', 'judgments', 'answers', 'aspects'}
        Kind of content. Qrels can be written as judgments by one assessor, and judgments by one
        assessor as qrels.
    to, of : str
        The format to write, from `FILE_FORMATS`; the format to read, by default detected.
    topics, documents : path, optional
        The topics or docs, for formats that have their texts in place of ids.

    Returns
    -------
    str
        Content that the target format does not support and that was left out; empty if none.

    Raises
    ------
    InputError
        If the file is malformed.
    UsageError
        If one of the formats does not support this kind, or the content.
    """
    source_kind, target_kind = kind, resolve_kind(to, kind)
    texts = Texts.of(
        read_topics(topics) if topics is not None else (),
        unique_records(located_documents(documents)) if documents is not None else (),
    )
    # Tasks may have no labels yet, but a file without any bytes is an error.
    if Path(source).is_file() and not Path(source).stat().st_size:
        raise InputError(f"the file is empty; expected {kind}", path=source)
    content = read_as(source, kind, of=of, texts=texts)
    lost = []
    if kind == "answers" and (unread := unread_fields(source)):
        lost.append(f"other fields: {', '.join(unread)}")
    if kind in ("qrels", "judgments"):
        content = _as_kind(content, source_kind, target_kind, source)
        if to in _WITHOUT_BLANKS and (names := without_blanks(content.topics)):
            content = replace(content, topics=tuple(names))
            lost.append(f"blanks in topics, which are replaced by _: {quoted(names[0])}, …")
    lost.append(FILE_FORMATS.get(to).entry.function().write(content, target, target_kind, texts))
    if (kind, target_kind) == ("judgments", "qrels"):
        lost.insert(0, "assessors and additional columns of judgments")
    said = "; ".join(filter(None, lost))
    return f"{to} cannot store {said}" if said else ""


# Formats whose fields are separated by blanks.
_WITHOUT_BLANKS = ("trec", "ntcir", "beir", "msmarco")


def without_blanks(topics: Sequence[str]) -> list[str]:
    """Return topics with `_` for blanks; an empty list if no topic changes or two become equal."""
    names = ["_".join(topic.split()) for topic in topics]
    return [] if names == list(topics) or len(set(names)) < len(names) else names


def read_as(
    path: FilePath, kind: Kind, *, of: str | None = None, texts: Texts | None = None
) -> Any:
    """Read the content of a file, as `convert` does."""
    with reading(of, words=(texts or Texts()).ids_of_words()):
        path = _inside(path, kind)
        if kind == "qrels":
            return read_qrels_file(path)
        if kind == "runs":
            found = runs_of_file(path)
            return tuple(run if isinstance(run, Run) else read_run(run) for run in found)
        if kind == "topics":
            return read_topics(path)
        if kind == "answers":
            return read_answers(path)
        if kind == "aspects":
            return read_aspects(path)
        if kind == "documents":
            return unique_records(located_documents(path))
        if labels_form(path) == "qrels":
            qrels = read_qrels_file(path)
            return Judgments.from_qrels({qrels.name: qrels})
        return read_judgments(path)


def _inside(path: FilePath, kind: Kind) -> FilePath:
    """Return the file of this kind in a BEIR folder; other paths are returned unchanged."""
    place = Path(path)
    if not place.is_dir() or kind not in _FILES:
        return path
    files = sorted(place.glob(_FILES[kind]))
    if not files and kind == "documents":
        return path  # a folder of pages
    if len(files) != 1:
        names = ", ".join(file.name for file in files) or "none"
        raise InputError(
            f"expected one file {_FILES[kind]} in the folder; found {names}. Name the file",
            path=path,
        )
    return files[0]


_FILES = {"topics": "queries.jsonl", "documents": "corpus.jsonl", "qrels": "qrels/*.tsv"}


def _as_kind(content: Content, source: Kind, target: Kind, path: FilePath) -> Content:
    if source == target:
        return content
    if target == "judgments":
        return Judgments.from_qrels({content.name: content})
    try:
        assessors = content.assessors
        return content.to_qrels(name=assessors[0] if len(assessors) == 1 else Path(path).stem)
    except UsageError as error:
        raise InputError(str(error), path=path) from None


def unique_records(located: Iterable[tuple[DocumentPlace, T]]) -> Iterator[T]:
    """Yield the docs or topics in order, and check that no id appears twice.

    Raises
    ------
    InputError
        At the first duplicate.
    """
    lines: dict[str, int | None] = {}
    for place, record in located:
        name = record.doc_id if isinstance(record, Document) else record.topic
        if name in lines:
            what = "doc" if isinstance(record, Document) else "topic"
            first = "" if lines[name] is None else f" (first on line {lines[name]})"
            raise place.fault(
                f"the {what} {quoted(name)} appears twice{first}; expected every {what} once"
            )
        lines[name] = place.line
        yield record
