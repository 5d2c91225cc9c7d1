"""Tables 9 and 10: two rankings compared by Kendall's τ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from qrelsmith.base.content import NamedTable
from qrelsmith.base.tables import Cell
from qrelsmith.rankings.ranking_comparison import compared_rankings
from qrelsmith.studies.claims import Claim, ClaimPart, at_most, claim, on_print, over
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    MEASURES,
    PRI,
    RND,
    JudgedCollection,
)
from qrelsmith_papers.judging_order.dl2021 import note_of
from qrelsmith_papers.judging_order.judged import (
    collections,
    files_read,
    judged_collection,
    kind_of_labels,
)
from qrelsmith_papers.judging_order.published_rankings import TABLE_9, TABLE_10, Tau
from qrelsmith_papers.judging_order.www4 import labels_read

# τ with its interval, by measure and column.
Taus = Mapping[str, Mapping[str, Tau]]
# What nERR and iRBU look at, and what nDCG and Q do: the paper calls the former shallow.
SHALLOW, DEEP = ("nERR", "iRBU"), ("nDCG", "Q")
PAIRS = {f"{one}, {other}": (one, other) for one, other in combinations(GROUPS, 2)}
_GOLD_HASTY, _GOLD_CAREFUL, _BRONZE = PAIRS

_Side = tuple[str, Sequence[str]]


def ranking_taus(collection: JudgedCollection, columns: Mapping[str, tuple[_Side, _Side]]) -> Taus:
    """τ-b with Fieller's interval, by measure and column: two label sets with their topics."""
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


def _print_taus(table: Mapping[str, Sequence[Tau]], columns: Sequence[str]) -> Taus:
    return {measure: dict(zip(columns, row, strict=True)) for measure, row in table.items()}


def _table(key: str, title: str, sources: Mapping[str, Taus]) -> NamedTable:
    rows: list[tuple[Cell, ...]] = [
        (measure, column, source, *taus[measure][column])
        for measure in MEASURES
        for column in next(iter(sources.values()))[measure]
        for source, taus in sources.items()
    ]
    columns = "measure|rankings|source|tau_b|low|high"
    return table_of(key, title, columns, rows, "Fieller's 95 % interval.")


def _lead(taus: Taus, better: str, worse: str) -> float:
    """Return the smallest lead over the measures of a column over another."""
    return min(row[better].tau - row[worse].tau for row in taus.values())


def _lowest(taus: Taus, column: str, measures: Sequence[str] = tuple(MEASURES)) -> float:
    """Return the lowest end of an interval."""
    rows = (taus[measure][column] for measure in measures)
    return min(tau.low if tau.tau < 1 else 1.0 for tau in rows)


def _steadier(taus: Taus) -> float:
    """Return the smallest lead of nDCG or Q over nERR or iRBU in the mean τ over the columns."""
    mean = {m: sum(tau.tau for tau in row.values()) / len(row) for m, row in taus.items()}
    return min(mean[deep] for deep in DEEP) - max(mean[shallow] for shallow in SHALLOW)


