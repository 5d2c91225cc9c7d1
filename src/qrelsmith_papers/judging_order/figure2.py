"""Figure 2: the efficiency of every assessor under PRI."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.efficiency_report import criterion_figures
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency, judging_efficiency
from qrelsmith.judgments.environments import in_environments
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, HASTY, JudgedCollection
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_log
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "fig2"
_LINE = 30.0  # the paper's "30-second horizontal grid" of ATBJ
# The paper's gold, red and green, by their numbers among the colours of groups.
_COLOURS = {GOLD: 4, HASTY: 6, CAREFUL: 2}


@ORDERING.add(_KEY, kind=kind_of_log, reads=labels_read, sized=True)
def figure2(inputs: StudyInputs) -> Section:
    """Efficiency statistics of each Gold, BronzeW and BronzeT assessor."""
    campaign = judged_collection(inputs, log=True)
    efficiency = judging_efficiency(
        in_environments(campaign.judgments, orderings=["prioritised"]),
        relevant=campaign.relevant,
        high=campaign.scale.top,
    )
    return Section(
        key=_KEY,
        title="Figure 2: efficiency by assessor",
        paragraphs=(
            "A box for each assessor's topics, after the caps. The paper shows points, and prints"
            " no numbers.",
        ),
        tables=(
            NamedTable(_KEY, f"Means of every assessor ({campaign.short})", _means(efficiency)),
        ),
        figures=tuple(
            replace(
                figure,
                key=f"{_KEY}-{number}",
                title=f"{figure.title} ({campaign.short})",
            )
            for number, figure in enumerate(criterion_figures(efficiency, _COLOURS), start=1)
        ),
        findings=(_claim(efficiency, campaign),),
    )


def _groups(efficiency: JudgingEfficiency) -> dict[str, str]:
    return {session.assessor: session.group for session in efficiency.sessions}


def _means(efficiency: JudgingEfficiency) -> Table:
    samples = {name: efficiency.samples(name, "assessor") for name in CRITERIA}
    rows: list[tuple[Cell, ...]] = [
        (
            group,
            assessor,
            *(
                float(samples[name][assessor].mean()) if samples[name][assessor].size else np.nan
                for name in CRITERIA
            ),
        )
        for assessor, group in sorted(_groups(efficiency).items(), key=lambda item: item[::-1])
    ]
    return Table.of(("group", "assessor", *CRITERIA), rows)


def _claim(efficiency: JudgingEfficiency, campaign: JudgedCollection) -> Finding:
    samples = efficiency.samples("ATBJ", "assessor")
    groups = _groups(efficiency)
    above = {who for who, values in samples.items() if values.size and values.max() > _LINE}
    careful = {who for who, group in groups.items() if group == CAREFUL}
    medians = {who: float(np.median(values)) for who, values in samples.items() if values.size}
    slowest = max(value for who, value in medians.items() if who not in careful)
    fastest = min(value for who, value in medians.items() if who in careful)
    return campaign.claim(
        careful <= above and fastest > slowest,
        "The paper: every BronzeT assessor has topics with more than 30 s between judgments, and"
        " lies above Gold and BronzeW, whose assessors are not separable. On"
        f" {campaign.name} {len(careful & above)} of {len(careful)} BronzeT assessors have such"
        " topics;"
        f" the fastest has a median of {fastest:.0f} s, the slowest of the others {slowest:.0f} s.",
        section=_KEY,
    )
