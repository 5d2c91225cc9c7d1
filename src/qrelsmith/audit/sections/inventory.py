"""Inventory of the campaign: its files and counts, and whether they are consistent."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import TOP, AuditInputs
from qrelsmith.audit.progress import open_work
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Cell, Table
from qrelsmith.evaluation import score_runs
from qrelsmith.stats.intervals import t_interval

_KEY = "inventory"


@SECTIONS.add("inventory", place=10)
def inventory(inputs: AuditInputs) -> Section:
    """List topics, label sets and runs, and the judged share of each run's top docs."""
    reference = inputs.label_sets[inputs.reference]
    every = sorted({topic for qrels in inputs.label_sets.values() for topic in qrels.topics})
    dropped = sorted(set(every) - set(inputs.topics))
    paragraphs = [
        f"The campaign has {count(len(every), 'topic', 'topics')},"
        f" {count(len(inputs.label_sets), 'label set', 'label sets')} and"
        f" {count(len(inputs.runs), 'run', 'runs')}."
    ]
    if dropped:
        paragraphs.append(
            f"{count(len(inputs.topics), 'topic is', 'topics are')} in all label sets. Topics that"
            " are not in all label sets:"
            f" {', '.join(dropped[:20])}{' and more' if len(dropped) > 20 else ''}."
        )
    outside = _outside_pools(inputs)
    if outside:
        paragraphs.append(outside)
    # Output of an earlier audit and hidden files are not mistakes.
    strangers = [
        path.name
        for path in inputs.campaign.strangers
        if path.name != "audit" and not path.name.startswith(".")
    ]
    if strangers:
        paragraphs.append(
            f"Ignored files and folders (not part of a campaign): {name_list(strangers)}."
        )
    tables = [
        NamedTable(
            key="label-sets",
            title="The label sets",
            table=_label_sets(inputs),
            note="Same pairs: number of (topic, doc) pairs that are also in the reference.",
        )
    ]
    findings: list[Finding] = []
    if inputs.reference_notice:
        sentence = f"{inputs.reference_notice}."
        findings.append(Finding("reference", Verdict.FACT, sentence, _KEY, opens=True))
    if sentence := open_work(inputs):
        findings.append(Finding("progress", Verdict.FACT, sentence, _KEY, opens=True))
    findings += _off_scale(inputs)
    if inputs.runs:
        tables.append(
            NamedTable(
                key="runs",
                title=f"The runs, and the share of their top {TOP} docs graded in {reference.name}",
                table=_coverage(inputs),
                note=f"Judged@{TOP}: mean over topics. Low, high: ends of the 95% t interval.",
            )
        )
    return Section(
        key=_KEY,
        title="Inventory and integrity",
        paragraphs=tuple(paragraphs),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _off_scale(inputs: AuditInputs) -> list[Finding]:
    """Count the grades outside the scale of each label set."""
    return [
        Finding("scale", Verdict.FACT, f"{sentence}.", _KEY)
        for sentence in inputs.off_scale_sentences().values()
    ]


def _outside_pools(inputs: AuditInputs) -> str:
    """Count the judged docs of the reference outside the pool files; empty without pool files."""
    if inputs.pools is None:
        return ""
    pooled = {topic: frozenset(inputs.pools.docs(topic)) for topic in inputs.pools.topics}
    judged = [
        doc in pooled.get(topic, ())
        for topic, doc, grade in inputs.label_sets[inputs.reference].rows()
        if grade >= 0
    ]
    outside = judged.count(False)
    if not outside:
        return ""
    return (
        f"{outside:,} ({short(outside / len(judged))}) of {count(len(judged), 'doc', 'docs')}"
        f" judged by {inputs.reference} {'is' if outside == 1 else 'are'} outside the pool files."
        " Docs outside the pools come from other sources, such as deeper ranks or other runs."
    )


def _label_sets(inputs: AuditInputs) -> Table:
    reference = inputs.label_sets[inputs.reference]
    pairs = {(topic, doc) for topic, doc, _ in reference.rows()}
    rows: list[tuple[Cell, ...]] = []
    for name, qrels in inputs.label_sets.items():
        own = {(topic, doc) for topic, doc, _ in qrels.rows()}
        rows.append(
            (
                name,
                inputs.scale_text(name),
                len(qrels.topics),
                len(qrels),
                len(own & pairs),
                int((qrels.grade > 0).sum()),
                int((qrels.grade < 0).sum()),
                sum(
                    bool((qrels.grade[qrels.topic == t] > 0).sum() == 0)
                    for t in range(len(qrels.topics))
                ),
            )
        )
    columns = (
        "label set", "scale", "topics", "judgments", "same pairs", "above 0", "codes",
        "topics without a grade above 0",
    )  # fmt: skip
    return Table.of(columns, rows)


def _coverage(inputs: AuditInputs) -> Table:
    """Count the judged docs in the top of every run."""
    reference = inputs.label_sets[inputs.reference]
    result = score_runs(reference, inputs.runs, [f"Judged@{TOP}"], missing_topics="drop")
    matrix = result.matrix(f"Judged@{TOP}")
    ends = [t_interval(scores[~np.isnan(scores)]) for scores in matrix.scores]
    low, high = np.array(ends, dtype=np.float64).T
    # A run that has none of the topics has no judged docs at the top.
    means = np.nan_to_num(matrix.means())
    teams = inputs.campaign.teams
    missing = [
        int((np.isin(reference.topics, run.topics, invert=True)).sum()) for run in inputs.runs
    ]
    rows = [
        (name, teams.get(name, ""), lacks, mean, float(left), float(min(right, 1.0)))
        for name, lacks, mean, left, right in zip(
            matrix.systems, missing, means.tolist(), low, high, strict=True
        )
    ]
    columns = ("run", "team", "missing topics", f"Judged@{TOP}", "low", "high")
    return Table.of(columns, rows)
