"""Runs and models that occur several times under different names: facts, not damages."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qrelsmith.base.arrays import BoolArray
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.favoured import TOP
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.shared_errors import kappa_given

ALIKE = 0.95
SAME_MODEL = 0.4


@DAMAGES.add(
    "duplicate-runs",
    culprit="run",
    sentence="runs {names} have the same top ten in {value:.0%} of the topics",
    action="count these runs as one system",
    against=False,
    counts=False,
    by_chance=False,
    formula="share of topics with the same ten docs in the same order",
    source="ours",
)
def duplicate_runs(labels: LabelArrays, examined: int, other: int) -> Evidence:  # noqa: ARG001
    """Find pairs of runs with the same top ten in 95% of topics; report them for the first set.

    Candidates: all such pairs.
    """
    if examined or len(labels.ranks) < 2:
        return Evidence.none()
    tops = np.where(labels.ranks <= TOP, labels.ranks, 0)
    used: BoolArray = np.asarray((tops > 0).any(axis=2))
    marks = np.einsum("rtd,d->rt", tops, np.random.default_rng(0).integers(1, 2**40, tops.shape[2]))
    shares = {}
    for a, b in combinations(range(len(tops)), 2):
        either = used[a] | used[b]
        same = (marks[a] == marks[b]) & either
        shares[a, b] = float(same.sum() / max(either.sum(), 1))
    alike = {pair: share for pair, share in shares.items() if share >= ALIKE}
    return Evidence.of(list(alike), list(alike.values()), 0.0, large=True)


@DAMAGES.add(
    "same-model",
    culprit="set",
    sentence="label sets {names} make the same errors, like one judge (κ given the grade:"
    " {value:.2f})",
    action="count these label sets as one vote",
    counts=False,
    by_chance=False,
    of_reference=False,
    formula="κ of two sets given the other set's grade, or the model that campaign.toml names",
    source="ours",
)
def same_model(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find label sets by the same model: same name or similar errors (κ of .4 given the grade).

    Candidates: all such pairs of this set and a later set.
    """
    alike: dict[tuple[int, ...], float] = {}
    for second in range(examined + 1, len(labels.grades)):
        if second == other or labels.person[examined] or labels.person[second]:
            continue
        kappa, _, _ = kappa_given(
            labels.levels(examined), labels.levels(second), labels.levels(other)
        )
        family = int(labels.family[examined])
        if kappa >= SAME_MODEL or (family >= 0 and family == labels.family[second]):
            alike[examined, second] = kappa
    return Evidence.of(list(alike), list(alike.values()), 0.0, large=True)
