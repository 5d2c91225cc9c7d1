"""Schedulers: which docs are compared next; what every scheduler takes and answers.

A scheduler knows the candidates of one topic and nothing else. `replay` takes all answers there are
and says what follows from them, so that a crash, an undo or a changed answer leads to the right
next pair. Schedulers differ in which pairs they ask.

A registered scheduler is called with the candidates and the keywords k, seed, topic, finalists,
pairings, keep, forced and pairs (a list that was drawn, by topic, or None); it takes those that it
knows. Its entry tells, where it is so:

bounded : bool
    The number of pairs is known, or bounded by the forecast, before the first is answered.
forecast : callable
    f(candidates, …) → about how many pairs so many candidates need; by default all of them. Here
    and below, `…` are those of k, finalists, pairings, keep and forced that the function takes.
rounds : bool
    Answers belong to rounds; in a log that names none, the final is looked for.
any_order : bool
    Whatever the answers settle from the top counts, though it would have asked other pairs.
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
        The pairs that can be judged now, in the order in which to hand them out; any number of
        them at the same time. Empty when the topic is done.
    result : tuple of RankedDoc
        The best docs as far as they are settled; the top k once the topic is done.
    comparisons : int
        The pairs that were asked and have an outcome; one that several rounds asked counts in each.
    unused : int
        Answers that no pair asks for: of docs that are no candidates, of pairs that an answer
        changed since has closed, of rounds that did not take place.
    round : int
        The round of judging, from 1 on.
    remaining : tuple of str
        The candidates that can still come to the top.
    """

    open_pairs: tuple[Pair, ...]
    result: tuple[RankedDoc, ...]
    comparisons: int
    unused: int
    round: int
    remaining: tuple[str, ...]

    @property
    def done(self) -> bool:
        """Whether no pair is left to judge."""
        return not self.open_pairs


class Scheduler(Protocol):
    """Decides which pairs of the candidates of one topic are to be judged."""

    def replay(self, answers: Iterable[Answer]) -> State:
        """Return the state after the answers, in the order in which they were given."""


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
    """About how many pairs a scheduler asks about so many candidates; see its fact `forecast`."""
    forecast = SCHEDULERS.get(scheduler).entry.about["forecast"]
    if forecast is None:
        return candidates * (candidates - 1) // 2
    sizes = {"k": k, "finalists": finalists, "pairings": pairings, "keep": keep, "forced": forced}
    return int(forecast(candidates, **accepted_keywords(forecast, sizes)))


def accepted_keywords(
    function: Callable[..., object], offered: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the keywords that a function takes, of those that are offered."""
    names = signature(function).parameters
    return {name: value for name, value in offered.items() if name in names}


def check_candidates(candidates: Sequence[str]) -> tuple[str, ...]:
    """Return the candidates, sorted, so that their order in a file decides nothing.

    Raises
    ------
    UsageError
        If one appears twice, or they are one text.
    """
    if isinstance(candidates, str):
        raise UsageError(f"expected a list of candidates, not the text {quoted(candidates)}")
    ordered = tuple(sorted(candidates))
    for doc, following in pairwise(ordered):
        if doc == following:
            raise UsageError(f"the candidate {quoted(doc)} appears twice")
    return ordered
