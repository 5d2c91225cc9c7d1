"""Tables 11 and 12: consistency of rankings over random halves of topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from qrelsmith.base.content import NamedTable
from qrelsmith.rankings.ranking_consistency import (
    Consistency,
    RankedHalves,
    compare_consistencies,
    split_half_taus,
)
from qrelsmith.stats.letters import letter
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
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
    gold_collection,
    of_gold,
    of_label_sets,
    on_every_set,
)
from qrelsmith_papers.judging_order.printed_tables import (
    TABLE_11,
    TABLE_11_VARIANCE,
    TABLE_12,
    TABLE_12_VARIANCE,
    Consistent,
)

_SPLITS = 1000
_COLUMNS = "letter|environment|measure|mean tau|sd|outperforms"
# An environment: its name, label set and topics.
Environment = tuple[str, str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Halves:
    """Mean τ of each environment and measure, the highest first, with the outperformed rows.

    Attributes
    ----------
    rows : sequence of Consistent
        As in the paper's tables.
    """

    rows: Sequence[Consistent]

    def beats(self, better: str, worse: str, measures: Sequence[str]) -> float:
        """Return the number of measures by which `better` significantly outperforms `worse`."""
        place = {(row.environment, row.measure): n for n, row in enumerate(self.rows)}
        return sum(
            letter(place[worse, m]) in self.rows[place[better, m]].outperforms.split(",")
            for m in measures
        )

    def tau(self, environment: str, measure: str) -> float:
        """Return the mean τ of an environment and measure."""
        key = environment, measure
        return next(row.tau for row in self.rows if (row.environment, row.measure) == key)

    def of_group(self, group: str) -> str:
        """Return the environment of a group."""
        return next(row.environment for row in self.rows if row.environment.endswith(group))

    def groups_beat(self, better: str, worse: str, measures: Sequence[str]) -> float:
        """Return the number of measures by which group `better` outperforms `worse`."""
        return self.beats(self.of_group(better), self.of_group(worse), measures)

    def last_rows(self, group: str) -> float:
        """Return the number of a group's rows among the last four rows."""
        last = self.rows[-len(MEASURES) :]
        return float(sum(row.environment.endswith(group) for row in last))

    def top_beats_rest(self) -> float:
        """Count the rows not outperformed by BronzeT's two rows for nDCG and Q."""
        group = self.of_group(CAREFUL)
        top = [n for n, r in enumerate(self.rows) if r.environment == group and r.measure in DEEP]
        rest = [letter(n) for n in range(len(self.rows)) if n not in top]
        return sum(x not in self.rows[n].outperforms.split(",") for n, x in product(top, rest))

    def highest_of(self, group: str, measures: Sequence[str]) -> float:
        """Return the highest mean τ of a group over the given measures."""
        return max(self.tau(self.of_group(group), measure) for measure in measures)


def consistency_of(
    collection: JudgedCollection, environments: Sequence[Environment]
) -> tuple[Halves, Consistency]:
    """Return the mean τ of every environment and measure, with the letters of outperformed rows."""
    scored = [
        (
            RankedHalves(group, name, measure, len(topics), len(collection.runs)),
            collection.scores(group, measure, topics),
        )
        for name, group, topics in environments
        for measure in MEASURES
    ]
    taus = split_half_taus(scored, splits=_SPLITS, seed=collection.seed)
    result = compare_consistencies([one for one, _ in scored], taus, seed=collection.seed)
    rows = [
        Consistent(
            row.condition.topic_set, row.condition.measure.partition("@")[0], row.tau,
            row.deviation, row.outperforms,
        )
        for row in result.rows
    ]  # fmt: skip
    return Halves(rows), result


def _own_table(
    key: str, collection: JudgedCollection, halves: Halves, found: Consistency
) -> NamedTable:
    variance = "" if found.test is None else f" V_E2 = {found.test.residual_variance:.4g}."
    note = f"{_SPLITS:,} splits; randomised Tukey HSD.{variance}"
    return _table(key, f"Consistency on {collection.name}", halves, note)


def _table(key: str, title: str, halves: Halves, note: str) -> NamedTable:
    rows = [(letter(place), *row) for place, row in enumerate(halves.rows)]
    return table_of(key, title, _COLUMNS, rows, note)


_GOLDS = f"{RND}-{GOLD}", f"{PRI}-{GOLD}"
_NOT_SIMULATED = "The simulated Gold does not depend on the ordering, so a difference is chance."


