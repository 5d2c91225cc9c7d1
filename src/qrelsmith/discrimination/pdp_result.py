"""The PDP of labels: the answer to `pdp`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.discrimination import CollectionPdp, DocLists, PdpComparison
from qrelsmith.discrimination.common_docs import CommonDocs
from qrelsmith.discrimination.preference_accuracy import PreferenceAccuracy
from qrelsmith.discrimination.preferences.options import Mode

MEAN = "all"  # the topic in the row of the mean
OVER = "topics"  # the population of the interval


@dataclass(frozen=True, slots=True)
class TopicPdp:
    """The PDP of a topic.

    Attributes
    ----------
    topic : str
        The topic; `all` for the mean.
    docs : float
        The number of docs; with several lists, the mean over the lists; 0 if the PDP is undefined.
    pdp : float
        The PDP in nats: the mean over the topic's lists; nan if undefined.
    se : float
        Standard error of the sampling; 0 without sampling.
    """

    topic: str
    docs: float
    pdp: float
    se: float


@dataclass(frozen=True, slots=True, eq=False)
class LabelSetPdp:
    """The PDP of a label set in one mode.

    Attributes
    ----------
    mode : {'individual', 'aggregate'}
        How several grades of a doc are used. If each doc of a campaign's label set has one grade,
        both modes are the same, and there is one row, in aggregate mode.
    assessors : int
        The largest number of assessors of a topic.
    pdp : CollectionPdp
        The PDP with its interval, and the tests behind the PDP.
    comparison : PdpComparison or None
        The set's PDP minus the reference's PDP in the same mode, or else in aggregate mode. None
        for the reference itself, and if the reference has no PDP.
    lists : DocLists or None
        The lists of docs used; None: all graded docs of each topic.
    """

    name: str
    mode: Mode
    assessors: int
    pdp: CollectionPdp
    comparison: PdpComparison | None
    topics: tuple[str, ...]
    lists: DocLists | None

    def by_topic(self) -> list[TopicPdp]:
        """Return the PDP of each topic, with its standard error."""
        result = self.pdp
        count = len(self.topics)
        of = np.arange(count) if self.lists is None else self.lists.topics
        counted = ~np.isnan(result.lists.value)
        size = _sums(of, counted.astype(float), count)
        docs = _sums(of, np.where(counted, result.lists.docs, 0.0), count)
        variance = _sums(of, np.where(counted, result.lists.se, 0.0) ** 2, count)
        return [
            TopicPdp(
                topic=topic,
                docs=float(docs[place] / size[place]) if size[place] else 0.0,
                pdp=float(result.topics[place]),
                se=float(np.sqrt(variance[place]) / size[place]) if size[place] else math.nan,
            )
            for place, topic in enumerate(self.topics)
        ]

    def mean(self) -> TopicPdp:
        """Return the mean over the topics with a PDP, named `all`; nan if no topic has a PDP."""
        defined = [row for row in self.by_topic() if not math.isnan(row.pdp)]
        if not defined:
            return TopicPdp(MEAN, 0.0, math.nan, math.nan)
        return TopicPdp(
            topic=MEAN,
            docs=float(np.mean([row.docs for row in defined])),
            pdp=self.pdp.mean,
            se=math.sqrt(sum(row.se**2 for row in defined)) / len(defined),
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PdpOfLabels(Result):
    """The PDP of labels, or of every label set of a campaign.

    Attributes
    ----------
    sets : tuple of LabelSetPdp
        For a campaign, the reference is first, followed by other sets by name; aggregate mode comes
        before individual mode. For other labels, there is only one element.
    lacking : mapping of str to str
        The label sets of a campaign without PDP, with reasons.
    accuracies : mapping of str to PreferenceAccuracy
        How often the doc with the higher grade is preferred, for every label set of a campaign.
    common : CommonDocs or None
        The common docs on which the label sets of a campaign are compared; None without a campaign.
    reference : str
        The label set with which all other sets are compared; empty without a campaign.
    has_intervals : bool
        Whether intervals were requested.
    """

    sets: tuple[LabelSetPdp, ...]
    lacking: Mapping[str, str] = field(default_factory=dict)
    accuracies: Mapping[str, PreferenceAccuracy] = field(default_factory=dict)
    common: CommonDocs | None = None
    reference: str = ""
    has_intervals: bool = False

    def table(self) -> Table:
        """Return columns topic, docs, pdp, se and over, the mean first; low and high on request.

        For a campaign, label_set and mode come first.
        """
        return self._table(of_topics=True)

    def terminal_table(self) -> Table | None:
        """Return the means if there are several label sets."""
        return self.means() if len(self.sets) > 1 else None

    def means(self) -> Table:
        """Return only the rows with means."""
        return self._table(of_topics=False)

    def single(self) -> dict[str, LabelSetPdp]:
        """Return one PDP for each label set, in the mode with a single grade per doc."""
        return {row.name: row for row in self.sets if row.mode == "aggregate"}

    def most(self) -> tuple[float, str]:
        """Return the PDP of uninformative labels, ln K!, as a number and as a formula."""
        size = max((int(row.pdp.lists.docs.max(initial=0)) for row in self.sets), default=0)
        size = size if self.common is None else self.common.size
        return math.lgamma(size + 1), f"ln {size}!"

    def figure(self) -> Figure | None:
        """Return a chart of the PDP of a campaign's label sets; None for other labels."""
        if self.common is None or not self.sets:
            return None
        rows = sorted(self.sets, key=lambda row: row.pdp.mean)
        modes = len({row.mode for row in rows}) > 1
        own = self.single().get(self.reference)
        top, words = self.most()
        at = f"The line marks {self.reference}." if own else f"{self.reference} has no PDP here."
        return Figure(
            key="pdp",
            title="PDP of the label sets",
            drawing=Intervals.of(
                (
                    (
                        row.name + (f" ({row.mode})" if row.mode == "individual" else ""),
                        row.pdp.mean,
                        row.pdp.low,
                        row.pdp.high,
                    )
                    for row in rows
                ),
                "PDP in nats, 95% interval; lower values discriminate more",
                reference=own.pdp.mean if own else None,
                groups=[row.mode for row in rows] if modes else (),
            ),
            caption=f"{at} Uninformative labels have {words} = {top:.3f}.",
        )

    def _table(self, *, of_topics: bool) -> Table:
        columns: tuple[str, ...] = () if self.common is None else ("label_set", "mode")
        columns += ("topic", "docs", "pdp", "se")
        columns += ("low", "high", "over") if self.has_intervals else ("over",)
        rows: list[tuple[Cell, ...]] = []
        for of_set in self.sets:
            own: tuple[Cell, ...] = () if self.common is None else (of_set.name, of_set.mode)
            ends: tuple[Cell, ...] = ()
            none: tuple[Cell, ...] = (None,)
            if self.has_intervals:
                ends = (of_set.pdp.low, of_set.pdp.high, OVER)
                none = (math.nan, math.nan, None)
            rows.append((*own, *_cells(of_set.mean()), *(ends or none)))
            if of_topics:
                rows += [(*own, *_cells(row), *none) for row in of_set.by_topic()]
        return Table.of(columns, rows)


def _sums(groups: IntArray, values: FloatArray, count: int) -> FloatArray:
    return np.bincount(groups, weights=values, minlength=count).astype(np.float64)


def _cells(row: TopicPdp) -> tuple[Cell, ...]:
    return (row.topic, int(row.docs) if row.docs.is_integer() else row.docs, row.pdp, row.se)
