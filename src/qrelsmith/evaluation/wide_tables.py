"""Means for a table in a paper, with the best mean in bold and significant differences marked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.emphasis import Emphasised
from qrelsmith.base.errors import UndefinedError
from qrelsmith.stats.multiplicity import holm
from qrelsmith.stats.paired_t import paired_t

ALPHA = 0.05
MARK = "*"


class MarkedMeans(NamedTuple):
    """Means of systems [system], and whether any test was possible."""

    means: list[Emphasised]
    is_tested: bool


def marked_means(scores: FloatArray, means: FloatArray, against: int | None) -> MarkedMeans:
    """Return the means, with marks for systems that differ from the baseline (paired t-test).

    Parameters
    ----------
    scores : float array [system, topic]
        nan where a topic is ignored for a system.
    means : float array [system]
        nan where undefined.
    against : int or None
        Index of the baseline system; None: the best system.
    """
    has_mean = not np.isnan(means).all()
    best = float(np.nanmax(means)) if has_mean else np.nan
    if against is None:
        against = int(np.nanargmax(means)) if has_mean else 0
    p = _p_values(scores, against)
    marked = [
        Emphasised(mean, is_best=mean == best, mark=MARK if value < ALPHA else "")
        for mean, value in zip(means.tolist(), p.tolist(), strict=True)
    ]
    return MarkedMeans(marked, not np.isnan(p).all())


def wide_notes(than: str, *, is_tested: bool) -> tuple[str, ...]:
    """Return notes that explain bold and marked cells."""
    bold = "the best by each measure is in bold (Markdown, LaTeX, HTML)"
    if not is_tested:
        return bold, "no test: expected two runs, with scores on two topics or more"
    return bold, (
        f"{MARK}: differs from {than}, p < {ALPHA} (paired t-test over the topics, adjusted by"
        " Holm over the other runs)"
    )


def _p_values(scores: FloatArray, place: int) -> FloatArray:
    """Return each system's adjusted p-value against the baseline; nan without a test."""
    p = np.full(len(scores), np.nan)
    for other in range(len(p)):
        pair = scores[[place, other]].T
        pair = pair[~np.isnan(pair).any(axis=1)]
        if other != place and len(pair) > 1:
            try:
                p[other] = paired_t(pair).p[0]
            except UndefinedError:
                continue
    adjusted: FloatArray = holm(p)
    return adjusted
