"""Tables 3 and 4, Figures 1 and 2: how fast docs are judged, and where relevant ones are found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Lines, Panels
from qrelsmith.base.tables import Cell
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.efficiency_report import (
    criterion_figures,
    position_counts,
    position_figures,
)
from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    JudgingEfficiency,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judgments.environments import in_environments
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.correlation import spearman_rho
from qrelsmith.stats.effects import glass_delta
from qrelsmith.stats.equivalence import two_one_sided
from qrelsmith.stats.unpaired_tukey import unpaired_tukey_summary
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    Difference,
    Held,
    Part,
    alike,
    at_least,
    at_most,
    claim,
    equal_to,
    greater_than,
    less_than,
    within,
)
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import artefact_table
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    JudgedCollection,
    environment,
)
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_log
from qrelsmith_papers.judging_order.published_judging import (
    LEVELS,
    TABLE_3,
    TABLE_4,
    ThreeGroups,
    TwoOrderings,
)
from qrelsmith_papers.judging_order.www4 import labels_read

_ALPHA = 0.05
_LARGE = 0.8  # standard deviations: Cohen's large effect
_PRINT = "the print"


def _efficiency(campaign: JudgedCollection, judgments: Judgments) -> JudgingEfficiency:
    return judging_efficiency(judgments, relevant=campaign.relevant, high=campaign.scale.top)


def prioritised_efficiency(campaign: JudgedCollection) -> JudgingEfficiency:
    """Return the efficiency on topics that are shown prioritised."""
    shown = in_environments(campaign.judgments, orderings=["prioritised"])
    return _efficiency(campaign, shown)


# The rows of Table 3 by criterion.
_Orderings = Mapping[str, TwoOrderings]


def _difference(criterion: str) -> Callable[[_Orderings], Difference | float]:
    """PRI less RND by a criterion, with the tests of a difference and of equivalence."""

    def statistic(rows: _Orderings) -> Difference | float:
        if criterion not in rows:
            return math.nan
        row = rows[criterion]
        error = row.deviation * math.sqrt(1 / row.pri_size + 1 / row.rnd_size)
        margin, freedom = _LARGE * row.deviation, row.pri_size + row.rnd_size - 2
        p_alike = two_one_sided(row.pri - row.rnd, error, margin=margin, freedom=freedom)
        return Difference(row.pri - row.rnd, row.p, p_alike)

    return statistic


def _sooner(criterion: str) -> tuple[Part[_Orderings], Part[_Orderings], Part[_Orderings]]:
    def of(field: Callable[[TwoOrderings], float]) -> Callable[[_Orderings], float]:
        return lambda rows: field(rows[criterion]) if criterion in rows else math.nan

    return (
        Part(f"{criterion}, PRI less RND, s", of(lambda r: r.pri - r.rnd), less_than(0)),
        Part(f"p of {criterion}", of(lambda r: r.p), less_than(_ALPHA)),
        Part(f"Glass's Δ of {criterion}", of(lambda r: abs(r.delta)), greater_than(0.5)),
    )


def _two_alike(criterion: str) -> Part[_Orderings]:
    what = f"difference of {criterion}, PRI less RND"
    return Part(what, _difference(criterion), alike(f"{_LARGE} standard deviations of RND"))


_TABLE_3: tuple[Claim[_Orderings], ...] = (
    claim(
        "Glass's Δ of Table 3 follows from its means and deviations.",
        Part(
            "largest difference",
            lambda rows: max(
                abs(abs(float(glass_delta(r.pri, r.rnd, r.deviation))) - r.delta)
                for r in rows.values()
            ),
            at_most(0.005),
        ),
        of="print",
    ),
    claim(
        "There is no substantial difference between PRI and RND in ATBJ, the time spent for each"
        " document.",
        _two_alike("ATBJ"),
    ),
    claim(
        "The first relevant, and the first highly relevant document are found significantly sooner"
        " under PRI, with Δ over 0.5.",
        *_sooner("TF1RH"),
        *_sooner("TF1H"),
    ),
    claim(
        "The difference in TJ1D is not quite significant, that in NREJ is not either.",
        _two_alike("TJ1D"),
        _two_alike("NREJ"),
        erratum="Neither is significant, and neither is shown to be small: Δ is .499 and .986.",
    ),
)


@ORDERING.add(
    "table3",
    title="Table 3: efficiency of Gold",
    claims=_TABLE_3,
    kind=kind_of_log,
    reads=labels_read,
    deviation="No effect of the ordering is in the simulated campaign but where relevant docs"
    " stand.",
)
def table3(inputs: StudyInputs) -> Made:
    """Efficiency of Gold under PRI and RND: t test and Glass's Δ."""
    campaign = judged_collection(inputs, log=True)
    gold = in_environments(campaign.judgments, groups=[GOLD])
    compared = compared_groups(
        _efficiency(campaign, gold), by="ordering", test="two-sample-t", control="randomised"
    )
    result = {row.criterion: _two_orderings(row) for row in compared}
    rows = [
        (criterion, source, *table[criterion])
        for criterion in TABLE_3
        for source, table in (("published", TABLE_3), (campaign.short, result))
        if criterion in table
    ]
    deltas = [
        (criterion, row.delta, delta, delta - row.delta)
        for criterion, row in TABLE_3.items()
        for delta in [abs(float(glass_delta(row.pri, row.rnd, row.deviation)))]
    ]
    return Made(
        held=[
            *(Held(_PRINT, ClaimKind.FROM_PRINT, TABLE_3, of) for of in ("", "print")),
            campaign.hold(result),
        ],
        paragraphs=[
            "Student's t test of the topics that Gold was shown prioritised (PRI) and randomised"
            " (RND). Glass's Δ is the difference in standard deviations of RND, printed without its"
            " sign. Seconds; NREJ is a count."
        ],
        tables=[
            artefact_table(
                "table3",
                f"In the paper and in {campaign.name}",
                "criterion|source|mean PRI|n PRI|mean RND|n RND|p|sd RND|Glass's delta",
                rows,
            ),
            artefact_table(
                "table3-recomputed",
                "Glass's Δ from the printed means and deviations",
                "criterion|published|recomputed|difference",
                deltas,
                "What is printed is rounded, and so is what follows from it.",
            ),
        ],
    )


