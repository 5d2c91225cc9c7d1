"""The cost limit includes money spent and the possible cost of requests in progress."""

from __future__ import annotations

import asyncio

import pytest

from qrelsmith.models.budget import Budget, RequestCost
from qrelsmith.models.cache import Spent

COST = RequestCost(tokens=10, money=7)


@pytest.mark.parametrize("cap", [{"tokens": 25}, {"money": 18}])
def test_requests_in_progress_count(cap: dict[str, int]) -> None:
    async def third_waits() -> tuple[bool, bool]:
        budget = Budget(Spent(0, 0, 0, 0), **cap)
        assert await budget.reserve(COST)
        assert await budget.reserve(COST)
        third = asyncio.create_task(budget.reserve(COST))
        await asyncio.sleep(0)
        waits = not third.done()
        budget.settle(COST, None)
        return waits, await third

    assert asyncio.run(third_waits()) == (True, True)
