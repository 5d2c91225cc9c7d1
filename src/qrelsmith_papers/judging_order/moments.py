"""The printed moments that the simulated campaign was fitted to, and what it has of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from qrelsmith.agreement.group_agreement import compared_scopes
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.judging_efficiency import compared_groups, judging_efficiency
from qrelsmith.judgments.environments import in_environments, level_counts
from qrelsmith.rankings.ranking_consistency import RankedHalves, split_half_taus
from qrelsmith_papers.judging_order.agreement import kappas, sides
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    PRI,
    RND,
    JudgedCollection,
    environment,
)
from qrelsmith_papers.judging_order.published_judging import (
    LEVELS,
    POOLED,
    TABLE_4,
    TABLE_5,
    TABLE_5_VARIANCE,
)
from qrelsmith_papers.judging_order.published_rankings import TABLE_10, TABLE_11, TABLE_12
from qrelsmith_papers.judging_order.similarity import ranking_taus

# A table of the paper, and a moment in it.
Moment = tuple[str, str]
_SPLITS = 200
_ENVIRONMENTS = {
    "PRI-Gold": (GOLD, PRI),
    "RND-Gold": (GOLD, RND),
    "PRI-BronzeW": (HASTY, PRI),
    "PRI-BronzeT": (CAREFUL, PRI),
}


def printed_moments() -> dict[Moment, float]:
    """The moments as they are printed."""
    moments: dict[Moment, float] = {("Table 1", "docs"): POOLED}
    for group in GROUPS:
        high, low, _, total = LEVELS[group if group == GOLD else f"PRI-{group}"]
        moments["Table 2", f"L2 of {group}, %"] = 100 * high / total
        moments["Table 2", f"L1 of {group}, %"] = 100 * low / total
    for criterion, printed in TABLE_4.items():
        for place, group in enumerate(GROUPS):
            moments["Table 4", f"{criterion} of {group}"] = printed.means[place]
        moments["Table 4", f"{criterion}, V_E1"] = printed.variance
    for (first, second), (_, kappa) in TABLE_5.items():
        moments["Table 5", f"κ {first}, {second}"] = kappa
    moments["Table 5", "κ, V_E1"] = TABLE_5_VARIANCE
    for measure, taus in TABLE_10.items():
        for pair, tau in zip(combinations(GROUPS, 2), taus, strict=True):
            moments["Table 10", f"τ {measure}, {', '.join(pair)}"] = tau.tau
    halves = {(one.environment, one.measure): one.tau for one in TABLE_11 + TABLE_12}
    for (name, of), mean in sorted(halves.items()):
        moments["Tables 11, 12", f"halves, {name}-{of}"] = mean
    return moments


def moments_of(collection: JudgedCollection) -> Mapping[Moment, float]:
    """The same moments of a judged collection."""
    return dict((*_labels(collection), *_times(collection), *_rankings(collection)))


def _labels(collection: JudgedCollection) -> Iterator[tuple[Moment, float]]:
    counts = dict(level_counts(collection.judgments, by="group"))
    yield ("Table 1", "docs"), sum(counts[GOLD].values())
    for group in GROUPS:
        total = sum(counts[group].values())
        for level in (2, 1):
            share = 100 * counts[group][float(level)] / total
            yield ("Table 2", f"L{level} of {group}, %"), share
    values = kappas(collection, "environment-pair")
    means = {frozenset(map(environment, sides(one))): float(one.known.mean()) for one in values}
    for pair in TABLE_5:
        yield ("Table 5", f"κ {pair[0]}, {pair[1]}"), means[frozenset(pair)]
    yield ("Table 5", "κ, V_E1"), compared_scopes(values)[1]


def _times(collection: JudgedCollection) -> Iterator[tuple[Moment, float]]:
    efficiency = judging_efficiency(
        in_environments(collection.judgments, orderings=["prioritised"]),
        relevant=collection.relevant,
        high=collection.scale.top,
    )
    variances = {
        row.criterion: row.residual_variance
        for row in compared_groups(efficiency, by="group", test="unpaired-tukey")
    }
    for criterion in CRITERIA:
        for group, values in efficiency.samples(criterion, "group").items():
            yield (
                ("Table 4", f"{criterion} of {group}"),
                float(values.mean()) if values.size else np.nan,
            )
        yield ("Table 4", f"{criterion}, V_E1"), variances.get(criterion, np.nan)


def _rankings(collection: JudgedCollection) -> Iterator[tuple[Moment, float]]:
    topics = collection.topic_sets
    columns = {
        ", ".join(pair): ((pair[0], topics[PRI]), (pair[1], topics[PRI]))
        for pair in combinations(GROUPS, 2)
    }
    for measure, taus in ranking_taus(collection, columns).items():
        for pair, tau in taus.items():
            yield ("Table 10", f"τ {measure}, {pair}"), tau.tau
    named = [
        (
            RankedHalves(group, name, measure, len(topics[ordering]), len(collection.runs)),
            collection.scores(group, measure, topics[ordering]),
        )
        for name, (group, ordering) in _ENVIRONMENTS.items()
        for measure in MEASURES
    ]
    means = split_half_taus(named, splits=_SPLITS, seed=collection.seed).mean(axis=0)
    for (condition, _), tau in zip(named, means.tolist(), strict=True):
        yield ("Tables 11, 12", f"halves, {condition.topic_set}-{condition.measure}"), tau
