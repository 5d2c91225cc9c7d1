"""Judgments of a campaign's docs by a language model or the built-in baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from qrelsmith.base.errors import UsageError
from qrelsmith.base.renamed import accept_old_keywords
from qrelsmith.base.results import Result
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign import Campaign, read_campaign
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.topic_sources import TopicSet, topics_of
from qrelsmith.models.anchors import NewReplies, anchor_work, keep_anchors
from qrelsmith.models.answer_work import answer_work
from qrelsmith.models.cache import ReplyCache, open_cache
from qrelsmith.models.forecast import CostForecast, forecast
from qrelsmith.models.prompts import Prompt, read_prompt
from qrelsmith.models.records import keep_session, reply_table
from qrelsmith.models.requests import Asking
from qrelsmith.models.runner import UnitOutcome, ask_all
from qrelsmith.models.session import LabelLog, ModelSession, ModelTerms, levels_of, session_notes
from qrelsmith.models.work import MOST_CHARACTERS, Work, work_of

_COLUMNS = ("topic", "doc", "assessor", "group", "grade", "note")


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged(Result):
    """The judgments of a model.

    Attributes
    ----------
    session : ModelSession
        The endpoint and the parameters.
    work : Work
        The docs to judge.
    outcomes : tuple of UnitOutcome
        The outcome for each doc, including error records, by topic and doc.
    forecast : CostForecast or None
        For a dry run, the cost of the requests; there are no outcomes.
    requests : int
        Number of requests sent by this run.
    is_complete : bool
        Whether every doc was requested; the cap of the budget can end a run early.
    """

    session: ModelSession
    work: Work
    outcomes: tuple[UnitOutcome, ...]
    requests: int
    is_complete: bool
    forecast: CostForecast | None = None

    def table(self) -> Table:
        """Return a judgments file (topic, doc, assessor, group, grade, note), or the forecast."""
        if self.forecast is not None:
            return self.forecast.table()
        return label_table(self.session, self.outcomes)

    @property
    def judgments(self) -> Judgments:
        """The labels, without error records.

        Raises
        ------
        UsageError
            If there are no labels.
        """
        table = self.table()
        if not table.rows:
            raise UsageError("the model returned no label")
        columns = zip(*table.rows, strict=True)
        return Judgments.from_columns(dict(zip(table.columns, columns, strict=True)))

    def replies(self) -> Table:
        """Return a row for each doc with request, model, cost and answer."""
        return reply_table(self.session, self.work, self.outcomes)


def label_table(session: ModelSession, outcomes: Iterable[UnitOutcome]) -> Table:
    """Return a model's judgments file: topic, doc, assessor, group, grade, note."""
    who = (session.assessor, session.group)
    if session.asking.prompt.kind == "aspects":
        of_aspects = [
            (*outcome.key[:2], aspect, *who, grade_text(value), "")
            for outcome in outcomes
            if outcome.said is not None
            for aspect, value in zip(outcome.key[2:], outcome.said.values, strict=True)
        ]
        return Table.of((*_COLUMNS[:2], "aspect", *_COLUMNS[2:]), of_aspects)
    rows = [
        (*outcome.key[:2], *who, grade_text(outcome.said.value), outcome.said.reason)
        for outcome in outcomes
        if outcome.said is not None
    ]
    return Table.of(_COLUMNS, rows)


