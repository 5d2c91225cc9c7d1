"""Each label set compared with the reference: scores and ranks of systems, and grades of docs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.rankable import ranking_obstacle
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.content import SetView
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.ties import mean_ranks

# If there are more grades, they are shown as this number of ranges of equal width, each named by
# its lower end.
_MOST_GRADES, _RANGES = 8, 5


def set_views(inputs: AuditInputs) -> tuple[tuple[str, ...], Mapping[str, SetView]]:
    """Return the systems in the order of the reference, and the view of each other label set."""
    ratings = Judgments.from_qrels(inputs.label_sets).ratings()
    grades = dict(zip(ratings.assessors, ratings.values, strict=True))
    rankable = [name for name in inputs.others if not ranking_obstacle(inputs, name)]
    systems: tuple[str, ...] = ()
    if rankable:
        first, _ = inputs.scores_beside(rankable[0], inputs.measures[0])
        systems = tuple(first.systems[place] for place in np.argsort(-first.means()))
    views = {}
    for name in inputs.others:
        means, places = _place_systems(inputs, name, systems) if name in rankable else ([], [])
        rows, columns, docs = _count_grades(inputs, name, grades)
        views[name] = SetView(means, places, rows, columns, docs)
    return systems, views


def _place_systems(
    inputs: AuditInputs, name: str, systems: tuple[str, ...]
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the means and ranks of the systems, under the reference and under a label set."""
    pair = inputs.scores_beside(name, inputs.measures[0])
    at = [pair[0].systems.index(system) for system in systems]
    means, places = (
        np.array([of(matrix.means())[at] for matrix in pair]).T.tolist()
        for of in (np.asarray, mean_ranks)
    )
    return [(a, b) for a, b in means], [(a, b) for a, b in places]


def _count_grades(
    inputs: AuditInputs, name: str, grades: Mapping[str, FloatArray]
) -> tuple[list[str], list[str], list[list[int]]]:
    """Return the grades of both sets, and the number of docs with each pair of grades."""
    sides = [(each, grades.get(each, np.empty(0))) for each in (inputs.reference, name)]
    if not all(values.size for _, values in sides):
        return [], [], []
    (rows, row), (columns, column) = (_in_levels(inputs, *side) for side in sides)
    both = (row >= 0) & (column >= 0)
    docs = np.zeros((len(rows), len(columns)), dtype=int)
    np.add.at(docs, (row[both], column[both]), 1)
    return rows, columns, docs.tolist()


def _in_levels(inputs: AuditInputs, name: str, values: FloatArray) -> tuple[list[str], IntArray]:
    """Return the names of the grades, and the index of each doc's grade (−1: no grade)."""
    graded = np.isfinite(values) & (values >= 0)
    text = inputs.scale_text(name)
    levels = 0 if text == "real" else int(text.removeprefix("0..")) + 1
    if 0 < levels <= _MOST_GRADES:
        places = np.where(graded, values, -1).astype(int)
        return list(map(str, range(levels))), np.minimum(places, levels - 1)
    low, high = (float(of(values[graded], initial=0.0)) for of in (np.min, np.max))
    ends = np.linspace(low, high, _RANGES + 1)
    places = np.clip(np.searchsorted(ends, values, side="right") - 1, 0, _RANGES - 1)
    return [f"{end:.2g}".removeprefix("0") or "0" for end in ends[:-1]], np.where(
        graded, places, -1
    )
