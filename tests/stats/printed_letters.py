"""Tables 11 and 12 of ordering-gold-bronze: V_E2; row, mean τ, the rows that it outperforms."""

from __future__ import annotations

import numpy as np

TABLES = {
    "table-11": (
        0.0175,
        [
            ("RND-Gold-nDCG", 0.5414, "b,c,d,e,f,g,h"),
            ("RND-Gold-Q", 0.4980, "c,d,e,f,g,h"),
            ("RND-Gold-nERR", 0.4548, "d,e,f,g,h"),
            ("PRI-Gold-nDCG", 0.4165, "e,f,g,h"),
            ("PRI-Gold-Q", 0.3726, "f,g,h"),
            ("RND-Gold-iRBU", 0.2946, ""),
            ("PRI-Gold-iRBU", 0.2909, ""),
            ("PRI-Gold-nERR", 0.2878, ""),
        ],
    ),
    "table-12": (
        0.0185,
        [
            ("PRI-BronzeT-Q", 0.5121, "c,d,e,f,g,h,i,j,k,l"),
            ("PRI-BronzeT-nDCG", 0.4934, "c,d,e,f,g,h,i,j,k,l"),
            ("PRI-Gold-nDCG", 0.4165, "d,e,f,g,h,i,j,k,l"),
            ("PRI-Gold-Q", 0.3726, "f,g,h,i,j,k,l"),
            ("PRI-BronzeT-iRBU", 0.3473, "f,g,h,i,j,k,l"),
            ("PRI-Gold-iRBU", 0.2909, "k,l"),
            ("PRI-Gold-nERR", 0.2878, "k,l"),
            ("PRI-BronzeT-nERR", 0.2802, "k,l"),
            ("PRI-BronzeW-nDCG", 0.2697, "k,l"),
            ("PRI-BronzeW-Q", 0.2571, "k,l"),
            ("PRI-BronzeW-iRBU", -0.1084, ""),
            ("PRI-BronzeW-nERR", -0.1131, ""),
        ],
    ),
}


def rows_with(
    means: list[float], variance: float, *, rows: int = 1000, seed: int = 0
) -> np.ndarray:
    """Return rows of a two-way model whose column means and V_E2 are exactly as given."""
    rng = np.random.default_rng(seed)
    residual = rng.normal(size=(rows, len(means)))
    residual -= residual.mean(axis=0)
    residual -= residual.mean(axis=1, keepdims=True)
    residual *= np.sqrt(variance * (rows - 1) * (len(means) - 1) / (residual**2).sum())
    row = rng.normal(scale=0.05, size=(rows, 1))
    return np.array(means) + (row - row.mean()) + residual