def _two_orderings(row: GroupComparison) -> TwoOrderings:
    (pri, rnd), (pri_size, rnd_size) = row.means, row.sizes
    delta = abs(row.glass_delta)
    return TwoOrderings(pri, pri_size, rnd, rnd_size, row.p, row.deviations[1], delta)


class _Groups(NamedTuple):
    """A row of Table 4: means, sizes and V_E1, and p of each pair; nan where it is not printed."""

    means: Sequence[float]
    sizes: Sequence[int]
    variance: float
    p: Mapping[tuple[int, int], float]

    def slower(self, group: int) -> float:
        """Return by how much more than another group BronzeT takes, in seconds or corrections."""
        return self.means[2] - self.means[group]

    def gold_and_hasty(self) -> Difference:
        """Gold less BronzeW, with the tests of a difference and of equivalence."""
        error = math.sqrt(self.variance * (1 / self.sizes[0] + 1 / self.sizes[1]))
        margin, freedom = _LARGE * math.sqrt(self.variance), sum(self.sizes) - 3
        apart = self.means[0] - self.means[1]
        p_alike = two_one_sided(apart, error, margin=margin, freedom=freedom)
        return Difference(apart, self.p[0, 1], p_alike)


_Table4 = Mapping[str, _Groups]


def _of_print(row: ThreeGroups) -> _Groups:
    """The paper's row; p of Gold and BronzeW, which is not printed, from its means and V_E1."""
    test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
    p = dict(zip(combinations(range(3), 2), test.p.tolist(), strict=True))
    return _Groups(row.means, row.sizes, row.variance, p)


