"""Columns of docnos, stored as texts or as a block of bytes, with lookup.

In a block of bytes, docnos are compared only if their fingerprints are equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.io.byte_texts import MIX, ByteTexts, Words

# The maximum number of docs in a vocabulary that may share a fingerprint of their ends.
_LONGEST_CHAIN = 16
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


class Docs(Protocol):
    """The column of docnos in a part of a run."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def take(self, rows: IntArray) -> list[str]:
        """Return the docnos of the given rows."""

    def at(self, rows: IntArray) -> Docs:
        """Return the column restricted to the given rows."""

    def codes_in(self, vocabulary: Vocabulary) -> IntArray:
        """Return the position of each row's docno in a vocabulary, or −1 if it is missing [row]."""

    def distinct_in(self, starts: IntArray) -> bool:
        """Return whether docnos are distinct within every section between consecutive starts."""

    def later(self, rows: IntArray, others: IntArray) -> BoolArray:
        """Return whether each row's docno sorts after the docno of another row, by code points."""


class Vocabulary:
    """Docnos in a fixed order, prepared for lookup by both kinds of `Docs`.

    Parameters
    ----------
    docs : sequence of str
        The docnos.
    groups : int array [doc], optional
        The group (topic) of each docno, ascending; docnos are then looked up within their groups.
    """

    def __init__(self, docs: Sequence[str], groups: IntArray | None = None) -> None:
        self.docs = docs
        self._groups = groups
        self._places_of: WeakKeyDictionary[Vocabulary, IntArray] = WeakKeyDictionary()

    @cached_property
    def index(self) -> dict[str, int]:
        """The position of each docno."""
        return {doc: place for place, doc in enumerate(self.docs)}

    @cached_property
    def _buckets(self) -> _Buckets:
        groups = np.zeros(len(self.docs), np.int64) if self._groups is None else self._groups
        return _Buckets(ByteTexts.of(self.docs), groups)

    def places_of_all(self, other: Vocabulary) -> IntArray:
        """Return the position in this vocabulary of each docno of `other`; −1 if missing."""
        if other not in self._places_of:
            found = np.full(len(other.docs), -1, dtype=np.int64)
            place = other.index.get
            places = np.fromiter((place(doc, -1) for doc in self.docs), np.int64, len(self.docs))
            known = np.flatnonzero(places >= 0)
            found[places[known]] = known
            self._places_of[other] = found
        return self._places_of[other]

    def places_of(self, texts: ByteTexts, fingerprints: Words, groups: IntArray) -> IntArray:
        """Return the position of each text of a block; −1 if the text is not in its group."""
        codes = np.full(len(texts), -1, dtype=np.int64)
        if len(self.docs):
            self._buckets.find(texts, fingerprints, groups, codes)
        return codes


class _Buckets:
    """Texts in buckets, chosen by bits of their fingerprints; a group's buckets are adjacent."""

    def __init__(self, texts: ByteTexts, groups: IntArray) -> None:
        fingerprints = texts.fingerprints()
        # Docs of one collection may have the same end, such as `…/archive/index.html`.
        keys = fingerprints + groups.astype(np.uint64) * MIX[1]
        counts = np.unique(keys, return_counts=True)[1]
        self._whole = bool((counts > _LONGEST_CHAIN).any())
        if self._whole:
            fingerprints = texts.fingerprints(whole=True)
        # Eight buckets per text: one in nine unknown texts meets a known text. The last group
        # is for texts without a group, −1, and has no text.
        widths = np.append(8 * np.bincount(groups), 0)
        self._ends_of_groups = np.cumsum(widths).astype(np.uint64)
        self._widths = widths.astype(np.uint64)
        bucket = self._bucket(fingerprints, groups)
        self._order = np.argsort(bucket, kind="stable")
        self._buckets = bucket[self._order]
        self._texts = texts.at(self._order)
        self._fingerprints = fingerprints[self._order]
        counts = np.bincount(bucket, minlength=8 * len(texts) + 1)
        self._ends = np.cumsum(counts)
        self._used = counts > 0

    def _bucket(self, fingerprints: Words, groups: IntArray) -> IntArray:
        inside = (fingerprints >> _HALF) * self._widths[groups] >> _HALF
        return (self._ends_of_groups[groups] - self._widths[groups] + inside).view(np.int64)

    def find(
        self, texts: ByteTexts, fingerprints: Words, groups: IntArray, codes: IntArray
    ) -> None:
        """Write the position of each text into its row of `codes`, if the text is in its group."""
        if self._whole:
            fingerprints = texts.fingerprints(whole=True)
        bucket = self._bucket(fingerprints, groups)
        rows = np.flatnonzero(self._used[bucket])
        bucket = bucket[rows]
        place = self._ends[bucket] - 1
        # Search from the last text of the bucket back to the end of the previous bucket.
        while rows.size:
            same = self._fingerprints[place] == fingerprints[rows]
            known = np.flatnonzero(same)
            if known.size:
                equal = self._texts.at(place[known]).equal(texts.at(rows[known]))
                codes[rows[known[equal]]] = self._order[place[known[equal]]]
                same[known] = equal
            place = place - 1
            left = np.flatnonzero(~same & (place >= 0))
            left = left[self._buckets[place[left]] == bucket[left]]
            rows, bucket, place = rows[left], bucket[left], place[left]


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

    def at(self, rows: IntArray) -> PlainDocs:
        """See `Docs`."""
        return PlainDocs(self.take(rows))

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

    def later(self, rows: IntArray, others: IntArray) -> BoolArray:
        """See `Docs`."""
        pairs = zip(self.take(rows), self.take(others), strict=True)
        return np.array([one > other for one, other in pairs], dtype=bool)


