"""A cap in money and tokens that is never exceeded, because maximum costs are reserved first."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from qrelsmith.base.errors import UsageError
from qrelsmith.models.cache import BILLIONTHS, Spent

# Generous bound of the tokens that an endpoint adds around the messages.
_FRAME = 64


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices per million tokens.

    Attributes
    ----------
    tokens_in, tokens_out : Decimal
        The price of tokens sent, and of tokens answered.
    """

    tokens_in: Decimal = Decimal(0)
    tokens_out: Decimal = Decimal(0)

    def money(self, tokens_in: int, tokens_out: int) -> int:
        """Return the cost of a number of tokens in billionths of the currency, rounded up."""
        whole = tokens_in * self.tokens_in + tokens_out * self.tokens_out
        return int((whole * (BILLIONTHS // 10**6)).to_integral_value(ROUND_CEILING))


@dataclass(frozen=True, slots=True)
class RequestCost:
    """The cost of one request, or its upper bound.

    Attributes
    ----------
    tokens : int
        Tokens sent and answered.
    money : int
        Money in billionths.
    """

    tokens: int
    money: int


def upper_cost(body: bytes, max_tokens: int, prices: Prices) -> RequestCost:
    """Return the maximum cost of a request, assuming at most one token per byte."""
    sent = len(body) + _FRAME
    return RequestCost(sent + max_tokens, prices.money(sent, max_tokens))


class Budget:
    """The cap, the amount spent, and the amount reserved for requests in progress.

    Parameters
    ----------
    spent : Spent
        The amount spent by earlier runs.
    money : int, optional
        The cap in billionths, over all runs.
    tokens : int, optional
        The cap in tokens, over all runs.
    """

    def __init__(
        self, spent: Spent, *, money: int | None = None, tokens: int | None = None
    ) -> None:
        self.tokens, self.money = spent.tokens, spent.money
        self._cap = RequestCost(
            tokens=-1 if tokens is None else tokens, money=-1 if money is None else money
        )
        self._open: list[RequestCost] = []
        self._settled: asyncio.Event | None = None
        self.is_reached = False

    async def reserve(self, cost: RequestCost) -> bool:
        """Reserve a cost, waiting for requests in progress; return False if the cap is reached."""
        while not self.is_reached:
            if self._fits(cost):
                self._open.append(cost)
                return True
            if not self._open:
                self.is_reached = True
                break
            self._settled = self._settled or asyncio.Event()
            await self._settled.wait()
        self._wake()
        return False

    def settle(self, reserved: RequestCost, actual: RequestCost | None) -> None:
        """Replace a reservation by the actual cost of the request; None means no cost."""
        self._open.remove(reserved)
        if actual is not None:
            self.tokens += actual.tokens
            self.money += actual.money
        self._wake()

    def _wake(self) -> None:
        """Wake waiting requests so that they check the budget again."""
        if self._settled is not None:
            self._settled.set()
            self._settled = None

    def _fits(self, cost: RequestCost) -> bool:
        tokens = self.tokens + cost.tokens + sum(each.tokens for each in self._open)
        money = self.money + cost.money + sum(each.money for each in self._open)
        fits_tokens = self._cap.tokens < 0 or tokens <= self._cap.tokens
        return fits_tokens and (self._cap.money < 0 or money <= self._cap.money)


def billionths(amount: Decimal | float | str, *, what: str) -> int:
    """Convert an amount of money to billionths.

    Raises
    ------
    UsageError
        If the amount is negative or not a number.
    """
    try:
        value = Decimal(str(amount))
    except ArithmeticError:
        value = Decimal("nan")
    if not value.is_finite() or value < 0:
        raise UsageError(f"{what} is {amount}; expected an amount of money, 0 or more")
    return int(value * BILLIONTHS)
