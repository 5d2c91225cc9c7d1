"""Bootstrap samples of topics, as the number of times that each topic was drawn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 20  # draws held at once


def resample_counts(rng: np.random.Generator, trials: int, topics: int) -> NDArray[np.uint16]:
    """Return how often each topic is in each bootstrap sample; samples have the original size.

    Parameters
    ----------
    rng : Generator
        The source of the draws.
    trials : int
        The number of samples; sample t depends on the generator and t alone.
    topics : int
        The number of topics, and the number of draws with replacement in each sample.

    Returns
    -------
    uint16 array, shape (trials, topics)
        Every row sums to `topics`.
    """
    counts = np.empty((trials, topics), dtype=np.uint16)
    size = max(1, _BLOCK // max(1, topics))
    for start in range(0, trials, size):
        rows = min(size, trials - start)
        drawn = rng.integers(0, topics, size=(rows, topics))
        drawn += np.arange(rows)[:, None] * topics
        counts[start : start + rows] = np.bincount(drawn.ravel(), minlength=rows * topics).reshape(
            rows, topics
        )
    return counts
