"""Topics in markup that is read back before writing, to report what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.collection.topics import Topic
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath

Fields = Mapping[str, str]


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
            raise _fault(topic, f"it would be read back as {len(records)} topics")
        for name in {**fields, **records[0]}:
            meant, found = fields.get(name, ""), records[0].get(name, "")
            if meant.split() != found.split() or (name == "topic" and meant != found):
                raise _fault(topic, f"its {name} {quoted(meant)} would be read as {quoted(found)}")
        changed += any(records[0].get(name, "") != text for name, text in fields.items())
    return "".join(texts), f"the original blanks and line ends of {changed} topics" * bool(changed)


def _fault(topic: Topic, reason: str) -> UsageError:
    return UsageError(f"the topic {quoted(topic.topic)} cannot be written in this format: {reason}")
