"""Use of an endpoint: the terms of use, and the names under which answers are recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from decimal import Decimal

from qrelsmith.base.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign, Level
from qrelsmith.models.budget import Budget, Prices, billionths
from qrelsmith.models.cache import BILLIONTHS, ReplyCache, Spent
from qrelsmith.models.endpoints import Endpoint
from qrelsmith.models.lexical import ENDPOINT, Lexical
from qrelsmith.models.requests import Asking
from qrelsmith.models.runner import Asker, UnitOutcome
from qrelsmith.models.work import Work

BASELINE = "baseline-lexical"
_UNSOUND = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class ModelTerms:
    """An endpoint and the terms of its use, documented as parameters of `judge`.

    The key is excluded from `repr`, so that errors that show the terms do not reveal it.
    """

    endpoint: str
    model: str = ""
    assessor: str = ""
    group: str = ""
    budget: float | Decimal | None = None
    budget_tokens: int | None = None
    price_in: float | Decimal | None = None
    price_out: float | Decimal | None = None
    key: str = field(default="", repr=False)
    concurrency: int = 8
    timeout: float = 120.0
    patience: float = 300.0

    def __post_init__(self) -> None:
        is_builtin = self.endpoint.startswith("builtin:")
        if is_builtin and not self.is_baseline:
            raise UnknownNameError("endpoint", self.endpoint, [ENDPOINT, "http://HOST:PORT/v1"])
        if self.is_baseline and self.model:
            raise UsageError(f"{ENDPOINT} is not a language model; expected no --model")
        if not is_builtin and not self.model:
            raise UsageError("no model given; expected --model with a name known to the endpoint")
        if self.budget is not None and (self.price_in is None or self.price_out is None):
            raise UsageError("--spend needs --price-in and --price-out")
        if self.concurrency < 1:
            raise UsageError(f"concurrency is {self.concurrency}; expected 1 or more")
        if self.budget_tokens is not None and self.budget_tokens < 0:
            raise UsageError(f"budget_tokens is {self.budget_tokens}; expected 0 or more")
        billionths(self.budget or 0, what="--spend")
        self.prices  # noqa: B018 - reports invalid prices now

    @property
    def is_baseline(self) -> bool:
        """Whether the endpoint is the baseline, without a model."""
        return self.endpoint == ENDPOINT

    @property
    def model_name(self) -> str:
        """The model's name in records."""
        return ENDPOINT if self.is_baseline else self.model

    @property
    def prices(self) -> Prices:
        """The prices; 0 by default."""
        named = [("price_in", self.price_in), ("price_out", self.price_out)]
        for what, price in named:
            billionths(price or 0, what=what)
        return Prices(*(Decimal(str(price or 0)) for _, price in named))


