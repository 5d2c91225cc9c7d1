"""Term counts of texts, the input of every demo system."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from qrelsmith.base.scipy_parts import sparse

Scores = npt.NDArray[np.float64]
Analyser = Callable[[str], list[str]]


class TermIndex:
    """The terms of a list of texts as consecutive ints, in order of first use.

    Parameters
    ----------
    texts : iterable of str
        One text for each doc.
    analyse : callable
        Function that splits a text or query into terms.
    """

    def __init__(self, texts: Iterable[str], analyse: Analyser) -> None:
        self.analyse = analyse
        self.vocabulary: dict[str, int] = {}
        numbered = self.vocabulary.setdefault
        self.ids: list[list[int]] = [
            [numbered(term, len(self.vocabulary)) for term in analyse(text)] for text in texts
        ]

    def query(self, text: str) -> list[int]:
        """Return the known terms of a query, in order, with repetitions."""
        return [self.vocabulary[term] for term in self.analyse(text) if term in self.vocabulary]

    @cached_property
    def lengths(self) -> Scores:
        """Number of terms of each doc: float64 [doc]."""
        return np.array([len(terms) for terms in self.ids], dtype=np.float64)

    @cached_property
    def counts(self) -> sparse.csr_array:
        """Frequency of each term in each doc: float64 [doc, term]."""
        indptr = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)
        indices = np.fromiter((term for terms in self.ids for term in terms), dtype=np.int64)
        shape = (len(self.ids), len(self.vocabulary))
        counts = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=shape)
        counts.sum_duplicates()
        return counts

    @cached_property
    def columns(self) -> sparse.csc_array:
        """The counts in column order, for looking up the docs of a term."""
        return self.counts.tocsc()

    def docs_with(self, term: int) -> tuple[npt.NDArray[np.int64], Scores]:
        """Return the docs that contain a term, and the frequency of the term in each doc."""
        start, stop = self.columns.indptr[term : term + 2]
        return self.columns.indices[start:stop].astype(np.int64), self.columns.data[start:stop]


def no_scores(size: int) -> Scores:
    """Return the scores of a system that retrieves nothing: -inf [doc]."""
    return np.full(size, -np.inf)


def positive_only(scores: Scores) -> Scores:
    """Mark docs without a positive score as not retrieved, ignoring rounding errors."""
    return np.where(scores > 1e-9, scores, -np.inf)
