"""Tables 9 and 10: two rankings compared by Kendall's τ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from qrelsmith.base.content import NamedTable
from qrelsmith.base.tables import Cell
from qrelsmith.rankings.ranking_comparison import compared_rankings
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import note_of
from qrelsmith_papers.judging_order.groups import (
    CAREFUL,
    DEEP,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    PRI,
    RND,
    SHALLOW,
)
from qrelsmith_papers.judging_order.judged import (
    collections,
    judged_collection,
    of_label_sets,
    of_labels,
)
from qrelsmith_papers.judging_order.printed_tables import TABLE_9, TABLE_10, Tau, Taus

PAIRS = {f"{one}, {other}": (one, other) for one, other in combinations(GROUPS, 2)}
_GOLD_HASTY, _GOLD_CAREFUL, _BRONZE = PAIRS

_Side = tuple[str, Sequence[str]]


def _ranking_taus(collection: JudgedCollection, columns: Mapping[str, tuple[_Side, _Side]]) -> Taus:
    """Return τ-b with Fieller's interval, by measure and column (two label sets with topics)."""
    by_measure: dict[str, dict[str, Tau]] = {measure: {} for measure in MEASURES}
    for measure, taus in by_measure.items():
        for column, sides in columns.items():
            scores = [
                (str(place), collection.scores(group, measure, topics))
                for place, (group, topics) in enumerate(sides)
            ]
            (one,) = compared_rankings(scores, intervals=["fieller"])
            taus[column] = Tau(one.tau_b, one.low, one.high)
    return by_measure


def taus_of_label_sets(collection: JudgedCollection) -> Taus:
    """Return τ between each pair of label sets, over the topics shown in prioritised order."""
    _, topics = collection.first_topics
    columns = {name: ((one, topics), (other, topics)) for name, (one, other) in PAIRS.items()}
    return _ranking_taus(collection, columns)


def _table(key: str, title: str, sources: Mapping[str, Taus]) -> NamedTable:
    rows: list[tuple[Cell, ...]] = [
        (measure, column, source, *taus[measure][column])
        for measure in MEASURES
        for column in next(iter(sources.values()))[measure]
        for source, taus in sources.items()
    ]
    columns = "measure|rankings|source|tau_b|low|high"
    return table_of(key, title, columns, rows, "Fieller's 95% interval.")


def _lead(taus: Taus, better: str, worse: str) -> float:
    """Return the smallest difference in τ between two columns, across measures."""
    return min(row[better].tau - row[worse].tau for row in taus.values())


def _lowest(taus: Taus, column: str) -> float:
    """Return the lowest limit of a column's intervals."""
    rows = (row[column] for row in taus.values())
    return min(tau.low if tau.tau < 1 else 1.0 for tau in rows)


def _steadier(taus: Taus) -> float:
    """Return the smallest difference in mean τ between nDCG or Q and nERR or iRBU."""
    mean = {m: sum(tau.tau for tau in row.values()) / len(row) for m, row in taus.items()}
    return min(mean[deep] for deep in DEEP) - max(mean[shallow] for shallow in SHALLOW)


_STEADIER: c.Claim[Taus] = c.claim(
    "nDCG and Q provide more stable system rankings than nERR and iRBU.",
    ("smallest lead of nDCG or Q in mean τ", _steadier, c.over(0)),
)
_TABLE_9: tuple[c.Claim[Taus], ...] = (
    c.claim(
        "Under Gold the PRI and RND topics rank the systems reasonably alike.",
        ("lowest lower end of an interval of τ", lambda taus: _lowest(taus, GOLD), c.over(0)),
    ),
    c.claim(
        "BronzeW's rankings by nERR and iRBU are not significantly correlated, and BronzeT's are"
        " much more stable by each measure.",
        (
            "highest lower end for BronzeW by nERR and iRBU",
            lambda taus: max(taus[measure][HASTY].low for measure in SHALLOW),
            c.at_most(0),
        ),
        ("smallest lead of BronzeT", lambda taus: _lead(taus, CAREFUL, HASTY), c.over(0)),
    ),
    _STEADIER,
)
_TABLE_10: tuple[c.Claim[Taus], ...] = (
    c.claim(
        "The Gold-BronzeT correlations are particularly high.",
        (
            "smallest lead over Gold-BronzeW",
            lambda taus: _lead(taus, _GOLD_CAREFUL, _GOLD_HASTY),
            c.over(0),
        ),
        (
            "smallest lead over BronzeW-BronzeT",
            lambda taus: _lead(taus, _GOLD_CAREFUL, _BRONZE),
            c.over(0),
        ),
    ),
    c.claim(
        "The Gold-BronzeW and the BronzeW-BronzeT correlations are very similar, and by nERR and"
        " iRBU not significant in either case.",
        (
            "largest difference between the two correlations",
            lambda taus: max(abs(row[_GOLD_HASTY].tau - row[_BRONZE].tau) for row in taus.values()),
            c.at_most(0.1),
        ),
        (
            "highest lower end by nERR and iRBU",
            lambda taus: max(
                taus[measure][column].low
                for measure in SHALLOW
                for column in (_GOLD_HASTY, _BRONZE)
            ),
            c.at_most(0),
        ),
    ),
    _STEADIER,
)


@of_labels(
    "table9",
    title="Table 9: rankings, PRI and RND topics",
    claims=_TABLE_9,
    deviation="Two halves of the topics rank the simulated systems less consistently than those"
    " of WWW-4.",
)
def table9(inputs: StudyInputs) -> Made:
    """Compute τ between rankings over PRI-Gold and RND-Gold topics, for each label set."""
    campaign = judged_collection(inputs)
    sets = campaign.topic_sets
    result = _ranking_taus(
        campaign, {group: ((group, sets[PRI]), (group, sets[RND])) for group in GROUPS}
    )
    about = (
        f"Both rankings are under one label set, over {len(sets[PRI])} and {len(sets[RND])} topics"
        " (25 and 24 in the paper) that do not overlap."
    )
    title = f"Kendall's τ, in the paper and in {campaign.name}"
    return Made(
        held=[c.on_print(TABLE_9), campaign.hold(result)],
        paragraphs=[about],
        tables=[_table("table9", title, {"published": TABLE_9, campaign.short: result})],
    )


@of_label_sets(
    "table10",
    title="Table 10: rankings by label set",
    claims=_TABLE_10,
    deviation="Half of the topics are few for shallow measures, so draws vary.",
)
def table10(inputs: StudyInputs) -> Made:
    """Compute τ between rankings under Gold, BronzeW and BronzeT, over PRI-Gold topics."""
    every = [(item, taus_of_label_sets(item)) for item in collections(inputs)]
    sources = {"published": TABLE_10} | {item.short: taus for item, taus in every}
    about = (
        f"Over the {len(every[0][0].first_topics[1])} PRI-Gold topics, and over all topics of TREC"
        " DL 2021."
    )
    return Made(
        held=[c.on_print(TABLE_10), *(item.hold(taus) for item, taus in every)],
        paragraphs=[about, note_of(inputs)],
        tables=[_table("table10", "Kendall's τ, in the paper and here", sources)],
    )
