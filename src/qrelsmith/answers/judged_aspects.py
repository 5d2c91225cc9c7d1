"""The aspects by which an answer is judged, in the order of judging."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from qrelsmith.answers.answers import SystemAnswer
from qrelsmith.answers.aspects import Aspect, Aspects
from qrelsmith.base.items import CITATION, citation_aspect

DROPPED = "dropped"
"""The importance of a nugget that assessors merged into another or removed."""
EDIT = "edit"
"""The family of judgments that edit a nugget: a new text or a new importance."""
WEIGHTS = {"vital": 1.0, "okay": 0.5, DROPPED: 0.0}
"""The possible importances of a nugget, with their weights."""


@dataclass(frozen=True, slots=True)
class JudgedAspect:
    """An aspect of an answer, as an assessor judges it.

    Attributes
    ----------
    family : str
        The kind by which campaign.toml declares the aspect's scale.
    aspect : str
        The id used by labels.
    text : str
        The text for assessors: for a citation, its sentence; for an expected answer, the question
        on the first line, then the answer.
    importance : str
        As in `Aspect`.
    doc : str
        The cited doc; empty if the answer itself is judged.
    """

    family: str
    aspect: str
    text: str
    importance: str = ""
    doc: str = ""


def judged_aspects(answer: SystemAnswer, aspects: Aspects) -> Iterator[JudgedAspect]:
    """Iterate over the aspects of an answer: nuggets, rubrics, subtopics, citations, criteria.

    Parameters
    ----------
    answer : SystemAnswer
        The answer.
    aspects : Aspects
        The aspects of the collection.
    """
    for kind in ("nugget", "rubric", "subtopic"):
        yield from (nugget(each, aspects) for each in aspects.of(answer.topic, kind))
    for sentence, doc in answer.citations():
        text = answer.sentences[sentence].text
        yield JudgedAspect(CITATION, citation_aspect(sentence, doc), text, doc=doc)
    for criterion in aspects.of(answer.topic, "criterion"):
        name = criterion.aspect
        yield JudgedAspect(f"criterion.{name}", name, criterion.text or name, criterion.importance)


def nugget(each: Aspect, aspects: Aspects) -> JudgedAspect:
    """Return a nugget, or an expected answer with its question."""
    asked = aspects.find(each.topic, each.parent) if each.parent else None
    text = f"{asked.text}\n{each.text}" if asked and asked.text else each.text
    importance = each.importance or (asked.importance if asked else "")
    return JudgedAspect(each.kind, each.aspect, text or each.aspect, importance)


def importance_of(weight: float) -> str:
    """Return the importance that corresponds to a weight: vital, okay, or dropped.

    >>> importance_of(1), importance_of(0.5), importance_of(0)
    ('vital', 'okay', 'dropped')
    """
    return next(name for name, value in WEIGHTS.items() if value == weight)


def answer_doc(topic: str, run: str) -> str:
    """Return the doc name of an answer; it cannot be equal to an id in a file.

    >>> answer_doc("q 1", "run/1")
    'answer:q%201:run%2F1'
    """
    return f"answer:{quote(topic, safe='')}:{quote(run, safe='')}"


def answer_run(doc: str) -> str:
    """Return the run of an answer from its doc name.

    >>> answer_run(answer_doc("q 1", "run/1"))
    'run/1'
    """
    return unquote(doc.rpartition(":")[2])


def answer_text(answer: SystemAnswer) -> str:
    """Return an answer as text for assessors, one sentence per line."""
    return "\n".join(each.text for each in answer.sentences)
