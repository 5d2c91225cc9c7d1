"""Transfer of labels to re-chunked or edited docs that still contain the judged text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.tables import Table
from qrelsmith.collection.document import Document
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.io.cells import whole_numbers
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.text import FilePath

Status = Literal["kept", "passage", "grown", "open"]
_WORD = re.compile(r"\w+")
_PASSAGES = Columns(("topic", "doc", "start", "end"), ids=("topic", "doc"))
_COLUMNS = ("topic", "doc", "new_doc", "status", "start", "end")


@dataclass(frozen=True, slots=True)
class CarriedLabel:
    """A label and the doc that it was transferred to.

    Attributes
    ----------
    topic, doc : str
        The topic and the doc of the label.
    grade : float
        The grade.
    new_doc : str
        The doc that the label now belongs to; empty if it is open.
    status : {'kept', 'passage', 'grown', 'open'}
        The doc is the same; its text is in another doc; the same, but the other doc contains more
        text and the grade is 0 or less; or the doc must be judged again.
    start, end : int or None
        The span of the text in the new doc's content, in characters.
    """

    topic: str
    doc: str
    grade: float
    new_doc: str = ""
    status: Status = "open"
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Carried:
    """Labels after a change of the docs.

    Attributes
    ----------
    labels : tuple of CarriedLabel
        Every label, once for each doc that it was transferred to.
    name : str
        The name of the qrels.
    """

    labels: tuple[CarriedLabel, ...]
    name: str

    @property
    def qrels(self) -> Qrels:
        """The labels of the new docs."""
        rows = ((label.topic, label.new_doc, label.grade) for label in self.labels if label.new_doc)
        return Qrels.from_rows(rows, name=self.name)

    @property
    def counts(self) -> dict[Status, int]:
        """The number of labels of each status."""
        whose = {(label.topic, label.doc): label.status for label in self.labels}
        statuses: tuple[Status, ...] = ("kept", "passage", "grown", "open")
        return {status: list(whose.values()).count(status) for status in statuses}

    def table(self) -> Table:
        """Return the columns topic, doc, new_doc, status, start, end."""
        return Table.of(_COLUMNS, map(_cells, self.labels))


def carry(
    qrels: Qrels,
    old: Iterable[Document],
    new: Iterable[Document],
    *,
    passages: Mapping[tuple[str, str], Sequence[tuple[int, int]]] | None = None,
) -> Carried:
    """Transfer labels to re-chunked or edited docs, without guessing.

    A doc with unchanged form, title and content keeps its labels under its new id. Otherwise, the
    text of a label is its passages or, without passages, the doc's whole content. The label is
    transferred to every new doc that contains this text, apart from differences in blanks. The
    label stays open if the text is missing, if several old docs contain it, or if a new doc would
    get two different grades. A grade of 0 or less is marked `grown` if the new doc contains
    more text.

    Parameters
    ----------
    qrels : Qrels
        The labels of the old docs.
    old, new : iterable of Document
        The docs before and after.
    passages : mapping of (topic, doc) to sequence of (int, int), optional
        The spans of the passages that support a grade, in the old doc's content.

    Raises
    ------
    UsageError
        If a label's doc is not among the old docs, or a passage is not inside its doc.
    """
    before = {doc.doc_id: doc for doc in old}
    after = {doc.doc_id: doc for doc in new}
    by_digest: dict[str, list[str]] = defaultdict(list)
    for new_id, document in after.items():
        by_digest[document.sha256].append(new_id)
    rows = list(qrels.rows())
    quotes = {(t, d): _quotes(t, d, before, (passages or {}).get((t, d), ())) for t, d, _ in rows}
    needles = {quote for texts in quotes.values() for quote in texts}
    stands_before, stands_after = _Places(before, needles), _Places(after, needles)
    labels: list[CarriedLabel] = []
    for topic, doc, grade in rows:
        if same := by_digest.get(before[doc].sha256):
            labels += [CarriedLabel(topic, doc, grade, new_doc, "kept") for new_doc in same]
            continue
        texts = quotes[topic, doc]
        docs: set[str] = set()
        if texts and any(set(stands_before.docs(text)) == {doc} for text in texts):
            docs = set.intersection(*(set(stands_after.docs(text)) for text in texts))
        for new_doc in sorted(docs):
            spans = [stands_after.docs(text)[new_doc] for text in texts]
            start, end = min(s for s, _ in spans), max(e for _, e in spans)
            # The added text may be relevant.
            is_grown = grade <= 0 and not stands_after.is_all(new_doc, before[doc])
            status: Status = "grown" if is_grown else "passage"
            labels.append(CarriedLabel(topic, doc, grade, new_doc, status, start, end))
        if not docs:
            labels.append(CarriedLabel(topic, doc, grade))
    return Carried(tuple(_without_conflicts(labels)), qrels.name)


def read_passages(path: FilePath) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """Read passages from a table with columns topic, doc, start, end (characters in the doc).

    Raises
    ------
    InputError
        If the table is malformed.
    """
    table = read_table(path, _PASSAGES)
    starts, ends = (
        whole_numbers(table.columns[name], table.lines, path=path, what=name).tolist()
        for name in ("start", "end")
    )
    passages: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    places = zip(table.columns["topic"], table.columns["doc"], starts, ends, strict=True)
    for topic, doc, start, end in places:
        passages[topic, doc].append((int(start), int(end)))
    return dict(passages)


class _Places:
    """An index of docs by their words, to search for texts quickly."""

    def __init__(self, docs: Mapping[str, Document], texts: Iterable[str]) -> None:
        self._plain = {doc_id: _plain_text(doc.content) for doc_id, doc in docs.items()}
        wanted = {word for text in texts for word in _inner_words(text)}
        self._with_word: dict[str, set[str]] = defaultdict(set)
        for doc_id, (plain, _) in self._plain.items():
            for word in wanted.intersection(_WORD.findall(plain)):
                self._with_word[word].add(doc_id)
        self._known: dict[str, dict[str, tuple[int, int]]] = {}

    def docs(self, text: str) -> dict[str, tuple[int, int]]:
        """Return every doc that contains a text, with the first span of the text in the doc."""
        if text not in self._known:
            having = sorted((self._with_word[word] for word in _inner_words(text)), key=len)
            candidates = set.intersection(*having) if having else self._plain.keys()
            self._known[text] = {
                doc_id: span for doc_id in candidates if (span := self._span(doc_id, text))
            }
        return self._known[text]

    def is_all(self, doc_id: str, old: Document) -> bool:
        """Return whether a doc's text equals an old doc's text, except for blanks."""
        return self._plain[doc_id][0].strip() == _plain_text(old.content)[0].strip()

    def _span(self, doc_id: str, text: str) -> tuple[int, int] | None:
        plain, places = self._plain[doc_id]
        start = plain.find(text)
        return None if start < 0 else (places[start], places[start + len(text) - 1] + 1)


def _plain_text(content: str) -> tuple[str, Sequence[int]]:
    """Return the content with single blanks, and each character's position in the original."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(content):
        if not character.isspace():
            characters.append(character)
        elif characters and characters[-1] != " ":
            characters.append(" ")
        else:
            continue
        places.append(place)
    return "".join(characters), places


