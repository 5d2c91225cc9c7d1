"""Judging progress: the docs to judge, and the number judged in each label set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.wording import count
from qrelsmith.collection.topics import read_topics

# If more label sets than this are unfinished, only their number is shown.
_NAMED = 5
# Code of an unjudged doc. Other codes below 0 give the reason why a doc could not be judged.
_UNJUDGED = -1.0


@dataclass(frozen=True, slots=True)
class JudgingProgress:
    """Progress of one label set: docs judged and docs to judge.

    Attributes
    ----------
    topics, docs : int
        Numbers of topics with a graded doc, and of graded pooled docs.
    all_topics, all_docs : int
        The total numbers of topics and of pooled docs; 0 if no file states the number.
    coded : int
        Number of docs that an assessor opened and could not judge.
    """

    topics: int
    all_topics: int
    docs: int
    all_docs: int
    coded: int

    @property
    def finished(self) -> bool:
        """Whether no judgment is known to be missing."""
        return self.topics == self.all_topics and self.docs == self.all_docs

    def __str__(self) -> str:
        parts = []
        if self.all_topics:
            parts.append(f"{self.topics:,} of {count(self.all_topics, 'topic', 'topics')}")
        if self.all_docs:
            parts.append(f"{self.docs:,} of {count(self.all_docs, 'pooled doc', 'pooled docs')}")
        return " and ".join(parts)


def open_work(inputs: AuditInputs) -> str:
    """Return a sentence on unjudged docs; empty if no unjudged docs are known."""
    topics = _topics(inputs)
    if not topics:
        return ""
    docs = {} if inputs.pools is None else {t: inputs.pools.docs(t) for t in inputs.pools.topics}
    pairs = frozenset((topic, doc) for topic, pool in docs.items() for doc in pool)
    by_label_set = {name: _progress(inputs, name, topics, pairs) for name in inputs.label_sets}
    reference = by_label_set[inputs.reference]
    if all(one.finished for one in by_label_set.values()):
        return ""
    sentence = f"The reference, {inputs.reference}, has labels for {reference}"
    if reference.coded:
        sentence += f"; {count(reference.coded, 'doc', 'docs')} could not be judged"
    return f"{sentence}.{_others(inputs, by_label_set)}"


def docs_to_judge(inputs: AuditInputs) -> int:
    """Return the number of docs still to judge, according to the assignments or the pools.

    Without assignments, the reference is expected to have a label for every pooled doc.
    """
    if inputs.pools is None:
        return 0
    pools = {topic: inputs.pools.docs(topic) for topic in inputs.pools.topics}
    asked: dict[str, set[tuple[str, str]]] = {}
    if inputs.campaign.assignments is None:
        asked[inputs.reference] = {(topic, doc) for topic, docs in pools.items() for doc in docs}
    else:
        for one in read_assignments(inputs.campaign.assignments):
            docs = one.docs or pools.get(one.topic, ())
            asked.setdefault(one.group, set()).update((one.topic, doc) for doc in docs)
    return sum(
        len(pairs - _graded_docs(inputs, name) - _docs_with_codes(inputs, name))
        for name, pairs in asked.items()
        if name in inputs.label_sets
    )


def unjudged_pooled_docs(inputs: AuditInputs) -> int | None:
    """Return the number of pooled docs without a grade in the reference; None without pools."""
    if inputs.pools is None:
        return None
    pooled = {(topic, doc) for topic in inputs.pools.topics for doc in inputs.pools.docs(topic)}
    return len(pooled - _graded_docs(inputs, inputs.reference))


def _graded_docs(inputs: AuditInputs, name: str) -> set[tuple[str, str]]:
    return {(topic, doc) for topic, doc, grade in inputs.label_sets[name].rows() if grade >= 0}


def _topics(inputs: AuditInputs) -> frozenset[str]:
    """Return the topics of the topics file, or of the pools by default."""
    if inputs.campaign.topics is not None:
        return frozenset(one.topic for one in read_topics(inputs.campaign.topics))
    return frozenset(() if inputs.pools is None else inputs.pools.topics)


def _progress(
    inputs: AuditInputs, name: str, topics: frozenset[str], pairs: frozenset[tuple[str, str]]
) -> JudgingProgress:
    graded = _graded_docs(inputs, name)
    coded = _docs_with_codes(inputs, name) - graded
    return JudgingProgress(
        topics=len({topic for topic, _ in graded} & topics),
        all_topics=len(topics),
        docs=len(graded & pairs),
        all_docs=len(pairs),
        coded=len(coded),
    )


def _docs_with_codes(inputs: AuditInputs, name: str) -> set[tuple[str, str]]:
    """Return the docs with a code that gives the reason why they could not be judged."""
    if name in inputs.groups:
        # The label set of a group contains no codes.
        now = inputs.groups[name].current()
        rows = np.flatnonzero((now.grade < 0) & (now.grade != _UNJUDGED)).tolist()
        return {(now.topics[now.topic[row]], now.docs[now.doc[row]]) for row in rows}
    rows_of_file = inputs.label_sets[name].rows()
    return {(topic, doc) for topic, doc, code in rows_of_file if code < 0 and code != _UNJUDGED}


def _others(inputs: AuditInputs, by_label_set: Mapping[str, JudgingProgress]) -> str:
    """Return a sentence on the unfinished label sets other than the reference."""
    open_sets = [name for name in inputs.others if not by_label_set[name].finished]
    if not open_sets:
        return ""
    if len(open_sets) > _NAMED:
        return f" {len(open_sets)} other label sets are also unfinished."
    return f" Other label sets: {'; '.join(f'{name}: {by_label_set[name]}' for name in open_sets)}."
