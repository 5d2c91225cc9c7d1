"""The forecast cost of judging: requests, tokens, money."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.models.budget import upper_cost
from qrelsmith.models.cache import BILLIONTHS, FILE, open_cache
from qrelsmith.models.requests import Unit, request_digest
from qrelsmith.models.session import ModelSession
from qrelsmith.models.work import Work

# Bytes per token in running text: about four in English, about three in Japanese.
_BYTES = 3.5
# Tokens of an answer without reasons.
_ANSWER = 12


@dataclass(frozen=True, slots=True)
class CostForecast:
    """The cost of the labels that are not cached.

    Attributes
    ----------
    labels : int
        Number of requested labels.
    cached : int
        Number of labels with a cached first answer.
    requests : int
        Number of requests to send, if every answer is valid.
    tokens, most_tokens : int
        Expected number of tokens, and the maximum to reserve.
    money, most_money : int
        Expected and maximum money in billionths.
    """

    labels: int
    cached: int
    requests: int
    tokens: int
    most_tokens: int
    money: int
    most_money: int

    def table(self) -> Table:
        """Return the forecast as a table of quantities and their values."""
        rows = [
            ("labels", self.labels), ("known", self.cached), ("requests", self.requests),
            ("tokens", self.tokens), ("most_tokens", self.most_tokens),
            ("money", self.money / BILLIONTHS), ("most_money", self.most_money / BILLIONTHS),
        ]  # fmt: skip
        return Table.of(("quantity", "value"), rows)


def forecast(session: ModelSession, work: Work, units: Iterable[Unit]) -> CostForecast:
    """Forecast the cost of units, without sending or writing anything; cached replies are free."""
    name = session.endpoint(work).name
    if not (work.campaign.folder / APP_FOLDER / FILE).is_file():
        return _forecast(session, units, frozenset(), name)
    with open_cache(work.campaign.folder, is_shared=True) as cache:
        return _forecast(session, units, cache.digests(), name)


def _forecast(
    session: ModelSession, units: Iterable[Unit], cached: frozenset[str], endpoint: str
) -> CostForecast:
    asking, prices = session.asking, session.terms.prices
    count = cached_labels = requests = sent = most_tokens = most_money = 0
    for unit in units:
        labels = max(len(unit.aspects), 1)
        count += labels
        bodies = [asking.body(unit, is_structured=is_structured) for is_structured in (True, False)]
        digests = {request_digest(endpoint, body) for body in bodies}
        if not cached.isdisjoint(digests):
            cached_labels += labels
            continue
        requests += 1
        if session.terms.is_baseline:
            continue
        sent += len(bodies[0])
        bound = upper_cost(bodies[0], asking.max_tokens, prices)
        most_tokens += bound.tokens
        most_money += bound.money
    return _cost(session, count, cached_labels, requests, sent, most_tokens, most_money)


def forecast_pairs(
    session: ModelSession, work: Work, expected_pairs: Callable[[int], int]
) -> CostForecast:
    """Forecast the cost of preference tasks from their expected pairs, each asked in both orders.

    The pairs depend on the answers. The forecast therefore assumes that all docs of a topic are
    compared equally often, and cached replies are not counted.
    """
    asking, prices = session.asking, session.terms.prices
    texts = work.docs_by_id()
    pairs = sent = most_tokens = most_money = 0
    for topic, ids in work.docs.items():
        docs = [texts[doc] for doc in ids if doc in texts]
        if len(docs) < 2:
            continue
        bodies = [
            asking.body(Unit(work.topics[topic], sides))
            for sides in zip(docs, [*docs[1:], docs[0]], strict=True)
        ]
        expected = expected_pairs(len(docs))
        pairs += expected
        sent += round(2 * expected * sum(map(len, bodies)) / len(bodies))
        # Every pair may consist of the two longest docs of a topic.
        longest = sorted(docs, key=lambda doc: len(doc.text.encode("utf-8")))[-2:]
        body = asking.body(Unit(work.topics[topic], tuple(longest)))
        bound = upper_cost(body, asking.max_tokens, prices)
        most_tokens += 2 * expected * bound.tokens
        most_money += 2 * expected * bound.money
    if session.terms.is_baseline:
        sent = most_tokens = most_money = 0
    return _cost(session, pairs, 0, 2 * pairs, sent, most_tokens, most_money)


def _cost(
    session: ModelSession, labels: int, cached: int, requests: int, sent: int, most_tokens: int,
    most_money: int,
) -> CostForecast:  # fmt: skip
    """Return the forecast for the given numbers of requests and bytes."""
    asking, prices = session.asking, session.terms.prices
    tokens_in = round(sent / _BYTES)
    answer = asking.max_tokens if asking.prompt.has_reason else _ANSWER
    tokens_out = 0 if session.terms.is_baseline else requests * answer
    money = prices.money(tokens_in, tokens_out)
    return CostForecast(
        labels, cached, requests, tokens_in + tokens_out, most_tokens, money, most_money
    )
