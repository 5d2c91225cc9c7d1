"""Figures 1 and 2: positions of relevant docs, and the speed of each assessor."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from qrelsmith.stats.correlation import spearman_rho
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.efficiency import efficiency_of, prioritised_efficiency
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, GROUPS, HASTY, environment
from qrelsmith_papers.judging_order.judged import judged_collection, of_log
from qrelsmith_papers.judging_order.printed_tables import LEVELS

# Spearman's ρ of the position with its number of relevant docs, by environment.
_Rho = Mapping[str, float]
_FIGURE_1: tuple[c.Claim[_Rho], ...] = (
    c.claim(
        "Assessors of all groups find more relevant docs near the top of PRI pools; no such"
        " tendency is observed for RND.",
        (
            "highest correlation between position and number of relevant docs under PRI",
            lambda rho: max(value for name, value in rho.items() if name.startswith("PRI")),
            c.under(-0.5),
        ),
        ("correlation under RND", lambda rho: rho.get("RND-Gold", math.nan), c.within(-0.3, 0.3)),
    ),
)
_PARTS = 7  # of the positions in the table


@of_log("fig1", title="Figure 1: relevant docs by position", claims=_FIGURE_1)
def figure1(inputs: StudyInputs) -> Made:
    """Plot docs judged relevant and highly relevant against their position."""
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
            efficiency_of(campaign, campaign.judgments), campaign.judgments
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
            table_of(
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
    """ATBJ of each assessor's topics, by group."""

    values: Mapping[str, Sequence[FloatArray]]

    def share_above_line(self) -> float:
        """Return the share of BronzeT assessors with a topic above the 30-second line."""
        return float(np.mean([each.max() > _LINE for each in self.values[CAREFUL]]))

    def beneath(self) -> float:
        """Return the median of BronzeT's assessors minus the highest value of the other groups."""
        medians = {
            group: [float(np.median(each)) for each in of] for group, of in self.values.items()
        }
        return float(np.median(medians[CAREFUL])) - max(*medians[GOLD], *medians[HASTY])

    def overlap(self) -> float:
        """Return the overlap of the ranges of Gold's and BronzeW's assessors, in seconds."""
        gold, hasty = ([float(np.median(v)) for v in self.values[g]] for g in (GOLD, HASTY))
        return min(max(gold), max(hasty)) - max(min(gold), min(hasty))


_LINE = 30.0  # the paper's "30-second horizontal grid" of ATBJ
_FIGURE_2: tuple[c.Claim[_Paces], ...] = (
    c.claim(
        "Every BronzeT assessor has topics with more than 30 s between judgments, and Gold and"
        " BronzeW tend to be below.",
        ("share of BronzeT assessors with such topics", _Paces.share_above_line, c.at_least(1)),
        ("BronzeT's median minus the highest other median, in s", _Paces.beneath, c.over(0)),
    ),
    c.claim(
        "Gold and BronzeW are not separable from each other.",
        ("overlap of their assessors' medians, in s", _Paces.overlap, c.over(0)),
    ),
)
# The paper's gold, red and green, as indices of group colours.
_COLOURS = {GOLD: 4, HASTY: 6, CAREFUL: 2}


@of_log("fig2", title="Figure 2: efficiency by assessor", claims=_FIGURE_2)
def figure2(inputs: StudyInputs) -> Made:
    """Plot the efficiency of each Gold, BronzeW and BronzeT assessor."""
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
            table_of(
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