def _inner_words(text: str) -> set[str]:
    """Return the words of a text without the first and the last, which may be incomplete."""
    return set(_WORD.findall(text)[1:-1])


def _quotes(
    topic: str, doc: str, docs: Mapping[str, Document], spans: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Return the texts that support a label, with single blanks."""
    if doc not in docs:
        raise UsageError(
            f"doc {quoted(doc)} has a label but is not among the old docs; expected every "
            "labelled doc among them"
        )
    content = docs[doc].content
    for start, end in spans:
        if not 0 <= start < end <= len(content):
            raise UsageError(
                f"the passage {start}:{end} of topic {quoted(topic)} is not inside doc"
                f" {quoted(doc)}, which has {len(content)} characters"
            )
    texts = [content[start:end] for start, end in spans] or [content]
    plain = (" ".join(text.split()) for text in texts)
    return tuple(dict.fromkeys(text for text in plain if text))


def _without_conflicts(labels: Sequence[CarriedLabel]) -> list[CarriedLabel]:
    """Drop the labels that give a doc different grades in one topic, and return the rest.

    A label that loses all its docs becomes one open label.
    """
    grades: dict[tuple[str, str], set[float]] = defaultdict(set)
    for label in labels:
        grades[label.topic, label.new_doc].add(label.grade)
    left: dict[CarriedLabel, list[CarriedLabel]] = {}
    for label in labels:
        of_label = left.setdefault(CarriedLabel(label.topic, label.doc, label.grade), [])
        if label.new_doc and len(grades[label.topic, label.new_doc]) == 1:
            of_label.append(label)
    return [label for nothing, of_label in left.items() for label in of_label or [nothing]]


def _cells(label: CarriedLabel) -> tuple[str | int | None, ...]:
    """Return the cells of a label's row."""
    values = (getattr(label, name) for name in _COLUMNS)
    return tuple(values)
