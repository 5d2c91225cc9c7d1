"""Grades that are too high or too low depending on a property of the doc, such as its length."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES

LEAST_EFFECT = 0.05
_LEAST_DOCS = 50
_BINS = 10


@DAMAGES.add(
    "leans-on",
    culprit="property",
    sentence="grades change by {value:+.2f} per standard deviation of “{names}”, for docs with"
    " the same"
    " topic and reference grade",
    otherwise="a real difference that the reference misses",
    action="have people judge docs with high and low values of this property again, blind",
    of_reference=False,
    formula="slope of the error on the property inside topics and reference grades; the larger of"
    " the heteroscedastic and the topic-clustered standard error",
    source="White 1980; Liang & Zeger 1986",
)
def leans_on(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test whether a set's errors, given topic and reference grade, depend on a doc property.

    Null: within a topic, docs with the same reference grade get the same grades, regardless of the
    property. Value: grades per standard deviation of the property, if at least .05.

    Candidates: each property that varies over 50 docs or more.
    """
    culprits, figures = [], []
    for place, values in enumerate(labels.properties.values()):
        slope, error = lean_of(labels.grades[examined], labels.grades[other], values)
        if np.isfinite(error) and error > 0:
            culprits.append((place,))
            figures.append((slope, error))
    if not culprits:
        return Evidence.none()
    value, error = np.array(figures).T
    return Evidence.of(
        culprits,
        value,
        2 * special.ndtr(-np.abs(value) / error),
        large=np.abs(value) >= LEAST_EFFECT,
        low=value - 1.96 * error,
        high=value + 1.96 * error,
    )


def lean_of(
    grades: FloatArray, reference: FloatArray, values: FloatArray, *, topic: IntArray | None = None
) -> tuple[float, float]:
    """Return the slope of a judge's error on a property, and its standard error.

    Parameters
    ----------
    grades, reference : float array [topic, doc]
        The judge's grades and the reference's; nan if missing.
    values : float array [topic, doc]
        The property, in standard deviations; nan if missing.
    topic : int array [doc], optional
        The topic of each doc, if the other arrays are [doc].
    """
    there = ~(np.isnan(grades) | np.isnan(reference) | np.isnan(values))
    topic = np.nonzero(there)[0] if topic is None else topic[there]
    if topic.size < _LEAST_DOCS:
        return np.nan, np.nan
    level = np.unique(reference[there], return_inverse=True)[1]
    error, x = (_inside(each[there], topic, level) for each in (grades, values))
    square = float(x @ x)
    if square < 1e-9:
        return np.nan, np.nan
    slope = float(x @ error) / square
    rest = (error - slope * x) * x
    by_topic = np.bincount(topic, weights=rest)
    topics = max(np.unique(topic).size, 2)
    clustered = float(by_topic @ by_topic) * topics / (topics - 1)
    return slope, float(np.sqrt(max(float(rest @ rest), clustered))) / square


def error_bins(
    grades: FloatArray, reference: FloatArray, values: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the mean of the property and of the error in ten bins of equal size."""
    there = ~(np.isnan(grades) | np.isnan(reference) | np.isnan(values))
    topic, _ = np.nonzero(there)
    error = _inside(grades[there], topic, np.unique(reference[there], return_inverse=True)[1])
    bins = np.array_split(np.argsort(values[there], kind="stable"), _BINS)
    return (
        np.array([values[there][rows].mean() for rows in bins]),
        np.array([error[rows].mean() for rows in bins]),
    )


def _inside(values: FloatArray, topic: IntArray, level: IntArray) -> FloatArray:
    """Remove the mean of each topic and of each reference grade from the values."""
    rest = values - values.mean()
    for _ in range(20):
        for group in (topic, level):
            count = np.maximum(np.bincount(group), 1)
            rest = rest - (np.bincount(group, weights=rest) / count)[group]
    return np.asarray(rest)
