"""Topics in markup: TREC's `<top>` with unclosed tags, and XML of NTCIR, TREC, CLEF."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from xml.parsers import expat

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.io.text import FilePath

Fields = dict[str, str]

_FIRST_TAG = re.compile(r"\s*(?:<[?!][^>]*>\s*)*<top(?:\s[^<>]*)?>", re.IGNORECASE)
_OPENING = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>(.*)")
_CLOSING = re.compile(r"</([A-Za-z][A-Za-z0-9_-]*)>\s*")
# TREC's labels before a field's text, which are not part of it.
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


def is_trec_markup(text: str) -> bool:
    """Return whether markup is TREC's rather than XML."""
    return _FIRST_TAG.match(text) is not None


def trec_topics(text: str, path: FilePath) -> Iterator[tuple[int, Fields]]:
    """Yield the line number and the fields of every `<top>`.

    A field begins with a tag at the start of a line and ends at the next such tag. The lines of a
    field are joined by blanks; an empty line separates paragraphs. Entities such as `&amp;` are not
    replaced.

    Raises
    ------
    InputError
        If a `<top>` is not closed, a field appears twice, or there is text outside the fields.
    """
    begun = stray = 0
    current = ""
    fields: dict[str, list[str]] = {}
    for number, whole_line in enumerate(text.split("\n"), start=1):
        line = whole_line
        opening = _OPENING.fullmatch(line)
        if opening is not None and opening[1].lower() == "top":
            if begun:
                raise _fault(f"found a <top> inside the <top> on line {begun}", path, number)
            begun, current, fields = number, "", {}
            line = opening[2]
            opening = _OPENING.fullmatch(line)
        if not line.strip() and not current:
            continue
        if not begun:
            if line.startswith(("#", "<?", "<!--")):
                continue
            raise _fault(f"{quoted(line)} is outside <top>…</top>", path, number)
        if opening is not None:
            current = opening[1].lower()
            if current in fields:
                raise _fault(
                    f"found another <{current}> in the <top> on line {begun}", path, number
                )
            fields[current] = []
            line = opening[2]
        text_line, closed = _without_closing(line)
        if text_line.strip() and not current:
            raise _fault(f"{quoted(text_line)} is outside every field", path, number)
        if current:
            fields[current].append(text_line)
        stray += sum(tag not in ("top", current) for tag in closed)
        if closed:
            current = ""
        if "top" in closed:
            yield begun, {_TREC_FIELDS.get(n, n): _label_off(n, t) for n, t in fields.items()}
            begun = 0
    if begun:
        raise _fault(f"the <top> on line {begun} has no closing tag; expected </top>", path, begun)
    if stray:
        warnings.warn(
            f"{path}: closing tags without an opening tag are ignored: {stray}",
            InputWarning,
            stacklevel=2,
        )


def xml_topics(text: str, path: FilePath) -> Iterator[tuple[int, Fields]]:
    """Yield the line and the fields (children and attributes) of every element below the root.

    Elements inside a field belong to the field's text. The name of a repeated field gets an
    attribute such as `number` or `lang` as suffix: `subtopic_2`, `title_fr`.

    Raises
    ------
    InputError
        If the file is invalid XML, or declares entities.
    """
    reader = _XmlReader(path)
    try:
        reader.parser.Parse(text.encode("utf-8"), True)  # noqa: FBT003 - it takes no keyword
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise _xml_fault(f"invalid XML ({reason})", path, error.lineno) from None
    yield from reader.found


class _XmlReader:
    """A reader called by expat; depth 1 is the root, depth 2 a topic, depth 3 a field."""

    def __init__(self, path: FilePath) -> None:
        self.found: list[tuple[int, Fields]] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        # Without declarations, only XML's five own entities exist.
        self.parser.EntityDeclHandler = self._entity
        self._path = path
        self._open: list[str] = []
        self._content: list[str] = []
        self._told_apart = ""
        # The text of a topic outside its fields, and the line on which it begins.
        self._own: list[str] = []
        self._own_line = 0
        self._has_fields = False

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._open.append(name)
        depth = len(self._open)
        if depth == 2:
            self.found.append((self.parser.CurrentLineNumber, {}))
            self._own, self._has_fields = [], False
            for key, value in attributes.items():
                self._add(key, value)
        elif depth == 3:
            self._content, self._has_fields = [], True
            values = [value for value in attributes.values() if value]
            self._told_apart = values[0] if values else ""
        elif depth > 3:
            self._content.append("\n\n")

    def _end(self, name: str) -> None:
        if len(self._open) == 3:
            self._add(name, _paragraphs("".join(self._content)))
        elif len(self._open) > 3:
            self._content.append("\n\n")
        elif len(self._open) == 2 and self._own:
            self._end_own()
        self._open.pop()

    def _end_own(self) -> None:
        """Use the text of a topic without fields as its title, as in TREC Clinical Trials."""
        text = _paragraphs("".join(self._own))
        if self._has_fields:
            problem = f"{quoted(text)} is outside every field"
            raise _xml_fault(problem, self._path, self._own_line)
        self._add("title", text)

    def _characters(self, content: str) -> None:
        if len(self._open) >= 3:
            self._content.append(content)
        elif len(self._open) == 2 and (self._own or content.strip()):
            if not self._own:
                begin = len(content) - len(content.lstrip("\n"))
                self._own_line = self.parser.CurrentLineNumber + begin
            self._own.append(content)
        elif content.strip():
            raise self._fault(f"{quoted(content.strip())} is outside every field")

    def _entity(self, name: str, *_: object) -> None:
        raise self._fault(
            f"the file declares the entity {quoted(name)}, which qrelsmith does not read"
        )

    def _add(self, name: str, value: str) -> None:
        fields = self.found[-1][1]
        field = _TREC_FIELDS.get(name, name)
        if field in fields or (field == "subtopic" and self._told_apart):
            field = f"{field}_{self._told_apart}" if self._told_apart else field
        if field in fields:
            raise self._fault(f"the field {name} appears twice in one topic")
        fields[field] = value

    def _fault(self, problem: str) -> InputError:
        return _xml_fault(problem, self._path, self.parser.CurrentLineNumber)


def _without_closing(line: str) -> tuple[str, list[str]]:
    """Return a line without its last closing tags (up to two), and the names of these tags."""
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
    """Join lines by blanks, and paragraphs by an empty line."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _fault(problem: str, path: FilePath, line: int) -> InputError:
    expected = "expected <top>, <num>, <title>, <desc>, <narr>, </top>"
    return InputError(f"{problem}; {expected}", path=path, line=line)


def _xml_fault(problem: str, path: FilePath, line: int) -> InputError:
    expected = "expected <queries><query><qid>…</qid><content>…</content>…"
    return InputError(f"{problem}; {expected}", path=path, line=line)
