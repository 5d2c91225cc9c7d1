"""Texts in a block of bytes, compared eight bytes at a time by vectorised operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from qrelsmith.base.arrays import BoolArray, IntArray

Words: TypeAlias = NDArray[np.uint64]

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONES, _HIGHS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
# Odd constants with well-mixed bits (the golden ratio and two primes of xxHash64).
MIX = tuple(np.uint64(c) for c in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9))


class ByteTexts:
    """Texts in a block of bytes.

    Parameters
    ----------
    content : array of uint8
        The block, at least eight bytes long.
    starts, ends : int array [text]
        Offset of each text's first byte, and the offset after its last byte.
    """

    def __init__(self, content: NDArray[np.uint8], starts: IntArray, ends: IntArray) -> None:
        self.content = content
        self.starts = starts
        self.ends = ends
        self._words: Words = np.ndarray(
            (content.size - 7,), dtype="<u8", buffer=content.data, strides=(1,)
        )

    @classmethod
    def of(cls, texts: Sequence[str]) -> ByteTexts:
        """Build the block from a list of texts."""
        encoded = [text.encode() for text in texts]
        sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
        ends = np.cumsum(sizes)
        content = np.frombuffer(b"".join(encoded).ljust(8, b"\0"), np.uint8)
        return cls(content, ends - sizes, ends)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def sizes(self) -> IntArray:
        """Number of bytes of each text."""
        return self.ends - self.starts

    def at(self, rows: IntArray) -> ByteTexts:
        """Select the texts of some rows."""
        return ByteTexts(self.content, self.starts[rows], self.ends[rows])

    def bytes_of(self, rows: IntArray) -> list[bytes]:
        """Return the texts of some rows as bytes."""
        content = self.content.data
        return [
            bytes(content[start:end])
            for start, end in zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        ]

    def take(self, rows: IntArray) -> list[str]:
        """Return the texts of some rows, decoded as UTF-8."""
        if len(rows) < len(self.starts) // 8:
            return [text.decode() for text in self.bytes_of(rows)]
        content = self.content.tobytes()
        spans = zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        if content.isascii():
            letters = content.decode("ascii")
            return [letters[start:end] for start, end in spans]
        return [content[start:end].decode() for start, end in spans]

    def first_bytes(self) -> NDArray[np.uint8]:
        """Return the first byte of each text; no text may be empty."""
        return self.content[self.starts]

    def first_words(self, word: int = 0) -> Words:
        """Return eight bytes from each text's start, including bytes that follow a shorter text."""
        begins = self.starts + 8 * word if word else self.starts
        most = self._words.size - 1
        late = np.flatnonzero(begins > most)
        if not late.size:
            found: Words = self._words[begins]
            return found
        words: Words = self._words[np.minimum(begins, most)]
        # Bytes after the block count as 0.
        words[late] = _without_first_bytes(words[late], np.minimum(begins[late] - most, 8))
        return words

    def last_words(self, word: int = 0) -> Words:
        """Return the last eight bytes of each text, including bytes that precede a shorter text."""
        begins = self.ends - 8 * (word + 1)
        early = np.flatnonzero(begins < 0)
        if not early.size:
            found: Words = self._words[begins]
            return found
        words: Words = self._words[np.maximum(begins, 0)]
        words[early] = _with_zeros_before(words[early], np.minimum(-begins[early], 8))
        return words

    def tails(self, word: int, sizes: IntArray) -> Words:
        """Return the last eight bytes of each text, with 0 for bytes outside it."""
        words = self.last_words(word)
        if not words.size:
            return words
        left = sizes - 8 * word
        least, most = int(left.min()), int(left.max())
        if least >= 8:
            return words
        if least == most:
            left = left[:1]
        rest = np.uint64(32) - np.clip(left, 0, 8).astype(np.uint64) * np.uint64(4)
        kept: Words = words & (_ALL >> rest >> rest << rest << rest)
        return kept

    def fingerprints(self, *, whole: bool = False) -> Words:
        """Return a hash of each text; equal texts have equal hashes.

        The hash depends on the size and the last 16 bytes, or on all bytes if `whole` is true.
        """
        sizes = self.sizes
        mixed = (self.tails(0, sizes) * MIX[0]) ^ (
            (self.tails(1, sizes) + sizes.astype(np.uint64)) * MIX[2]
        )
        fingerprints: Words = (mixed ^ (mixed >> np.uint64(29))) * MIX[1]
        word, rows = 2, np.flatnonzero(sizes > 16) if whole else np.empty(0, dtype=np.int64)
        while rows.size:
            longer = self.at(rows)
            mixed = fingerprints[rows] ^ (longer.tails(word, longer.sizes) * MIX[0])
            fingerprints[rows] = (mixed ^ (mixed >> np.uint64(29))) * MIX[1]
            word += 1
            rows = rows[longer.sizes > 8 * word]
        return fingerprints

    def equal(self, other: ByteTexts) -> BoolArray:
        """Return whether each text equals the other list's text at the same position."""
        same: BoolArray = self.sizes == other.sizes
        sizes = np.minimum(self.sizes, other.sizes)
        is_long = int(sizes.min(initial=8)) >= 8
        for word in range(-(-int(sizes.max(initial=0)) // 8)):
            if is_long:  # the last word overlaps the previous one
                begin = np.minimum(8 * word, sizes - 8)
                same &= self._words[self.starts + begin] == other._words[other.starts + begin]
            else:
                same &= (self.tails(word, sizes) == other.tails(word, sizes)) | (sizes <= 8 * word)
        return same

    def like_the_one_before(self) -> BoolArray:
        """Return whether each text equals the previous one; False for the first."""
        same = np.zeros(len(self), dtype=bool)
        sizes = self.sizes
        if len(self) > 1:
            same[1:] = sizes[1:] == sizes[:-1]
            for word in range(-(-int(sizes.max()) // 8)):
                words = self.tails(word, sizes)
                same[1:] &= words[1:] == words[:-1]
        return same

    def after(self, other: ByteTexts) -> BoolArray:
        """Return whether each text sorts after the text at the same position, in byte order."""
        after = np.zeros(len(self), dtype=bool)
        open_rows = np.arange(len(self))
        word = 0
        while open_rows.size:
            mine, theirs = (
                only_first_bytes(
                    one.at(open_rows).first_words(word), one.sizes[open_rows] - 8 * word
                ).byteswap()
                for one in (self, other)
            )
            after[open_rows] = mine > theirs
            word += 1
            longer = np.maximum(self.sizes[open_rows], other.sizes[open_rows]) > 8 * word
            open_rows = open_rows[(mine == theirs) & longer]
        return after


def first_in_words(words: Words, byte: int) -> IntArray:
    """Return the position of a byte's first occurrence in each word, or 8 if there is none."""
    unlike = words ^ np.uint64(byte * 0x0101010101010101)
    # Marks the highest bit of each matching byte; bits above the first match may be wrong.
    hits = (unlike - _ONES) & ~unlike & _HIGHS
    below = (hits & (~hits + np.uint64(1))) - np.uint64(1)
    return (np.bitwise_count(below) >> 3).astype(np.int64)


def only_first_bytes(words: Words, sizes: IntArray) -> Words:
    """Return the words with every byte after the first `sizes` bytes set to 0."""
    rest = np.uint64(32) - np.clip(sizes, 0, 8).astype(np.uint64) * np.uint64(4)
    kept: Words = words & (_ALL >> rest >> rest)
    return kept


def _without_first_bytes(words: Words, count: IntArray) -> Words:
    """Return the words without their first `count` bytes, padded with 0 at the end."""
    half = count.astype(np.uint64) * np.uint64(4)
    moved: Words = words >> half >> half
    return moved


def _with_zeros_before(words: Words, count: IntArray) -> Words:
    """Return the first bytes of the words, after `count` bytes of 0."""
    half = count.astype(np.uint64) * np.uint64(4)
    moved: Words = words << half << half
    return moved