def _follows(rows: Mapping[str, ThreeGroups]) -> float:
    """Return the pairs of Table 4 whose p and effect size do not follow from its means and V_E1."""
    wrong = 0
    pairs = list(combinations(range(len(GROUPS)), 2))
    for row in rows.values():
        test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
        for group, printed, effect in zip((0, 1), row.p, row.effects, strict=True):
            p, size = (float(of[pairs.index((group, 2))]) for of in (test.p, test.effect_size))
            digits = len(printed.partition(".")[2])
            near = math.isclose(p, float(printed), rel_tol=0.15) or round(p, digits) == float(
                printed
            )
            wrong += not (near and abs(abs(size) - effect) <= 0.005)
    return float(wrong)


def _smallest(statistic: Callable[[_Groups], float]) -> Callable[[_Table4], float]:
    """Return the smallest over the criteria; nan where one is not there."""
    return lambda rows: (
        min(statistic(rows[criterion]) for criterion in CRITERIA)
        if set(CRITERIA) <= set(rows)
        else math.nan
    )


def _highest_p(rows: _Table4) -> float:
    return -_smallest(lambda row: -max(row.p[0, 2], row.p[1, 2]))(rows)


def _gold_and_hasty(criterion: str) -> Callable[[_Table4], Difference | float]:
    return lambda rows: rows[criterion].gold_and_hasty() if criterion in rows else math.nan


_TABLE_4 = (
    claim(
        "Table 4 prints p and effect sizes of an unpaired Tukey HSD.",
        Part[Mapping[str, ThreeGroups]](
            "pairs whose p (within 15 %) or effect size (within .005) does not follow from means"
            " and V_E1",
            _follows,
            equal_to(0),
        ),
        of="print",
    ),
    claim(
        "For every criterion BronzeT takes significantly longer, or corrects more, than Gold and"
        " than BronzeW.",
        Part[_Table4](
            "smallest difference",
            _smallest(lambda row: min(row.slower(0), row.slower(1))),
            greater_than(0),
        ),
        Part[_Table4]("highest p", _highest_p, less_than(_ALPHA)),
    ),
    claim(
        "The difference between Gold and BronzeW is small and not significant.",
        *(
            Part[_Table4](
                f"difference of {criterion}",
                _gold_and_hasty(criterion),
                alike(f"{_LARGE} standard deviations"),
            )
            for criterion in CRITERIA
        ),
        erratum="By ATBJ, the main criterion, the equivalence test gives p = .06.",
    ),
)


@ORDERING.add(
    "table4",
    title="Table 4: efficiency under PRI",
    claims=_TABLE_4,
    kind=kind_of_log,
    reads=labels_read,
    deviation="Means and V_E1 of the simulated campaign are fitted to the print; a draw of it has"
    " others by chance.",
)
def table4(inputs: StudyInputs) -> Made:
    """Efficiency of the groups under PRI: Tukey HSD and effect sizes."""
    campaign = judged_collection(inputs, log=True)
    result = _three_groups(prioritised_efficiency(campaign))
    printed = {criterion: _of_print(row) for criterion, row in TABLE_4.items()}
    tests, means = [], []
    for criterion, row in TABLE_4.items():
        p = tuple(map(float, row.p))
        means.append((criterion, "published", *_cells(printed[criterion]), *p, row.variance))
        if criterion in result:
            here = result[criterion]
            two = (here.p[0, 2], here.p[1, 2], here.variance)
            means.append((criterion, campaign.short, *_cells(here), *two))
        test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
        for place, group in ((1, GOLD), (2, HASTY)):
            effect = abs(float(test.effect_size[place]))
            cells = (p[place - 1], float(test.p[place]), row.effects[place - 1], effect)
            tests.append((criterion, f"{group}, {CAREFUL}", *cells))
    columns = "criterion|source|" + "|".join(f"mean {g}|n {g}" for g in GROUPS)
    return Made(
        held=[
            Held(_PRINT, ClaimKind.FROM_PRINT, TABLE_4, "print"),
            Held(_PRINT, ClaimKind.FROM_PRINT, printed),
            campaign.hold(result),
        ],
        paragraphs=[
            "Unpaired Tukey HSD of the three groups on the topics shown prioritised. The paper"
            " prints p below .05 only."
        ],
        tables=[
            artefact_table(
                "table4",
                f"In the paper and in {campaign.name}",
                f"{columns}|p Gold, BronzeT|p BronzeW, BronzeT|V_E1",
                means,
            ),
            artefact_table(
                "table4-recomputed",
                "p and effect size from the printed means, sizes and V_E1",
                "criterion|groups|p, published|p, recomputed|ES, published|ES, recomputed",
                tests,
                "A p printed as 0 is 'about 0'.",
            ),
        ],
    )


