"""Keys of judged items: a doc, or an aspect of an answer.

A label belongs to a topic and an item. An item is a doc, or the run of an answer with one of its
aspects. A control character, which ids in files never contain, separates the run and the aspect.
All code that counts docs therefore also counts aspects of answers.
"""

from __future__ import annotations

MARK = "\x1f"
CITATION = "citation"
SUBTOPIC = "subtopic"


def item_key(doc: str, aspect: str) -> str:
    """Return the key of a doc, or of an aspect of an answer."""
    return f"{doc}{MARK}{aspect}" if aspect else doc


def item_parts(key: str) -> tuple[str, str]:
    """Split a key into doc and aspect; the aspect may be empty.

    >>> item_parts(item_key("run-1", "faithfulness")), item_parts("d1")
    (('run-1', 'faithfulness'), ('d1', ''))
    """
    doc, _, aspect = key.partition(MARK)
    return doc, aspect


def subtopic_aspect(name: str) -> str:
    """Return the aspect of a subtopic."""
    return f"{SUBTOPIC}:{name}"


def subtopic_name(aspect: str) -> str:
    """Return the name of a subtopic from its aspect; empty for other aspects.

    >>> subtopic_name(subtopic_aspect("3")), subtopic_name("faithfulness")
    ('3', '')
    """
    kind, _, name = aspect.partition(":")
    return name if kind == SUBTOPIC else ""


def citation_parts(aspect: str) -> tuple[int, str] | None:
    """Parse sentence and doc of `citation:SENTENCE:DOC`; return None for other aspects.

    >>> citation_parts("citation:3:msmarco:doc_1")
    (3, 'msmarco:doc_1')
    """
    kind, _, rest = aspect.partition(":")
    sentence, _, doc = rest.partition(":")
    if kind != CITATION or not sentence.isdecimal() or not doc:
        return None
    return int(sentence), doc


def citation_aspect(sentence: int, doc: str) -> str:
    """Return the aspect of a citation."""
    return f"{CITATION}:{sentence}:{doc}"
