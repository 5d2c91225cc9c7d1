"""Plain facts about labels: unrelated sets, lost positives, and grades that follow the docno."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special, stats
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays, centred_ranks
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.row_correlations import row_correlations
from qrelsmith.damages.spoiled_labels import all_labels

# Correlations within topics: unrelated below the first bound, related from the second bound.
UNRELATED, RELATED = 0.08, 0.2
LEAST_TOP, LOST, INNOCENT = 20, 0.4, 0.2
FOLLOWS = 0.3  # minimum correlation with the docno's place


@DAMAGES.add(
    "unrelated",
    culprit="set",
    sentence="the grades are unrelated to those of all other label sets (correlation within topics:"
    " {value:.2f})",
    action="leave the label set out, and check the ids of topics and docs in the file",
    against=False,
    by_chance=False,
    spoils=all_labels,
    formula="P(r ≤ observed | r = .2), Fisher's z over all docs",
    source="Fisher 1921",
)
def unrelated(labels: LabelArrays, examined: int, other: int) -> Evidence:  # noqa: ARG001
    """Find a label set whose grades correlate with no other set's grades within topics.

    The set's highest correlation with another set is below .08 and significantly below .2. If only
    two sets are compared, the reference (the first set) is assumed to be correct. With more sets,
    the findings are the sets that are unrelated to all other sets. Value: the highest correlation.

    Candidate: the label set itself.
    """
    has_labels = (~np.isnan(labels.grades)).any(axis=(1, 2))
    others = [each for each in np.flatnonzero(has_labels).tolist() if each != examined]
    correlations = [_correlation_with(labels, examined, each) for each in others]
    if not correlations or (examined == 0 and len(others) == 1):
        return Evidence.none()
    value, z = max(correlations)
    return Evidence.of([()], value, special.ndtr(z), large=value < UNRELATED)


def _correlation_with(labels: LabelArrays, first: int, second: int) -> tuple[float, float]:
    """Return the correlation of two sets within topics, and its z against r = .2."""
    pair = labels.topic_ranks(first), labels.topic_ranks(second)
    shared = ~np.isnan(pair[0] + pair[1])
    x, y = (centred_ranks(np.where(shared, ranks, np.nan)) for ranks in pair)
    spread = np.sqrt(np.nansum(x**2) * np.nansum(y**2))
    count = int(shared.sum()) - int(shared.any(axis=1).sum())
    if spread == 0 or count < LEAST_TOP:
        return 1.0, np.inf
    r = float(np.clip(np.nansum(x * y) / spread, -0.999, 0.999))
    return r, float((np.arctanh(r) - np.arctanh(RELATED)) * np.sqrt(count))


@DAMAGES.add(
    "missing-positives",
    culprit="set",
    sentence="{value:.0%} of the docs with the other label set's highest grade have the lowest"
    " grade, and nearly all of the rest have a high grade, so positive labels are missing",
    action="check whether labels were lost when the file was written",
    formula="P(Binomial(n, .2) ≥ docs with the lowest grade, of those with the highest)",
    source="ours: real judges of DL-2021 and LLMJudge lower such docs by a level first",
)
def missing_positives(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find a label set that lacks about half of its positives.

    Among the docs with the other set's highest grade, at least 40% have the lowest grade. Less than
    half as many docs have the second-lowest grade, and most of the other docs have the highest
    grade. (A strict judge would rather give such docs the next lower grade.) Value: the share of
    these docs with the lowest grade.

    Candidate: the label set itself, if its scale has more than two levels.
    """
    mine, theirs = labels.grades[examined], labels.grades[other]
    judged = ~(np.isnan(mine) | np.isnan(theirs))
    levels = np.unique(mine[~np.isnan(mine)])
    if not judged.any() or len(levels) < 3:
        return Evidence.none()
    of_top = judged & (theirs == theirs[judged].max())
    lowered = mine[of_top]
    if len(lowered) < LEAST_TOP:
        return Evidence.none()
    lost, kept = int((lowered <= levels[0]).sum()), lowered[lowered > levels[0]]
    is_split = 2 * (lowered == levels[1]).sum() < lost and 2 * (kept == levels[-1]).sum() > len(
        kept
    )
    return Evidence.of(
        [()],
        lost / len(lowered),
        float(stats.binom.sf(lost - 1, len(lowered), INNOCENT)),
        large=lost >= LOST * len(lowered) and is_split,
    )


@DAMAGES.add(
    "follows-docno",
    culprit="set",
    sentence="grades follow the docno (correlation within topics, given the other label set's"
    " grades: {value:.2f})",
    action="check whether labels were stored by line instead of by doc id",
    formula="z of the mean correlation of residuals with the docno's place, by topic",
    source="Fisher 1921",
)
def follows_docno(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find a label set whose grades rise or fall with the docno.

    Null: given the other set's grade, a grade is independent of the docno's place within the topic.
    Value: the mean correlation over topics, if at least .3.

    Candidate: the label set itself.
    """
    place = np.where(labels.orders[-1] < 0, np.nan, labels.orders[-1].astype(float))
    r, count = row_correlations(labels.residual(examined, other), place)
    known = ~np.isnan(r) & (count >= 8)
    if not known.any():
        return Evidence.none()
    fisher, weight = np.arctanh(np.clip(r[known], -0.999, 0.999)), count[known] - 3
    mean = float((fisher * weight).sum() / weight.sum())
    p = float(2 * special.ndtr(-abs(mean) * np.sqrt(weight.sum())))
    return Evidence.of([()], np.tanh(mean), p, large=abs(np.tanh(mean)) >= FOLLOWS)


def robust_scores(values: FloatArray, least: FloatArray) -> FloatArray:
    """Return the distance of each value below the median, divided by the robust spread.

    Parameters
    ----------
    values : float array, shape (n,)
        The values.
    least : float array, shape (n,)
        The minimum spread for each value.
    """
    centre = float(np.median(values))
    spread = 1.4826 * float(np.median(np.abs(values - centre)))
    return np.asarray((centre - values) / np.maximum(spread, least))
