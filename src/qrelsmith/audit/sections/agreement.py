"""Agreement on docs between label sets, between assessors, and within groups."""

from __future__ import annotations

import math

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.agree import agree
from qrelsmith.agreement.agreement_of_labels import Agreement
from qrelsmith.agreement.scoped_agreement import ScopedAgreement
from qrelsmith.agreement.topic_correlation import mean_topic_correlations
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import MOST_SETS
from qrelsmith.audit.verdicts.bounds import AGREES
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import Figure, HeatMap, Intervals, NamedTable, Section
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.qrels import stem
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.sources import labels_of

_KEY = "agreement"
_ALPHA, _SAME = "alpha-ordinal", "agreement"


@SECTIONS.add("agreement", place=40, apart=True)
def agreement(inputs: AuditInputs) -> Section:
    """Report the agreement of pairs of label sets, and of assessors and their groups."""
    if len(inputs.label_sets) < 2 and inputs.judgments is None:
        return Section(
            key=_KEY,
            title="Agreement",
            missing="two label sets, or judgments from two assessors; found one label set",
        )
    tables: list[NamedTable] = []
    figures: list[Figure | None] = []
    paragraphs: list[str] = []
    if len(inputs.label_sets) > 1:
        pairs = inputs.ask(agree, (_ALPHA, _SAME), by="pair", reference=None)
        found = _with_reference(inputs, pairs)
        unjudged = _sets_on_other_scales(inputs)
        judged = {name: part for name, part in found.items() if name not in unjudged}
        tables.append(_pairs(inputs, pairs))
        many = len(inputs.label_sets) > MOST_SETS
        figures += [*([] if many else [pairs.figure()]), _against_reference(inputs, judged)]
        figures.append(_association(inputs))
        paragraphs += _interval_notes(judged)
        if unjudged:
            paragraphs.append(
                "α is not computed for label sets whose levels differ from those of"
                f" {inputs.reference}: {name_list(unjudged)}."
            )
    paragraphs += _of_loose_reference(inputs)
    if inputs.judgments is not None:
        tables += _assessors(inputs, inputs.judgments)
    return Section(
        key=_KEY,
        title="Agreement",
        paragraphs=(
            "Krippendorff's α is 1 for perfect agreement and 0 for agreement by chance.",
            *paragraphs,
        ),
        tables=tuple(tables),
        figures=tuple(figure for figure in figures if figure is not None),
    )


def _sets_on_other_scales(inputs: AuditInputs) -> list[str]:
    """Return the label sets whose grades are not on the scale of the reference."""
    return [name for name in inputs.others if not inputs.is_on_reference_scale(name)]


def _pairs(inputs: AuditInputs, answer: Agreement) -> NamedTable:
    """Compute α and the share of equal labels for every pair of label sets."""
    columns = ("label set a", "label set b", _ALPHA, "low", "high", "same grade", "docs", "over")
    same = {part.sides: part.value for part in answer.of(_SAME)[1:]}
    rows: list[tuple[Cell, ...]] = [
        (*part.sides, part.value, part.low, part.high, same[part.sides], part.units, part.over)
        for part in answer.of(_ALPHA)[1:]
    ]
    many = len(inputs.label_sets) > MOST_SETS
    of_reference = [row for row in rows if inputs.reference in row[:2]]
    return NamedTable(
        key="agreement-pairs",
        title="Agreement of each pair of label sets",
        table=Table.of(columns, rows),
        note="Agreement on the docs that both label sets grade. Same grade: share of equal grades."
        + (f" Pairs without {inputs.reference} are only in the files." if many else ""),
        answer=answer,
        on_page=Table.of(columns, of_reference) if many else None,
        undefined="the scales differ, the label sets have no graded doc in common, or all grades"
        " are equal. Intervals need at least 8 topics",
    )


def _with_reference(inputs: AuditInputs, answer: Agreement) -> dict[str, ScopedAgreement]:
    """Return the agreement of each label set with the reference, by the label set's name."""
    reference = inputs.reference
    pairs = {part.sides: part for part in answer.of(_ALPHA)[1:]}
    return {
        next(name for name in sides if name != reference): part
        for sides, part in pairs.items()
        if reference in sides
    }


