"""Orders in which the docs of a run are ranked.

Tools use different orders, and means depend on the order, so a result always names the order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.registry import Registry
from qrelsmith.collection.run_lines import RankUse, RunPart

# A run order returns the rows' primary key (ascending is best first) and the tie-breaking rule.
OrderFunction = Callable[[RunPart], tuple[AnyArray, str]]

RUN_ORDERS: Registry[OrderFunction] = Registry(
    "run order", arguments=("part",), facts={"reads_ranks": False, "keeps_given": False}
)


@RUN_ORDERS.add("trec", source="trec_eval 10")
def _trec(part: RunPart) -> tuple[AnyArray, str]:
    """Order by score as a 64-bit float, descending; ties by docno, descending; ignore ranks."""
    return -part.scores, "docno-descending"


@RUN_ORDERS.add("trec32", source="trec_eval 9.0.8 and older, pytrec_eval, ir_measures")
def _trec32(part: RunPart) -> tuple[AnyArray, str]:
    """Order as trec does, but with scores as 32-bit floats, so that close scores tie."""
    with np.errstate(over="ignore"):
        return -part.scores.astype(np.float32), "docno-descending"


@RUN_ORDERS.add("file", source="NTCIREVAL", keeps_given=True)
def _file(part: RunPart) -> tuple[AnyArray, str]:
    """Keep the order of the lines in the file."""
    return np.zeros(len(part.docs)), "line"


@RUN_ORDERS.add("rank", reads_ranks=True, keeps_given=True)
def _rank(part: RunPart) -> tuple[AnyArray, str]:
    """Order by the rank column, ascending; ties by the order of the lines."""
    if part.ranks is None:
        name = quoted(next(iter(part.tags), ""))
        raise UsageError(
            f"the run {name} has no ranks, or ranks that are not whole numbers; expected whole"
            " numbers for order='rank'. Read it from a file or a data frame with a column `rank`"
        )
    return part.ranks, "line"


@RUN_ORDERS.add("docno-ascending", source="compatibility.py")
def _docno_ascending(part: RunPart) -> tuple[AnyArray, str]:
    """Order by score as a 64-bit float, descending; ties by docno, ascending."""
    return -part.scores, "docno-ascending"


def rank_use(order: str) -> RankUse:
    """Return whether an order requires or ignores the rank column."""
    return "required" if RUN_ORDERS.get(order).entry.about["reads_ranks"] else "ignored"


def rank_rows(part: RunPart, order: str) -> tuple[IntArray | None, BoolArray]:
    """Return the rows of a part, best docs of each topic first, and which rows tie with the next.

    Parameters
    ----------
    part : RunPart
        A part with the rows of each topic together.
    order : str
        A name in `RUN_ORDERS`.

    Returns
    -------
    rows : int array [row] or None
        The row at each place, topics in their order; None if the rows are already in this order.
    tied : bool array [row]
        Whether the doc at each place has the same score as the next doc of its topic.
    """
    key, ties = RUN_ORDERS.get(order)(part)
    ends = np.zeros(len(part.docs), dtype=bool)
    if len(part.docs) == 0:
        return None, ends
    ends[np.append(part.starts[1:], len(part.docs)) - 1] = True
    inside = ~ends[:-1]
    rows: IntArray | None = None
    # Scores are compared, not subtracted: the difference of two large scores may not be a number.
    if ((key[1:] < key[:-1]) & inside).any():
        topic = np.repeat(np.arange(len(part.topics)), part.sizes())
        rows = np.lexsort((key, topic))
        key = key[rows]
    if ties == "line":
        key = part.scores if rows is None else part.scores[rows]
    tied = np.zeros(len(part.docs), dtype=bool)
    tied[:-1] = (key[1:] == key[:-1]) & inside
    if ties == "line" or not tied.any():
        return rows, tied
    # Only tied docs change places, and only with each other.
    touched = tied.copy()
    touched[1:] |= tied[:-1]
    rows = np.arange(len(part.docs)) if rows is None else rows
    descending = ties == "docno-descending"
    alone = np.flatnonzero(tied & ~np.append(tied[1:], False) & ~np.append(False, tied[:-1]))
    if alone.size:  # two docs each
        first, second = rows[alone], rows[alone + 1]
        turned = part.docs.later(second, first) == descending
        rows[alone] = np.where(turned, second, first)
        rows[alone + 1] = np.where(turned, first, second)
        touched[alone] = touched[alone + 1] = False
    places = np.flatnonzero(touched)
    if not places.size:
        return rows, tied
    docs = part.docs.take(rows[places])
    # Code points order text as UTF-8 bytes do, which is what strcmp compares.
    by_docno = sorted(range(len(docs)), key=docs.__getitem__, reverse=descending)
    tie = np.cumsum(np.append(True, ~tied[places[:-1]]))
    standing = np.empty(len(docs), dtype=np.int64)
    standing[by_docno] = np.arange(len(docs))
    rows[places] = rows[places[np.lexsort((standing, tie))]]
    return rows, tied
