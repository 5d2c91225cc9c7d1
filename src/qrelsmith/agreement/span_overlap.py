"""Overlap of the passages that assessors mark."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def span_overlap(first: Iterable[tuple[int, int]], second: Iterable[tuple[int, int]]) -> float:
    """Return the share of the characters marked by either that both have marked (Jaccard).

    Parameters
    ----------
    first, second : iterable of (int, int)
        The marked spans of each in one text: start and length, in characters; they may overlap.

    Returns
    -------
    float
        From 0, no character in common, to 1, the same characters; nan where neither marked any.
    """
    spans = [list(first), list(second)]
    end = max((start + length for marks in spans for start, length in marks), default=0)
    marked = np.zeros((2, end), dtype=bool)
    for row, marks in enumerate(spans):
        for start, length in marks:
            marked[row, start : start + length] = True
    either = int(marked.any(axis=0).sum())
    return int(marked.all(axis=0).sum()) / either if either else float("nan")