def _interval_notes(found: dict[str, ScopedAgreement]) -> list[str]:
    """Return notes on missing intervals, each reason once."""
    return [f"{note[0].upper()}{note[1:]}." for note in dict.fromkeys(_notes(found)) if note]


def _notes(found: dict[str, ScopedAgreement]) -> list[str]:
    return [part.note for part in found.values() if math.isnan(part.low)]


def _of_loose_reference(inputs: AuditInputs) -> list[str]:
    """Return a sentence on the agreement between the assessors in a reference given as a file."""
    loose = () if inputs.campaign.is_folder else inputs.campaign.qrels
    sentences = []
    for path in loose:
        if stem(path) != inputs.reference:
            continue
        labels = labels_of(path, scale=inputs.campaign.scale, off_scale="missing")
        if isinstance(labels, Judgments) and len(labels.assessors) > 1:
            part = agree(labels).parts[0]
            interval = "" if math.isnan(part.low) else f" [{short(part.low)}, {short(part.high)}]"
            sentences.append(
                f"Between the {part.assessors} assessors of {inputs.reference}, α is"
                f" {short(part.value)}{interval} on {count(part.units, 'doc', 'docs')}."
            )
    return sentences


def _against_reference(inputs: AuditInputs, by_name: dict[str, ScopedAgreement]) -> Figure | None:
    if not by_name:
        return None
    order = sorted(by_name.items(), key=lambda named: -named[1].value)
    return Figure(
        key="agreement-reference",
        title=f"Agreement with {inputs.reference}",
        drawing=Intervals.of(
            ((name, part.value, part.low, part.high) for name, part in order),
            "α (ordinal), 95% interval",
            reference=AGREES.good,
        ),
        caption=f"The line marks {AGREES.good}, the lowest reliable α.",
    )


def _association(inputs: AuditInputs) -> Figure:
    """Compute Spearman's ρ over each topic's docs, averaged over topics."""
    names = list(inputs.label_sets)
    values = mean_topic_correlations([inputs.label_sets[name].to_dict() for name in names])
    rows = names
    if len(names) > MOST_SETS:
        rows, at = [inputs.reference], names.index(inputs.reference)
        order = sorted(range(len(names)), key=lambda place: -values[at, place])
        names, values = [names[place] for place in order], values[[at]][:, order]
    return Figure(
        key="association",
        title="Rank correlation of grades within topics",
        drawing=HeatMap(
            rows=names, columns=rows, values=values.T.tolist(), low=-1.0, high=1.0, label="mean ρ"
        ),
        caption="Spearman's ρ over the docs of a topic, as a mean over topics. ρ can compare label"
        " sets on different scales.",
    )


def _assessors(inputs: AuditInputs, judgments: Judgments) -> list[NamedTable]:
    """Report the agreement of all assessors, of each group, and of each assessor with the rest."""
    by = "assessor" if judgments.group is None else "group"
    named = tuple(
        agreement.name for agreement in COEFFICIENTS.entries() if agreement.about["in_audit"]
    )
    together = inputs.ask(agree, named, by=by, reference=None)
    agreement = inputs.ask(agree, by="assessor", reference=None)
    columns = ("scope", "coefficient", "value", "low", "high", "docs", "assessors", "over")

    def cells(parts: list[ScopedAgreement]) -> Table:
        return Table.of(
            columns,
            [
                (p.scope, p.coefficient, p.value, p.low, p.high, p.units, p.assessors, p.over)
                for p in parts
            ],
        )

    shown = [part for part in together.parts if by == "group" or part.scope == "all"]
    return [
        NamedTable(
            key="agreement-groups",
            title="Agreement of all assessors, and within and between groups",
            table=cells(shown),
            note="The value between two groups is a mean over pairs of assessors and has no"
            " interval.",
            answer=together,
        ),
        NamedTable(
            key="agreement-assessors",
            title="Agreement of each assessor with the other assessors",
            table=cells(sorted(agreement.parts[1:], key=lambda part: part.value)),
            note="Mean ordinal α of each assessor with the other assessors, in ascending order.",
            answer=agreement,
        ),
    ]
