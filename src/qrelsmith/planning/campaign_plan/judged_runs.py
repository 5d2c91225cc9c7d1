"""Labels of several assessors, and the runs, real or simulated, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scorer import rank_cutoff
from qrelsmith.planning.simulation import SimulatedCampaign
from qrelsmith.planning.simulation.sketch import Sketch

_NONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRuns:
    """Labels and runs.

    Attributes
    ----------
    topic : int array [unit]
        The topic of each judged doc, ascending.
    ratings : float array [assessor, unit]
        Grades 0 … levels − 1; nan if not judged.
    ranked : int array [system, topic, rank]
        The runs: units, best first; −1 for an unjudged doc.
    levels : int
        The number of grades.
    """

    topic: IntArray
    ratings: FloatArray
    ranked: IntArray
    levels: int

    @classmethod
    def of_sketch(cls, sketch: Sketch, *, levels: int) -> JudgedRuns:
        """Return the labels and runs of a campaign in outline."""
        return cls(sketch.topic, sketch.ratings, sketch.ranked, levels)

    @classmethod
    def of_campaign(cls, campaign: SimulatedCampaign) -> JudgedRuns:
        """Return the current labels and the runs of a simulated campaign."""
        topic, doc = campaign.units()
        unit = np.full(campaign.truth.shape, _NONE)
        unit[topic, doc] = np.arange(topic.size)
        places = np.arange(len(campaign.topics))[:, None]
        ranked = unit[places, campaign.ranked]
        return cls(topic, campaign.ratings(), ranked, campaign.design.levels)

    @property
    def topics(self) -> int:
        """The number of topics."""
        return int(self.ranked.shape[1])

    @property
    def systems(self) -> int:
        """The number of systems."""
        return int(self.ranked.shape[0])

    def of_topics(self, chosen: Sequence[int]) -> JudgedRuns:
        """Return the labels and runs for some topics, in ascending order."""
        is_chosen = np.isin(self.topic, chosen)
        new = np.where(is_chosen, np.cumsum(is_chosen) - 1, _NONE)
        ranked = self.ranked[:, np.sort(chosen)]
        place = np.searchsorted(np.sort(chosen), self.topic[is_chosen])
        return JudgedRuns(
            place,
            self.ratings[:, is_chosen],
            np.where(ranked >= 0, new[np.maximum(ranked, 0)], _NONE),
            self.levels,
        )

    def scores(self, grades: FloatArray, measure: str) -> FloatArray:
        """Return the scores of the systems, given one grade per unit.

        Parameters
        ----------
        grades : float array [unit]
            The grades; nan if unjudged.
        measure : str
            A measure; the grades are its gains.
        """
        return scores(self.topic, grades, self.ranked, measure, top=self.levels - 1.0)


def scores(
    topic: IntArray, grades: FloatArray, ranked: IntArray, measure: str, *, top: float
) -> FloatArray:
    """Return the scores [topic, system] of runs [system, topic, rank] under grades [unit]."""
    named = MEASURES.get(measure)
    depth = rank_cutoff(named)
    shown = ranked if depth is None else ranked[..., :depth]
    gains = np.append(grades, np.nan)[shown]
    ideal = _ideal(topic, grades, topics=ranked.shape[1])
    retrieved = np.full(ranked.shape[1], ranked.shape[2])
    of_systems = [named(run, ideal, gmax=top, retrieved=retrieved) for run in gains]
    return np.stack(of_systems, axis=1)


def _ideal(topic: IntArray, grades: FloatArray, *, topics: int) -> FloatArray:
    """Return the grades of each topic, descending, padded with nan [topic, doc]."""
    known = ~np.isnan(grades)
    of_topic, values = topic[known], grades[known]
    order = np.lexsort((-values, of_topic))
    sizes = np.bincount(of_topic, minlength=topics)
    ideal = np.full((topics, max(int(sizes.max(initial=0)), 1)), np.nan)
    ideal[np.arange(ideal.shape[1]) < sizes[:, None]] = values[order]
    return ideal
