"""The scorecard's question `finds-differences`: the same significant differences."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.bounds import FEWEST_PAIRS, FINDS_DIFFERENCES, MOST_TURNED
from qrelsmith.audit.verdicts.cells import JudgedFigure, bound, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle, same_scores
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import figure
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import ScorecardCell
from qrelsmith.rankings.significance import significance
from qrelsmith.stats.differences_kept import differences_kept
from qrelsmith.stats.pairwise import PairwiseResult

_KEY = "finds-differences"


@VERDICTS.add(
    _KEY,
    place=50,
    asks="Same significant differences?",
    of="others",
    section="significance",
    purpose="significant differences",
)
def finds_differences(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute the share of the reference's significant differences that the set finds, too."""
    reference, measure = inputs.reference, inputs.measures[0]
    if reason := ranking_obstacle(inputs, name):
        return no_cell(name, _KEY, reason)
    scores = inputs.scores_beside(name, measure)
    topics = scores[0].topics
    if len(topics) < 2:
        return no_cell(
            name, _KEY, "a single common topic cannot separate systems", topics=len(topics)
        )
    if same_scores(inputs, name):
        return same_labels_cell(name, _KEY, reference, value=1.0, topics=len(topics))
    sides = inputs.ask(significance, beside=True).on_common[name, measure]
    tests = tuple(side.result for side in sides if isinstance(side.result, PairwiseResult))
    pairs = int(np.count_nonzero(tests[0].significant))
    if pairs < FEWEST_PAIRS:
        return no_cell(
            name,
            _KEY,
            f"under {reference}, the number of system pairs that differ significantly is {pairs};"
            f" a verdict needs at least {FEWEST_PAIRS}",
            topics=len(topics),
        )
    differences = differences_kept(
        scores[0].scores.T, scores[1].scores.T, topics, tests=(tests[0], tests[1]),
        seed=inputs.seed,
    )  # fmt: skip
    (value, low, high), turned = (
        (float(share.value), float(share.low), float(share.high))
        for share in (differences.kept, differences.turned)
    )
    if not differences.own:
        turned = 0.0, 0.0, 0.0  # a set without differences reverses none
    found = JudgedFigure(name, _KEY, reference, value, low, high, len(topics))
    return found.cell(
        probabilities=chances_of_both(*differences.drawn),
        also=f"Number of system pairs that differ significantly: {pairs:,} under {reference} and"
        f" {differences.own:,} under {name}. Share of reversed pairs: {figure(*turned)} (at most"
        f" {bound(MOST_TURNED)} is allowed)",
    )


def chances_of_both(share: FloatArray, turned: FloatArray) -> tuple[float, float]:
    """Return the shares of draws with two good values, and with at least one bad value.

    Parameters
    ----------
    share, turned : float array, shape (draws,)
        The share of differences found, and the share reversed; nan if no differences are found.

    Examples
    --------
    >>> chances_of_both(np.array([0.9, 0.9, 0.7, 0.4]), np.array([0.0, 0.1, 0.0, np.nan]))
    (0.25, 0.5)
    """
    has_share = ~np.isnan(share)
    if not has_share.any():
        return np.nan, np.nan
    share, wrong = share[has_share], np.nan_to_num(turned[has_share])
    good = (share >= FINDS_DIFFERENCES.good) & (wrong <= MOST_TURNED)
    bad = (share < FINDS_DIFFERENCES.bad) | (wrong > MOST_TURNED)
    return float(good.mean()), float(bad.mean())
