"""A common list of names for several columns that refer to separate lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import IntArray


def merge_names(
    columns: Sequence[tuple[tuple[str, ...], IntArray]],
) -> tuple[tuple[str, ...], IntArray]:
    """Return the sorted names that columns use, and the columns as indices into these names."""
    used = [np.unique(places) for _, places in columns]
    texts = [
        [names[place] for place in places.tolist()]
        for (names, _), places in zip(columns, used, strict=True)
    ]
    merged = tuple(sorted(set().union(*texts)))
    code_of = {name: code for code, name in enumerate(merged)}
    parts = [np.empty(0, np.int64)]
    for (names, places), used_places, used_names in zip(columns, used, texts, strict=True):
        codes = np.zeros(len(names), dtype=np.int64)
        codes[used_places] = [code_of[name] for name in used_names]
        parts.append(codes[places])
    return merged, np.concatenate(parts)
