"""The command `aggregate`: one grade per doc from the grades of several assessors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Annotated, Any, Unpack

from qrelsmith.base.options import Option, PythonOnly, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, assumed_note, levels_seen
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_options import (
    AspectFile,
    ErrorCode,
    GroupName,
    LabelFiles,
    LabelScope,
    OnlyAspect,
)
from qrelsmith.judgments.label_table import labels_content, labels_table
from qrelsmith.judgments.label_transforms import aggregate_notes, aggregated_qrels
from qrelsmith.judgments.one_aspect import of_aspect
from qrelsmith.judgments.sources import check_any, judgments_of, with_files
from qrelsmith.judgments.topic_sources import of_topics


@dataclass(frozen=True, eq=False, kw_only=True)
class Aggregate(Result):
    """The grades of several assessors, combined into one grade per doc.

    Attributes
    ----------
    qrels : Qrels
        The grades, which need not be on the scale (a mean).
    label : str
        The full name of the aggregation.
    left_out : int
        The number of (topic, doc) pairs that have judgments but no grade.
    """

    qrels: Qrels
    label: str
    left_out: int

    def table(self) -> Table:
        """Return the columns topic, doc, grade."""
        return labels_table(self.qrels)

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:
        """Return the qrels as the content of a file, unless a table is requested."""
        return labels_content(self.qrels, form, output, own="trec")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return an attribute of `qrels`, because version 0.1.0 returned the qrels."""
            if name.startswith("_") or (not hasattr(Qrels, name) and name not in _OF_QRELS):
                raise AttributeError(f"'Aggregate' object has no attribute {name!r}")
            message = f"Aggregate.{name} goes away in the next minor version; use .qrels.{name}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self.qrels, name)


_OF_QRELS = ("name", "topics", "docs", "topic", "doc", "grade")


How = Annotated[
    str,
    Option(f"Aggregation: {', '.join(AGGREGATIONS.names())}; with parameters, as in"
           ' "dawid-skene(smoothing=1)".', metavar="NAME", was={"by": {}}),
]  # fmt: skip


@question(
    "aggregate",
    heading="convert",
    everyday=True,
    no_audit="it creates labels, and the audit examines existing labels",
    example="qrelsmith aggregate anne.qrels ben.qrels carl.qrels --aggregation median -o all.qrels",
)
def aggregate(
    labels: LabelFiles,
    aggregation: How = "median",
    *,
    label_set: Annotated[Sequence[Any], Option(
        "Label set (of a campaign) or additional file that counts as one assessor; repeatable.",
        metavar="NAME|FILE")] = (),
    group: GroupName = None,
    errors: ErrorCode = "missing",
    name: Annotated[str, PythonOnly("Name of the qrels.")] = "aggregate",
    aspect: OnlyAspect = None,
    aspects: AspectFile = None,
    **scope: Unpack[LabelScope],
) -> Aggregate:  # fmt: skip
    """Aggregate several assessors' grades into one grade per doc.

    Take a judgments FILE, a campaign, or qrels with one FILE per assessor, and print one grade per
    doc.

    The output is qrels in TREC's format, or a table with topic, doc and grade if you use --format.
    Codes below 0 are not grades. Docs without a grade are left out, and a note reports their
    number. If a majority is tied or the median lies between two grades, the lower grade is used. A
    mean is written with all digits and need not be a level of the scale. The latest revision of a
    judgment is used.

    Returns
    -------
    Aggregate
        The grades as `qrels`.

    Raises
    ------
    UnknownNameError
        If there is no such aggregation or group.
    UsageError
        If there are no judgments, they have no groups, or a grade is not on the scale.
    UndefinedError
        If no doc has a grade.

    Examples
    --------
    >>> from qrelsmith import Qrels, aggregate
    >>> graders = {"a": 0, "b": 2, "c": 3}
    >>> labels = {name: Qrels.from_dict({"t1": {"d1": grade}}) for name, grade in graders.items()}
    >>> aggregate(labels, "median").qrels.to_dict()
    {'t1': {'d1': 2.0}}
    """
    scale = scope["scale"]
    check_scale(scope)
    AGGREGATIONS.get(aggregation)  # reports a wrong name before a long file is read
    labels = of_aspect(labels, aspect, aspects)
    campaign = campaign_of(labels)
    if campaign is None:
        given = with_files(labels, label_set)
        judgments = judgments_of(given, scale=scale, off_scale=scope["off_scale"])
    else:
        for named in label_set:
            campaign.check(named)
        scale = scale or campaign.campaign.scale
        sets = {named: campaign.label_sets[named] for named in label_set}
        judgments = Judgments.from_qrels(sets) if sets else judgments_of(campaign, scale=scale)
    check_any(judgments, labels)
    judgments = of_topics(judgments, scope["topic_set"])
    result = aggregated_qrels(
        judgments, aggregation, group=group, errors=errors, scale=scale, name=name
    )
    notes = [] if scale is not None else [assumed_note(Scale(levels_seen(judgments.grade)))]
    return Aggregate(
        qrels=result.qrels,
        label=result.label,
        left_out=result.left_out,
        notes=(*notes, *aggregate_notes(result)),
    )
