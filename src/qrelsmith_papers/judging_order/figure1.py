"""Figure 1: relevant docs by the position at which they were shown."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Figure, Finding, Lines, NamedTable, Panels, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judging_times.efficiency_report import position_counts, position_figures
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency, judging_efficiency
from qrelsmith.stats.correlation import spearman_rho
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import JudgedCollection, environment
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_log
from qrelsmith_papers.judging_order.published_judging import LEVELS
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "fig1"
_PARTS = 7  # of the positions, in the table


@ORDERING.add(_KEY, kind=kind_of_log, reads=labels_read, sized=True)
def figure1(inputs: StudyInputs) -> Section:
    """Docs judged relevant and highly relevant against the order in which they were shown."""
    campaign = judged_collection(inputs, log=True)
    efficiency = judging_efficiency(
        campaign.judgments, relevant=campaign.relevant, high=campaign.scale.top
    )
    parts = _parts(campaign)
    return Section(
        key=_KEY,
        title="Figure 1: relevant docs by position",
        paragraphs=(
            "Docs judged relevant and highly relevant, summed over the topics, at each position"
            " that every topic has. The paper prints no numbers, only curves.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "Docs judged relevant (or highly so), by parts of the positions",
                parts,
                "rho: Spearman's correlation of the position with the number of docs there.",
            ),
        ),
        figures=(_panels(campaign, efficiency),),
        findings=(_claim(parts, campaign),),
    )


def _panels(campaign: JudgedCollection, efficiency: JudgingEfficiency) -> Figure:
    """The environments in the paper's order, on one scale."""
    drawings = {
        environment(figure.title.rpartition(": ")[2]): figure.drawing
        for figure in position_figures(efficiency, campaign.judgments)
    }
    order = [
        *(name for name in LEVELS if name in drawings),
        *sorted(drawings.keys() - LEVELS.keys()),
    ]
    return Figure(
        key=_KEY,
        title=f"Docs judged relevant and highly relevant, by position ({campaign.short})",
        drawing=Panels(
            names=[f"({letter}) {name}" for letter, name in zip("abcdefgh", order, strict=False)],
            panels=[drawing for name in order if isinstance(drawing := drawings[name], Lines)],
        ),
        caption="Summed over the topics of each environment, as far as the smallest pool goes; all"
        " panels have one scale.",
    )


def _parts(campaign: JudgedCollection) -> Table:
    rows: list[tuple[Cell, ...]] = []
    ends: list[int] = []
    for counts in position_counts(
        campaign.judgments, relevant=campaign.relevant, high=campaign.scale.top
    ):
        every = counts.relevant + counts.high
        places = np.arange(1, every.size + 1)
        parts = np.array_split(every, _PARTS)
        ends = [int(part[-1]) for part in np.array_split(places, _PARTS) if part.size]
        rho = float(spearman_rho(places.astype(float), every.astype(float)))
        cells = (int(part.sum()) for part in parts if part.size)
        rows.append((environment(counts.environment), counts.sessions, rho, *cells))
    starts = [1, *(end + 1 for end in ends[:-1])]
    names = [f"{start} to {end}" for start, end in zip(starts, ends, strict=True)]
    return Table.of(("environment", "topics", "rho", *names), rows)


def _claim(found: Table, campaign: JudgedCollection) -> Finding:
    rho = {str(row[0]): float(row[2] or 0) for row in found.rows}
    prioritised = {name: value for name, value in rho.items() if name.startswith("PRI")}
    others = [value for name, value in rho.items() if name not in prioritised]
    shown = ", ".join(f"{name} {value:.2f}" for name, value in rho.items())
    return campaign.claim(
        max(prioritised.values()) < min(-0.5, *others),
        "The paper: relevant docs stand near the top of PRI pools, whoever judges, and anywhere in"
        f" RND pools. On {campaign.name}, correlation of position and number of relevant"
        f" docs: {shown}.",
        section=_KEY,
    )
