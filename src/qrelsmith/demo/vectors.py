"""Scoring by cosine similarity: TF-IDF and latent semantic indexing."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.scipy_parts import sparse
from qrelsmith.demo.terms import Scores, TermIndex, positive_only


class TfIdf:
    """TF-IDF vectors of unit length with logarithmic term frequencies, 1 + log(tf)."""

    def __init__(self, index: TermIndex) -> None:
        self.index = index
        with_term = np.diff(index.columns.indptr)
        self._idf = np.log((1 + len(index.ids)) / (1 + with_term)) + 1
        self.matrix = _unit_rows(self._weigh(index.counts))

    def vector(self, query: str) -> sparse.csr_array:
        """Return the query as a unit vector: [1, term]."""
        terms, counts = np.unique(
            np.array(self.index.query(query), dtype=np.int64), return_counts=True
        )
        shape = (1, len(self.index.vocabulary))
        row = sparse.csr_array(
            (counts.astype(np.float64), (np.zeros(len(terms), dtype=np.int64), terms)), shape=shape
        )
        return _unit_rows(self._weigh(row))

    def search(self, query: str) -> Scores:
        """Compute the cosine with every doc: float64 [doc], -inf if doc and query share no term."""
        return positive_only((self.matrix @ self.vector(query).T).toarray()[:, 0])

    def _weigh(self, counts: sparse.csr_array) -> sparse.csr_array:
        damped = counts.copy()
        damped.data = 1 + np.log(damped.data)
        weighted: sparse.csr_array = (damped @ sparse.diags_array(self._idf)).tocsr()
        return weighted


class LatentSemantics:
    """TF-IDF vectors projected onto the space of their leading singular vectors.

    The space is computed by subspace iteration, because cosines need the space, not the individual
    vectors. A Lanczos solver makes thousands of small calls to a threaded BLAS and is ten times
    slower on a busy machine.

    Parameters
    ----------
    vectors : TfIdf
        The docs.
    rank : int
        Number of dimensions; fewer for small collections.
    iterations : int
        Number of iterations.
    """

    def __init__(self, vectors: TfIdf, *, rank: int, iterations: int = 8) -> None:
        self._vectors = vectors
        matrix = vectors.matrix
        kept = min(rank, min(matrix.shape) - 1)
        # A deterministic start without a pattern: cosines of whole numbers.
        basis = np.cos(np.outer(np.arange(1, matrix.shape[1] + 1), np.arange(1, kept + 1)))
        for _ in range(iterations):
            basis = np.linalg.qr(matrix.T @ (matrix @ basis))[0]
        self._basis = basis
        self._docs = _unit(matrix @ basis)

    def search(self, query: str) -> Scores:
        """Compute the cosine with every doc in this space; -inf if not positive."""
        projected = _unit(self._vectors.vector(query) @ self._basis)
        return positive_only(self._docs @ projected[0])


def _unit_rows(matrix: sparse.csr_array) -> sparse.csr_array:
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1))).ravel()
    scaled: sparse.csr_array = (
        sparse.diags_array(1 / np.where(norms > 0, norms, 1.0)) @ matrix
    ).tocsr()
    return scaled


def _unit(rows: Scores) -> Scores:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, 1.0)
