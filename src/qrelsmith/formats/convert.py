"""`convert`: a file of one format written in another, and what was lost on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.topics import read_topics
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.located_records import unique_records
from qrelsmith.formats.registry import Content, Texts, resolve_kind
from qrelsmith.io.format_marks import Kind, format_of_file
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments


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
    """Write a file of one format in another.

    Parameters
    ----------
    source, target : path
        The file that is read, and the one that is written whole or not at all.
    kind : {'qrels', 'runs', 'topics', 'documents', 'judgments'}
        What it holds. Qrels can be written as judgments by one assessor, and judgments of one
        assessor as qrels.
    to, of : str
        The formats: of `FILE_FORMATS`. `of` is by default what the file looks like, else `trec`.
    topics, documents : path, optional
        Where a format holds the words of topics or docs in place of their ids, these.

    Returns
    -------
    str
        What the target cannot hold and was left out; empty if nothing was.

    Raises
    ------
    InputError
        If the file is not as it should be.
    UsageError
        If one of the formats does not hold this kind, or cannot hold what was read.
    """
    name = of or format_of_file(source, kind) or ("trec" if kind in _OF_TREC else "jsonl")
    source_kind, target_kind = resolve_kind(name, kind), resolve_kind(to, kind)
    texts = Texts.of(
        read_topics(topics) if topics is not None else (),
        unique_records(located_documents(documents)) if documents is not None else (),
    )
    # Tasks of which none is done yet hold no label; a file without a byte is a mistake.
    if Path(source).is_file() and not Path(source).stat().st_size:
        raise InputError(f"the file is empty; expected {kind}", path=source)
    content = _form(name).read(source, source_kind, texts)
    lost = _form(to).write(
        _as_kind(content, source_kind, target_kind, source), target, target_kind, texts
    )
    if (kind, target_kind) == ("judgments", "qrels"):
        lost = "; ".join(filter(None, ["who judged and what else is known of judgments", lost]))
    return f"{to} does not hold {lost}" if lost else ""


_OF_TREC = ("qrels", "runs")


def read_as(path: FilePath, kind: Kind, *, of: str, topics: FilePath | None = None) -> Any:
    """The content of a file, as `convert` reads it."""
    texts = Texts.of(read_topics(topics) if topics is not None else (), ())
    source_kind = resolve_kind(of, kind)
    return _as_kind(_form(of).read(path, source_kind, texts), source_kind, kind, path)


def _form(name: str) -> Any:
    return FILE_FORMATS.get(name).entry.function()


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
