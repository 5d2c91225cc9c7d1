"""Topics in which every doc has the same grade."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.spoiled_labels import whole_topics

LEAST_DOCS = 10
LEAST_SPREAD = 0.25  # minimum spread of the logit, if topics hardly differ


@DAMAGES.add(
    "constant",
    culprit="topic",
    sentence="all docs of topic {names} have the grade {detail:g} (expected: {value:.0%} of the"
    " docs)",
    otherwise="a topic without relevant docs, or a very easy topic",
    action="judge some docs of the topic again",
    spoils=whole_topics,
    formula="z of logit(share) − logit(expected share), against other topics' (MAD)",
    source="ours",
)
def constant(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find topics in which all docs have one grade, although another set predicts several grades.

    The null has two versions. In the first version, the grade's share differs from its prediction
    (from the other set's grades) as much as in other topics. In the second version, docs are
    independent. The larger of the two p-values is used. Value: the grade's expected share of the
    labels.

    Candidates: each topic with only one grade.
    """
    mine, theirs = labels.grades[examined], labels.grades[other]
    shared = ~(np.isnan(mine) | np.isnan(theirs))
    count = shared.sum(axis=1)
    graded = np.where(shared, mine, np.nan)
    culprits, values, chances, grades = [], [], [], []
    for topic in np.flatnonzero(count >= LEAST_DOCS).tolist():
        levels = np.unique(graded[topic][shared[topic]])
        if len(levels) > 1:
            continue
        predicted = _predicted_shares(graded, theirs, float(levels[0]), but=topic)
        share = np.nansum(predicted, axis=1) / np.maximum(count, 1)
        seen = (graded == levels[0]).sum(axis=1)
        excess = _logit((seen + 0.5) / (count + 1)) - _logit(np.clip(share, 0.005, 0.995))
        rest = np.delete(excess, topic)[np.delete(count, topic) >= LEAST_DOCS]
        if not len(rest):
            continue
        spread = max(1.4826 * float(np.median(np.abs(rest - np.median(rest)))), LEAST_SPREAD)
        unlike = float(special.ndtr((np.median(rest) - excess[topic]) / spread))
        by_docs = float(np.exp(np.nansum(np.log(np.maximum(predicted[topic], 1e-9)))))
        culprits.append((topic,))
        values.append(float(share[topic]))
        chances.append(max(unlike, by_docs))
        grades.append(float(levels[0]))
    return Evidence.of(culprits, values, chances, large=True, detail=grades)


def _predicted_shares(
    mine: FloatArray, theirs: FloatArray, grade: float, *, but: int
) -> FloatArray:
    """Return the share of a grade by the other set's grade, over all topics except one."""
    shares = np.full(mine.shape, np.nan)
    elsewhere = ~np.isnan(mine)
    elsewhere[but] = False
    for level in np.unique(theirs[~np.isnan(mine)]):
        here = (theirs == level) & ~np.isnan(mine)
        seen = here & elsewhere
        shares[here] = ((mine[seen] == grade).sum() + 0.5) / (seen.sum() + 1)
    return shares


def _logit(share: FloatArray) -> FloatArray:
    return np.asarray(np.log(share / (1 - share)))
