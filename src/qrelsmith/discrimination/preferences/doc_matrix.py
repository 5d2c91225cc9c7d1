"""Doc-level matrix: the probability that a doc is preferred to another (pdp 3.4.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import ShapeError, UndefinedError
from qrelsmith.discrimination.preferences.batches import batch_codes
from qrelsmith.discrimination.preferences.coding import middle_codes, positions
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.preferences.untested import untested_error


@dataclass(frozen=True, slots=True)
class DocMatrix:
    """Preference probabilities between the docs of each topic.

    Attributes
    ----------
    p : float array [topic, doc, doc]
        p(doc of the row > doc of the column); p + pᵀ = 1. The diagonal is ½ for a doc with a grade
        and nan for a doc without a grade. A nan between two docs with grades means that, in
        individual mode, no assessor graded both.
    tests : float array [topic, doc, doc]
        The smallest number of tests in any cell of the grade-level matrix from which p is computed;
        inf if no cell was needed, because every assessor gave both docs the same grade; nan if p is
        nan, or comes from a given matrix.
    """

    p: FloatArray
    tests: FloatArray


def doc_matrix(
    matrix: GradeMatrix, grades: ArrayLike, *, batches: ArrayLike | None = None
) -> DocMatrix:
    """Return the doc-level preference matrix of each topic.

    Individual mode: the mean of p(grade of doc 1 > grade of doc 2) over the assessors who graded
    both docs (Eq. 7). Aggregate mode: p of the median grades (Eq. 8). With an even number of
    assessors, this is the mean over the four combinations of the middle grades.

    Parameters
    ----------
    matrix : GradeMatrix
        The matrix for the same scale and mode.
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 are missing. A "topic" may be any list of docs of a topic, such as the
        top K of a run.
    batches : array_like of int [topic], optional
        The batch of each topic; required if the matrix has several batches.

    Raises
    ------
    UndefinedError
        If a doc pair needs a pair of grades without tests; the error names the pairs, and the
        number of tests to add.
    UsageError
        If a grade is not on the scale of the matrix.
    ShapeError
        If the grades have no assessor axis, or the batches do not match.

    References
    ----------
    pdp, Eq. 7 and 8.
    """
    samples = grade_samples(matrix, grades, batches=batches)
    p = samples.means(matrix.p[None])[0]
    if (np.isnan(p) & samples.has_evidence()).any():
        raise samples.error_of_untested(matrix)
    p = samples.finish(p, clip=matrix.clip)
    return DocMatrix(p=p, tests=np.where(np.isnan(p), np.nan, samples.fewest(matrix.tests)))


@dataclass(frozen=True, slots=True)
class GradeSamples:
    """The cells of a grade-level matrix that each doc pair uses.

    Attributes
    ----------
    codes : int array [topic, doc, sample]
        Positions of grades; −1 is missing. Samples are assessors, or the two middle grades.
    pairings : tuple of pairs of int
        Pairs of samples that are compared: a sample of one doc and a sample of the other doc.
    batch : int array [topic]
        The batch of each topic.
    batches, levels : int
        The numbers of batches and levels of the matrix.
    """

    codes: IntArray
    pairings: tuple[tuple[int, int], ...]
    batch: IntArray
    batches: int
    levels: int

    def means(self, matrices: FloatArray) -> FloatArray:
        """Return the mean of the cells that each doc pair uses, for several matrices at once.

        Parameters
        ----------
        matrices : float array [variant, batch, level, level]
            Grade-level matrices.

        Returns
        -------
        float array [variant, topic, doc, doc]
            nan if a cell is nan, or there is no cell, as on the diagonal.
        """
        tables = self._table(matrices, beyond=0.0)
        topics, docs, _ = self.codes.shape
        total = np.zeros((len(matrices), topics, docs, docs))
        count = np.zeros((topics, docs, docs))
        for cells in self._cells():
            total += tables[:, cells]
            count += cells < tables.shape[1] - 1
        out = np.full_like(total, np.nan)
        return np.divide(total, count, out=out, where=count > 0)

    def cell_sums(self, values: FloatArray) -> FloatArray:
        """Sum the contributions of all doc pairs to the cells that the pairs use.

        The method is the reverse of `means`: derivatives with respect to the preferences between
        docs become derivatives with respect to the preferences between grades.

        Parameters
        ----------
        values : float array [variant, topic, doc, doc]
            The contribution of each doc pair, in equal parts to each cell that it uses.
        """
        cells = list(self._cells())
        beyond = self.batches * self.levels**2
        count = np.maximum(sum((each < beyond).astype(np.int64) for each in cells), 1)
        place = np.concatenate([each.ravel() for each in cells])
        sums = np.empty((len(values), self.batches, self.levels, self.levels))
        for variant, given in enumerate(values / count):
            parts = np.tile(given.ravel(), len(cells))
            found = np.bincount(place, weights=parts, minlength=beyond + 1)
            sums[variant] = found[:-1].reshape(sums.shape[1:])
        return sums

    def finish(self, means: FloatArray, *, clip: float) -> FloatArray:
        """Return clipped means [..., topic, doc, doc], with ½ on the diagonal of graded docs."""
        docs = np.arange(self.codes.shape[1])
        p = np.clip(means, clip, 1.0 - clip)
        p[..., docs, docs] = np.where((self.codes >= 0).any(axis=2), 0.5, np.nan)
        return p

    def fewest(self, tests: FloatArray) -> FloatArray:
        """Return the minimum of `tests` over the cells of each pair of docs [topic, doc, doc]."""
        level = np.arange(self.levels)
        counted = tests.copy()
        counted[:, level, level] = np.inf
        table = self._table(counted[None], beyond=np.inf)[0]
        topics, docs, _ = self.codes.shape
        fewest = np.full((topics, docs, docs), np.inf)
        for cells in self._cells():
            np.minimum(fewest, table[cells], out=fewest)
        return fewest

    def has_evidence(self) -> BoolArray:
        """Return whether each doc pair uses any cell [topic, doc, doc]."""
        topics, docs, _ = self.codes.shape
        compared = np.zeros((topics, docs, docs), dtype=np.bool_)
        for cells in self._cells():
            compared |= cells < self.batches * self.levels**2
        return compared

    def error_of_untested(self, matrix: GradeMatrix) -> UndefinedError:
        """Return the error that lists the required cells without a value."""
        unknown = np.isnan(self._table(matrix.p[None], beyond=0.0)[0])
        needed = np.zeros(unknown.shape, dtype=np.bool_)
        for cells in self._cells():
            needed[cells.ravel()] = True
        places = np.unravel_index(np.flatnonzero(unknown & needed), matrix.p.shape)
        return untested_error(matrix.levels, np.column_stack(places), batches=self.batches)

    def _table(self, matrices: FloatArray, *, beyond: float) -> FloatArray:
        """Return the matrices as rows [variant, cell], with one more cell for missing grades."""
        flat = matrices.reshape(len(matrices), -1)
        return np.concatenate([flat, np.full((len(flat), 1), beyond)], axis=1)

    def _cells(self) -> Iterator[IntArray]:
        """Yield the cells of doc pairs by pairing [topic, doc, doc]; the last is for no grade."""
        first = (self.batch * self.levels**2)[:, None, None]
        same = np.eye(self.codes.shape[1], dtype=np.bool_)
        for one, other in self.pairings:
            row, column = self.codes[:, :, None, one], self.codes[:, None, :, other]
            missing = (row < 0) | (column < 0) | same
            cells = first + row * self.levels + column
            yield np.where(missing, self.batches * self.levels**2, cells)


def grade_samples(
    matrix: GradeMatrix, grades: ArrayLike, *, batches: ArrayLike | None = None
) -> GradeSamples:
    """Return the matrix cells that each pair of docs uses; for parameters, see `doc_matrix`."""
    codes = positions(grades, matrix.levels)
    batch = batch_codes(batches, topics=len(codes))
    batch_count = len(matrix.p)
    if batches is None and batch_count > 1:
        raise ShapeError(
            f"the grade matrix has {batch_count} batches. Pass the batch of each topic as batches"
        )
    if batch.max(initial=0) >= batch_count:
        raise ShapeError(
            f"batch {batch.max()} is not one of the {batch_count} batches of the matrix"
        )
    if codes.shape[-1] == 0:
        raise ShapeError("no assessor has grades; expected at least one")
    individual = matrix.mode == "individual"
    return GradeSamples(
        codes=codes if individual else middle_codes(codes),
        pairings=(
            tuple((one, one) for one in range(codes.shape[-1]))
            if individual
            else ((0, 0), (0, 1), (1, 0), (1, 1))
        ),
        batch=batch,
        batches=batch_count,
        levels=len(matrix.levels),
    )
