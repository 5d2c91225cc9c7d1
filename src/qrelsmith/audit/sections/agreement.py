"""Do the label sets, the assessors and the groups agree about docs."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from qrelsmith.agreement import COEFFICIENTS, bootstrap_interval, pairwise
from qrelsmith.analyses.label_agreement import AgreementOptions, LabelAgreement, ScopedAgreement
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import AGREEMENT
from qrelsmith.audit.wording import findings_by_verdict, listed
from qrelsmith.content import (
    Figure,
    Finding,
    HeatMap,
    Intervals,
    NamedTable,
    Section,
    Verdict,
    lowest,
)
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.rng import rng_for
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.tables import Cell, Table

_KEY = "agreement"


@SECTIONS.add("agreement", place=40)
def agreement(inputs: AuditInputs) -> Section:
    """Pairs of label sets, and the assessors of the judgments with their groups."""
    if len(inputs.label_sets) < 2 and inputs.judgments is None:
        return Section(
            key=_KEY,
            title="Agreement",
            missing="two label sets, or judgments of two assessors; there is one label set",
        )
    tables: list[NamedTable] = []
    figures: list[Figure] = []
    findings: list[Finding] = []
    paragraphs: list[str] = []
    for scale, names in sorted(_by_scale(inputs).items()):
        if len(names) < 2:
            continue
        table, matrix = _pairs(inputs, scale, names)
        tables.append(table)
        figures.append(matrix)
        if inputs.reference in names:
            found = _with_reference(inputs, table.table)
            findings += findings_by_verdict(
                AGREEMENT, found, _sentences(inputs.reference), symbol="α", section=_KEY
            )
            figures.append(_against_reference(inputs, found))
    alone = [names[0] for names in _by_scale(inputs).values() if len(names) == 1]
    if alone:
        paragraphs.append(
            "Agreement is computed between label sets on one scale only; alone on theirs are"
            f" {listed(alone)}. The rank correlation below compares all of them."
        )
    if len(inputs.label_sets) > 1:
        figures.append(_association(inputs))
    if inputs.judgments is not None:
        tables += _assessors(inputs, inputs.judgments)
    return Section(
        key=_KEY,
        title="Agreement",
        paragraphs=(
            "Krippendorff's α is 1 for perfect agreement and 0 for what chance would bring."
            " Intervals are 95 %, from a bootstrap over docs.",
            *paragraphs,
        ),
        tables=tuple(tables),
        figures=tuple(figures),
        findings=tuple(findings),
    )


def _sentences(reference: str) -> dict[Verdict, str]:
    return {
        Verdict.GOOD: f"Grades agree with those of {reference}",
        Verdict.DOUBTFUL: f"Grades agree with those of {reference} for tentative conclusions only",
        Verdict.BAD: f"Grades do not agree with those of {reference}",
        Verdict.CANNOT_TELL: f"Whether grades agree with those of {reference} cannot be told",
    }


def _by_scale(inputs: AuditInputs) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in inputs.label_sets:
        groups.setdefault(inputs.scale_text(name), []).append(name)
    return groups


def _pairs(inputs: AuditInputs, scale: str, names: list[str]) -> tuple[NamedTable, Figure]:
    """α between every two label sets of a scale."""
    judgments = Judgments.from_qrels({name: inputs.label_sets[name] for name in names})
    ratings = judgments.ratings()
    levels = None if scale == "real" else np.arange(int(scale.partition("..")[2]) + 1.0)
    place = {name: row for row, name in enumerate(ratings.assessors)}
    rows: list[tuple[Cell, ...]] = []
    for first, second in combinations(names, 2):
        both = ratings.values[[place[first], place[second]]]
        both = both[:, ~np.isnan(both).any(axis=0)]
        result = bootstrap_interval(
            both,
            "alpha-ordinal",
            rng=rng_for(inputs.seed, "audit", "agreement", first, second),
            scale=levels,
        )
        exact = float((both[0] == both[1]).mean()) if both.size else math.nan
        rows.append((first, second, result.value, result.low, result.high, exact, result.units))
    matrix = pairwise(ratings.values, "alpha-ordinal", scale=levels).values
    order = [place[name] for name in names]
    slug = scale.replace("..", "-")
    return (
        NamedTable(
            key=f"agreement-{slug}",
            title=f"Agreement of every two label sets on the scale {scale}",
            table=Table.of(
                (
                    "label set a",
                    "label set b",
                    "alpha-ordinal",
                    "low",
                    "high",
                    "same grade",
                    "docs",
                ),
                rows,
            ),
            note="Same grade: share of the shared docs with exactly one grade.",
        ),
        Figure(
            key=f"agreement-{slug}",
            title=f"Ordinal α between label sets on the scale {scale}",
            drawing=HeatMap(
                rows=names,
                columns=names,
                values=matrix[np.ix_(order, order)].tolist(),
                low=lowest(matrix),
                high=1.0,
                label="α (ordinal)",
            ),
            caption="The nearer to 1, the better two label sets agree about the docs they share.",
        ),
    )


def _with_reference(inputs: AuditInputs, table: Table) -> dict[str, tuple[float, float, float]]:
    found = {}
    for first, second, value, low, high, *_ in table.rows:
        if inputs.reference in (first, second):
            other = str(second if first == inputs.reference else first)
            found[other] = (float(value or 0), float(low or 0), float(high or 0))
    return found


def _against_reference(inputs: AuditInputs, found: dict[str, tuple[float, float, float]]) -> Figure:
    names = sorted(found, key=lambda name: -found[name][0])
    return Figure(
        key="agreement-reference",
        title=f"Agreement with {inputs.reference}",
        drawing=Intervals(
            names=names,
            values=[found[name][0] for name in names],
            lows=[found[name][1] for name in names],
            highs=[found[name][2] for name in names],
            label="α (ordinal), 95 % interval",
            reference=AGREEMENT.good,
        ),
        caption=f"The line is at {AGREEMENT.good}, from where on α can be relied upon.",
    )


def _association(inputs: AuditInputs) -> Figure:
    """Spearman's ρ of the docs of a topic, mean over topics: it does not depend on the scale."""
    names = list(inputs.label_sets)
    graded = {name: inputs.label_sets[name].to_dict() for name in names}
    values = np.full((len(names), len(names)), np.nan)
    spearman = CORRELATIONS.get("spearman")
    for (i, first), (j, second) in combinations(enumerate(names), 2):
        found = []
        for topic in inputs.topics:
            one, other = graded[first][topic], graded[second][topic]
            docs = sorted(one.keys() & other.keys())
            if len(docs) > 1:
                found.append(
                    float(spearman([one[doc] for doc in docs], [other[doc] for doc in docs]))
                )
        known = [rho for rho in found if not math.isnan(rho)]
        values[i, j] = values[j, i] = float(np.mean(known)) if known else math.nan
    return Figure(
        key="association",
        title="Rank correlation of grades inside topics",
        drawing=HeatMap(
            rows=names, columns=names, values=values.tolist(), low=-1.0, high=1.0, label="mean ρ"
        ),
        caption="Spearman's ρ over the docs of a topic, mean over the topics where it is defined."
        " It asks whether two label sets order docs alike, whatever their scales.",
    )


