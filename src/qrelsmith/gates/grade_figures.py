"""Figures of the grades: α, exact agreement, the bias of the mean grade, coverage."""

from __future__ import annotations

import numpy as np

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.topic_interval import TopicCounts, bounds_of
from qrelsmith.base.arrays import FloatArray
from qrelsmith.gates.figures import (
    FIGURES,
    PairedFigure,
    jackknife_figure,
    paired_figure,
    smaller_is_better,
)
from qrelsmith.gates.paired_judges import PairedJudges
from qrelsmith.stats.population import PopulationInterval


@FIGURES.add("alpha", margin=0.05, place=10, formula="Krippendorff's ordinal α with people")
def alpha(judges: PairedJudges) -> PairedFigure:
    """Return Krippendorff's ordinal α between each judge and people."""
    return _coefficient(judges, "alpha-ordinal")


@FIGURES.add("agreement", margin=0.03, place=20, formula="share of docs with people's grade")
def agreement(judges: PairedJudges) -> PairedFigure:
    """Return the share of docs to which each judge gives the human grade."""
    return _coefficient(judges, "agreement")


@FIGURES.add(
    "bias", margin=0.1, place=30, more_is_better=False,
    formula="mean grade minus people's mean grade; better is nearer to 0",
)  # fmt: skip
def bias(judges: PairedJudges) -> PairedFigure:
    """Return the mean grade of each judge minus the mean grade of people."""
    people = judges.people if judges.means is None else judges.means
    sums = np.stack([np.bincount(judges.unit, weights=each - people) for each in judges.grades])
    count = np.bincount(judges.unit)
    total = sums.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (total[:, None] - sums) / (count.sum() - count)
    return jackknife_figure(
        total / count.sum(), without, better=smaller_is_better, over=judges.over
    )


@FIGURES.add(
    "coverage", margin=0.05, place=35, formula="share of the docs with human labels that are graded"
)
def coverage(judges: PairedJudges) -> PairedFigure:
    """Return the share of the docs with human labels that each judge graded."""
    old, new = judges.coverage
    values, docs = np.array([new - old, new]), len(judges.docs)
    exact = PopulationInterval(
        over="docs",
        size=docs,
        value=values,
        se=np.zeros(2),
        low=values,
        high=values,
        confidence=1.0,
    )
    return paired_figure(judges.coverage, exact, bounds=(0.0, 1.0))


def _coefficient(judges: PairedJudges, name: str) -> PairedFigure:
    """Return a coefficient of agreement with people, and its values with each unit left out."""
    named = COEFFICIENTS.get(name)
    weights = np.vstack([np.ones(judges.units), 1.0 - np.eye(judges.units)])
    rows: list[FloatArray] = []
    for each in judges.grades:
        labels = Labels.of(np.stack([judges.people, each]), scale=judges.levels)
        counts = TopicCounts.of(named, labels, judges.unit, undefined="nan")
        rows.append(counts.weighted_coefficients(weights))
    values = np.stack(rows)
    return jackknife_figure(values[:, 0], values[:, 1:], over=judges.over, bounds=bounds_of(named))
