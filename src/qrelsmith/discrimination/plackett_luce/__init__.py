"""Plackett–Luce distributions over rankings: fit, entropy, sampling (pdp 3.3)."""

from qrelsmith.discrimination.plackett_luce.entropy import EXACT_DOCS, Entropy, entropy
from qrelsmith.discrimination.plackett_luce.fit import PlackettLuce, fit_scores
from qrelsmith.discrimination.plackett_luce.sampling import Estimator, sample_rankings

__all__ = [
    "EXACT_DOCS",
    "Entropy",
    "Estimator",
    "PlackettLuce",
    "entropy",
    "fit_scores",
    "sample_rankings",
]
