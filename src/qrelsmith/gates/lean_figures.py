"""Figures of bias: dependence of a judge's errors on a property of docs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.damages.doc_properties import doc_properties
from qrelsmith.damages.leans_on import lean_of
from qrelsmith.gates.figures import PairedFigure, jackknife_figure, smaller_is_better
from qrelsmith.gates.paired_judges import PairedJudges

LEAN_MARGIN = 0.1


def lean_figures(
    judges: PairedJudges, names: Collection[str], documents: Any, topics: Any
) -> Mapping[str, PairedFigure]:
    """Return the bias figures by their gate names, such as `leans-on:length`.

    Parameters
    ----------
    names : collection of str
        The properties.
    documents, topics : path, mapping or data frame
        As in `doc_properties`.

    Raises
    ------
    UsageError
        If there are no docs, or a property is the same for all docs or known for too few docs.
    """
    if not names:
        return {}
    if documents is None:
        raise UsageError("--lean and --property need the docs; expected --documents FILE")
    count = np.bincount(judges.topic)
    column = np.arange(judges.topic.size) - np.repeat(np.append(0, count.cumsum()[:-1]), count)
    docs = np.split(np.array(judges.docs, dtype=object), count.cumsum()[:-1])
    properties = doc_properties(
        documents, topics, names, topic_names=judges.topics,
        docs=[of.tolist() for of in docs], width=int(count.max()),
    )  # fmt: skip
    for name in names:
        if name not in properties:
            lacks = ": the property needs --topics" if name == "overlap" and topics is None else ""
            raise UsageError(f"the property {name} is unknown or the same for all docs{lacks}")
    place = judges.topic, column
    return {f"leans-on:{name}": _lean(judges, properties[name][place]) for name in names}


def _lean(judges: PairedJudges, values: FloatArray) -> PairedFigure:
    """Return the slopes of judges' errors on a property, with all units and with each left out."""
    slopes = np.array(
        [
            [_slope(judges, each, values, judges.unit != left) for left in range(-1, judges.units)]
            for each in judges.grades
        ]
    )
    return jackknife_figure(slopes[:, 0], slopes[:, 1:], better=smaller_is_better, over=judges.over)


def _slope(
    judges: PairedJudges, grades: FloatArray, values: FloatArray, is_kept: FloatArray
) -> float:
    rows = [np.where(is_kept, each, np.nan) for each in (grades, judges.people, values)]
    return lean_of(*rows, topic=judges.topic)[0]
