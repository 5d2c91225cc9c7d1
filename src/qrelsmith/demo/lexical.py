"""Scoring by shared terms: variants of BM25, query likelihood, feedback, coordination."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from qrelsmith.base.errors import MissingDependencyError
from qrelsmith.demo.terms import Scores, TermIndex, no_scores, positive_only


class Bm25:
    """BM25 in one of the variants of bm25s.

    Parameters
    ----------
    index : TermIndex
        The docs.
    method : {"robertson", "lucene", "atire", "bm25l", "bm25+"}
        The variant.
    k1, b : float
        Saturation by term frequency, and normalisation by length.
    """

    def __init__(self, index: TermIndex, *, method: str, k1: float, b: float) -> None:
        self.index = index
        self._model = _bm25s().BM25(
            k1=k1, b=b, method=method, dtype="float64", backend="numpy", csc_backend="numpy"
        )
        # Ids replace terms, because bm25s would number terms in the order of a set.
        self._model.index(
            (index.ids, index.vocabulary), create_empty_token=False, show_progress=False
        )

    def search(self, query: str) -> Scores:
        """Score every doc for a query: float64 [doc], -inf if doc and query share no term."""
        weights: dict[int, float] = {}
        for term in self.index.query(query):
            weights[term] = weights.get(term, 0.0) + 1.0
        return self.score_weighted(weights)

    def score_weighted(self, weights: Mapping[int, float]) -> Scores:
        """Score every doc for weighted terms."""
        total = np.zeros(len(self.index.ids))
        for term, weight in weights.items():
            scores = np.asarray(self._model.get_scores_from_ids([term]), dtype=np.float64)
            # Some variants add the same constant to all docs without the term, which cannot change
            # the order. The constant is subtracted, so that docs without a match score 0.
            total += weight * (scores - scores.min())
        return positive_only(total)


def _bm25s() -> Any:
    try:
        import bm25s
    except ImportError:
        raise MissingDependencyError(
            "bm25s", extra="demo", purpose="ranking the demo docs"
        ) from None
    return bm25s


def feedback(model: Bm25, query: str, *, docs: int, terms: int, original: float) -> Scores:
    """Search twice: the second query gets terms from the best docs of the first search (RM3).

    Parameters
    ----------
    model : Bm25
        Model for both searches.
    query : str
        The query.
    docs, terms : int
        Number of feedback docs, and number of terms from these docs added to the query.
    original : float
        Share of the original query in the second query, between 0 and 1.
    """
    first = model.search(query)
    best = [doc for doc in np.argsort(-first, kind="stable")[:docs] if np.isfinite(first[doc])]
    if not best:
        return first
    belief = first[best] / first[best].sum()
    lengths = np.maximum(model.index.lengths[best], 1.0)
    relevance = np.asarray(model.index.counts[best].T @ (belief / lengths)).ravel()
    # With equal weights, the term seen first in the docs comes first: the order is deterministic.
    chosen = np.argsort(-relevance, kind="stable")[:terms]
    share = relevance[chosen].sum()
    weights = {int(term): (1 - original) * relevance[term] / share for term in chosen}
    asked = model.index.query(query)
    for term in asked:
        weights[term] = weights.get(term, 0.0) + original / len(asked)
    return model.score_weighted(weights)


def query_likelihood(index: TermIndex, query: str, *, mu: float) -> Scores:
    """Compute a query's log-likelihood under each doc's language model (Dirichlet smoothing).

    Only docs that share a term with the query are retrieved. The part of the likelihood that is
    equal for all docs is left out.
    """
    asked = index.query(query)
    collection = index.lengths.sum()
    scores = np.zeros(len(index.ids))
    matched = np.zeros(len(index.ids), dtype=bool)
    for term in asked:
        docs, counts = index.docs_with(term)
        expected = mu * counts.sum() / collection
        scores[docs] += np.log1p(counts / expected)
        matched[docs] = True
    scores += len(asked) * np.log(mu / (index.lengths + mu))
    return np.where(matched, scores, -np.inf)


def coordination(index: TermIndex, query: str) -> Scores:
    """Count the distinct query terms in each doc."""
    scores = np.zeros(len(index.ids))
    for term in dict.fromkeys(index.query(query)):
        scores[index.docs_with(term)[0]] += 1.0
    return positive_only(scores)


def best_passage(scores: Scores, owners: npt.NDArray[np.int64], size: int) -> Scores:
    """Give each doc the score of its best passage; `owners` [passage] contains the docs."""
    best = no_scores(size)
    np.maximum.at(best, owners, scores)
    return best
