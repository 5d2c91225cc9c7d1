"""A check of whether the verdicts' intervals are wide enough, which compares topic halves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qrelsmith.agreement import agreement_interval
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.population import PopulationInterval, student_interval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.self_check import LEAST_SPLITS, SelfCheck, self_check
from qrelsmith.stats.top_agreement import top_agreement

ALPHA, TAU, TOP = "alpha-ordinal", "tau-b", "top systems"
# Figures near their upper limit are compared between thirds: see `self_check`.
TOP_PARTS = 3


def interval_checks(
    inputs: AuditInputs, name: str, *, splits: int = LEAST_SPLITS
) -> dict[str, SelfCheck]:
    """Check the intervals of a label set's α, τ-b and top agreement with the reference.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    name : str
        A label set other than the reference.
    splits : int
        Random pairs of halves of the topics.

    Returns
    -------
    dict of str to SelfCheck
        The check of each figure that is defined for the label set.
    """
    checks: dict[str, SelfCheck] = {}
    shared = inputs.topics_with_reference(name)
    if inputs.is_on_reference_scale(name) and len(shared) > 1:
        both = {
            one: inputs.label_sets[one].restricted_to(shared) for one in (inputs.reference, name)
        }
        ratings = Judgments.from_qrels(both).ratings()
        number = np.array([shared.index(topic) for topic, _ in ratings.units])

        def of_labels(places: IntArray) -> PopulationInterval:
            inside = np.isin(number, places)
            found = agreement_interval(ratings.values[:, inside], number[inside], ALPHA)
            value, se = np.asarray(float(found.value)), np.asarray(float(found.se))
            return student_interval(value, se, size=len(places))

        checks[ALPHA] = self_check(of_labels, shared, seed=inputs.seed, splits=splits)
    if len(inputs.runs) > 1 and len(shared) > 1:
        first, second = inputs.scores_beside(name, inputs.measures[0])
        base, scores, topics = first.scores.T, second.scores.T, first.topics

        for figure, statistic, parts in (
            (TAU, kendall_tau_b_stack, 2),
            (TOP, top_agreement, TOP_PARTS),
        ):

            def of_rankings(
                places: IntArray, statistic: Callable[..., FloatArray] = statistic
            ) -> PopulationInterval:
                names = [topics[place] for place in places]
                return ranking_interval(base[places], scores[places], names, statistic=statistic)

            ranked = self_check(of_rankings, topics, seed=inputs.seed, splits=splits, parts=parts)
            if not ranked.reason:
                checks[figure] = ranked
    return checks
