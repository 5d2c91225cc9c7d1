"""Table 2: how often each level was given."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.environments import level_counts
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    GROUPS,
    HASTY,
    JudgedCollection,
    environment,
)
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021, files_read
from qrelsmith_papers.judging_order.published_judging import LEVELS
from qrelsmith_papers.judging_order.simulated import simulated_campaign

_KEY = "table2"
Counts = Mapping[str, Mapping[float, int]]


@ORDERING.add(
    _KEY,
    reads=files_read,
    sized=True,
    deviation=(
        "Noise alone makes assessors with more of it more liberal where few docs are relevant."
    ),
)
def table2(inputs: StudyInputs) -> Section:
    """Relevance labels by group and ordering, and who is more liberal than Gold."""
    campaign, llms = simulated_campaign(inputs).collection, dl2021(inputs)
    simulated_counts = _counts(campaign)
    tables = [
        NamedTable(
            _KEY,
            "Levels in the paper and in the simulated campaign",
            _comparison_table(simulated_counts),
        )
    ]
    findings = [_liberal(campaign, simulated_counts)]
    if llms is not None:
        labels = _of_groups(llms.collection)
        levels = list(labels[GOLD])
        columns = ("group", *(f"grade {grade_text(level)}" for level in levels), "total")
        rows: list[tuple[Cell, ...]] = [
            (name, *of.values(), sum(of.values())) for name, of in labels.items()
        ]
        tables.append(
            NamedTable(
                f"{_KEY}-dl2021",
                "Grades of TREC DL 2021",
                Table.of(columns, rows),
                "Several passes of an LLM by their lower median.",
            )
        )
        findings.append(_liberal(llms.collection, labels))
    return Section(
        key=_KEY,
        title="Table 2: levels that were given",
        paragraphs=(llms.note() if llms is not None else MISSING,),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _counts(collection: JudgedCollection) -> Counts:
    """Levels by group, and by environment where that says more."""
    found = dict(level_counts(collection.judgments, by="group"))
    found |= {environment(name): of for name, of in level_counts(collection.judgments)}
    order = (*LEVELS, HASTY, CAREFUL)
    shown = [name for name in order if name in found]
    # A group that has one ordering only is shown once.
    return {name: found[name] for name in shown if f"PRI-{name}" not in found or name == GOLD}


def _of_groups(collection: JudgedCollection) -> Counts:
    """One level a doc for each group, whoever of it gave labels."""
    said = Judgments.from_qrels(collection.label_sets)
    found = dict(level_counts(said, by="assessor"))
    return {name: found[name] for name in GROUPS}


def _comparison_table(simulated_counts: Counts) -> Table:
    levels = sorted(simulated_counts[GOLD], reverse=True)
    columns = [
        column
        for name in simulated_counts
        for column in (f"{name}, published", f"{name}, simulated")
    ]
    rows = []
    for place, level in enumerate((*levels, None)):
        cells: list[str | int] = ["total" if level is None else f"L{grade_text(level)}"]
        for name, counts in simulated_counts.items():
            cells += [LEVELS[name][place], sum(counts.values()) if level is None else counts[level]]
        rows.append(cells)
    return Table.of(("level", *columns), rows)


def _liberal(collection: JudgedCollection, found: Counts) -> Finding:
    relevant = {
        name.removeprefix("PRI-"): sum(n for level, n in of.items() if level >= collection.relevant)
        for name, of in found.items()
        if name == GOLD or not name.endswith(GOLD)
    }
    shown = ", ".join(f"{name} {count:,}" for name, count in relevant.items())
    return claim(
        min(relevant[HASTY], relevant[CAREFUL]) > relevant[GOLD],
        "The paper: both Bronze groups call more of the same docs relevant than Gold does. On"
        f" {collection.name}, docs of grade {collection.relevant:g} or more: {shown}.",
        section=_KEY,
    )