@accept_old_keywords(budget="spend", budget_tokens="spend_tokens")
def judge(
    campaign: Campaign | FilePath,
    *,
    endpoint: str,
    model: str = "",
    prompt: str | Prompt = "grade",
    assessor: str = "",
    group: str = "",
    depth: int | None = None,
    topic_set: TopicSet | None = None,
    spend: float | Decimal | None = None,
    spend_tokens: int | None = None,
    price_in: float | Decimal | None = None,
    price_out: float | Decimal | None = None,
    max_tokens: int = 256,
    temperature: float = 0.0,
    key: str = "",
    concurrency: int = 8,
    timeout: float = 120.0,
    patience: float = 300.0,
    most_characters: int = MOST_CHARACTERS,
    seed: int = 0,
    dry_run: bool = False,
    anchors: FilePath | Any = None,
    advance: Callable[[], None] = lambda: None,
    log: LabelLog | None = None,
) -> Judged:
    """Judge a campaign's docs with a language model.

    There is one request for each doc. Replies are cached in the campaign's folder by the digest of
    the whole request. Therefore no run repeats a request, and an interrupted run resumes.

    Parameters
    ----------
    campaign : Campaign or path
        The campaign; its pools are judged, or else the top of its runs.
    endpoint : str
        The base URL of an endpoint with the chat-completions protocol, `http://…/v1`; or
        `builtin:lexical`, a baseline without a model.
    model : str
        The model's name at the endpoint.
    prompt : str or Prompt
        A prompt of the library, or a .toml file.
    assessor, group : str
        Names for the labels; by default the model's name, and the only group of models.
    depth : int, optional
        Number of docs of each run to judge, instead of the pools.
    topic_set : path or collection of str, optional
        Restrict to these topics.
    spend, spend_tokens : number, optional
        Maximum cost of all runs of the campaign together, in money and tokens.
    price_in, price_out : number, optional
        Prices per million tokens sent and answered.
    max_tokens : int
        Maximum tokens of an answer.
    temperature : float
        Temperature; 0: the most likely answer.
    key : str
        The endpoint's key; it is sent to the endpoint and never stored.
    concurrency : int
        Number of simultaneous requests.
    timeout, patience : float
        Seconds until a request counts as lost, and until the run ends without any answers.
    most_characters : int
        Maximum length of a doc's text, which is truncated.
    seed : int
        The seed sent with each request.
    dry_run : bool
        Whether to return the forecast cost without sending requests.
    anchors : path or qrels, optional
        Docs with human labels to label again, bypassing the cache, for `drift`.
    advance : callable, optional
        Called after each doc, to show progress.
    log : LabelLog, optional
        Destination of labels and error records during the run.

    Raises
    ------
    InputError
        If a file is malformed, or the endpoint does not answer.
    UsageError
        If an option is wrong, or prices are missing for a cap in money.
    """
    terms = ModelTerms(
        endpoint=endpoint, model=model, assessor=assessor, group=group, budget=spend,
        budget_tokens=spend_tokens, price_in=price_in, price_out=price_out, key=key,
        concurrency=concurrency, timeout=timeout, patience=patience,
    )  # fmt: skip
    work, asking = prepare_work(
        campaign, terms, prompt, depth=depth, topic_set=topic_set, max_tokens=max_tokens,
        temperature=temperature, most_characters=most_characters, seed=seed,
    )  # fmt: skip
    session = ModelSession.of(terms, asking, work.campaign)
    if dry_run:
        cost = forecast(session, work, work.units())
        return Judged(
            session=session, work=work, outcomes=(), requests=0, is_complete=False, forecast=cost
        )
    outcomes: list[UnitOutcome] = []

    recording = nullcontext(None) if log is None else log(session, work)
    with open_cache(work.campaign.folder) as cache, recording as record:
        asker = session.asker(cache, work)

        def take(outcome: UnitOutcome) -> None:
            outcomes.append(outcome)
            if record is not None:
                record(outcome)
            advance()

        is_complete = ask_all(asker, work.units(), take, concurrency=terms.concurrency)
        anchor_notes = (
            [] if anchors is None else _judge_anchors(session, cache, work, anchors, advance)
        )
        cache.set_failures(session.assessor, [o.key for o in outcomes if o.said is None])
        keep_session(cache, session, outcomes)
        spent = cache.spent()
    outcomes.sort(key=lambda outcome: outcome.key)
    missing = work.missing() if len(outcomes) < len(work) and is_complete else []
    return Judged(
        session=session,
        work=work,
        outcomes=tuple(outcomes),
        requests=asker.requests,
        is_complete=is_complete,
        notes=(
            *session_notes(
                session, outcomes, len(work), work, asker.requests, spent,
                is_complete=is_complete, missing=missing,
            ),
            *anchor_notes,
        ),
    )  # fmt: skip


def _judge_anchors(
    session: ModelSession, cache: ReplyCache, work: Work, anchors: Any, advance: Callable[[], None]
) -> list[str]:
    """Label the anchors again, store the labels, and return a note on the anchors."""
    date = datetime.now(UTC).isoformat(timespec="milliseconds")
    own, people = anchor_work(work, anchors)
    asker = session.asker(NewReplies(cache, date), own)
    labelled: list[UnitOutcome] = []

    def take(outcome: UnitOutcome) -> None:
        labelled.append(outcome)
        advance()

    ask_all(asker, own.units(), take, concurrency=session.terms.concurrency)
    count = keep_anchors(session, work.campaign.folder, date, labelled, people)
    return [f"anchors: {count} of {len(people)} labelled again; requests sent: {asker.requests}"]


def prepare_work(
    campaign: Campaign | FilePath,
    terms: ModelTerms,
    prompt: str | Prompt,
    *,
    depth: int | None,
    topic_set: TopicSet | None,
    max_tokens: int,
    temperature: float,
    most_characters: int,
    seed: int,
) -> tuple[Work, Asking]:
    """Return the docs to judge, and the parameters of the requests.

    Raises
    ------
    InputError
        If the campaign has no scale, or no docs to judge.
    UsageError
        If the prompt compares pairs.
    """
    settings = campaign if isinstance(campaign, Campaign) else read_campaign(campaign)
    chosen = prompt if isinstance(prompt, Prompt) else read_prompt(prompt)
    if chosen.kind == "pair":
        raise UsageError(f"the prompt {chosen.name} compares pairs; expected the kind 'grade'")
    topics: Sequence[str] | None = topics_of(topic_set)
    work: Work
    if chosen.kind == "aspects":
        work, levels = answer_work(
            settings, chosen.aspects, topic_set=topics, most_characters=most_characters
        )
    else:
        work = work_of(settings, depth=depth, topic_set=topics, most_characters=most_characters)
        levels = levels_of(settings)
    asking = Asking(
        terms.model_name, chosen, levels,
        temperature=temperature, seed=seed, max_tokens=max_tokens,
    )  # fmt: skip
    return work, asking
