"""The pool of a topic: the docs that any run returned within a depth, and their ranks.

Docs are kept sorted by docno, so that two docs can be compared by position instead of docno.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.base.errors import ShapeError, UsageError, quoted


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The docs to be judged for one topic.

    Attributes
    ----------
    docs : tuple of str [doc]
        The docnos of the docs, sorted.
    run : int array [return]
        The index of a run that returned a doc within the depth; ascending.
    doc : int array [return]
        The position of that doc in `docs`.
    rank : int array [return]
        The rank of the doc in that run, from 1.
    found: bool array [doc]
        Whether the doc is in the pool regardless of the runs.
    """

    docs: tuple[str, ...]
    run: IntArray
    doc: IntArray
    rank: IntArray
    found: BoolArray

    def __len__(self) -> int:
        return len(self.docs)

    @property
    def runs_of(self) -> IntArray:
        """The number of runs that returned each doc within the depth [doc]; 0 if no run did."""
        return np.bincount(self.doc, minlength=len(self.docs))

    @property
    def rank_sums(self) -> IntArray:
        """The sum of each doc's ranks in the runs that returned it [doc]."""
        sums = np.bincount(self.doc, weights=self.rank, minlength=len(self.docs))
        return sums.astype(np.int64)


def pool_rankings(
    rankings: Sequence[Sequence[str]], *, depth: int, found: Iterable[str] = ()
) -> Pool:
    """Pool the rankings of one topic.

    Parameters
    ----------
    rankings : sequence of sequences of str, [run][rank]
        The docnos that each run returned, best first; empty for a run without the topic.
    depth : int
        The number of docs pooled per run; a run that returned fewer docs contributes all of them.
    found : iterable of str
        Docs that join the pool regardless of the runs, such as those found while the topic was
        written. They form a run without ranks, which is not counted among the runs that return a
        doc, since assessors should not learn which docs the topic's creator preferred.

    Returns
    -------
    Pool

    Raises
    ------
    UsageError
        If the depth is below 1.
    ShapeError
        If a doc appears twice in a ranking within the depth.

    References
    ----------
    Sakai et al. (2023), On the ordering of pooled web pages, gold assessments, and bronze
    assessments, section 3.3.
    """
    if depth < 1:
        raise UsageError(f"depth={depth}; expected 1 or more")
    tops = [ranking[:depth] for ranking in rankings]
    for number, top in enumerate(tops):
        if len(set(top)) < len(top):
            twice = next(doc for doc in top if list(top).count(doc) > 1)
            raise ShapeError(f"doc {quoted(twice)} appears twice in the ranking of run {number}")
    extra = frozenset(found)
    docs = tuple(sorted(extra.union(*tops)))
    place = {doc: number for number, doc in enumerate(docs)}
    sizes = np.array([len(top) for top in tops], dtype=np.int64)
    total = int(sizes.sum())
    first = np.cumsum(sizes) - sizes
    returned = map(place.__getitem__, chain.from_iterable(tops))
    return Pool(
        docs=docs,
        run=np.repeat(np.arange(len(tops)), sizes),
        doc=np.fromiter(returned, np.int64, total),
        rank=np.arange(1, total + 1) - np.repeat(first, sizes),
        found=np.fromiter((doc in extra for doc in docs), np.bool_, len(docs)),
    )
