"""One grade for each doc, from those of several assessors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, assumed_note, levels_seen
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_table import labels_table
from qrelsmith.judgments.label_transforms import aggregate_notes, aggregated_qrels
from qrelsmith.judgments.ratings import Errors
from qrelsmith.judgments.sources import (
    JudgmentsLike,
    check_any,
    judgments_of,
    with_files,
)
from qrelsmith.judgments.topic_sources import TopicSet, of_topics


@dataclass(frozen=True, eq=False, kw_only=True)
class Aggregate(Result):
    """The grades of several assessors as one for each doc.

    Attributes
    ----------
    qrels : Qrels
        The grades; they need not be levels of the scale (a mean).
    label : str
        The aggregation in full.
    left_out : int
        Docs of a topic that have judgments, but no grade.
    """

    qrels: Qrels
    label: str
    left_out: int

    def table(self) -> Table:
        """Columns: topic, doc, grade."""
        return labels_table(self.qrels)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """An attribute of the qrels, for one minor version: 0.1.0 returned qrels."""
            if name.startswith("_") or (not hasattr(Qrels, name) and name not in _OF_QRELS):
                raise AttributeError(f"'Aggregate' object has no attribute {name!r}")
            message = f"Aggregate.{name} goes with the next minor version; use .qrels.{name}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return getattr(self.qrels, name)


_OF_QRELS = ("name", "topics", "docs", "topic", "doc", "grade")


@question(
    "aggregate",
    no_audit="it makes labels, and the audit judges those that are there",
    flags={"by": "--by"},
)
def aggregate(
    labels: JudgmentsLike,
    by: str = "median",
    *,
    group: str | None = None,
    label_set: Sequence[Any] = (),
    errors: Errors = "missing",
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    topic_set: TopicSet | None = None,
    name: str = "aggregate",
) -> Aggregate:
    """One grade for each doc, as qrels, from the newest revisions of several assessors' grades.

    Parameters
    ----------
    labels : Judgments, campaign, path or paths, data frame, or mapping of str to qrels
        The labels, or the qrels of each assessor; codes below 0 are no grades. Of a campaign its
        judgments or, without any, its label sets, each as an assessor.
    by : str
        A name of `AGGREGATIONS`: `majority`, `median`, `median-upper`, `median-mean`, `mean`,
        `min`, `max`, `sum`, `logsum`, `dawid-skene`.
    group : str, optional
        Only the judgments of this group.
    label_set : sequence of str
        Of a campaign, these label sets, each as an assessor; else further files.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    scale : Scale, optional
        The levels of the grades; by default the campaign's, else those seen.
    off_scale : {'error', 'missing'}
        What a grade off the scale is.
    topic_set : path or collection of str, optional
        Only these topics.
    name : str
        What to call the qrels.

    Returns
    -------
    Aggregate
        `qrels` are the grades.

    Raises
    ------
    UnknownNameError
        If there is no such aggregation or group.
    UsageError
        If there are no judgments, they name no groups, or a grade is off the scale.
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
    AGGREGATIONS.get(by)  # a wrong name is told before a long file is read
    campaign = campaign_of(labels)
    if campaign is None:
        judgments = judgments_of(with_files(labels, label_set), scale=scale, off_scale=off_scale)
    else:
        for named in label_set:
            campaign.check(named)
        scale = scale or campaign.campaign.scale
        sets = {named: campaign.label_sets[named] for named in label_set}
        judgments = Judgments.from_qrels(sets) if sets else judgments_of(campaign, scale=scale)
    check_any(judgments, labels)
    judgments = of_topics(judgments, topic_set)
    result = aggregated_qrels(judgments, by, group=group, errors=errors, scale=scale, name=name)
    notes = [] if scale is not None else [assumed_note(Scale(levels_seen(judgments.grade)))]
    return Aggregate(
        qrels=result.qrels,
        label=result.label,
        left_out=result.left_out,
        notes=(*notes, *aggregate_notes(result)),
    )