class ByteDocs:
    """Docnos in a block of bytes."""

    def __init__(self, texts: ByteTexts) -> None:
        self._texts = texts
        self._fingerprints = texts.fingerprints()

    def __len__(self) -> int:
        return len(self._texts)

    def take(self, rows: IntArray) -> list[str]:
        """See `Docs`."""
        return self._texts.take(rows)

    def at(self, rows: IntArray) -> ByteDocs:
        """See `Docs`."""
        return ByteDocs(self._texts.at(rows))

    def codes_in(self, vocabulary: Vocabulary, groups: IntArray | None = None) -> IntArray:
        """See `Docs`; `groups` are the vocabulary's groups in which the rows are looked up."""
        groups = np.zeros(len(self), np.int64) if groups is None else groups
        return vocabulary.places_of(self._texts, self._fingerprints, groups)

    def distinct_in(self, starts: IntArray) -> bool:
        """See `Docs`."""
        sizes = np.diff(starts, append=len(self))
        topic = np.repeat(np.arange(starts.size, dtype=np.uint64), sizes)
        keys = self._fingerprints + topic * MIX[1]
        if _all_differ(self._fingerprints, np.repeat(starts, sizes), np.repeat(sizes, sizes)):
            return True
        ordered = np.sort(keys)
        rows = np.flatnonzero(np.isin(keys, ordered[1:][ordered[1:] == ordered[:-1]]))
        pairs = list(zip(topic[rows].tolist(), self.take(rows), strict=True))
        return len(set(pairs)) == len(pairs)

    def later(self, rows: IntArray, others: IntArray) -> BoolArray:
        """See `Docs`."""
        return self._texts.at(rows).after(self._texts.at(others))


def _all_differ(keys: Words, starts: IntArray, sizes: IntArray) -> bool:
    """Return whether keys are distinct within topics, given each key's first row and topic size.

    All keys are written into one table, with a separate part for each topic. Overwritten keys are
    written again, at a place given by other bits of the key. At most one of two equal keys stays in
    the table.
    """
    rows = np.arange(keys.size)
    bits = 64
    while rows.size > 64 and bits >= 32:
        inside = (keys[rows] >> np.uint64(bits - 32) & _LOW) * (sizes[rows] * 4).astype(np.uint64)
        place = starts[rows] * 4 + (inside >> _HALF).view(np.int64)
        table = np.empty(4 * keys.size, dtype=np.int64)
        table[place] = rows
        staying = table[place]
        lost = np.flatnonzero(staying != rows)
        if (keys[rows[lost]] == keys[staying[lost]]).any():
            return False
        rows, bits = rows[lost], bits - 8
    left = np.sort(keys[rows] + starts[rows].astype(np.uint64) * MIX[1])
    return not (left[1:] == left[:-1]).any()
