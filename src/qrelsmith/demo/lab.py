"""The docs of the demo, as indexed by its systems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from qrelsmith.demo import text
from qrelsmith.demo.docstrings import DemoDoc
from qrelsmith.demo.lexical import Bm25
from qrelsmith.demo.terms import TermIndex
from qrelsmith.demo.vectors import LatentSemantics, TfIdf


class LabTopic(Protocol):
    """A topic for systems, without its narrative, which is only for assessors."""

    @property
    def topic(self) -> str:
        """The id of the topic."""

    @property
    def title(self) -> str:
        """A few search words."""

    @property
    def description(self) -> str:
        """The question as a sentence."""


class Lab:
    """The docs as indexed by the systems; each index is built on first use."""

    def __init__(self, docs: Sequence[DemoDoc]) -> None:
        self.docs = docs
        self.full = [f"{doc.title}\n{doc.text}" for doc in docs]

    @cached_property
    def names(self) -> TermIndex:
        """Stems of the dotted names."""
        return TermIndex((doc.doc_id for doc in self.docs), _name_stems)

    @cached_property
    def summaries(self) -> TermIndex:
        """Content words of the name and the first paragraph."""
        return TermIndex(
            (f"{doc.doc_id} {text.summary(doc.text)}" for doc in self.docs), text.content_words
        )

    @cached_property
    def stems(self) -> TermIndex:
        """Stems of title and text."""
        return TermIndex(self.full, text.stems)

    @cached_property
    def plain(self) -> Bm25:
        """BM25 with default settings: whole words, including stop words."""
        return Bm25(TermIndex(self.full, text.words), method="lucene", k1=1.5, b=0.75)

    @cached_property
    def stemmed(self) -> Bm25:
        """BM25 on stems, with weak length normalisation."""
        return Bm25(self.stems, method="atire", k1=0.9, b=0.4)

    @cached_property
    def long(self) -> Bm25:
        """BM25L, which penalises long docs less."""
        return Bm25(self.stems, method="bm25l", k1=1.5, b=0.75)

    @cached_property
    def fields(self) -> tuple[tuple[float, Bm25], ...]:
        """BM25 on names, first paragraphs and texts separately, each with a weight."""
        summaries = TermIndex((text.summary(doc.text) for doc in self.docs), text.stems)
        bodies = TermIndex((doc.text for doc in self.docs), text.stems)
        return (
            (1.0, Bm25(self.names, method="robertson", k1=1.2, b=0.5)),
            (1.0, Bm25(summaries, method="robertson", k1=1.2, b=0.75)),
            (0.5, Bm25(bodies, method="robertson", k1=1.2, b=0.75)),
        )

    @cached_property
    def passages(self) -> tuple[Bm25, npt.NDArray[np.int64]]:
        """BM25+ on windows of words, and the doc of each window."""
        windows = [text.passages(doc.text) for doc in self.docs]
        owners = np.repeat(np.arange(len(windows)), [len(parts) for parts in windows])
        index = TermIndex((part for parts in windows for part in parts), text.content_words)
        return Bm25(index, method="bm25+", k1=1.2, b=0.3), owners

    @cached_property
    def grams(self) -> TfIdf:
        """Character n-grams of title and first paragraph."""
        texts = (f"{doc.title} {text.summary(doc.text)}" for doc in self.docs)
        return TfIdf(TermIndex(texts, text.character_grams))

    @cached_property
    def latent(self) -> LatentSemantics:
        """Latent semantic index of the stems."""
        return LatentSemantics(TfIdf(self.stems), rank=150)

    @cached_property
    def parents(self) -> npt.NDArray[np.int64]:
        """Index of the module or class that contains each doc: int [doc]."""
        numbers: dict[str, int] = {}
        return np.array(
            [numbers.setdefault(_parent(doc.doc_id), len(numbers)) for doc in self.docs],
            dtype=np.int64,
        )


def _parent(doc_id: str) -> str:
    return doc_id.rpartition(".")[0] or doc_id


def _name_stems(name: str) -> list[str]:
    return [text.stem(piece) for piece in text.pieces(name) if piece not in text.STOPWORDS]