def _cells(row: _Groups) -> tuple[Cell, ...]:
    return tuple(cell for pair in zip(row.means, row.sizes, strict=True) for cell in pair)


def _three_groups(efficiency: JudgingEfficiency) -> _Table4:
    """Return the rows of Table 4 of the criteria for which all groups have values."""
    p: dict[str, dict[tuple[int, int], float]] = {}
    variances = {}
    for row in compared_groups(efficiency, by="group", test="unpaired-tukey"):
        one, other = sorted((GROUPS.index(row.first), GROUPS.index(row.second)))
        p.setdefault(row.criterion, {})[one, other] = row.p
        variances[row.criterion] = row.residual_variance
    rows = {}
    for criterion, of_pairs in p.items():
        samples = efficiency.samples(criterion, "group")
        values = [samples.get(group, np.empty(0)) for group in GROUPS]
        if len(of_pairs) == 3:
            means = [float(each.mean()) for each in values]
            sizes = [each.size for each in values]
            rows[criterion] = _Groups(means, sizes, variances[criterion], of_pairs)
    return rows


# Spearman's ρ of the position with the number of relevant docs there, by environment.
_Rho = Mapping[str, float]
_FIGURE_1: tuple[Claim[_Rho], ...] = (
    claim(
        "Assessors of all groups find more relevant docs near the top of PRI pools; no such"
        " tendency is observed for RND.",
        Part(
            "highest correlation of position and number of relevant docs under PRI",
            lambda rho: max(value for name, value in rho.items() if name.startswith("PRI")),
            less_than(-0.5),
        ),
        Part("the same under RND", lambda rho: rho.get("RND-Gold", math.nan), within(-0.3, 0.3)),
    ),
)
_PARTS = 7  # of the positions, in the table


@ORDERING.add(
    "fig1",
    title="Figure 1: relevant docs by position",
    claims=_FIGURE_1,
    kind=kind_of_log,
    reads=labels_read,
)
def figure1(inputs: StudyInputs) -> Made:
    """Docs judged relevant and highly relevant against the order in which they were shown."""
    campaign = judged_collection(inputs, log=True)
    rows: list[tuple[Cell, ...]] = []
    rho: dict[str, float] = {}
    parts: list[FloatArray] = []
    for counts in position_counts(
        campaign.judgments, relevant=campaign.relevant, high=campaign.scale.top
    ):
        every, name = counts.relevant + counts.high, environment(counts.environment)
        places = np.arange(1.0, every.size + 1)
        rho[name] = float(spearman_rho(places, every.astype(float)))
        parts = [part for part in np.array_split(places, _PARTS) if part.size]
        sums = (int(part.sum()) for part in np.array_split(every, _PARTS) if part.size)
        rows.append((name, counts.sessions, rho[name], *sums))
    heads = "|".join(f"{part[0]:.0f} to {part[-1]:.0f}" for part in parts)
    drawings = {
        environment(figure.title.rpartition(": ")[2]): figure.drawing
        for figure in position_figures(
            _efficiency(campaign, campaign.judgments), campaign.judgments
        )
    }
    order = [name for name in LEVELS if name in drawings]
    order += sorted(drawings.keys() - LEVELS.keys())
    figure = Figure(
        key="fig1",
        title=f"Docs judged relevant and highly relevant, by position ({campaign.short})",
        drawing=Panels(
            names=[f"({letter}) {name}" for letter, name in zip("abcdefgh", order, strict=False)],
            panels=[drawing for name in order if isinstance(drawing := drawings[name], Lines)],
        ),
        caption="Summed over the topics of each environment, as far as the smallest pool goes; all"
        " panels have one scale.",
    )
    return Made(
        held=[campaign.hold(rho)],
        paragraphs=[
            "Docs judged relevant and highly relevant, summed over the topics, at each position"
            " that every topic has. The paper prints no numbers, only curves."
        ],
        tables=[
            artefact_table(
                "fig1",
                "Docs judged relevant (or highly so), by parts of the positions",
                f"environment|topics|rho|{heads}",
                rows,
                "rho: Spearman's correlation of the position with the number of docs there.",
            )
        ],
        figures=[figure],
    )


