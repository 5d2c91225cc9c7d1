"""Topics: the queries or questions for which docs are judged."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Unpack

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.collection import frames
from qrelsmith.collection.topic_markup import is_trec_markup, trec_topics, xml_topics
from qrelsmith.forms.column_names import plain, topic_fields
from qrelsmith.forms.reading import ReadingOptions, current_reading, reading
from qrelsmith.forms.recognising import recognise, tell
from qrelsmith.io.given_values import describe, id_text, is_frame
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.table_reading import decoded_text, first_data_line, has_control
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text

_OURS = ("topic", "title", "description", "narrative", "creator")


@dataclass(frozen=True)
class Topic:
    """A topic as assessors see it.

    Attributes
    ----------
    topic : str
        The topic's id: any text without control characters.
    title : str
        A few words, as typed into a search box.
    description : str
        The question in a sentence.
    narrative : str
        Which docs are relevant, and to what degree.
    creator : str
        The assessor who wrote the topic.
    others : mapping of str to str
        All other fields, in the order of the file; fields without text are left out.
    """

    topic: str
    title: str = ""
    description: str = ""
    narrative: str = ""
    creator: str = ""
    others: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not self.topic or has_control(self.topic):
            raise UsageError(
                f"the topic is {quoted(self.topic)}; expected an id without control characters"
            )
        known = sorted(set(_OURS) & self.others.keys())
        if known:
            raise UsageError(
                f"an additional field of topic {quoted(self.topic)} has the reserved name "
                f"{known[0]}; expected another name"
            )


def read_topics(source: FilePath | Any, **how: Unpack[ReadingOptions]) -> tuple[Topic, ...]:
    """Read topics from a file, {topic: title}, {topic: {field: text}}, a data frame or rows.

    The content of a file determines the form: TREC's `<top>`, XML with an element for each topic,
    JSONL, or TSV. TSV has the columns topic and title (or other columns, if there is a header);
    quotes have no special meaning. A data frame has a column topic, qid or query_id, and a column
    title, text or query. Description, narrative, creator and further columns are optional. Rows are
    named tuples with these fields, as in `dataset.queries` of ir_datasets.

    Parameters
    ----------
    **how
        `form` and `columns`: the file's format and column names, if the content does not determine
        them.

    Raises
    ------
    InputError
        If a topic has no id or appears twice, a field appears twice, or the file has no topic.
    UsageError
        If an id in a mapping or a frame is not text, or the source is neither.

    Examples
    --------
    >>> read_topics({"t1": "sorting algorithms"})[0].title
    'sorting algorithms'
    """
    if how:
        with reading(**how):
            return read_topics(source)
    if not isinstance(source, str | PathLike):
        return _once_each(_fields_of_topics(source), "topics")
    return _once_each(_records(source), source)


def _once_each(found: Iterator[tuple[int, dict[str, str]]], path: FilePath) -> tuple[Topic, ...]:
    """Return the topics of records, each of which may appear only once."""
    topics: dict[str, Topic] = {}
    lines: dict[str, int] = {}
    for line, fields in found:
        topic = _topic(fields, line, path)
        if topic.topic in topics:
            raise InputError(
                f"the topic {quoted(topic.topic)} appears twice (first on line"
                f" {lines[topic.topic]}); expected every topic once",
                path=path,
                line=line,
            )
        topics[topic.topic] = topic
        lines[topic.topic] = line
    if not topics:
        raise InputError("the file has no topics; expected at least one", path=path)
    return tuple(topics.values())


def _records(path: FilePath) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the fields of each topic of a file, with the line number."""
    if not is_parquet(path):
        text = decoded_text(read_bytes(path), path=path)
        first = first_data_line(text)
        if first is None:
            raise InputError("the file is empty; expected topics", path=path)
        if first.lstrip().startswith("<"):
            is_trec = is_trec_markup(text[text.index(first) :])
            return trec_topics(text, path) if is_trec else xml_topics(text, path)
        if not first.lstrip().startswith(("{", "[")) and not is_topic_header(split_header(first)):
            return _from_tsv(text, path)
    return _from_table(path)


