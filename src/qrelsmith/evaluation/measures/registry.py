"""The registry of measures, and what every measure function is given.

A measure is a function `f(grades, ideal, *, cutoff, …)`:

grades : float array [..., k]
    What the ranked docs are worth, best rank first. nan: unjudged, or past the end of the run.
    Codes below 0 (−1 unjudged, −2 could not be displayed) never count as relevant.
ideal : float array [..., m]
    The same for all judged docs of the topic, in descending order, padded with nan at the end.
returns : float array [...]
    The score of each ranking. A topic without relevant docs scores 0, as in trec_eval.

Some need to know more than the arrays hold and take it as a keyword that no name can set:

gmax : float
    The gain of the scale's top level.
retrieved : int array [...]
    How many docs the run returned; without it every column of `grades` counts.

A measure with a parameter `rel` that is set looks at grades: a doc is relevant from that grade on.
All others look at gains, which are the grades unless the user gave each level its own gain.

A measure of answers (`aspects`: the kind of aspect that it looks at) is given something else:

shares : float array [..., k]
    What the labels of an answer's aspects are worth, each as its share of the scale's top; for
    `criterion` the grades themselves. nan: unjudged, or past the last aspect.
weights : float array [..., k]
    The importance of each aspect; nan past the last one.
group : int array [..., k]
    The question, or the sentence, that each aspect belongs to.
sentences : int array [...]
    How many sentences the answer has.
cited : bool array [..., k]
    Which of them are the first citation of their sentence.
returns : float array [...]
    The score; nan where nothing is judged.
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

#: `grades`: whether it looks at grades, not gains; `bounded`: whether no score is above 1;
#: `trec_eval`: what trec_eval calls it; `aspects`: the kind of aspect of a measure of answers;
#: `by`: the program that computes it, from docs and not from these arrays; `subtopics`: whether it
#: looks at subtopics, not at the highest grade of a doc.
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
    """Whether a measure is to be given gains (or else grades)."""
    if measure.entry.about["grades"]:
        return False
    return measure.parameters.get("rel") is None


def is_of_answers(measure: Named[MeasureFunction]) -> bool:
    """Whether a measure scores answers by their aspects, not rankings of docs."""
    return bool(measure.entry.about["aspects"])


def is_computed_elsewhere(measure: Named[MeasureFunction]) -> bool:
    """Return whether another program computes a measure."""
    return bool(measure.entry.about["by"])


def needs_gmax(measure: Named[MeasureFunction]) -> bool:
    """Whether a measure depends on the top of the scale."""
    return "gmax" in measure.entry.takes and looks_at_gains(measure)


def top(grades: FloatArray, cutoff: int | None) -> FloatArray:
    """Return the first `cutoff` ranks, or all of them."""
    return grades if cutoff is None else grades[..., :cutoff]


def is_relevant(grades: FloatArray, rel: float) -> BoolArray:
    """Which grades are `rel` or more; never those of unjudged docs or codes below 0.

    Raises
    ------
    UsageError
        If `rel` is below 0, so that codes would count.
    """
    if not rel >= 0:
        raise UsageError(f"rel={rel!r}; expected a grade of 0 or more; codes are never relevant")
    relevant: BoolArray = grades >= rel
    return relevant


def ranks(width: int) -> FloatArray:
    """Return the ranks 1, 2, …, `width` as floats [width]."""
    return np.arange(1.0, width + 1.0)


def ratio(numerator: AnyArray, denominator: Any) -> FloatArray:
    """Elementwise quotient, 0 where the denominator is 0."""
    below = np.asarray(denominator, dtype=np.float64)
    shape = np.broadcast_shapes(np.shape(numerator), below.shape)
    out: FloatArray = np.zeros(shape)
    np.divide(numerator, below, out=out, where=below != 0)
    return out


def count_returned(grades: FloatArray, retrieved: IntArray | None) -> IntArray:
    """How many docs each ranking returned [...]."""
    if retrieved is None:
        return np.full(grades.shape[:-1], grades.shape[-1], dtype=np.int64)
    return np.asarray(retrieved, dtype=np.int64)
