"""Labels of a topic that belong to docs some places earlier or later."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.placed_labels import placed_pair
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.reversed_scale import HIGHEST
from qrelsmith.damages.spoiled_labels import whole_topics

LAGS = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
LEAST_CORRELATION = 0.1
# How much better the shifted labels must fit than the original ones: z of 5%, one-sided.
BETTER = 1.645
# With fewer docs that differ from a topic's most frequent grade, a match may be due to chance.
LEAST_GRADED = 4


@DAMAGES.add(
    "shifted",
    culprit="topic",
    sentence="the labels of topic {names} fit the docs better after a shift by {detail:+.0f} "
    "(correlation {value:.2f})",
    otherwise="a doc was lost or added when the list was stored",
    action="store labels by doc id, and move the topic's labels back or judge the topic again",
    mirrored="detail",
    spoils=whole_topics,
    formula="Fisher's z of the partial correlation with the moved labels, given those in place;"
    " ranks within topics, a cubic in log(place) taken out",
    source="Fisher 1924, Steiger 1980; seen in NTCIR WWW-2 to WWW-4",
)
def shifted(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find topics whose labels fit another set's labels better after a shift by 1 to 5 places.

    Null: given another set's labels of the same docs, that set's labels of docs some places away
    are uninformative. If neighbours have similar labels, this null is also false. Therefore, the
    shifted labels must also fit better than the original labels (Steiger's z of at least 1.645).
    Value: the correlation at the best shift; detail: the shift that corrects the labels. The test
    uses every order in which labels may have been stored.

    Candidates: each topic with enough docs.

    References
    ----------
    Fisher (1924), The distribution of the partial correlation coefficient; Steiger (1980), Tests
    for comparing elements of a correlation matrix, eq. 14.
    """
    orders = len(labels.places(examined))
    topics = labels.grades.shape[1]
    best_z = np.full(topics, -np.inf)
    best_r, best_lag = np.zeros(topics), np.zeros(topics)
    for order in range(orders):
        mine, theirs = placed_pair(labels, examined, other, order)
        for lag in (lag for lag in LAGS if abs(lag) < mine.shape[1]):
            z, r = _move_test(mine, theirs, lag)
            better = z > best_z
            best_z = np.where(better, z, best_z)
            best_r = np.where(better, r, best_r)
            best_lag = np.where(better, -lag, best_lag)
    enough = _is_varied(labels, examined) & _is_varied(labels, other) & np.isfinite(best_z)
    p = np.minimum(special.ndtr(-best_z) * orders * len(LAGS), 1.0)
    chosen = np.flatnonzero(enough)
    return Evidence.of(
        [(topic,) for topic in chosen.tolist()],
        best_r[chosen],
        p[chosen],
        large=best_r[chosen] > LEAST_CORRELATION,
        detail=best_lag[chosen],
    )


def _move_test(mine: FloatArray, theirs: FloatArray, lag: int) -> tuple[FloatArray, FloatArray]:
    """Return z of a shift by `lag` places, and the correlation r_lag after the shift [topic].

    Labels at places p are compared with the other set's labels at places p − lag.

    The result is the z of the partial correlation. If the z of r_lag > r_0 is lower and not
    significant, it is returned instead.
    """
    width = mine.shape[1]
    here = slice(max(lag, 0), width + min(lag, 0))
    there = slice(max(-lag, 0), width + min(-lag, 0))
    variables = np.stack([mine[:, here], theirs[:, here], theirs[:, there]])
    valid = ~np.isnan(variables).any(axis=0)
    count = valid.sum(axis=1)
    filled = np.where(valid, variables, 0.0)
    filled -= np.where(valid, (filled.sum(axis=2) / np.maximum(count, 1))[..., None], 0.0)
    products = np.einsum("itp,jtp->ijt", filled, filled)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = np.sqrt(products[0, 0] * np.array([products[1, 1], products[2, 2]]))
        at_0, at_lag = products[0, 1] / scale[0], products[0, 2] / scale[1]
        between = products[1, 2] / np.sqrt(products[1, 1] * products[2, 2])
        mean = (at_0 + at_lag) / 2
        rest = 1 - mean**2
        covariance = between * (1 - 2 * mean**2) - mean**2 / 2 * (1 - 2 * mean**2 - between**2)
        difference = np.arctanh(np.clip(at_lag, -0.999, 0.999)) - np.arctanh(
            np.clip(at_0, -0.999, 0.999)
        )
        spread = np.sqrt(np.maximum(2 - 2 * covariance / rest**2, 1e-3))
        than_none = difference * np.sqrt(np.maximum(count - 3, 0)) / spread
        partial = (at_lag - at_0 * between) / np.sqrt((1 - at_0**2) * (1 - between**2))
        given = np.arctanh(np.clip(partial, -0.999, 0.999)) * np.sqrt(np.maximum(count - 4, 0))
    z = np.where(than_none > BETTER, given, np.minimum(given, than_none))
    # A topic with a clearly negative correlation is reversed, not shifted.
    z = np.where(np.isfinite(z) & (count > 10) & (at_0 > HIGHEST), z, -np.inf)
    return z, np.where(np.isfinite(at_lag), at_lag, 0.0)


def _is_varied(labels: LabelArrays, label_set: int) -> BoolArray:
    """Return whether enough grades of a topic differ from its most frequent grade [topic]."""

    def make() -> BoolArray:
        grades = labels.grades[label_set]
        levels = np.unique(grades[~np.isnan(grades)])
        if not len(levels):
            return np.zeros(len(grades), dtype=np.bool_)
        counts = np.stack([(grades == level).sum(axis=1) for level in levels])
        return np.asarray(counts.sum(axis=0) - counts.max(axis=0) >= LEAST_GRADED)

    return labels.once(("varied", label_set), make)