def _assessors(inputs: AuditInputs, judgments: Judgments) -> list[NamedTable]:
    """The assessors of the judgments: all, groups, and each against the others."""
    rows: list[ScopedAgreement] = []
    shown = [each.name for each in COEFFICIENTS.entries() if each.about["in_audit"]]
    for coefficient in shown:
        options = AgreementOptions(
            coefficient=coefficient, scale=inputs.campaign.scale, seed=inputs.seed
        )
        of_labels = LabelAgreement(judgments, options)
        rows.append(of_labels.overall())
        if judgments.group is not None:
            rows += of_labels.by_group()
    each = LabelAgreement(judgments, AgreementOptions(scale=inputs.campaign.scale, resamples=0))
    columns = ("scope", "coefficient", "value", "low", "high", "docs", "assessors")

    def cells(found: list[ScopedAgreement]) -> Table:
        return Table.of(
            columns,
            [(o.scope, o.coefficient, o.value, o.low, o.high, o.units, o.assessors) for o in found],
        )

    return [
        NamedTable(
            key="agreement-groups",
            title="Agreement of the assessors, all together and by group",
            table=cells(rows),
            note="Between two groups: mean over the pairs of assessors, without interval.",
        ),
        NamedTable(
            key="agreement-assessors",
            title="Each assessor against the others",
            table=cells(sorted(each.by_assessor(), key=lambda one: one.value)),
            note="Mean ordinal α with each of the other assessors; the lowest first.",
        ),
    ]