_STEADIER: Claim[Taus] = claim(
    "nDCG and Q provide more stable system rankings than nERR and iRBU.",
    ClaimPart("smallest lead of either in mean τ", _steadier, over(0)),
)
_TABLE_9: tuple[Claim[Taus], ...] = (
    claim(
        "Under Gold the PRI and RND topics rank the systems reasonably alike.",
        ClaimPart("lowest end of an interval of τ", lambda taus: _lowest(taus, GOLD), over(0)),
    ),
    claim(
        "BronzeW's rankings by nERR and iRBU are not significantly correlated, and BronzeT's are"
        " much more stable by each measure.",
        ClaimPart(
            "highest lower end of BronzeW by nERR and iRBU",
            lambda taus: max(taus[measure][HASTY].low for measure in SHALLOW),
            at_most(0),
        ),
        ClaimPart("smallest lead of BronzeT", lambda taus: _lead(taus, CAREFUL, HASTY), over(0)),
    ),
    _STEADIER,
)
_TABLE_10: tuple[Claim[Taus], ...] = (
    claim(
        "The Gold-BronzeT correlations are particularly high.",
        ClaimPart(
            "smallest lead over Gold with BronzeW",
            lambda taus: _lead(taus, _GOLD_CAREFUL, _GOLD_HASTY),
            over(0),
        ),
        ClaimPart(
            "smallest lead over BronzeW with BronzeT",
            lambda taus: _lead(taus, _GOLD_CAREFUL, _BRONZE),
            over(0),
        ),
    ),
    claim(
        "The Gold-BronzeW and the BronzeW-BronzeT correlations are very similar, and by nERR and"
        " iRBU not significant in either case.",
        ClaimPart(
            "largest difference of the two",
            lambda taus: max(abs(row[_GOLD_HASTY].tau - row[_BRONZE].tau) for row in taus.values()),
            at_most(0.1),
        ),
        ClaimPart(
            "highest lower end by nERR and iRBU",
            lambda taus: max(
                taus[measure][column].low
                for measure in SHALLOW
                for column in (_GOLD_HASTY, _BRONZE)
            ),
            at_most(0),
        ),
    ),
    _STEADIER,
)


@ORDERING.add(
    "table9",
    title="Table 9: rankings, PRI and RND topics",
    claims=_TABLE_9,
    kind=kind_of_labels,
    reads=labels_read,
    deviation="Two halves of the topics of the simulated campaign rank its systems less alike than"
    " those of WWW-4.",
)
def table9(inputs: StudyInputs) -> Made:
    """τ between rankings over the PRI-Gold and the RND-Gold topics, under one label set each."""
    campaign = judged_collection(inputs)
    sets = campaign.topic_sets
    result = ranking_taus(
        campaign, {group: ((group, sets[PRI]), (group, sets[RND])) for group in GROUPS}
    )
    printed = _print_taus(TABLE_9, GROUPS)
    about = (
        f"Both rankings are under the same label set, over {len(sets[PRI])} and {len(sets[RND])}"
        " topics (25 and 24 in the paper). They share no topic; how alike they are depends on the"
        " systems' distances as well, and those of simulated systems are not the paper's."
    )
    title = f"Kendall's τ, in the paper and in {campaign.name}"
    return Made(
        held=[on_print(printed), campaign.hold(result)],
        paragraphs=[about],
        tables=[_table("table9", title, {"published": printed, campaign.short: result})],
    )


@ORDERING.add(
    "table10",
    title="Table 10: rankings by label set",
    claims=_TABLE_10,
    kind=kind_of_labels,
    reads=files_read,
    deviation="Half of the topics say little of measures that look at few docs; other campaigns of"
    " the same design come out otherwise.",
)
def table10(inputs: StudyInputs) -> Made:
    """τ between rankings under Gold, BronzeW and BronzeT, over the PRI-Gold topics."""
    every, printed = collections(inputs), _print_taus(TABLE_10, tuple(PAIRS))
    found = [taus_of_label_sets(each) for each in every]
    sources = dict(zip((each.short for each in every), found, strict=True))
    return Made(
        held=[
            on_print(printed),
            *(each.hold(taus) for each, taus in zip(every, found, strict=True)),
        ],
        paragraphs=[
            f"Over the {len(every[0].first_topics[1])} PRI-Gold topics, and over all topics of TREC"
            " DL 2021.",
            note_of(inputs),
        ],
        tables=[
            _table(
                "table10", "Kendall's τ, in the paper and here", {"published": printed} | sources
            )
        ],
    )


def taus_of_label_sets(collection: JudgedCollection) -> Taus:
    """Return τ between every two label sets, over the topics that are shown prioritised."""
    _, topics = collection.first_topics
    return ranking_taus(
        collection, {name: ((a, topics), (b, topics)) for name, (a, b) in PAIRS.items()}
    )
