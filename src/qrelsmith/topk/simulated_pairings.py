"""Random pairings for simulations, drawn many at once with numpy's random numbers.

Vectorised version of `pairings` for simulations, with the same exchanges.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.rng import rng_for
from qrelsmith.topk.pairings import ring

# Different pairings for each number of candidates, whose places are drawn every time.
_PAIRINGS = 128
# Attempted exchanges: for few candidates many, since they are often in vain; then a few a pair.
_LEAST_EXCHANGES, _EXCHANGES = 1000, 4


@lru_cache(maxsize=512)
def many_pairings(candidates: int, opponents: int) -> IntArray:
    """Draw pairings [pairing, pair, 2]; each candidate is paired with `opponents` candidates.

    The result depends on the order of the candidates, so shuffle the candidates, too. With fewer
    other candidates than `opponents`, the only pairing consists of all pairs.
    """
    if opponents >= candidates - 1:
        return np.array([list(combinations(range(candidates), 2))], dtype=np.int64)
    rng = rng_for(0, "simulated pairings", candidates, opponents)
    edges = np.tile(np.array(ring(candidates, opponents), dtype=np.int64), (_PAIRINGS, 1, 1))
    rows = np.arange(_PAIRINGS)
    paired = np.zeros((_PAIRINGS, candidates, candidates), dtype=bool)
    paired[:, edges[0, :, 0], edges[0, :, 1]] = paired[:, edges[0, :, 1], edges[0, :, 0]] = True
    steps = max(_LEAST_EXCHANGES, _EXCHANGES * edges.shape[1])
    for draw in rng.integers(edges.shape[1], size=(steps, 2, _PAIRINGS)):
        one, two = edges[rows, draw[0]], edges[rows, draw[1]]
        two = np.where(rng.random(_PAIRINGS)[:, None] < 0.5, two, two[:, ::-1])
        (a, b), (c, d) = one.T, two.T
        new = (a != d) & (c != b) & (a != c) & (b != d)
        new &= ~paired[rows, a, d] & ~paired[rows, c, b]
        r, a, b, c, d = rows[new], a[new], b[new], c[new], d[new]
        paired[r, a, b] = paired[r, b, a] = paired[r, c, d] = paired[r, d, c] = False
        paired[r, a, d] = paired[r, d, a] = paired[r, c, b] = paired[r, b, c] = True
        edges[r, draw[0][new]] = np.stack([a, d], axis=1)
        edges[r, draw[1][new]] = np.stack([c, b], axis=1)
    return edges
