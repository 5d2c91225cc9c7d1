"""The printed moments that the simulated campaign was fitted to, and what it has of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from qrelsmith.agreement.group_agreement import compared_scopes
from qrelsmith.base.tables import Table
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.judging_efficiency import compared_groups
from qrelsmith.judgments.environments import level_counts
from qrelsmith.rankings.ranking_consistency import RankedHalves, split_half_taus
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.agreement import kappas, sides
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.efficiency import prioritised_efficiency
from qrelsmith_papers.judging_order.groups import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    PRI,
    RND,
    environment,
)
from qrelsmith_papers.judging_order.printed_tables import (
    LEVELS,
    POOLED,
    TABLE_4,
    TABLE_5,
    TABLE_5_VARIANCE,
    TABLE_10,
    TABLE_11,
    TABLE_12,
)
from qrelsmith_papers.judging_order.rankings import taus_of_label_sets
from qrelsmith_papers.judging_order.simulated import simulated_campaign

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
    """Return the moments as they are printed."""
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
        for pair, tau in taus.items():
            moments["Table 10", f"τ {measure}, {pair}"] = tau.tau
    halves = {(one.environment, one.measure): one.tau for one in (*TABLE_11, *TABLE_12)}
    for (name, of), mean in sorted(halves.items()):
        moments["Tables 11, 12", f"halves, {name}-{of}"] = mean
    return moments


def moments_of(collection: JudgedCollection) -> Mapping[Moment, float]:
    """Return the same moments of a judged collection."""
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
    efficiency = prioritised_efficiency(collection)
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
    for measure, taus in taus_of_label_sets(collection).items():
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


@ORDERING.add("draws", title="The simulated campaign beside the print", kind=ClaimKind.SIMULATED)
def moments(inputs: StudyInputs) -> Made:
    """Compare the moments of the simulated draws with the printed ones they are fitted to."""
    count = max(2, inputs.draws)
    size = inputs.paper_size
    tables = inputs.sweep(
        [inputs.cell(moments_of_draw, paper_size=size, number=n) for n in range(count)]
    )
    drawn = [{row[:2]: float(str(row[2])) for row in table.rows} for table in tables]
    rows = [
        (*moment, printed, float(values.mean()), float(values.std(ddof=1)))
        for moment, printed in printed_moments().items()
        for values in [np.array([of[moment] for of in drawn])]
    ]
    return Made(
        paragraphs=[
            "The parameters of the simulator are fitted to these. Claims about the simulated"
            f" campaign are judged in the same {count} draws."
        ],
        tables=[
            table_of(
                "draws-moments",
                "What the paper prints, and the campaigns have of it",
                "from|moment|published|mean|sd",
                rows,
                "Mean and standard deviation over the campaigns.",
            )
        ],
    )


def moments_of_draw(*, paper_size: bool, number: int, seed: int) -> Table:
    """Return the moments of one simulated campaign: the paper's table, the moment, its value."""
    inputs = StudyInputs(
        data=None, seed=seed + 1 + number, paper_size=paper_size, sweep=lambda _: []
    )
    found = moments_of(simulated_campaign(inputs).collection)
    return Table.of(("from", "moment", "value"), [(*one, value) for one, value in found.items()])
