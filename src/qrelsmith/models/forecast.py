"""The cost of judging before anything is sent: requests, tokens, money."""

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

# Bytes of a token in running text; of English about four, of Japanese about three.
_BYTES = 3.5
# What an answer without reasons has.
_ANSWER = 12


@dataclass(frozen=True, slots=True)
class CostForecast:
    """The cost of what is not known yet.

    Attributes
    ----------
    units : int
        Labels that are wanted.
    cached : int
        Those whose first answer is kept.
    requests : int
        Requests to be sent, if every answer is one.
    tokens, most_tokens : int
        About how many, and the most that can be reserved for them.
    money, most_money : int
        The same in billionths.
    """

    units: int
    cached: int
    requests: int
    tokens: int
    most_tokens: int
    money: int
    most_money: int

    def table(self) -> Table:
        """Quantity and value."""
        rows = [
            ("labels", self.units), ("known", self.cached), ("requests", self.requests),
            ("tokens", self.tokens), ("most_tokens", self.most_tokens),
            ("money", self.money / BILLIONTHS), ("most_money", self.most_money / BILLIONTHS),
        ]  # fmt: skip
        return Table.of(("quantity", "value"), rows)


def forecast(session: ModelSession, work: Work, units: Iterable[Unit]) -> CostForecast:
    """Return the cost of some units; kept replies cost nothing, and nothing is sent or written."""
    name = session.endpoint(work).name
    if not (work.campaign.folder / APP_FOLDER / FILE).is_file():
        return _forecast(session, units, frozenset(), name)
    with open_cache(work.campaign.folder, is_shared=True) as cache:
        return _forecast(session, units, cache.digests(), name)


def _forecast(
    session: ModelSession, units: Iterable[Unit], cached: frozenset[str], endpoint: str
) -> CostForecast:
    asking, prices = session.asking, session.terms.prices
    count = requests = sent = most_tokens = most_money = 0
    for unit in units:
        count += 1
        bodies = [asking.body(unit, is_structured=is_structured) for is_structured in (True, False)]
        digests = {request_digest(endpoint, body) for body in bodies}
        if not cached.isdisjoint(digests):
            continue
        requests += 1
        if session.terms.is_baseline:
            continue
        sent += len(bodies[0])
        bound = upper_cost(bodies[0], asking.max_tokens, prices)
        most_tokens += bound.tokens
        most_money += bound.money
    return _cost(session, count, requests, sent, most_tokens, most_money)


def forecast_pairs(
    session: ModelSession, work: Work, expected_pairs: Callable[[int], int]
) -> CostForecast:
    """Forecast the cost of preference tasks from their expected pairs, each asked both ways.

    Which pairs meet is not known before they are answered: each doc stands for any other of its
    topic, and kept replies are not counted.
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
        # The two longest docs of a topic may meet each time.
        longest = sorted(docs, key=lambda doc: len(doc.text.encode("utf-8")))[-2:]
        body = asking.body(Unit(work.topics[topic], tuple(longest)))
        bound = upper_cost(body, asking.max_tokens, prices)
        most_tokens += 2 * expected * bound.tokens
        most_money += 2 * expected * bound.money
    if session.terms.is_baseline:
        sent = most_tokens = most_money = 0
    return _cost(session, pairs, 2 * pairs, sent, most_tokens, most_money)


def _cost(
    session: ModelSession, units: int, requests: int, sent: int, most_tokens: int, most_money: int
) -> CostForecast:
    """Return the forecast of so many requests with so many bytes."""
    asking, prices = session.asking, session.terms.prices
    tokens_in = round(sent / _BYTES)
    answer = asking.max_tokens if asking.prompt.has_reason else _ANSWER
    tokens_out = 0 if session.terms.is_baseline else requests * answer
    money = prices.money(tokens_in, tokens_out)
    known = max(units - requests, 0)
    return CostForecast(
        units, known, requests, tokens_in + tokens_out, most_tokens, money, most_money
    )
