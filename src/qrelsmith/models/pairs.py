"""Preferences by a language model: a scheduler of `topk` asks for each pair in both orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Protocol

from qrelsmith.base.errors import UsageError
from qrelsmith.base.results import Result
from qrelsmith.base.scipy_parts import stats
from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.collection.topics import read_topics
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.topic_sources import TopicSet, topics_of
from qrelsmith.models.cache import open_cache
from qrelsmith.models.forecast import CostForecast, forecast_pairs
from qrelsmith.models.prompts import Prompt, read_prompt
from qrelsmith.models.records import keep_session, reply_table
from qrelsmith.models.requests import Asking, ShownDoc, Unit
from qrelsmith.models.runner import Asker, UnitOutcome, ask_all
from qrelsmith.models.searches import PairSource, SchedulerSearches
from qrelsmith.models.session import ModelSession, ModelTerms, levels_of, session_notes
from qrelsmith.models.work import MOST_CHARACTERS, Work, restrict_docs
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith.topk.topk_sources import graded_of

_ALPHA = 0.05
_COLUMNS = ("topic", "left", "right", "outcome", "assessor", "round")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsJudged(Result):
    """The preferences of a model.

    Attributes
    ----------
    session : ModelSession
        The endpoint and the parameters.
    work : Work
        The candidates.
    answers : mapping of str to list of Answer
        The answers of each topic; a pair with contradictory answers is a tie.
    outcomes : tuple of UnitOutcome
        The outcomes for each pair in each order.
    bias : PositionBias
        Whether the model prefers a side.
    requests : int
        Number of requests sent by this run.
    is_complete : bool
        Whether every required pair has an answer.
    forecast : CostForecast or None
        For a dry run, the expected cost of the preference task; there are no answers.
    """

    session: ModelSession
    work: Work
    answers: Mapping[str, Sequence[Answer]]
    outcomes: tuple[UnitOutcome, ...]
    bias: PositionBias
    requests: int
    is_complete: bool
    forecast: CostForecast | None = None

    def table(self) -> Table:
        """Return the forecast, or the columns topic, left, right, outcome, assessor and round."""
        if self.forecast is not None:
            return self.forecast.table()
        rows = [
            (topic, each.left, each.right, each.outcome, self.session.assessor, each.round)
            for topic, answers in self.answers.items()
            for each in answers
        ]
        return Table.of(_COLUMNS, rows)

    @property
    def preferences(self) -> Preferences:
        """The preferences as a log, in the order of the requests."""
        return Preferences.from_rows(self.table().rows)

    def replies(self) -> Table:
        """Return a row for each pair and order; see `reply_table`."""
        return reply_table(self.session, self.work, self.outcomes)


class PairApp(Protocol):
    """An app that records a model's answers in its preference tasks and its replies in its log."""

    def contests(self, session: ModelSession, topics: Sequence[str] | None) -> PairSource | None:
        """Return the preference tasks that the model may judge, or None."""

    def __call__(
        self, session: ModelSession, work: Work
    ) -> AbstractContextManager[Callable[[UnitOutcome], None]]:
        """Record replies until the block ends; see `LabelLog`."""


def judge_pairs(
    campaign: FilePath,
    terms: ModelTerms,
    *,
    prompt: str | Prompt = "pair",
    k: int = 5,
    method: str = "tournament",
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    max_tokens: int = 256,
    temperature: float = 0.0,
    most_characters: int = MOST_CHARACTERS,
    seed: int = 0,
    dry_run: bool = False,
    advance: Callable[[], None] = lambda: None,
    app: PairApp | None = None,
) -> PairsJudged:
    """Find the top k of each topic by a model's preferences, with a scheduler of `topk`.

    Each pair is asked in both orders. Contradictory answers count as a tie, and their number is
    reported. If the campaign's app has preference tasks that the model may judge, these tasks
    determine the pairs.

    Raises
    ------
    InputError
        If a file is malformed, or the endpoint does not answer.
    UsageError
        If the prompt asks for grades, or an option is wrong.
    """
    settings = read_campaign(campaign)
    chosen = prompt if isinstance(prompt, Prompt) else read_prompt(prompt)
    if chosen.kind != "pair":
        raise UsageError(f"the prompt {chosen.name} grades docs; expected the kind 'pair'")
    asking = Asking(
        terms.model_name, chosen, levels_of(settings),
        temperature=temperature, seed=seed, max_tokens=max_tokens,
    )  # fmt: skip
    session = ModelSession.of(terms, asking, settings)
    contests = None if app is None else app.contests(session, topics_of(topic_set))
    setting = TopkSetting(k=k, method=method, seed=seed)

    def searches() -> SchedulerSearches:
        qrels = graded_of(campaign, label_set=label_set, topic_set=topic_set, scale=settings.scale)
        return SchedulerSearches(setting, topic_pools(qrels, k=k))

    source: PairSource = contests or searches()
    topics = read_topics(settings.topics) if settings.topics is not None else ()
    by_id = {topic.topic: topic for topic in topics}
    work = Work(settings, by_id, restrict_docs(source.docs, by_id, None, settings), most_characters)
    if dry_run:
        return PairsJudged(
            session=session, work=work, answers={}, outcomes=(), bias=position_bias([]),
            requests=0, is_complete=False,
            forecast=forecast_pairs(session, work, setting.expected_pairs),
        )  # fmt: skip
    recording: AbstractContextManager[Callable[[UnitOutcome], None] | None] = nullcontext()
    if app is not None and contests is not None:
        recording = app(session, work)
    with open_cache(settings.folder) as cache, recording as record:
        asker = session.asker(cache, work)
        search = _Search(work, source, record)
        is_complete = search.run(asker, concurrency=terms.concurrency, advance=advance)
        keep_session(cache, session, tuple(search.outcomes.values()))
        spent = cache.spent()
    outcomes = sorted(search.outcomes.values(), key=lambda outcome: outcome.key)
    bias = position_bias(search.both_ways)
    notes = session_notes(
        session, outcomes, len(outcomes), work, asker.requests, spent,
        is_complete=is_complete, missing=search.missing,
    )  # fmt: skip
    return PairsJudged(
        session=session, work=work, answers=source.answers(), outcomes=tuple(outcomes), bias=bias,
        requests=asker.requests, is_complete=is_complete, notes=(*notes, *bias.notes),
    )  # fmt: skip


