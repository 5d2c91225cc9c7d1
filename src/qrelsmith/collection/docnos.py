"""Columns of docnos, plain or in a pyarrow array, and how to look them up.

The pyarrow column compares text only where it must: two docnos with different fingerprints differ.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qrelsmith.base.arrays import BoolArray, IntArray

# Odd constants with well-mixed bits (the golden ratio and two primes of xxHash64).
_MIX = tuple(np.uint64(c) for c in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))


class Docs(Protocol):
    """The docno column of a part of a run."""

    def __len__(self) -> int:
        """How many rows there are."""

    def take(self, rows: IntArray) -> list[str]:
        """The docnos of some rows."""

    def codes_in(self, vocabulary: Vocabulary) -> IntArray:
        """The place of each row's docno in a vocabulary, −1 where it is not in it [row]."""

    def distinct_in(self, starts: IntArray) -> bool:
        """Whether no docno stands twice between one start and the next (or the end)."""


class Vocabulary:
    """Docnos in a fixed order, ready to be looked up by both kinds of `Docs`."""

    def __init__(self, docs: Sequence[str]) -> None:
        self.docs = docs
        self._places_of: WeakKeyDictionary[Vocabulary, IntArray] = WeakKeyDictionary()

    @cached_property
    def index(self) -> dict[str, int]:
        """The place of each docno."""
        return {doc: place for place, doc in enumerate(self.docs)}

    @cached_property
    def arrow(self) -> Any:
        """The docnos as a pyarrow array."""
        import pyarrow

        return pyarrow.array(self.docs, type=pyarrow.string())

    @cached_property
    def _by_fingerprint(self) -> tuple[NDArray[np.uint64], IntArray]:
        """The docs' fingerprints, ascending, and whose they are."""
        fingerprints = _fingerprints(self.arrow)
        order = np.argsort(fingerprints)
        return fingerprints[order], order

    @cached_property
    def _filter(self) -> BoolArray:
        """Which low bits a docno's fingerprint can end in: no docno of the vocabulary is missed."""
        size = 1 << min(max(16, 6 + len(self.docs).bit_length()), 24)
        table = np.zeros(size, dtype=bool)
        table[_low_bits(self._by_fingerprint[0], size)] = True
        return table

    def places_of_all(self, other: Vocabulary) -> IntArray:
        """The place of each docno of another vocabulary, −1 where it is not in this one."""
        if other not in self._places_of:
            found = np.full(len(other.docs), -1, dtype=np.int64)
            place = other.index.get
            places = np.fromiter((place(doc, -1) for doc in self.docs), np.int64, len(self.docs))
            known = np.flatnonzero(places >= 0)
            found[places[known]] = known
            self._places_of[other] = found
        return self._places_of[other]

    def places_of(self, array: Any, fingerprints: NDArray[np.uint64]) -> IntArray:
        """The place of each text of a pyarrow array, −1 where it is not in the vocabulary."""
        import pyarrow.compute

        codes = np.full(len(array), -1, dtype=np.int64)
        sorted_fingerprints, order = self._by_fingerprint
        if not sorted_fingerprints.size:
            return codes
        rows = np.flatnonzero(self._filter[_low_bits(fingerprints, self._filter.size)])
        if (sorted_fingerprints[1:] == sorted_fingerprints[:-1]).any():
            # Two docs share a fingerprint: leave it all to the text.
            found = pyarrow.compute.index_in(array.take(rows), self.arrow)
            codes[rows] = found.fill_null(-1).to_numpy()
            return codes
        place = np.minimum(
            np.searchsorted(sorted_fingerprints, fingerprints[rows]), sorted_fingerprints.size - 1
        )
        same = sorted_fingerprints[place] == fingerprints[rows]
        rows, places = rows[same], order[place[same]]
        equal = pyarrow.compute.equal(array.take(rows), self.arrow.take(places))
        equal = equal.to_numpy(zero_copy_only=False)
        codes[rows[equal]] = places[equal]
        return codes


