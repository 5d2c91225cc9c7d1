"""Overlap of the passages that assessors mark."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def span_overlap(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> float:
    """Return the Jaccard coefficient of the characters that two assessors marked.

    Parameters
    ----------
    first, second : iterable of (int, int)
        The spans that each assessor marked in one text: start and length, in characters. Spans may
        overlap.

    Returns
    -------
    float
        From 0 (no character in common) to 1 (the same characters); nan if neither assessor marked
        any.
    """
    spans = [list(first), list(second)]
    end = max((start + length for marks in spans for start, length in marks), default=0)
    marked = np.zeros((2, end), dtype=bool)
    for row, marks in enumerate(spans):
        for start, length in marks:
            marked[row, start : start + length] = True
    either = int(marked.any(axis=0).sum())
    return int(marked.all(axis=0).sum()) / either if either else float("nan")