def _beat(better: str, worse: str, measures: Sequence[str]) -> Callable[[Halves], float]:
    return lambda halves: halves.groups_beat(better, worse, measures)


_TABLE_11: tuple[c.Claim[Halves], ...] = (
    c.claim(
        "For each measure, with the exception of iRBU, the RND-based experiment significantly"
        " outperforms the PRI-based one.",
        (
            "measures by which it does, of nDCG, Q and nERR",
            lambda halves: halves.beats(*_GOLDS, ("nDCG", "Q", "nERR")),
            c.equal_to(3),
        ),
        ("1 if it does by iRBU", lambda halves: halves.beats(*_GOLDS, ("iRBU",)), c.equal_to(0)),
        not_simulated=_NOT_SIMULATED,
    ),
    c.claim(
        "RND-Gold rankings were generally more consistent than PRI-Gold ones.",
        (
            "lead of RND in mean τ over the measures",
            lambda halves: (
                sum(halves.tau(_GOLDS[0], m) - halves.tau(_GOLDS[1], m) for m in MEASURES)
                / len(MEASURES)
            ),
            c.over(0),
        ),
        not_simulated=_NOT_SIMULATED,
    ),
)
_TABLE_12: tuple[c.Claim[Halves], ...] = (
    c.claim(
        "BronzeT by Q and nDCG significantly outperforms all others, Gold by Q and nDCG included.",
        ("pairs of rows without such a difference", Halves.top_beats_rest, c.equal_to(0)),
        ("measures by which BronzeT outperforms Gold", _beat(CAREFUL, GOLD, DEEP), c.equal_to(2)),
    ),
    c.claim(
        "The four BronzeW results are the worst performers.",
        (
            "BronzeW rows among the last four", lambda h: h.last_rows(HASTY), c.equal_to(4),
        ),
    ),
    c.claim(
        "With BronzeW the nERR and iRBU rankings break down completely.",
        ("higher of the two mean τ", lambda h: h.highest_of(HASTY, SHALLOW), c.at_most(0)),
    ),
    c.claim(
        "BronzeW underperforms BronzeT in system ranking consistency.",
        (
            "measures with a significant difference", _beat(CAREFUL, HASTY, tuple(MEASURES)),
            c.equal_to(4),
        ),
    ),
)  # fmt: skip


@of_gold(
    "table11",
    title="Table 11: consistency under Gold",
    claims=_TABLE_11,
    deviation="The topics differ, as the paper warns; only 4 of 18 runs of WWW-4 are public.",
)
def table11(inputs: StudyInputs) -> Made:
    """Compare mean τ between halves of the PRI and RND topics under Gold, with letters."""
    campaign, printed = gold_collection(inputs), Halves(TABLE_11)
    sets: Mapping[str, Sequence[str]] = campaign.topic_sets
    halves, result = consistency_of(
        campaign, [(f"{name}-{GOLD}", GOLD, topics) for name, topics in sets.items()]
    )
    return Made(
        held=[c.on_print(printed), campaign.hold(halves)],
        paragraphs=[
            "The PRI and RND topics are disjoint, so that nothing here tells the ordering from the"
            " topics, as the paper says as well."
        ],
        tables=[
            _table("table11-published", "As published", printed, f"V_E2 = {TABLE_11_VARIANCE}."),
            _own_table("table11", campaign, halves, result),
        ],
    )


@of_label_sets(
    "table12",
    title="Table 12: consistency by label set",
    claims=_TABLE_12,
    deviation="Topics, systems and assessors differ; on TREC DL 2021 the groups are LLMs.",
)
def table12(inputs: StudyInputs) -> Made:
    """Compare mean τ between halves of the PRI topics under each label set, with letters."""

    def of(item: JudgedCollection, key: str) -> tuple[Mapping[str, Halves], list[NamedTable]]:
        name, topics = item.first_topics
        start = f"{name}-" if item.topic_sets else ""
        halves, result = consistency_of(item, [(f"{start}{g}", g, topics) for g in GROUPS])
        return {"": halves}, [_own_table(key, item, halves, result)]

    printed = Halves(TABLE_12)
    about = "Halves of the PRI-Gold topics, and of all topics of TREC DL 2021."
    first = _table("table12-published", "As published", printed, f"V_E2 = {TABLE_12_VARIANCE}.")
    return on_every_set(
        inputs, "table12", of, printed=[c.on_print(printed)], first=[first], words=[about]
    )