class _Search:
    """The search for the top docs of all topics, in waves of simultaneously open pairs."""

    def __init__(
        self, work: Work, source: PairSource, record: Callable[[UnitOutcome], None] | None
    ) -> None:
        self.outcomes: dict[tuple[str, ...], UnitOutcome] = {}
        self.both_ways: list[tuple[int, int]] = []
        self._work, self._source, self._record = work, source, record
        self._texts = work.docs_by_id()
        self.missing = sorted(
            {doc for docs in work.docs.values() for doc in docs} - set(self._texts)
        )
        source.begin(self._texts)

    def run(self, asker: Asker, *, concurrency: int, advance: Callable[[], None]) -> bool:
        """Request pairs until no pair is open; return whether all open pairs were requested."""

        def take(outcome: UnitOutcome) -> None:
            self.outcomes[outcome.key] = outcome
            if self._record is not None:
                self._record(outcome)
            advance()

        while pairs := list(self._source.open_pairs()):
            units = (
                self._unit(topic, *sides)
                for topic, pair in pairs
                for sides in ((pair.left, pair.right), (pair.right, pair.left))
            )
            is_complete = ask_all(asker, units, take, concurrency=concurrency)
            for topic, pair in pairs:
                self._answer(topic, pair)
            if not is_complete:
                return False
        return True

    def _unit(self, topic: str, left: str, right: str) -> Unit:
        docs: tuple[ShownDoc, ...] = (self._texts[left], self._texts[right])
        return Unit(self._work.topics[topic], docs)

    def _answer(self, topic: str, pair: Pair) -> None:
        """Report the answers to a pair to the source of pairs, if both orders have an answer."""
        ways = ((topic, pair.left, pair.right), (topic, pair.right, pair.left))
        outcomes = [self.outcomes[way].said for way in ways if way in self.outcomes]
        values = [int(said.value) for said in outcomes if said is not None]
        if len(values) == 2:
            self.both_ways.append((values[0], values[1]))
            self._source.answer(topic, pair, (values[0], values[1]))


@dataclass(frozen=True, slots=True)
class PositionBias:
    """The counts of answers to pairs asked in both orders.

    Attributes
    ----------
    consistent : int
        Number of pairs with the same doc, or a tie, in both answers.
    first, second : int
        Number of pairs with side A in both answers, and with side B in both.
    p : float
        p-value of the exact binomial test that both sides are equally likely; nan without such
        pairs.
    """

    pairs: int
    consistent: int
    first: int
    second: int
    p: float

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the bias."""
        if not self.pairs:
            return ()
        other = self.pairs - self.consistent
        text = (
            f"pairs asked in both orders: {self.pairs}; with the same answer: {self.consistent};"
            f" the other {other} count as ties"
        )
        if not self.p < _ALPHA:
            return (text,)
        side, count = ("A", self.first) if self.first > self.second else ("B", self.second)
        chosen = (
            f"position bias: in {count} of {self.first + self.second} pairs with the same side"
            f" chosen twice, the side is {side} (p = {self.p:.2g})"
        )
        return (text, chosen)


def position_bias(answers: Sequence[tuple[int, int]]) -> PositionBias:
    """Compute the position bias from answers to pairs asked in both orders.

    Parameters
    ----------
    answers : sequence of two int
        The answers to each pair as asked, and with swapped sides: −1 for side A, 1 for B, 0 for a
        tie.
    """
    first, second = answers.count((-1, -1)), answers.count((1, 1))
    chance = stats.binomtest(first, first + second).pvalue if first + second else float("nan")
    consistent = sum(one == -other for one, other in answers)
    return PositionBias(len(answers), consistent, first, second, float(chance))
