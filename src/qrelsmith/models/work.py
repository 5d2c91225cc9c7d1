"""The docs to judge, from the campaign's pools or the top of its runs, with their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import Document
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.pools.pool_sets import read_pool_set
from qrelsmith.collection.topics import Topic, read_topics
from qrelsmith.models.injections import has_injection
from qrelsmith.models.requests import ShownDoc, Unit
from qrelsmith.pooling.run_pools import pool_runs

DEPTH = 10
MOST_CHARACTERS = 20_000


@dataclass
class Work:
    """The docs to judge, by topic.

    Attributes
    ----------
    campaign : Campaign
        The source of the docs.
    topics : mapping of str to Topic
        The topics by id.
    docs : mapping of str to sequence of str
        The docs of each topic.
    most_characters : int
        Maximum length of a doc's text, which is truncated.
    cut : set of str
        Docs with truncated texts, among the docs read until now.
    suspects : set of str
        Docs with instructions for their judge, among the docs read until now; see `injections`.
    """

    campaign: Campaign
    topics: Mapping[str, Topic]
    docs: Mapping[str, Sequence[str]]
    most_characters: int = MOST_CHARACTERS
    cut: set[str] = field(default_factory=set)
    suspects: set[str] = field(default_factory=set)

    def __len__(self) -> int:
        return sum(map(len, self.docs.values()))

    def units(self) -> Iterator[Unit]:
        """Yield a unit for each topic and doc, in the order of the doc file.

        Only the current doc is in memory.
        """
        for doc, topics in self._doc_topics():
            for topic in topics:
                yield Unit(self.topics[topic], (doc,))

    def texts(self) -> Iterator[str]:
        """Yield the text of every doc, without repetition."""
        return (doc.text for doc, _ in self._doc_topics())

    def docs_by_id(self) -> dict[str, ShownDoc]:
        """Return all docs by id; used for pairs only, because pairs have few candidate docs."""
        return {doc.doc: doc for doc, _ in self._doc_topics()}

    def missing(self) -> list[str]:
        """Return the docs to judge that have no text, sorted."""
        wanted = {doc for docs in self.docs.values() for doc in docs}
        return sorted(wanted.difference(doc.doc for doc, _ in self._doc_topics()))

    def _doc_topics(self) -> Iterator[tuple[ShownDoc, list[str]]]:
        """Yield every doc to judge with its topics, without repetition."""
        wanted: dict[str, list[str]] = {}
        for topic, docs in self.docs.items():
            for doc in docs:
                wanted.setdefault(doc, []).append(topic)
        documents = self.campaign.documents
        if documents is None:
            raise InputError(
                "the docs are missing; expected documents.jsonl or another file of docs",
                path=self.campaign.folder,
            )
        for document in read_documents(documents):
            topics = wanted.pop(document.doc_id, None)
            if topics is not None:
                yield self._as_shown(document), topics

    def _as_shown(self, document: Document) -> ShownDoc:
        content = document.content
        if document.form != "text":
            # Imported only for pages, because it needs an optional package.
            from qrelsmith.collection.pages.words import text_of

            content = text_of(content, document.form)
        text = f"{document.title}\n\n{content}" if document.title else content
        is_cut = len(text) > self.most_characters
        if is_cut:
            self.cut.add(document.doc_id)
        if has_injection(text):
            self.suspects.add(document.doc_id)
        return ShownDoc(document.doc_id, text[: self.most_characters], is_cut)


def work_of(
    campaign: Campaign,
    *,
    depth: int | None = None,
    topic_set: Sequence[str] | None = None,
    most_characters: int = MOST_CHARACTERS,
) -> Work:
    """Return the docs to judge in a campaign: its pools, else the top of its runs.

    Parameters
    ----------
    depth : int, optional
        Number of docs from each run; None: the pools, or without pools the top 10.
    topic_set : sequence of str, optional
        Restrict to these topics.
    most_characters : int
        Maximum length of a doc's text, which is truncated.

    Raises
    ------
    InputError
        If the campaign has no topics, or neither pools nor runs, or a pool has an unknown topic.
    UsageError
        If a topic is unknown.
    """
    if campaign.topics is None:
        raise InputError(
            "the topics are missing; expected topics.jsonl or another file of topics",
            path=campaign.folder,
        )
    topics = {topic.topic: topic for topic in read_topics(campaign.topics)}
    if campaign.pools and depth is None:
        pools = read_pool_set(campaign.pools)
        docs = {topic: pools.docs(topic) for topic in pools.topics}
    elif campaign.runs:
        pooled = pool_runs(campaign.runs, depth=DEPTH if depth is None else depth)
        ordered = pooled.order("docno", seed=0)
        docs = {topic: ordered.docs[topic] for topic in sorted(ordered.docs)}
    else:
        raise InputError(
            "the campaign has no pools and no runs; expected docs to judge", path=campaign.folder
        )
    return Work(campaign, topics, restrict_docs(docs, topics, topic_set, campaign), most_characters)


def restrict_docs(
    docs: Mapping[str, Sequence[str]],
    topics: Mapping[str, Topic],
    topic_set: Sequence[str] | None,
    campaign: Campaign,
) -> dict[str, Sequence[str]]:
    """Select the docs of some topics.

    Raises
    ------
    InputError
        If a doc belongs to a topic that is not in the campaign.
    UsageError
        If a topic of the set has no doc.
    """
    unknown = next((topic for topic in docs if topic not in topics), None)
    if unknown is not None:
        raise InputError(
            f"the topic {quoted(unknown)} has docs to judge, but is not in the file of topics",
            path=campaign.topics,
        )
    absent = next((topic for topic in topic_set or () if topic not in docs), None)
    if absent is not None:
        raise UsageError(f"the topic {quoted(absent)} has no docs to judge; expected at least one")
    wanted = docs.keys() if topic_set is None else set(topic_set)
    return {topic: found for topic, found in docs.items() if topic in wanted}
