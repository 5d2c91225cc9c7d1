"""Schedulers, which choose the next pairs, and their interface.

A scheduler has only the candidates of one topic as its state. `replay` derives the state from all
answers, so the next pair is correct after a crash, an undo or a changed answer. Schedulers differ
in the pairs that they ask for.

A registered scheduler is called with the candidates and the keywords that it accepts: k, seed,
topic, finalists, pairings, keep, forced, pairs (a drawn list by topic, or None). The scheduler's
entry in the registry may contain these keys:

bounded : bool
    The number of pairs is known, or bounded by the forecast, before the first pair is answered.
forecast : callable
    f(candidates, …) → approximate number of pairs needed; by default all pairs. Here and below, `…`
    are the accepted keywords among k, finalists, pairings, keep and forced.
rounds : bool
    Answers belong to rounds; in a log without rounds, the final round is inferred.
any_order : bool
    If answers determine the best docs, their order is used, even if the scheduler would ask
    for other pairs.
simulate : callable
    f(pools, reliability, *, campaigns, seed, advance, …) → SimulatedSearch, for plans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from itertools import pairwise
from typing import Any, Protocol

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.registry import Registry
from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.topk.ranking import RankedDoc


@dataclass(frozen=True, slots=True)
class State:
    """The state of a topic after the answers so far.

    Attributes
    ----------
    open_pairs : tuple of Pair
        The pairs that can be judged now, in order, any number at the same time. Empty when the
        topic is complete.
    result : tuple of RankedDoc
        The best docs settled so far; the top k when the topic is complete.
    comparisons : int
        Number of asked pairs with an outcome, counted once per round.
    unused : int
        Number of unused answers: to docs that are not candidates, to pairs closed by a changed
        answer, or to rounds that did not take place.
    round : int
        The round of judging, from 1 on.
    remaining : tuple of str
        The candidates that can still reach the top.
    """

    open_pairs: tuple[Pair, ...]
    result: tuple[RankedDoc, ...]
    comparisons: int
    unused: int
    round: int
    remaining: tuple[str, ...]

    @property
    def done(self) -> bool:
        """Whether all pairs are judged."""
        return not self.open_pairs


class Scheduler(Protocol):
    """A method that chooses which pairs of a topic's candidates to judge."""

    def replay(self, answers: Iterable[Answer]) -> State:
        """Return the state after the answers, in the order given."""


SchedulerFunction = Callable[..., Scheduler]

SCHEDULERS: Registry[SchedulerFunction] = Registry(
    "scheduler",
    arguments=("candidates",),
    context=("k", "seed", "topic", "finalists", "pairings", "keep", "forced", "pairs"),
    facts={
        "bounded": False,
        "forecast": None,
        "rounds": False,
        "any_order": False,
        "simulate": None,
    },
)


def expected_pairs(
    scheduler: str,
    candidates: int,
    *,
    k: int,
    finalists: int,
    pairings: int,
    keep: str,
    forced: bool,
) -> int:
    """Forecast the number of pairs that a scheduler asks for; by default, all pairs."""
    forecast = SCHEDULERS.get(scheduler).entry.about["forecast"]
    if forecast is None:
        return candidates * (candidates - 1) // 2
    sizes = {"k": k, "finalists": finalists, "pairings": pairings, "keep": keep, "forced": forced}
    return int(forecast(candidates, **accepted_keywords(forecast, sizes)))


def accepted_keywords(
    function: Callable[..., object], offered: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the offered keywords that a function accepts."""
    names = signature(function).parameters
    return {name: value for name, value in offered.items() if name in names}


def check_candidates(candidates: Sequence[str]) -> tuple[str, ...]:
    """Return the candidates sorted, independent of their order in a file.

    Raises
    ------
    UsageError
        If a candidate appears twice, or a single string is given.
    """
    if isinstance(candidates, str):
        raise UsageError(f"expected a list of candidates, not the text {quoted(candidates)}")
    ordered = tuple(sorted(candidates))
    for doc, following in pairwise(ordered):
        if doc == following:
            raise UsageError(f"the candidate {quoted(doc)} appears twice")
    return ordered
