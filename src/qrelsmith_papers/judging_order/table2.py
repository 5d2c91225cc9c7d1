"""Table 2: how often each level was given."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.environments import level_counts
from qrelsmith.judgments.judgment_events import Judgments
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
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import LEVELS
from qrelsmith_papers.judging_order.www4 import www4

_KEY = "table2"
Counts = Mapping[str, Mapping[float, int]]


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation=(
        "Noise alone makes assessors with more of it more liberal where few docs are relevant."
    ),
)
def table2(inputs: StudyInputs) -> Section:
    """Relevance labels by group and ordering, and who is more liberal than Gold."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    counts = _counts(campaign)
    tables = [
        NamedTable(
            _KEY,
            f"Levels in the paper and in {campaign.name}",
            _comparison_table(counts, campaign.short),
        )
    ]
    findings = [_liberal(campaign, counts)]
    real = www4(inputs)
    if real is not None and not real.is_whole:
        gold = _counts(real.collection)
        tables.insert(
            0,
            NamedTable(
                f"{_KEY}-gold",
                f"Gold's levels in the paper and in {real.name}",
                _comparison_table(gold, real.collection.short),
            ),
        )
        findings.insert(0, _as_printed(real.collection, gold))
    elif real is not None:
        findings.insert(0, _as_printed(campaign, counts))
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


def _comparison_table(counts_by_name: Counts, short: str) -> Table:
    levels = sorted(counts_by_name[GOLD], reverse=True)
    columns = [
        column for name in counts_by_name for column in (f"{name}, published", f"{name}, {short}")
    ]
    rows = []
    for place, level in enumerate((*levels, None)):
        cells: list[str | int] = ["total" if level is None else f"L{grade_text(level)}"]
        for name, counts in counts_by_name.items():
            cells += [LEVELS[name][place], sum(counts.values()) if level is None else counts[level]]
        rows.append(cells)
    return Table.of(("level", *columns), rows)


def _as_printed(collection: JudgedCollection, counts_by_name: Counts) -> Finding:
    same = [
        name
        for name, counts in counts_by_name.items()
        if [*(counts[level] for level in sorted(counts, reverse=True)), sum(counts.values())]
        == list(LEVELS[name])
    ]
    gold = counts_by_name[GOLD]
    shown = ", ".join(f"L{grade_text(level)} {gold[level]:,}" for level in sorted(gold)[::-1])
    return collection.claim(
        len(same) == len(counts_by_name),
        "The paper: Gold gave L2 1,373 times, L1 1,806 and L0 7,154 times."
        f" In {collection.name}: {shown}; as printed, to the label: {', '.join(same) or 'none'} of"
        f" {', '.join(counts_by_name)}.",
        section=_KEY,
    )


def _liberal(collection: JudgedCollection, found: Counts) -> Finding:
    relevant = {
        name.removeprefix("PRI-"): sum(n for level, n in of.items() if level >= collection.relevant)
        for name, of in found.items()
        if name == GOLD or not name.endswith(GOLD)
    }
    shown = ", ".join(f"{name} {count:,}" for name, count in relevant.items())
    return collection.claim(
        min(relevant[HASTY], relevant[CAREFUL]) > relevant[GOLD],
        "The paper: both Bronze groups call more of the same docs relevant than Gold does. On"
        f" {collection.name}, docs of grade {collection.relevant:g} or more: {shown}.",
        section=_KEY,
    )
