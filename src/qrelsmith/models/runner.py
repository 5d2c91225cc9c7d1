"""The runner: it requests every unit, waits and retries, without double costs or lost replies."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from qrelsmith.base.errors import InputError, QrelsmithError
from qrelsmith.models.budget import Budget, Prices, RequestCost, upper_cost
from qrelsmith.models.cache import KeptReply, ReplyCache
from qrelsmith.models.endpoints import (
    Endpoint,
    LostError,
    NoSchemaError,
    Reply,
    RequestRefusedError,
)
from qrelsmith.models.kept_answers import answer_to_keep, said_in
from qrelsmith.models.pace import RequestPace
from qrelsmith.models.replies import ReplyError, Said
from qrelsmith.models.requests import Asking, Unit, request_digest

# Number of repetitions after an invalid answer.
AGAIN = 2
# Number of failures of a request (not counting refusals to wait) before this run gives up its
# label.
_FAILURES = 8
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 30.0


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """The answer for a unit, or the reason for its absence.

    Attributes
    ----------
    key : tuple of str
        The topic and the docs.
    said : Said or None
        The answer; None for an error record.
    digests : tuple of str
        The answered requests for the unit, in order.
    fault : str
        The reason why there is no answer.
    """

    key: tuple[str, ...]
    said: Said | None
    digests: tuple[str, ...]
    fault: str = ""

    @property
    def digest(self) -> str:
        """The digest of the last answered request; empty if there is none."""
        return self.digests[-1] if self.digests else ""

    @property
    def attempts(self) -> int:
        """Number of answered requests for the unit."""
        return len(self.digests)


class StoppedError(Exception):
    """The cap of the budget is reached; the remaining units stay open."""


class Asker:
    """A client that requests labels from an endpoint.

    Parameters
    ----------
    endpoint : Endpoint
        The endpoint.
    asking : Asking
        The parameters of requests.
    cache : ReplyCache
        The cached replies.
    budget : Budget
        The cap of the costs.
    prices : Prices
        The prices of tokens.
    patience : float
        Seconds without any answer, while requests fail, after which the run ends.
    key : str
        The endpoint's key, which is never stored.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        asking: Asking,
        cache: ReplyCache,
        budget: Budget,
        prices: Prices,
        *,
        patience: float = 300.0,
        key: str = "",
    ) -> None:
        self.budget = budget
        self.requests = 0
        self._endpoint, self._asking, self._cache = endpoint, asking, cache
        self._prices, self._patience, self._key = prices, patience, key
        self._is_structured = not endpoint.is_baseline
        self._last_answer = time.monotonic()
        self._jitter = random.Random(asking.seed)
        self._pace, self._queue = RequestPace(), asyncio.Lock()

    async def judge(self, unit: Unit) -> UnitOutcome:
        """Return the answer for a unit, from the cache or from the endpoint.

        Raises
        ------
        StoppedError
            If a request would be necessary, but the cap is reached.
        InputError
            If the endpoint has not answered any request for too long.
        """
        digests: tuple[str, ...] = ()
        fault = ""
        for attempt in range(1 + AGAIN):
            try:
                digest, reply = await self._reply(unit, attempt)
            except _GivenUpError as error:
                return UnitOutcome(unit.key, None, digests, str(error))
            digests += (digest,)
            try:
                # Replies stored by an earlier version may contain more.
                answer = answer_to_keep(self._asking, reply.answer, key=self._key)
                said = said_in(self._asking, answer)
                if len(said.values) != len(unit.aspects):
                    raise ReplyError(
                        f"found {len(said.values)} grades; expected {len(unit.aspects)}"
                    )
                return UnitOutcome(unit.key, said, digests)
            except ReplyError as error:
                fault = str(error)
        return UnitOutcome(unit.key, None, digests, fault)

    async def close(self) -> None:
        """Close the endpoint."""
        await self._endpoint.close()

    async def _reply(self, unit: Unit, attempt: int) -> tuple[str, KeptReply]:
        """Return the cached reply to a request, or a new one, with the request's digest."""
        failures = 0
        while True:
            # With and without a schema are the same question, and either answer may be cached.
            for is_structured in dict.fromkeys((self._is_structured, False)):
                body = self._asking.body(unit, attempt=attempt, is_structured=is_structured)
                digest = request_digest(self._endpoint.name, body)
                kept = self._cache.find(digest)
                if kept is not None:
                    return digest, kept
            body = self._asking.body(unit, attempt=attempt, is_structured=self._is_structured)
            digest = request_digest(self._endpoint.name, body)
            try:
                return digest, await self._send(unit, body, digest)
            except NoSchemaError:
                self._is_structured = False
            except (RequestRefusedError, LostError) as error:
                is_busy = isinstance(error, RequestRefusedError) and error.is_busy
                failures += not is_busy
                if failures >= _FAILURES:
                    raise _GivenUpError(str(error)) from None
                await self._wait(error, failures)

    async def _send(self, unit: Unit, body: bytes, digest: str) -> KeptReply:
        """Send one request, after reserving its cost, and store the reply before it is used."""
        await self._turn()
        bound = upper_cost(body, self._asking.max_tokens, self._prices)
        if self._endpoint.is_baseline:
            bound = RequestCost(0, 0)
        if not await self.budget.reserve(bound):
            raise StoppedError
        actual: RequestCost | None = bound  # an interrupted request may have been charged
        try:
            number = self._cache.note_asked(digest, tokens=bound.tokens, money=bound.money)
            try:
                self.requests += 1
                sent = time.monotonic()
                reply = await self._endpoint.ask(unit, body)
            except (RequestRefusedError, NoSchemaError) as error:
                self._cache.forget_asked(number)
                actual = None
                if isinstance(error, RequestRefusedError) and error.is_busy:
                    after = None if error.retry_after is None else self._bearable(error.retry_after)
                    self._pace.take_refusal(time.monotonic(), sent=sent, after=after)
                raise
            actual = self._cost(reply, bound)
            row = KeptReply(
                answer_to_keep(self._asking, reply.answer, key=self._key),
                reply.tokens_in, reply.tokens_out, actual.tokens, actual.money, reply.latency_ms,
            )  # fmt: skip
            self._cache.keep(digest, row, number=number)
            self._last_answer = time.monotonic()
            self._pace.take_answer(self._last_answer)
            return row
        finally:
            self.budget.settle(bound, actual)

    async def _turn(self) -> None:
        """Wait until a request may be sent, in order of arrival."""
        async with self._queue:
            while (wait := self._pace.wait(time.monotonic())) > 0:
                await asyncio.sleep(wait)
            self._pace.take_turn(time.monotonic())

    def _bearable(self, seconds: float) -> float:
        """Return the wait that an endpoint requests, but not more than the run's maximum."""
        return min(seconds, self._patience)

    def _cost(self, reply: Reply, bound: RequestCost) -> RequestCost:
        """Return the cost of a reply, or the reserved cost if the reply has no token counts."""
        if reply.tokens_in is None or reply.tokens_out is None:
            return bound
        tokens = reply.tokens_in + reply.tokens_out
        return RequestCost(tokens, self._prices.money(reply.tokens_in, reply.tokens_out))

    async def _wait(self, error: Exception, failures: int) -> None:
        """Wait before the next attempt: as long as the endpoint requests, else increasingly long.

        The wait of a busy endpoint applies to all requests: `RequestPace` handles it.
        """
        left = self._last_answer + self._patience - time.monotonic()
        if left < 0:
            raise InputError(
                f"no reply for {self._patience:.0f} seconds ({error}). Received replies are "
                "kept: run the command again to resume",
                path=self._endpoint.name,
            )
        if isinstance(error, RequestRefusedError) and error.is_busy:
            return
        wait = min(_FIRST_WAIT * 2 ** max(failures - 1, 0), _LONGEST_WAIT)
        if isinstance(error, RequestRefusedError) and error.retry_after is not None:
            wait = self._bearable(error.retry_after)
        # Random waits avoid simultaneous attempts; they respect the endpoint's wait and the
        # patience.
        await asyncio.sleep(min(wait, left) * (1 + 0.1 * self._jitter.random()) + 0.01)


class _GivenUpError(Exception):
    """A request that failed too often."""


def ask_all(
    asker: Asker, units: Iterable[Unit], take: Callable[[UnitOutcome], None], *, concurrency: int
) -> bool:
    """Request all units concurrently and report each outcome; return whether all were requested.

    Units are read one by one as needed, so that they are never all in memory. If the run ends
    early, requests in progress are finished first.

    Raises
    ------
    QrelsmithError
        If the endpoint does not answer, or a unit cannot be read.
    """
    return asyncio.run(_all(asker, iter(units), take, concurrency))


async def _all(
    asker: Asker, units: Iterator[Unit], take: Callable[[UnitOutcome], None], concurrency: int
) -> bool:
    faults: list[QrelsmithError] = []
    left_out = 0

    async def work() -> None:
        nonlocal left_out
        try:
            for unit in units:
                await asyncio.sleep(0)  # many cached answers in a row must not delay Ctrl-C
                try:
                    take(await asker.judge(unit))
                except StoppedError:
                    left_out += 1  # later units may be cached
                if faults:
                    break
        except QrelsmithError as error:  # also of a unit that cannot be read
            faults.append(error)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
    finally:
        await asker.close()
    if faults:
        raise faults[0]
    return left_out == 0
