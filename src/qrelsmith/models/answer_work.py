"""The aspects of answers that a model judges: up to ten aspects of one text per request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qrelsmith.answers.answer_files import read_answers
from qrelsmith.answers.answers import SystemAnswers, topics_of_answers
from qrelsmith.answers.aspects import Aspects, read_aspects
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.items import CITATION, citation_aspect
from qrelsmith.campaign.aspect_settings import CONTRADICTS, CRITERION, DEFAULTS, declared_criteria
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.scale_settings import Level
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.topics import read_topics
from qrelsmith.models.injections import has_injection
from qrelsmith.models.requests import ShownDoc, Unit
from qrelsmith.models.work import MOST_CHARACTERS, Work, restrict_docs

MOST_ASPECTS = 10
_CONTRADICTS = Level(CONTRADICTS, "contradicts", "The answer says the opposite.")


@dataclass
class AnswerWork(Work):
    """Answers to judge by their aspects.

    Attributes
    ----------
    kind : str
        The kind of aspect.
    answers : SystemAnswers
        The answers; `docs` has the runs of each topic.
    aspects : Aspects
        The aspects of the answers.
    """

    kind: str = ""
    answers: SystemAnswers = field(default_factory=lambda: SystemAnswers(()))
    aspects: Aspects = field(default_factory=lambda: Aspects(()))

    def __len__(self) -> int:
        return sum(1 for _ in self._request_parts())

    def units(self) -> Iterator[Unit]:
        """Yield units: up to ten aspects of an answer, or up to ten sentences that cite one doc."""
        texts = self._cited_texts() if self.kind == CITATION else {}
        for topic, run, doc, asked in self._request_parts():
            text = texts.get(doc, "") if doc else self._text(topic, run)
            if text:
                yield Unit(self.topics[topic], (self._answer_as_shown(run, text),), tuple(asked))

    def texts(self) -> Iterator[str]:
        """Yield the text of every answer."""
        return (answer.text for answer in self.answers)

    def missing(self) -> list[str]:
        """Return the cited docs without a text, sorted."""
        texts = self._cited_texts() if self.kind == CITATION else {}
        return sorted({doc for _, _, doc, _ in self._request_parts() if doc and doc not in texts})

    def _request_parts(self) -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
        """Yield topic, run, cited doc (an empty text if none) and up to ten aspects with texts."""
        most = 1 if self.kind == CRITERION else MOST_ASPECTS
        for topic, runs in self.docs.items():
            for run in runs:
                answer = self.answers.get(topic, run)
                if answer is None:
                    continue
                asked: dict[str, list[tuple[str, str]]] = {}
                if self.kind == CITATION:
                    for place, doc in answer.citations():
                        statement = quoted(answer.sentences[place].text, limit=MOST_CHARACTERS)
                        asked.setdefault(doc, []).append((citation_aspect(place, doc), statement))
                else:
                    found = self.aspects.of(topic, self.kind)
                    asked[""] = [(each.aspect, each.text or each.aspect) for each in found]
                for doc, of in asked.items():
                    for start in range(0, len(of), most):
                        yield topic, run, doc, of[start : start + most]

    def _text(self, topic: str, run: str) -> str:
        answer = self.answers.get(topic, run)
        return "" if answer is None else answer.text

    def _cited_texts(self) -> dict[str, str]:
        cited = {doc for answer in self.answers for _, doc in answer.citations()}
        documents = self.campaign.documents
        if documents is None:
            raise InputError(
                "the cited docs are missing; expected documents.jsonl or another file of docs",
                path=self.campaign.folder,
            )
        found: dict[str, str] = {}
        for document in read_documents(documents):
            if document.doc_id in cited:
                found[document.doc_id] = self._as_shown(document).text
        return found

    def _answer_as_shown(self, name: str, text: str) -> ShownDoc:
        is_cut = len(text) > self.most_characters
        if is_cut:
            self.cut.add(name)
        if has_injection(text):
            self.suspects.add(name)
        return ShownDoc(name, text[: self.most_characters], is_cut)


def answer_work(
    campaign: Campaign, kind: str, *, topic_set: Sequence[str] | None, most_characters: int
) -> tuple[AnswerWork, tuple[Level, ...]]:
    """Return a campaign's answers with the aspects of a kind, and the levels of this kind.

    Raises
    ------
    InputError
        If the campaign has no answers or aspects.
    UsageError
        If its criteria have different scales.
    """
    if not campaign.answers:
        raise InputError("answers are missing; expected answers.jsonl", path=campaign.folder)
    answers = read_answers(*campaign.answers)
    aspects = Aspects(()) if campaign.aspects is None else read_aspects(campaign.aspects)
    aspects = aspects.with_criteria(declared_criteria(campaign.aspect_levels))
    names = dict.fromkeys(aspect.aspect for aspect in aspects if aspect.kind == kind)
    if not names and kind != CITATION:
        raise InputError(
            f"no aspect has the kind {kind}; expected at least one",
            path=campaign.aspects or campaign.folder,
        )
    path = campaign.topics
    asked = read_topics(str(path)) if path is not None else topics_of_answers(answers)
    topics = {topic.topic: topic for topic in asked}
    runs: dict[str, list[str]] = {}
    for answer in answers:
        runs.setdefault(answer.topic, []).append(answer.run)
    docs = restrict_docs(dict(sorted(runs.items())), topics, topic_set, campaign)
    work = AnswerWork(
        campaign, topics, docs, most_characters, kind=kind, answers=answers, aspects=aspects
    )
    return work, _levels(campaign, kind, list(names))


def _levels(campaign: Campaign, kind: str, names: Sequence[str]) -> tuple[Level, ...]:
    """Return the levels of a kind of aspects; nuggets and rubrics also have "contradicts"."""
    if kind == CRITERION:
        scales = {campaign.aspect_levels.get(f"{CRITERION}.{name}", ()) for name in names}
        if len(scales) > 1 or scales == {()}:
            raise UsageError(
                "the criteria have no common scale; expected the same scale in every"
                " [aspects.criterion.NAME]"
            )
        return next(iter(scales))
    levels = campaign.aspect_levels.get(kind) or DEFAULTS[kind]
    return levels if kind == CITATION else (_CONTRADICTS, *levels)
