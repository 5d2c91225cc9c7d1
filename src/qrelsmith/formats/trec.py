"""TREC's and NTCIR's own files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.collection.run_writing import run_text
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topic_markup import trec_topics, xml_topics
from qrelsmith.collection.topics import Topic
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.forms.column_names import topic_fields
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text

Fields = Mapping[str, str]
_KINDS = ("qrels", "runs", "topics")
_MARKS = {
    "topic": "<num> Number: ",
    "title": "<title> ",
    "description": "<desc> Description:\n",
    "narrative": "<narr> Narrative:\n",
}


@FILE_FORMATS.add("trec", kinds=_KINDS, about="https://github.com/usnistgov/trec_eval")
class Trec:
    """`topic 0 docno grade`, `topic Q0 docno rank score tag`, topics as `<top>`."""

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Write the content; topics lose their creator and additional fields."""
        if kind == "qrels":
            write_qrels(content, path)
            return ""
        if kind == "runs":
            write_text(path, run_text(one_run(content), path=path))
            return ""
        topics = sorted(content, key=lambda topic: topic.topic)
        text, changed = topics_read_back(topics, _trec_fields, _markup, trec_topics)
        write_text(path, text)
        return "; ".join(filter(None, [lost_fields(content, "creator"), changed]))


@FILE_FORMATS.add(
    "ntcir", kinds=_KINDS, about="http://research.nii.ac.jp/ntcir/tools/ntcireval-en.html"
)
class Ntcir(Trec):
    """`topic docno L2`, runs after a `<SYSDESC>` line, topics in XML."""

    def write(self, content: Content, path: FilePath, kind: Kind, _: Texts) -> str:
        """Write the content; only topics lose blanks and line ends."""
        if kind == "qrels":
            write_qrels(content, path, form="ntcir")
        elif kind == "runs":
            run = one_run(content)
            head = f"<SYSDESC>{run.name}</SYSDESC>\n"
            write_text(path, head + run_text(run, path=path))
        else:
            topics = sorted(content, key=lambda topic: topic.topic)
            text, changed = topics_read_back(topics, _all_fields, _xml, _read_xml)
            write_text(path, f"<queries>\n{text}</queries>\n")
            return changed
        return ""


def one_run(runs: Iterable[Run]) -> Run:
    """Return the only run, for a format with one run per file.

    Raises
    ------
    UsageError
        If there are several runs.
    """
    first, *others = runs
    if others:
        raise UsageError(
            f"found {1 + len(others)} runs, including {quoted(first.name)} and "
            f"{quoted(others[0].name)}; expected one, because a file of this format has one run"
        )
    return first


def lost_fields(topics: Iterable[Topic], *names: str) -> str:
    """Return a note on topic fields that a format cannot store: `names` and additional fields."""
    lost = {name for topic in topics for name in names if getattr(topic, name)}
    lost |= {name for topic in topics for name in topic.others}
    return f"fields of topics that the format lacks: {', '.join(sorted(lost))}" if lost else ""


def _trec_fields(topic: Topic) -> Fields:
    names = ("topic", "title", "description", "narrative")
    return {name: getattr(topic, name) for name in names}


def _all_fields(topic: Topic) -> Fields:
    return {**_trec_fields(topic), "creator": topic.creator, **topic.others}


def _markup(fields: Fields) -> str:
    faulty = next((text for text in fields.values() if "</" in text or "\n<" in text), None)
    if faulty is not None:
        raise UsageError(
            f"the topic {quoted(fields['topic'])} contains markup that would end a field: "
            f"{quoted(faulty)}; expected no markup"
        )
    lines = [f"{start}{fields[name]}" for name, start in _MARKS.items() if name in fields]
    return "<top>\n" + "\n\n".join(lines) + "\n\n</top>\n\n"


def _xml(fields: Fields) -> str:
    names = {"topic": "qid", "title": "content"}
    inside = "".join(
        f"<{names.get(name, name)}>{escape(text, quote=False)}</{names.get(name, name)}>"
        for name, text in fields.items()
    )
    return f"<query>{inside}</query>\n"


def _read_xml(text: str, path: FilePath) -> Iterator[tuple[int, Fields]]:
    for line, fields in xml_topics(f"<queries>{text}</queries>", path):
        roles = topic_fields(list(fields))
        yield line, {roles.get(name, name): held for name, held in fields.items()}


def topics_read_back(
    topics: Iterable[Topic],
    fields_of: Callable[[Topic], Fields],
    write: Callable[[Fields], str],
    read: Callable[[str, FilePath], Iterator[tuple[int, Fields]]],
) -> tuple[str, str]:
    """Return topics as markup, and a note on lost blanks and line ends.

    Raises
    ------
    UsageError
        At the first topic that would be read back with different content.
    """
    texts, changed = [], 0
    for topic in topics:
        fields = {name: text for name, text in fields_of(topic).items() if text or name == "title"}
        texts.append(write(fields))
        try:
            text = decoded_text(texts[-1].replace("\r\n", "\n").encode(), path="")
            records = [record for _, record in read(text, "")]
        except (InputError, UnicodeEncodeError) as error:
            reason = error.problem if isinstance(error, InputError) else "half a surrogate pair"
            raise _fault(topic, reason) from None
        if len(records) != 1:
            raise _fault(topic, f"the topic would be read as {len(records)} topics")
        for name in {**fields, **records[0]}:
            meant, found = fields.get(name, ""), records[0].get(name, "")
            if meant.split() != found.split() or (name == "topic" and meant != found):
                raise _fault(topic, f"the {name} {quoted(meant)} would be read as {quoted(found)}")
        changed += any(records[0].get(name, "") != text for name, text in fields.items())
    return "".join(texts), f"the original blanks and line ends of {changed} topics" * bool(changed)


def _fault(topic: Topic, reason: str) -> UsageError:
    return UsageError(f"the topic {quoted(topic.topic)} cannot be written in this format: {reason}")
