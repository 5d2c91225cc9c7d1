"""Runs with a common vocabulary: a doc has the same number in all runs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.collection.docnos import Vocabulary
from qrelsmith.collection.runs import Run


def share_docs(runs: Sequence[Run]) -> None:
    """Give runs one vocabulary: a doc is then looked up once per label set, not once per run."""
    if all(isinstance(run.part().docs, SharedDocs) for run in runs):
        return
    place: dict[str, int] = {}
    rows = [
        np.fromiter(
            (place.setdefault(doc, len(place)) for docs in run.docs.values() for doc in docs),
            np.int64,
        )
        for run in runs
    ]
    shared = Vocabulary(tuple(place))
    for run, places in zip(runs, rows, strict=True):
        part = replace(run.part(), docs=SharedDocs(shared, places))
        object.__setattr__(run, "_shared", part)


class SharedDocs:
    """Docnos as positions in a vocabulary that several runs share."""

    def __init__(self, shared: Vocabulary, places: IntArray) -> None:
        self._shared, self._places = shared, places

    def __len__(self) -> int:
        return len(self._places)

    def take(self, rows: IntArray) -> list[str]:
        """See `Docs`."""
        return [self._shared.docs[place] for place in self._places[rows].tolist()]

    def at(self, rows: IntArray) -> SharedDocs:
        """See `Docs`."""
        return SharedDocs(self._shared, self._places[rows])

    def codes_in(self, vocabulary: Vocabulary) -> IntArray:
        """See `Docs`."""
        return vocabulary.places_of_all(self._shared)[self._places]

    def distinct_in(self, starts: IntArray) -> bool:
        """See `Docs`."""
        bounds = [*starts.tolist(), len(self._places)]
        return all(
            len(set(self._places[start:end].tolist())) == end - start
            for start, end in itertools.pairwise(bounds)
        )

    def later(self, rows: IntArray, others: IntArray) -> BoolArray:
        """See `Docs`."""
        pairs = zip(self.take(rows), self.take(others), strict=True)
        return np.array([one > other for one, other in pairs], dtype=bool)
