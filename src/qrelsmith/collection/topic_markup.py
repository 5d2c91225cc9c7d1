"""Topics in markup: TREC's `<top>` with tags that nobody closes, and XML as NTCIR writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.text import FilePath

Fields = dict[str, str]

_FIRST_TAG = re.compile(r"\s*(?:<[?!][^>]*>\s*)*<top>", re.IGNORECASE)
_OPENING = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]*)>(.*)")
_CLOSING = re.compile(r"</([A-Za-z][A-Za-z0-9_-]*)>\s*")
# What TREC prints in front of a field's text, which is not part of it.
_LABELS = {
    "num": "Number:",
    "title": "Topic:",
    "desc": "Description:",
    "narr": "Narrative:",
    "dom": "Domain:",
    "smry": "Summary:",
    "con": "Concept(s):",
    "fac": "Factor(s):",
    "def": "Definition(s):",
}
_TREC_FIELDS = {"num": "topic", "desc": "description", "narr": "narrative"}
_XML_FIELDS = {"qid": "topic", "number": "topic", "content": "title"} | _TREC_FIELDS


def is_trec_markup(text: str) -> bool:
    """Whether markup is TREC's and no XML."""
    return _FIRST_TAG.match(text) is not None


def trec_topics(text: str, path: FilePath) -> Iterator[tuple[int, Fields]]:
    """Line and fields of every `<top>`.

    A field begins with a tag at the start of a line and ends at the next one. Its lines are joined
    by blanks; an empty line parts paragraphs. Entities such as `&amp;` are left as they stand.

    Raises
    ------
    InputError
        If a `<top>` is not closed, a field stands twice, or text stands outside.
    """
    begun = 0
    current = ""
    fields: dict[str, list[str]] = {}
    for number, whole_line in enumerate(text.split("\n"), start=1):
        line = whole_line
        opening = _OPENING.fullmatch(line)
        if opening is not None and opening[1].lower() == "top":
            if begun:
                raise _fault(f"a <top> inside the <top> of line {begun}", path, number)
            begun, current, fields = number, "", {}
            line = opening[2]
            opening = _OPENING.fullmatch(line)
        if not line.strip() and not current:
            continue
        if not begun:
            if line.startswith(("#", "<?", "<!--")):
                continue
            raise _fault(f"{quoted(line)} stands outside <top>…</top>", path, number)
        if opening is not None:
            current = opening[1].lower()
            if current in fields:
                raise _fault(f"a second <{current}> in the <top> of line {begun}", path, number)
            fields[current] = []
            line = opening[2]
        text_line, closed = _without_closing(line)
        if text_line.strip() and not current:
            raise _fault(f"{quoted(text_line)} stands in no field", path, number)
        if current:
            fields[current].append(text_line)
        unknown = [tag for tag in closed if tag not in ("top", current)]
        if unknown:
            raise _fault(f"</{unknown[0]}> closes nothing that is open", path, number)
        if closed:
            current = ""
        if "top" in closed:
            yield begun, {_TREC_FIELDS.get(n, n): _label_off(n, t) for n, t in fields.items()}
            begun = 0
    if begun:
        raise _fault(f"the <top> of line {begun} is not closed by </top>", path, begun)


def xml_topics(text: str, path: FilePath) -> Iterator[tuple[int, Fields]]:
    """Line and fields of every element below the root; their fields are its children or attributes.

    Raises
    ------
    InputError
        If it is no well-formed XML, has a document type, or elements inside a field.
    """
    reader = _XmlReader(path)
    try:
        reader.parser.Parse(text.encode("utf-8"), True)  # noqa: FBT003 - it takes no keyword
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise _xml_fault(f"no well-formed XML ({reason})", path, error.lineno) from None
    yield from reader.found


class _XmlReader:
    """A reader that expat calls; depth 1 is the root, 2 a topic, 3 a field."""

    def __init__(self, path: FilePath) -> None:
        self.found: list[tuple[int, Fields]] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        # Without a document type there are no entities but XML's own five.
        self.parser.StartDoctypeDeclHandler = self._document_type
        self._path = path
        self._open: list[str] = []
        self._content: list[str] = []

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append(name)
        depth = len(self._open)
        if depth > 3:
            raise self._fault(f"<{name}> stands inside the field {self._open[2]}")
        if attributes and depth != 2:
            raise self._fault(f"<{name}> has the attribute {next(iter(attributes))}")
        if depth == 2:
            self.found.append((self.parser.CurrentLineNumber, {}))
            for key, value in attributes.items():
                self._add(key, value)
        self._content = []

    def _end(self, name: str) -> None:
        if len(self._open) == 3:
            self._add(name, _paragraphs("".join(self._content)))
        self._open.pop()

    def _characters(self, content: str) -> None:
        if len(self._open) == 3:
            self._content.append(content)
        elif content.strip():
            raise self._fault(f"{quoted(content.strip())} stands in no field")

    def _document_type(self, *_: object) -> None:
        raise self._fault("the file has a document type (<!DOCTYPE …>), which is not read")

    def _add(self, name: str, value: str) -> None:
        field = _XML_FIELDS.get(name, name)
        if field in self.found[-1][1]:
            raise self._fault(f"the field {name} stands twice in one topic")
        self.found[-1][1][field] = value

    def _fault(self, problem: str) -> InputError:
        return _xml_fault(problem, self._path, self.parser.CurrentLineNumber)


def _without_closing(line: str) -> tuple[str, list[str]]:
    """A line without the closing tags at its end, and their names; there can be two."""
    closed: list[str] = []
    while (start := line.rfind("</")) >= 0 and len(closed) < 3:
        match = _CLOSING.fullmatch(line[start:])
        if match is None:
            break
        closed.insert(0, match[1].lower())
        line = line[:start]
    return line, closed


def _label_off(name: str, lines: list[str]) -> str:
    text = _paragraphs("\n".join(lines))
    label = _LABELS.get(name, "")
    return text[len(label) :].strip() if text[: len(label)].lower() == label.lower() else text


def _paragraphs(text: str) -> str:
    """Lines joined by blanks, paragraphs by an empty line."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _fault(problem: str, path: FilePath, line: int) -> InputError:
    expected = "expected <top>, <num>, <title>, <desc>, <narr>, </top>"
    return InputError(f"{problem}; {expected}", path=path, line=line)


def _xml_fault(problem: str, path: FilePath, line: int) -> InputError:
    expected = "expected <queries><query><qid>…</qid><content>…</content>…"
    return InputError(f"{problem}; {expected}", path=path, line=line)