class PlainDocs:
    """Docnos in a list."""

    def __init__(self, docs: list[str]) -> None:
        self._docs = docs

    def __len__(self) -> int:
        return len(self._docs)

    def take(self, rows: IntArray) -> list[str]:
        """See `Docs`."""
        docs = self._docs
        return [docs[row] for row in rows.tolist()]

    def codes_in(self, vocabulary: Vocabulary) -> IntArray:
        """See `Docs`."""
        place = vocabulary.index.get
        return np.fromiter((place(doc, -1) for doc in self._docs), np.int64, len(self._docs))

    def distinct_in(self, starts: IntArray) -> bool:
        """See `Docs`."""
        bounds = [*starts.tolist(), len(self._docs)]
        return all(
            len(set(self._docs[start:end])) == end - start
            for start, end in itertools.pairwise(bounds)
        )


class ArrowDocs:
    """Docnos in a pyarrow string array."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self._fingerprints = _fingerprints(array)

    def __len__(self) -> int:
        return len(self._array)

    def take(self, rows: IntArray) -> list[str]:
        """See `Docs`."""
        docs: list[str] = self._array.take(rows).to_pylist()
        return docs

    def codes_in(self, vocabulary: Vocabulary) -> IntArray:
        """See `Docs`."""
        return vocabulary.places_of(self._array, self._fingerprints)

    def distinct_in(self, starts: IntArray) -> bool:
        """See `Docs`."""
        topic = np.repeat(
            np.arange(starts.size, dtype=np.uint64), np.diff(starts, append=len(self._array))
        )
        keys = self._fingerprints + topic * _MIX[1]
        ordered = np.sort(keys)
        shared = ordered[1:][ordered[1:] == ordered[:-1]]
        if not shared.size:
            return True
        rows = np.flatnonzero(np.isin(keys, shared))
        pairs = list(zip(topic[rows].tolist(), self.take(rows), strict=True))
        return len(set(pairs)) == len(pairs)


def _fingerprints(array: Any) -> NDArray[np.uint64]:
    """A number for each text, the same for equal texts: of its length and its last 16 bytes."""
    offsets = np.frombuffer(array.buffers()[1], np.int32)[array.offset :][: len(array) + 1]
    ends = offsets[1:].astype(np.int64)
    lengths = ends - offsets[:-1]
    # Eight bytes that start anywhere: room before the first text for its last words.
    content = np.zeros(16 + int(ends[-1]) if len(ends) else 16, dtype=np.uint8)
    if len(ends):
        content[16:] = np.frombuffer(array.buffers()[2], np.uint8)[: int(ends[-1])]
    words: NDArray[np.uint64] = np.ndarray(
        (content.size - 7,), dtype="<u8", buffer=content.data, strides=(1,)
    )
    last = _only_last_bytes(words[ends + 8], lengths)
    before = _only_last_bytes(words[ends], lengths - 8)
    mixed = (last * _MIX[0]) ^ ((before + lengths.astype(np.uint64)) * _MIX[2])
    fingerprints: NDArray[np.uint64] = (mixed ^ (mixed >> np.uint64(29))) * _MIX[1]
    return fingerprints


def _only_last_bytes(words: NDArray[np.uint64], lengths: IntArray) -> NDArray[np.uint64]:
    """The words without the bytes that belong to whatever stands before the text."""
    short = np.flatnonzero(lengths < 8)
    if short.size:
        kept = np.maximum(lengths[short], 0).astype(np.uint64)
        shift = (np.uint64(8) - kept) * np.uint64(8)
        # A shift by 64 bits is undefined: a text without a byte here leaves nothing.
        words[short] = np.where(kept > 0, words[short] >> np.minimum(shift, np.uint64(63)), 0)
    return words


def _low_bits(fingerprints: NDArray[np.uint64], size: int) -> IntArray:
    """The fingerprint modulo a power of two, as an index."""
    return ((fingerprints >> np.uint64(17)) & np.uint64(size - 1)).astype(np.int64)
