"""The printed moments used to fit the simulated campaign, and the simulated moments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.base.tables import Table
from qrelsmith.judgments.environments import level_counts
from qrelsmith.rankings.ranking_consistency import RankedHalves, split_half_taus
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.agreement import kappas as pair_kappas
from qrelsmith_papers.judging_order.agreement import own_kappas
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.efficiency import prioritised_efficiency
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, GROUPS, HASTY, MEASURES, PRI, RND
from qrelsmith_papers.judging_order.printed_tables import (
    LEVELS,
    POOLED,
    TABLE_4,
    TABLE_5,
    TABLE_5_VARIANCE,
    TABLE_10,
    TABLE_11,
    TABLE_12,
    Taus,
    ThreeGroups,
)
from qrelsmith_papers.judging_order.rankings import taus_of_label_sets
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.table4 import Groups, three_groups

# A table of the paper, and one of its moments.
Moment = tuple[str, str]
_SPLITS = 200
_ENVIRONMENTS = {
    "PRI-Gold": (GOLD, PRI),
    "RND-Gold": (GOLD, RND),
    "PRI-BronzeW": (HASTY, PRI),
    "PRI-BronzeT": (CAREFUL, PRI),
}


def _moments(
    docs: float,
    levels: Mapping[str, Sequence[int]],
    times: Mapping[str, ThreeGroups | Groups],
    kappas: Mapping[tuple[str, str], float],
    variance: float,
    taus: Taus,
    halves: Mapping[tuple[str, str], float],
) -> dict[Moment, float]:
    """Return the moments of the paper or of a campaign, by name."""
    moments: dict[Moment, float] = {("Table 1", "docs"): docs}
    for group, (high, low, *others) in levels.items():
        total = high + low + others[0]
        moments["Table 2", f"L2 of {group}, %"] = 100 * high / total
        moments["Table 2", f"L1 of {group}, %"] = 100 * low / total
    for criterion, row in times.items():
        for group, mean in zip(GROUPS, row.means, strict=True):
            moments["Table 4", f"{criterion} of {group}"] = mean
        moments["Table 4", f"{criterion}, V_E1"] = row.variance
    moments |= {("Table 5", f"κ {a}, {b}"): kappa for (a, b), kappa in kappas.items()}
    moments["Table 5", "κ, V_E1"] = variance
    for measure, of in taus.items():
        moments |= {("Table 10", f"τ {measure}, {pair}"): tau.tau for pair, tau in of.items()}
    for (name, measure), mean in sorted(halves.items()):
        moments["Tables 11, 12", f"halves, {name}-{measure}"] = mean
    return moments


def printed_moments() -> dict[Moment, float]:
    """Return the printed moments."""
    return _moments(
        POOLED,
        {group: LEVELS[group if group == GOLD else f"PRI-{group}"] for group in GROUPS},
        TABLE_4,
        {pair: kappa for pair, (_, kappa) in TABLE_5.items()},
        TABLE_5_VARIANCE,
        TABLE_10,
        {(one.environment, one.measure): one.tau for one in (*TABLE_11, *TABLE_12)},
    )


def moments_of(collection: JudgedCollection) -> dict[Moment, float]:
    """Return the moments of a judged collection."""
    counts = dict(level_counts(collection.judgments, by="group"))
    kappas = own_kappas(pair_kappas(collection, "environment-pair"))
    return _moments(
        sum(counts[GOLD].values()),
        {group: [counts[group][float(level)] for level in (2, 1, 0)] for group in GROUPS},
        three_groups(prioritised_efficiency(collection)),
        {pair: kappas.means[frozenset(pair)][1] for pair in TABLE_5},
        kappas.variance,
        taus_of_label_sets(collection),
        _halves(collection),
    )


def _halves(collection: JudgedCollection) -> dict[tuple[str, str], float]:
    topics = collection.topic_sets
    named = [
        (
            RankedHalves(group, name, measure, len(topics[ordering]), len(collection.runs)),
            collection.scores(group, measure, topics[ordering]),
        )
        for name, (group, ordering) in _ENVIRONMENTS.items()
        for measure in MEASURES
    ]
    means = split_half_taus(named, splits=_SPLITS, seed=collection.seed).mean(axis=0)
    return {
        (one.topic_set, one.measure): tau
        for (one, _), tau in zip(named, means.tolist(), strict=True)
    }


@ORDERING.add("draws", title="The simulated campaign beside the print", kind=ClaimKind.SIMULATED)
def moments(inputs: StudyInputs) -> Made:
    """Compare the moments of simulated draws with the printed moments used for fitting."""
    count = max(2, inputs.draws)
    size = inputs.paper_size
    tables = inputs.sweep(
        [inputs.cell(moments_of_draw, paper_size=size, number=n) for n in range(count)]
    )
    drawn = [{row[:2]: float(str(row[2])) for row in table.rows} for table in tables]
    rows = [
        (*moment, printed, float(values.mean()), float(values.std(ddof=1)))
        for moment, printed in printed_moments().items()
        for values in [np.array([of.get(moment, np.nan) for of in drawn])]
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
    """Return the moments of a simulated campaign in the columns `table`, `moment` and `value`."""
    inputs = StudyInputs(
        data=None, seed=seed + 1 + number, paper_size=paper_size, sweep=lambda _: []
    )
    found = moments_of(simulated_campaign(inputs).collection)
    return Table.of(("from", "moment", "value"), [(*one, value) for one, value in found.items()])