def _from_table(path: FilePath) -> Iterator[tuple[int, dict[str, str]]]:
    topics = recognise(path, "topics")
    if topics is None:
        raise InputError("no topic has an id and text; expected at least one", path=path)
    if any(role not in (name, plain(name)) for role, name in topics.taken.items()):
        tell(topics)
    columns = topics.table.columns
    for row, line in enumerate(topics.table.lines):
        yield line, {name: cells[row] for name, cells in columns.items() if cells[row]}


def _fields_of_topics(source: Any) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the fields of each topic of a mapping or a data frame, with the topic's number."""
    source = columns_of_rows(source)
    if is_frame(source):
        columns = frames.columns_of(source)
        for name, role in topic_fields(list(columns)).items():
            if role == "topic":
                frames.id_cells(columns[name], name)
        for row, cells in enumerate(zip(*columns.values(), strict=True), start=1):
            yield row, dict(zip(columns, map(frames.cell_text, cells), strict=True))
        return
    if not isinstance(source, Mapping):
        raise UsageError(
            "expected topics: a path, {topic: title}, {topic: {field: text}} or a data "
            f"frame; found {describe(source)}"
        )
    for row, (topic, fields) in enumerate(source.items(), start=1):
        named = fields if isinstance(fields, Mapping) else {"title": fields}
        texts = {str(name): frames.cell_text(text) for name, text in named.items()}
        yield row, {"topic": id_text(topic, "topic"), **texts}


def is_topic_header(cells: Sequence[str]) -> bool:
    """Return whether a table's first line is a header of topics, with an id as first column."""
    fields = topic_fields(cells, named=current_reading().columns)
    return len(cells) > 1 and fields.get(cells[0]) == "topic" and len(fields) > 1


def split_header(line: str) -> list[str]:
    """Return the cells of the first line of a table, separated by tabs, commas or semicolons."""
    delimiter = next((each for each in "\t,;" if each in line), "\t")
    return [cell.strip(' "') for cell in line.split(delimiter)]


def write_topics(topics: Iterable[Topic], path: FilePath) -> None:
    """Write topics as JSONL, sorted; the same topics always give the same bytes.

    Raises
    ------
    UsageError
        If a topic appears twice or contains text that is not Unicode.
    """
    write_text(path, topics_text(topics))


def topics_text(topics: Iterable[Topic]) -> str:
    """Return topics as `write_topics` writes them: no empty fields, additional fields sorted."""
    lines: dict[str, str] = {}
    for topic in topics:
        if topic.topic in lines:
            raise UsageError(f"the topic {quoted(topic.topic)} appears twice")
        fields = {name: getattr(topic, name) for name in _OURS} | dict(sorted(topic.others.items()))
        line = json_line({n: t for n, t in fields.items() if t or n in ("topic", "title")})
        try:
            line.encode("utf-8")
        except UnicodeEncodeError:
            raise UsageError(
                f"the topic {quoted(topic.topic)} contains an unpaired surrogate"
            ) from None
        lines[topic.topic] = line
    return "".join(lines[name] for name in sorted(lines))


def _topic(fields: Mapping[str, str], line: int, path: FilePath) -> Topic:
    """Return the topic of one record, with its known and its additional fields."""
    taken = topic_fields(list(fields))
    ours = {role: fields[name] for name, role in taken.items()}
    others = {name: text for name, text in fields.items() if text and name not in taken}
    try:
        return Topic(ours.pop("topic", ""), **ours, others=others)
    except UsageError as error:
        raise InputError(str(error), path=path, line=line) from None


def _from_tsv(text: str, path: FilePath) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield topics from lines without a header: id, tab, title; other tabs are read as spaces."""
    tabs = 0
    for line, row in enumerate(text.split("\n"), start=1):
        if row.startswith("#") or not row.strip(" \t"):
            continue
        if row.startswith("\ufeff"):
            raise InputError(
                f"a byte-order mark precedes {quoted(row[1:])}; expected it only at the"
                " start of the file",
                path=path,
                line=line,
            )
        topic, tab, title = row.partition("\t")
        if not tab:
            raise InputError(
                f"{quoted(row)} has no tab; expected a topic, a tab and its title, or a header",
                path=path,
                line=line,
            )
        tabs += "\t" in title
        yield line, {"topic": topic, "title": title.replace("\t", " ")}
    if tabs:
        warnings.warn(
            f"{path}: tabs inside titles were read as spaces; titles: {tabs}",
            InputWarning,
            stacklevel=2,
        )
