"""The PDP of a collection, topic by topic and in the mean."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from qrelsmith.arrays import FloatArray, IntArray
from qrelsmith.discrimination import CollectionPdp, DocLists


@dataclass(frozen=True, slots=True)
class TopicRow:
    """The PDP of a topic.

    Attributes
    ----------
    topic : str
        The topic.
    docs : float
        How many docs it is about; the mean over the topic's lists where there are several, 0 where
        the PDP is undefined.
    pdp : float
        Nats; the mean over the topic's lists; nan where it is undefined.
    se : float
        Standard error of the sampling, 0 where nothing was sampled.
    """

    topic: str
    docs: float
    pdp: float
    se: float


def topic_rows(
    found: CollectionPdp, topics: tuple[str, ...], *, lists: DocLists | None = None
) -> list[TopicRow]:
    """The PDP of each topic, and how well it is known.

    Parameters
    ----------
    found : CollectionPdp
        The PDP of the collection.
    topics : tuple of str
        Its topics.
    lists : DocLists, optional
        The lists that it is about; without it, one for each topic.
    """
    of = np.arange(len(topics)) if lists is None else lists.topics
    counted = ~np.isnan(found.lists.value)
    count = _sums(of, counted.astype(float), len(topics))
    docs = _sums(of, np.where(counted, found.lists.docs, 0.0), len(topics))
    variance = _sums(of, np.where(counted, found.lists.se, 0.0) ** 2, len(topics))
    rows = []
    for number, topic in enumerate(topics):
        size = float(count[number])
        rows.append(
            TopicRow(
                topic=topic,
                docs=float(docs[number]) / size if size else 0.0,
                pdp=float(found.topics[number]),
                se=float(np.sqrt(variance[number])) / size if size else float("nan"),
            )
        )
    return rows


def mean_row(rows: Collection[TopicRow]) -> TopicRow:
    """The mean over the topics that have a PDP, under the name `all`; nan where none has."""
    known = [row for row in rows if not np.isnan(row.pdp)]
    if not known:
        return TopicRow("all", 0.0, float("nan"), float("nan"))
    return TopicRow(
        topic="all",
        docs=float(np.mean([row.docs for row in known])),
        pdp=float(np.mean([row.pdp for row in known])),
        se=float(np.sqrt(np.sum([row.se**2 for row in known]))) / len(known),
    )


def _sums(groups: IntArray, values: FloatArray, count: int) -> FloatArray:
    return np.bincount(groups, weights=values, minlength=count).astype(np.float64)
