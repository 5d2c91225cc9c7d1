"""The registry of measures, and the arguments of every measure function.

A measure is a function `f(grades, ideal, *, cutoff, …)`:

grades : float array [..., k]
    Gains (or grades) of the ranked docs, best rank first. nan: unjudged, or past the end of the
    run. Codes below 0 (−1 unjudged, −2 could not be displayed) never count as relevant.
ideal : float array [..., m]
    Gains of all judged docs of the topic, in descending order, padded with nan at the end.
returns : float array [...]
    The score of each ranking. A topic without relevant docs scores 0, as in trec_eval.

Some measures take further keyword arguments, which users cannot set in the measure's name:

gmax : float
    The gain of the scale's top level.
retrieved : int array [...]
    Number of docs returned; by default, every column of `grades` counts.

A measure with `rel` set uses grades: docs with that grade or more are relevant. All other measures
use gains, which equal the grades unless the user sets gains per level.

Measures of answers (`aspects`: the kind of aspect) take different arguments:

shares : float array [..., k]
    Labels of an answer's aspects divided by the scale's top; for `criterion`, the grades
    themselves. nan: unjudged, or past the last aspect.
weights : float array [..., k]
    The weight of each aspect; nan past the last one.
group : int array [..., k]
    The question or sentence of each aspect.
sentences : int array [...]
    Number of sentences in the answer.
cited : bool array [..., k]
    Whether an aspect is the first citation of its sentence.
returns : float array [...]
    The score; nan if no aspect is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry import Registry
from qrelsmith.base.registry_entries import Named

MeasureFunction = Callable[..., FloatArray]

#: `grades`: whether it uses grades, not gains; `bounded`: whether no score is above 1;
#: `trec_eval`: what trec_eval calls it; `aspects`: the kind of aspect of a measure of answers;
#: `by`: the program that computes it, from docs and not from these arrays; `subtopics`: whether it
#: uses subtopics, not the highest grade of a doc.
MEASURES: Registry[MeasureFunction] = Registry(
    "measure",
    arguments=("grades", "ideal"),
    context=("gmax", "retrieved", "group", "sentences", "cited"),
    facts={
        "grades": False,
        "bounded": True,
        "trec_eval": (),
        "aspects": "",
        "by": "",
        "subtopics": False,
    },
    elsewhere="trec_eval",
)


def looks_at_gains(measure: Named[MeasureFunction]) -> bool:
    """Return whether a measure takes gains instead of grades."""
    if measure.entry.about["grades"]:
        return False
    return measure.parameters.get("rel") is None


def is_of_answers(measure: Named[MeasureFunction]) -> bool:
    """Return whether a measure scores answers by their aspects, not rankings of docs."""
    return bool(measure.entry.about["aspects"])


def is_computed_elsewhere(measure: Named[MeasureFunction]) -> bool:
    """Return whether another program computes a measure."""
    return bool(measure.entry.about["by"])


def needs_gmax(measure: Named[MeasureFunction]) -> bool:
    """Return whether a measure depends on the top of the scale."""
    return "gmax" in measure.entry.takes and looks_at_gains(measure)


def top(grades: FloatArray, cutoff: int | None) -> FloatArray:
    """Return the first `cutoff` ranks, or all ranks if `cutoff` is None."""
    return grades if cutoff is None else grades[..., :cutoff]


def is_relevant(grades: FloatArray, rel: float) -> BoolArray:
    """Return a mask of grades of at least `rel`; unjudged docs and codes below 0 are False.

    Raises
    ------
    UsageError
        If `rel` is below 0, because codes would then count.
    """
    if not rel >= 0:
        raise UsageError(f"rel={rel!r}; expected 0 or more, because codes are never relevant")
    relevant: BoolArray = grades >= rel
    return relevant


def ranks(width: int) -> FloatArray:
    """Return the ranks 1, 2, …, `width` as floats [width]."""
    return np.arange(1.0, width + 1.0)


def ratio(numerator: AnyArray, denominator: Any) -> FloatArray:
    """Return the elementwise quotient; 0 where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    shape = np.broadcast_shapes(np.shape(numerator), below.shape)
    out: FloatArray = np.zeros(shape)
    np.divide(numerator, below, out=out, where=below != 0)
    return out


def count_returned(grades: FloatArray, retrieved: IntArray | None) -> IntArray:
    """Return the number of docs returned by each ranking [...]."""
    if retrieved is None:
        return np.full(grades.shape[:-1], grades.shape[-1], dtype=np.int64)
    return np.asarray(retrieved, dtype=np.int64)
