"""The command `transform`: labels converted to another scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Unpack

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Seed, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, assumed_note, scale_text
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels, qrels_form, stem
from qrelsmith.cuts import ASSESSOR
from qrelsmith.cuts.cut_search import CutSearch
from qrelsmith.cuts.cut_tables import CutTable, cut_labels
from qrelsmith.cuts.label_operation import _NO_GRADE, LabelOperation, NamedCut
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_files import Judgments, labels_form
from qrelsmith.judgments.label_options import LabelFiles, LabelScope, LabelSetName
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.label_table import labels_content, labels_table
from qrelsmith.judgments.label_transforms import (
    aggregate_notes,
    aggregated_qrels,
    assumed_scale,
    check_whole,
    log_summed,
    transform_labels,
)
from qrelsmith.judgments.scale_operations import (
    Cuts,
    Extension,
    Reduction,
    Relabelling,
    log_sum_scale,
)
from qrelsmith.judgments.sources import fault, labels_of
from qrelsmith.judgments.topic_sources import of_topics


@dataclass(frozen=True, eq=False, kw_only=True)
class TransformedLabels(Result):
    """Labels on another scale.

    Attributes
    ----------
    labels : Qrels or Judgments
        The labels, of the same type (qrels or judgments) as the input.
    source, target : Scale or None
        The scales before and after; None without grades.
    form : str
        The format of the source file: `trec`, `ntcir` or `columns` for qrels; `csv`, `tsv`, `jsonl`
        or `parquet` for judgments. Without a file, `trec` or `csv`.
    """

    labels: Qrels | Judgments
    source: Scale | None
    target: Scale | None
    form: str

    @property
    def qrels(self) -> Qrels:
        """The labels as qrels.

        Raises
        ------
        UsageError
            If a doc has the judgments of several assessors.
        """
        return self.labels if isinstance(self.labels, Qrels) else self.labels.to_qrels()

    @property
    def judgments(self) -> Judgments:
        """The labels as judgments; qrels become judgments of one assessor."""
        if isinstance(self.labels, Judgments):
            return self.labels
        return Judgments.from_qrels({self.labels.name: self.labels})

    def table(self) -> Table:
        """Columns: topic, doc, grade; for judgments, the columns of a judgments file."""
        return labels_table(self.labels)

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:
        """Return the labels in the format of the source file, unless a table is requested."""
        return labels_content(self.labels, form, output, own=self.form)


def _cuts(text: str) -> Cuts | str:
    """Parse cuts, the name of a cut, or a file of cuts."""
    try:
        return Cuts.parse(text)
    except UsageError:
        return text


@question(
    "transform",
    heading="convert",
    no_audit="it makes labels, and the audit judges those that are there",
    example='qrelsmith transform nist.qrels --reduce ">=2" --scale 0..3 -o binary.qrels',
)
def transform(
    labels: LabelFiles,
    *,
    reduce: Annotated[Reduction | float | None, Option(
        "Grades of at least M become 1, and all lower grades become 0.", metavar='">=M"',
        read=Reduction.parse)] = None,
    extend: Annotated[int | None, Option(
        "Draw levels of a finer scale, 0 to LEVELS-1; requires --w.", metavar="N",
        read=lambda text: Extension.parse(text, "0").levels)] = None,
    w: Annotated[float | None, Option(
        "Certainty of the draw, from 0 (any level) to inf (the nearest level).", metavar="W",
        read=lambda text: Extension.parse("1", text).w)] = None,
    cuts: Annotated[
        Cuts | CutTable | CutSearch | Sequence[float] | NamedCut | FilePath | None,
        Option(
            "Cuts between levels (a grade above a cut gets the higher level), or `relaxed`,"
            " `middle` or `rigid` (one cut), or a file from `cut` with the cuts of each topic or"
            " assessor.",
            metavar="C1:C2:…",
            read=_cuts,
            joined=True,
        ),
    ] = None,
    relabel: Annotated[Relabelling | Mapping[float, float] | None, Option(
        "New grades for old grades and codes, such as 0=0,1=0,2=1.", metavar="OLD=NEW,…",
        read=Relabelling.parse)] = None,
    logsum: Annotated[bool, Option("Replace the grades of a doc by the integer part of log2(sum"
        " of the grades + 1).")] = False,
    label_set: LabelSetName = None,
    seed: Seed = 0,
    **scope: Unpack[LabelScope],
) -> TransformedLabels:  # fmt: skip
    """Transform labels to another scale.

    Apply exactly one operation to qrels or judgments.

    The output has the format of the input, or the format set with --format, and all columns of the
    input. A note names the new scale. Codes below 0 are kept unless --relabel lists them. A
    relabelling that lists a grade must list all grades. The draws of --extend depend on --seed,
    topic, doc and assessor (for qrels, the name of the file). With --logsum, the log-sums of the
    grades of each doc's assessors are written as qrels. You can also pass several qrels with one
    FILE per assessor. In a CAMPAIGN, the judgments are transformed, or the reference if there are
    no judgments.

    Returns
    -------
    TransformedLabels
        The labels, as `.qrels` or `.judgments`.

    Raises
    ------
    UsageError
        If there is not exactly one operation, or it does not fit the scale.
    InputError
        If a file is malformed.

    Examples
    --------
    >>> from qrelsmith import transform
    >>> transform({"t1": {"d1": 0, "d2": 2}}, reduce=2).qrels.to_dict()
    {'t1': {'d1': 0.0, 'd2': 1.0}}
    """
    scale = scope["scale"]
    check_scale(scope)
    if isinstance(labels, list) and all(isinstance(one, str) for one in labels) and not logsum:
        raise UsageError(f"found {len(labels)} files; expected one (--logsum takes several)")
    asked = LabelOperation(reduce, extend, w, cuts, relabel, logsum=logsum)
    table = asked.cut_table()
    campaign = campaign_of(labels)
    declared = campaign.campaign.scale if campaign is not None and scale is None else scale
    read = labels_of(
        labels if campaign is None else campaign,
        label_set=label_set,
        scale=scale,
        off_scale=scope["off_scale"],
    )
    held = of_topics(read, scope["topic_set"])
    if isinstance(held, Judgments) and not len(held):
        raise fault("no judgments found; expected at least one", labels)
    asked.check_named(held, labels, declared)
    if isinstance(held, Qrels) or not logsum:
        form = _form_of(labels, held, campaign, label_set)
    else:
        form = "trec"
    source = declared or assumed_scale(held)
    guessed = declared is None and not asked.names_grades
    moved: Qrels | Judgments
    try:
        if logsum:
            moved, target, notes = _log_sums(held, source)
        elif table is not None:
            moved, target, notes = _cut_by_table(held, table, source)
        else:
            moved, target, notes = _operate(held, asked, source, declared, seed)
    except UsageError as error:
        hint = "; --scale names the levels, which were guessed" if guessed else ""
        raise fault(f"{error}{hint}", labels) from None
    if guessed and source is not None:
        notes = [assumed_note(source), *notes]
    return TransformedLabels(
        labels=moved, source=source, target=target, form=form, notes=tuple(notes)
    )


def _form_of(
    source: object,
    labels: Qrels | Judgments,
    campaign: CampaignLabels | None,
    label_set: str | None,
) -> str:
    """Return the format of the source file."""
    path = source if isinstance(source, str | PathLike) else None
    if campaign is not None and isinstance(labels, Judgments):
        path = campaign.campaign.judgments
    elif campaign is not None:
        called = label_set or campaign.reference
        paths = [path for path in campaign.campaign.qrels if stem(path) == called]
        path = paths[0] if paths else None
    if path is None:
        return "trec" if isinstance(labels, Qrels) else "csv"
    form = labels_form(path)
    return qrels_form(path) if form == "qrels" else form


def _log_sums(
    labels: Qrels | Judgments, source: Scale | None
) -> tuple[Qrels, Scale | None, list[str]]:
    """Return the log-sums of each doc's grades, with their scale and notes."""
    if isinstance(labels, Qrels):
        qrels, most, notes = log_summed(labels), 1, []
    else:
        result = aggregated_qrels(labels, "logsum")
        qrels, most, notes = result.qrels, result.most, aggregate_notes(result)
    if source is None:
        return qrels, None, [_NO_GRADE]
    target = log_sum_scale(source, most)
    label = f"{len(source.levels)}to{len(target.levels)}(logsum)"
    return qrels, target, [*notes, _scale_note(label, target)]