@dataclass(frozen=True, slots=True)
class ModelSession:
    """The use of an endpoint for a campaign.

    Attributes
    ----------
    terms : ModelTerms
        The endpoint, and the cap of the costs.
    asking : Asking
        The model, prompt, scale and parameters.
    assessor, group : str
        The names for the answers.
    """

    terms: ModelTerms
    asking: Asking
    assessor: str
    group: str

    @classmethod
    def of(cls, terms: ModelTerms, asking: Asking, campaign: Campaign) -> ModelSession:
        """Create a session; missing names are derived from the model and the campaign."""
        groups = [name for name, group in campaign.groups.items() if group.role == "llm"]
        name = _UNSOUND.sub("-", f"{terms.model}.{asking.prompt.name}").strip("-")
        if terms.is_baseline:
            name = BASELINE
        other = "baseline" if terms.is_baseline else "llm"
        group = terms.group or (groups[0] if len(groups) == 1 else other)
        return cls(terms, asking, terms.assessor or name, group)

    def asker(self, cache: ReplyCache, work: Work) -> Asker:
        """Create the client, with the cache and the budget."""
        terms = self.terms
        money = None
        if terms.budget is not None:
            money = billionths(terms.budget, what="--spend")
        return Asker(
            self.endpoint(work),
            self.asking,
            cache,
            Budget(cache.spent(), money=money, tokens=terms.budget_tokens),
            terms.prices,
            patience=terms.patience,
            key=terms.key,
        )

    def endpoint(self, work: Work) -> Endpoint:
        """Create the endpoint, or the baseline, which reads the docs.

        Raises
        ------
        UsageError
            If the URL is invalid.
        MissingDependencyError
            If httpx is not installed.
        """
        if self.terms.is_baseline:
            topics = [work.topics[topic] for topic in work.docs]
            return Lexical(topics, work.texts(), self.asking.levels)
        from qrelsmith.models.http_endpoint import HttpEndpoint

        return HttpEndpoint(
            self.terms.endpoint,
            key=self.terms.key,
            timeout=self.terms.timeout,
            concurrency=self.terms.concurrency,
        )

    @property
    def parameters(self) -> dict[str, str | int | float]:
        """The parameters of the requests, apart from the prompt."""
        asking = self.asking
        return {
            "endpoint": self.terms.endpoint,
            "max_tokens": asking.max_tokens,
            "prompt_name": asking.prompt.name,
            "prompt_version": asking.prompt.version,
            "seed": asking.seed,
            "temperature": asking.temperature,
        }

    @property
    def parameters_text(self) -> str:
        """The parameters as JSON."""
        return json.dumps(self.parameters, ensure_ascii=False, sort_keys=True)


# Opened for a session, the log accepts outcomes one by one; on closing, all are recorded.
LabelLog = Callable[[ModelSession, Work], AbstractContextManager[Callable[[UnitOutcome], None]]]


def levels_of(campaign: Campaign) -> tuple[Level, ...]:
    """Return the levels of the campaign's scale.

    Raises
    ------
    InputError
        If the scale is undefined.
    """
    if not campaign.levels:
        raise InputError(
            "[scale] is missing; expected levels for the model to choose from",
            path=campaign.settings,
        )
    return campaign.levels


def session_notes(
    session: ModelSession,
    outcomes: Sequence[UnitOutcome],
    total: int,
    work: Work,
    requests: int,
    spent: Spent,
    *,
    is_complete: bool,
    missing: Sequence[str],
) -> tuple[str, ...]:
    """Return notes on a run, one sentence each."""
    failed = [outcome for outcome in outcomes if outcome.said is None]
    notes = []
    if session.terms.is_baseline:
        notes.append(
            f"{session.assessor} is a baseline that counts words in common and does not understand"
            " the text"
        )
    answered = f"{len(outcomes) - len(failed)} of {total}"
    if any(outcome.said and outcome.said.values for outcome in outcomes):  # labels of aspects
        labels = sum(len(outcome.said.values) for outcome in outcomes if outcome.said)
        answered = f"{labels} from {answered} replies"
    notes.append(f"labels: {answered}, error records: {len(failed)}; requests sent: {requests}")
    if not session.terms.is_baseline:
        unanswered = f", including {spent.asked} requests without an answer" if spent.asked else ""
        notes.append(
            f"spent by this campaign so far: {spent.tokens} tokens, {money_text(spent.money)}"
            f" money{unanswered}"
        )
    if not is_complete:
        notes.append("the budget is used up: finished docs are written, other docs stay open")
    if failed:
        first = failed[0]
        notes.append(f"the first error record: {' '.join(first.key)}: {quoted(first.fault)}")
    if work.cut:
        notes.append(f"docs that were cut after {work.most_characters} characters: {len(work.cut)}")
    if work.suspects:
        notes.append(
            f"docs with instructions for their judge: {len(work.suspects)} (first:"
            f" {min(work.suspects)}); they are marked in --write-replies"
        )
    if missing:
        notes.append(f"docs without a text were not judged: {len(missing)} (first: {missing[0]})")
    return tuple(notes)


def money_text(amount: int) -> str:
    """Format billionths as an amount of money."""
    return format((Decimal(amount) / BILLIONTHS).normalize(), "f")
