"""The retrieval systems of the demo: seven fictitious teams with different retrieval methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.demo import text
from qrelsmith.demo.lab import Lab, LabTopic
from qrelsmith.demo.lexical import best_passage, coordination, feedback, query_likelihood
from qrelsmith.demo.terms import Scores, positive_only
from qrelsmith.demo.thesaurus import SYNONYMS


@dataclass(frozen=True, slots=True)
class System:
    """A retrieval system, which scores every doc for a topic; -inf if not retrieved."""

    tag: str
    description: str
    scores: Callable[[Lab, LabTopic], Scores]

    @property
    def team(self) -> str:
        """The part of the tag before the first hyphen."""
        return self.tag.partition("-")[0]


_registered: list[System] = []
_Scorer = Callable[[Lab, LabTopic], Scores]


def _system(tag: str) -> Callable[[_Scorer], _Scorer]:
    """Register a function as a system, described by the first line of its docstring."""

    def enter(scorer: _Scorer) -> _Scorer:
        _registered.append(System(tag, (scorer.__doc__ or "").strip(), scorer))
        return scorer

    return enter


@_system("amber-bm25")
def _amber_bm25(lab: Lab, topic: LabTopic) -> Scores:
    """BM25 (Lucene's variant) on whole words, stop words included, for the title of the topic."""
    return lab.plain.search(topic.title)


@_system("amber-bm25-verbose")
def _amber_bm25_verbose(lab: Lab, topic: LabTopic) -> Scores:
    """BM25 on whole words, stop words included, for the description of the topic."""
    return lab.plain.search(topic.description)


@_system("birch-stems")
def _birch_stems(lab: Lab, topic: LabTopic) -> Scores:
    """BM25 (ATIRE's variant) on stems without stop words, for title and description together."""
    return lab.stemmed.search(_query_text(topic))


@_system("birch-fields")
def _birch_fields(lab: Lab, topic: LabTopic) -> Scores:
    """Weighted sum of BM25 on name, first paragraph and text, for the title of the topic."""
    total = np.zeros(len(lab.docs))
    for weight, model in lab.fields:
        scores = model.search(topic.title)
        total += weight * np.where(np.isfinite(scores), scores, 0.0)
    return positive_only(total)


@_system("cobalt-likelihood")
def _cobalt_likelihood(lab: Lab, topic: LabTopic) -> Scores:
    """Query likelihood with Dirichlet smoothing on stems, for the title of the topic."""
    return query_likelihood(lab.stems, topic.title, mu=300.0)


@_system("cobalt-feedback")
def _cobalt_feedback(lab: Lab, topic: LabTopic) -> Scores:
    """BM25L twice: terms of the five best docs are added to the second query (RM3)."""
    return feedback(lab.long, _query_text(topic), docs=5, terms=20, original=0.6)


@_system("dune-grams")
def _dune_grams(lab: Lab, topic: LabTopic) -> Scores:
    """Cosine of character 4-grams of name and first paragraph, for the title of the topic."""
    return lab.grams.search(topic.title)


@_system("dune-latent")
def _dune_latent(lab: Lab, topic: LabTopic) -> Scores:
    """Latent semantic indexing with 150 dimensions, for title and description together."""
    return lab.latent.search(_query_text(topic))


@_system("ember-names")
def _ember_names(lab: Lab, topic: LabTopic) -> Scores:
    """Matching of dotted names only, for title and description together."""
    return lab.fields[0][1].search(_query_text(topic))


@_system("ember-coordination")
def _ember_coordination(lab: Lab, topic: LabTopic) -> Scores:
    """Number of title words in name or first paragraph: a weak baseline."""
    return coordination(lab.summaries, topic.title)


@_system("fjord-passages")
def _fjord_passages(lab: Lab, topic: LabTopic) -> Scores:
    """Best passage of 40 words under BM25+ without stemming, for the description of the topic."""
    model, owners = lab.passages
    return best_passage(model.search(topic.description), owners, len(lab.docs))


@_system("fjord-siblings")
def _fjord_siblings(lab: Lab, topic: LabTopic) -> Scores:
    """BM25 on stems, averaged with the three best scores in the same module or class."""
    own = lab.stemmed.search(topic.title)
    own = np.where(np.isfinite(own), own, 0.0)
    best_first = np.lexsort((-own, lab.parents))
    starts = np.flatnonzero(np.diff(lab.parents[best_first], prepend=-1))
    support = np.zeros(len(own))
    for start, stop in zip(starts, [*starts[1:], len(own)], strict=True):
        members = best_first[start:stop]
        support[members] = own[members[:3]].sum() / 3
    return positive_only(0.5 * own + 0.5 * support)


@_system("grove-thesaurus")
def _grove_thesaurus(lab: Lab, topic: LabTopic) -> Scores:
    """BM25 on stems for the title, to which related words of a small thesaurus are added."""
    weights: dict[str, float] = {}
    for stem in text.stems(topic.title):
        weights[stem] = 1.0
        for related in SYNONYMS.get(stem, ()):
            weights.setdefault(related, 0.4)
    known = lab.stems.vocabulary
    return lab.stemmed.score_weighted({known[s]: w for s, w in weights.items() if s in known})


@_system("grove-fusion")
def _grove_fusion(lab: Lab, topic: LabTopic) -> Scores:
    """Reciprocal rank fusion of thesaurus, fields, latent semantics and siblings."""
    members = (_grove_thesaurus, _birch_fields, _dune_latent, _fjord_siblings)
    return _fuse([member(lab, topic) for member in members])


SYSTEMS = tuple(_registered)


def _fuse(rankings: Sequence[Scores], *, constant: float = 60.0) -> Scores:
    total = np.zeros(len(rankings[0]))
    for scores in rankings:
        order = np.argsort(-scores, kind="stable")
        order = order[np.isfinite(scores[order])][:1000]
        total[order] += 1 / (constant + 1 + np.arange(len(order)))
    return positive_only(total)


def _query_text(topic: LabTopic) -> str:
    return f"{topic.title} {topic.description}"