class _Paces(NamedTuple):
    """ATBJ of the topics of each assessor, by group."""

    values: Mapping[str, Sequence[FloatArray]]

    def share_above_line(self) -> float:
        """Return the share of BronzeT assessors with a topic above the 30-second line."""
        return float(np.mean([each.max() > _LINE for each in self.values[CAREFUL]]))

    def beneath(self) -> float:
        """The median over BronzeT's assessors less the highest over those of the other groups."""
        medians = {
            group: [float(np.median(each)) for each in of] for group, of in self.values.items()
        }
        return float(np.median(medians[CAREFUL])) - max(*medians[GOLD], *medians[HASTY])

    def overlap(self) -> float:
        """Return how far the ranges of Gold's and BronzeW's assessors overlap, in seconds."""
        gold, hasty = ([float(np.median(v)) for v in self.values[g]] for g in (GOLD, HASTY))
        return min(max(gold), max(hasty)) - max(min(gold), min(hasty))


_LINE = 30.0  # the paper's "30-second horizontal grid" of ATBJ
_FIGURE_2: tuple[Claim[_Paces], ...] = (
    claim(
        "Every BronzeT assessor has topics with more than 30 s between judgments, and Gold and"
        " BronzeW tend to lie beneath.",
        Part("share of BronzeT assessors with such topics", _Paces.share_above_line, at_least(1)),
        Part("BronzeT's median less the highest of the others, s", _Paces.beneath, greater_than(0)),
    ),
    claim(
        "Gold and BronzeW are not separable from each other.",
        Part("overlap of their assessors' medians, s", _Paces.overlap, greater_than(0)),
    ),
)
# The paper's gold, red and green, by their numbers among the colours of groups.
_COLOURS = {GOLD: 4, HASTY: 6, CAREFUL: 2}


@ORDERING.add(
    "fig2",
    title="Figure 2: efficiency by assessor",
    claims=_FIGURE_2,
    kind=kind_of_log,
    reads=labels_read,
)
def figure2(inputs: StudyInputs) -> Made:
    """Efficiency statistics of each Gold, BronzeW and BronzeT assessor."""
    campaign = judged_collection(inputs, log=True)
    efficiency = prioritised_efficiency(campaign)
    samples = {name: efficiency.samples(name, "assessor") for name in CRITERIA}
    groups = {session.assessor: session.group for session in efficiency.sessions}
    rows = [
        (
            group,
            who,
            *(float(of[who].mean()) if of[who].size else math.nan for of in samples.values()),
        )
        for who, group in sorted(groups.items(), key=lambda item: item[::-1])
    ]
    paces: dict[str, list[FloatArray]] = {group: [] for group in GROUPS}
    for who, values in samples["ATBJ"].items():
        if values.size:
            paces[groups[who]].append(values)
    return Made(
        held=[campaign.hold(_Paces(paces))],
        paragraphs=[
            "A box for each assessor's topics, after the caps. The paper shows points, and prints"
            " no numbers."
        ],
        tables=[
            artefact_table(
                "fig2",
                f"Means of every assessor ({campaign.short})",
                f"group|assessor|{'|'.join(CRITERIA)}",
                rows,
            )
        ],
        figures=[
            replace(each, key=f"fig2-{number}", title=f"{each.title} ({campaign.short})")
            for number, each in enumerate(criterion_figures(efficiency, _COLOURS), start=1)
        ],
    )
