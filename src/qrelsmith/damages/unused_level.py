"""Assessors who never use a level that their peers use."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, IntArray
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES

LEAST_DOCS = 50


@DAMAGES.add(
    "unused-level",
    culprit="assessor",
    sentence="assessor {names} never gave the grade {detail:g}, which other assessors would "
    "have given to {value:.0f} docs",
    otherwise="topics without docs of this grade",
    action="talk to the assessor about the scale",
    formula="Π (1 − the peers' share of the level given the other set's grade), over the docs",
    source="ours",
)
def unused_level(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find assessors who never use a level that the rest of their group uses.

    Null: given the other set's grade, an assessor gives the level as often as the peers. Value: the
    expected number of docs with this level, by the peers' shares.

    Candidates: each assessor with 50 docs and an unused level. If several levels are unused, the
    least likely level is tested.
    """
    rows = labels.session_of(examined)
    if rows is None or len(rows.names) < 2:
        return Evidence.none()
    width = labels.grades.shape[2]
    level_of = labels.levels(other)[rows.topic * width + rows.doc]
    culprits, expected, chances, unused = [], [], [], []
    for number in range(len(rows.names)):
        own = (rows.assessor == number) & (level_of >= 0)
        peers = (rows.assessor != number) & (level_of >= 0)
        if own.sum() < LEAST_DOCS or peers.sum() < LEAST_DOCS:
            continue
        levels = set(np.unique(rows.grade[peers]).tolist()) - set(rows.grade[own].tolist())
        if not levels:
            continue
        logs, docs, level = min(
            (*_predicted_docs(level_of, peers & (rows.grade == level), own, peers), level)
            for level in levels
        )
        culprits.append((number,))
        expected.append(docs)
        chances.append(float(np.exp(logs)))
        unused.append(level)
    return Evidence.of(culprits, expected, chances, large=True, detail=unused)


def _predicted_docs(
    level_of: IntArray, hits: BoolArray, own: BoolArray, peers: BoolArray
) -> tuple[float, float]:
    """Return the log probability that no doc has the level, and the expected number of docs."""
    size = int(level_of.max()) + 1
    of_peers = np.bincount(level_of[peers], minlength=size)
    share = np.bincount(level_of[hits], minlength=size) / np.maximum(of_peers, 1)
    docs = np.bincount(level_of[own], minlength=size)
    logs = docs * np.log1p(-np.minimum(share, 1 - 1e-9))
    # A share from few peers is unreliable, so at most half of the result is used.
    return float(logs.sum() / 2), float((docs * share).sum())