def _operate(
    labels: Qrels | Judgments,
    asked: LabelOperation,
    source: Scale | None,
    given: Scale | None,
    seed: int,
) -> tuple[Qrels | Judgments, Scale | None, list[str]]:
    """Return the transformed labels, with their scale and notes."""
    operation = asked.operation(source)
    if given is None and isinstance(operation, Extension):
        check_whole(labels)
    target: Scale | None = None
    notes = [_NO_GRADE]
    if isinstance(operation, Relabelling):
        target = operation.target
        notes = [_scale_note(f"relabelled {asked.relabelling}", target)]
    elif source is not None:
        target = operation.target
        notes = [_scale_note(operation.label(source), target)]
    if isinstance(labels, Qrels):
        return transform_labels(labels, operation, source=source, seed=seed), target, notes
    told = [name for name in ("label", "scale") if getattr(labels, name) is not None]
    if told:
        notes.append(f"unchanged columns, which refer to the old grades: {', '.join(told)}")
    return transform_labels(labels, operation, source=source, seed=seed), target, notes


def _cut_by_table(
    labels: Qrels | Judgments, table: CutTable, source: Scale | None
) -> tuple[Qrels | Judgments, Scale, list[str]]:
    """Return labels cut by topic or assessor, with their scale and notes."""
    moved: Qrels | Judgments
    if isinstance(labels, Qrels):
        moved, without = cut_labels(labels, table, source=source)
    else:
        moved, without = cut_labels(labels, table, source=source)
    count = "?" if source is None else str(len(source.levels))
    target = Scale(tuple(float(level) for level in range(table.levels)))
    what = ASSESSOR if table.of_assessor else "topic"
    notes = [_scale_note(f"{count}to{table.levels}(cuts of each {what})", target)]
    if without:
        notes.append(f"{what}s that are left out because they have no cuts: {', '.join(without)}")
    return moved, target, notes


def _scale_note(label: str, target: Scale) -> str:
    return f"{label}: the grades are now on the scale {scale_text(target)}"
