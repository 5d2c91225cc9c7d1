"""The PDP of topics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS, Estimator, entropy, fit_scores
from qrelsmith.discrimination.preferences.doc_matrix import DocMatrix


@dataclass(frozen=True, slots=True)
class Pdp:
    """The PDP of topics.

    Attributes
    ----------
    value : float array [topic]
        The PDP in nats, from 0 (one certain ranking) to ln K!; lower values discriminate better. 0
        for one doc; nan if no doc has a grade or two docs cannot be compared.
    se : float array [topic]
        Standard error of the sampling; 0 if the value is exact; nan if the value is nan.
    docs : int array [topic]
        The number of docs; ln(docs!) is the largest possible value. 0 if the value is nan.
    tests : float array [topic]
        The smallest number of preference tests behind any probability used for the value; inf if no
        test was needed; nan if the number is unknown or the value is nan.
    converged : bool array [topic]
        Whether the scores are at the optimum.
    exact : bool array [topic]
        Whether nothing was sampled.
    """

    value: FloatArray
    se: FloatArray
    docs: IntArray
    tests: FloatArray
    converged: BoolArray
    exact: BoolArray


def topic_pdp(
    preferences: DocMatrix | ArrayLike,
    *,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
    estimator: Estimator = "conditional",
    rng: np.random.Generator | None = None,
) -> Pdp:
    """Return each topic's PDP: the entropy of the Plackett–Luce distribution over rankings.

    PDP = −Σ_π p(π) log p(π), where p(π) is computed from the scores s* that match the preferences
    best.

    Parameters
    ----------
    preferences : DocMatrix or array_like [topic, doc, doc]
        p(doc of the row > doc of the column). A doc whose diagonal cell is nan is absent; nan
        between two present docs makes the topic undefined.
    exact_docs, samples, estimator, rng
        The sampling, as in `entropy`; `rng` is required for more than `exact_docs` docs.

    Raises
    ------
    ShapeError, UsageError
        As in `fit_scores` and `entropy`.

    References
    ----------
    pdp, Eq. 3 to 6.

    Examples
    --------
    A topic with five indistinguishable docs has the entropy ln 5!:

    >>> topic_pdp([[[0.5] * 5] * 5]).value.round(4)
    array([4.7875])
    """
    if isinstance(preferences, DocMatrix):
        p, behind = preferences.p, preferences.tests
    else:
        p = float_array(preferences, name="preferences", ndim=3)
        behind = np.full_like(p, np.nan)
    model = fit_scores(p)
    entropies = entropy(model, exact_docs=exact_docs, samples=samples, estimator=estimator, rng=rng)
    present = model.before >= 0
    compared = present[:, :, None] & present[:, None, :]
    fewest = np.where(compared, behind, np.inf).min(axis=(1, 2), initial=np.inf)
    return Pdp(
        value=entropies.value,
        se=entropies.se,
        docs=model.docs,
        tests=np.where(model.docs > 0, fewest, np.nan),
        converged=model.converged,
        exact=entropies.exact,
    )
