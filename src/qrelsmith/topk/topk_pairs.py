"""The pairs of docs that can be judged now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Unpack

from qrelsmith.base.options import Option
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.topk import State
from qrelsmith.topk.topk_options import AnswerLog, GradesAndLog, PairList, SearchOptions
from qrelsmith.topk.topk_sessions import progress_notes, states
from qrelsmith.topk.topk_sources import candidates_of, log_of, misfit_notes, setting_by


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkPairs(Result):
    """The pairs that can be judged now.

    Attributes
    ----------
    states : mapping of str to State
        The state of each topic: open pairs, settled docs, judged pairs.
    each : int or None
        Number of pairs per topic in the table; None: all.
    """

    states: Mapping[str, State]
    each: int | None = None

    def table(self) -> Table:
        """Columns: topic, round, left, right (the docs to show)."""
        rows: list[tuple[Cell, ...]] = [
            (topic, pair.round, pair.left, pair.right)
            for topic, state in self.states.items()
            for pair in state.open_pairs[: self.each]
        ]
        return Table.of(("topic", "round", "left", "right"), rows)


@question(
    command="topk pairs",
    no_audit="it is used while preferences are collected",
    example="qrelsmith topk pairs graded.qrels answers.csv --scheduler tournament --each 1",
    short="List the pairs to judge next.",
)
def topk_pairs(
    labels: GradesAndLog,
    answers: AnswerLog = None,
    *,
    pair_list: PairList = None,
    each: Annotated[
        int | None, Option("Maximum number of pairs per topic; default: all.", least=1)
    ] = None,
    **options: Unpack[SearchOptions],
) -> TopkPairs:
    """List the pairs to judge next, from the grades in QRELS and the log ANSWERS (if it exists).

    Columns: topic, round, left, right. Show each doc on the side that the table gives. If you add a
    column `outcome` (left, right, tie), you can pass the table to `topk answer --new-answers`. The
    same seed and the same answers, in any order, always give the same pairs.

    Returns
    -------
    TopkPairs
        The pairs; the same answers and seed give the same pairs, in any order of answers.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the setting is invalid.
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> len(topk_pairs(grades, k=2).table().rows)
    3
    >>> len(topk_pairs(grades, {"t1": [("d1", "d2")]}, k=2).table().rows)
    2
    """
    setting = setting_by(options, pair_list)
    labels = resolve_source(labels)
    _, pools = candidates_of(labels, setting, options)
    log = log_of(answers, labels, options)
    found = states(pools, log, setting)
    return TopkPairs(
        states=found,
        each=each,
        notes=(*misfit_notes(pools, log, setting), *progress_notes(found, log)),
    )
