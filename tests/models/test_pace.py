"""The rate of requests to endpoints that refuse some, on a simulated clock."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import pytest

from qrelsmith.models.pace import RequestPace


@dataclass
class Bucket:
    """An endpoint that accepts `rate` requests per second, and `burst` at once after a pause."""

    rate: float
    burst: float
    after: float | None
    level: float = field(init=False)
    last: float = 0.0

    def __post_init__(self) -> None:
        self.level = self.burst

    def takes(self, now: float) -> bool:
        self.level = min(self.burst, self.level + (now - self.last) * self.rate)
        self.last = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


def asked(bucket: Bucket, *, at_once: int, requests: int, latency: float) -> tuple[float, int]:
    """Return the seconds until all requests are answered, and the number of refusals."""
    pace, now, free, left, answered, refused = RequestPace(), 0.0, at_once, requests, 0, 0
    under_way: list[tuple[float, int, bool, float]] = []
    while answered < requests:
        leaves = now + pace.wait(now)
        if free and left and (not under_way or leaves <= under_way[0][0]):
            now, free, left = leaves, free - 1, left - 1
            pace.take_turn(now)
            number = requests - left + refused
            heapq.heappush(under_way, (now + latency, number, bucket.takes(now), now))
            continue
        now, _, is_taken, sent = heapq.heappop(under_way)
        free += 1
        if is_taken:
            answered += 1
            pace.take_answer(now)
        else:
            refused, left = refused + 1, left + 1
            pace.take_refusal(now, sent=sent, after=bucket.after)
    return now, refused


@pytest.mark.parametrize("at_once", [8, 64])
@pytest.mark.parametrize("after", [0.05, None])
@pytest.mark.parametrize(("rate", "burst"), [(100, 25), (25, 6), (10, 10)])
def test_nearly_the_whole_rate_of_an_endpoint_is_used(
    rate: float, burst: float, after: float | None, at_once: int
) -> None:
    seconds, _ = asked(Bucket(rate, burst, after), at_once=at_once, requests=1000, latency=0.02)
    assert 1000 / seconds > 0.9 * rate


def test_without_refusals_there_is_no_waiting() -> None:
    seconds, refused = asked(Bucket(1e9, 1e9, None), at_once=8, requests=800, latency=0.02)
    assert (seconds, refused) == (pytest.approx(2.0), 0)


def test_no_request_is_sent_before_the_time_named_by_the_endpoint() -> None:
    pace = RequestPace()
    pace.take_turn(0.0)
    pace.take_refusal(1.0, sent=0.0, after=30.0)
    pace.take_refusal(1.1, sent=0.0, after=2.0)
    assert pace.wait(1.2) == pytest.approx(29.8)


def test_a_silent_endpoint_gets_ever_fewer_requests_until_it_answers() -> None:
    pace, now, waits = RequestPace(), 0.0, []
    for _ in range(9):
        pace.take_turn(now)
        pace.take_refusal(now, sent=now, after=None)
        waits.append(pace.wait(now))
        now += waits[-1]
    assert waits == [0.25, 0.5, 1, 2, 4, 8, 16, 30, 30]
    pace.take_answer(now)
    pace.take_refusal(now, sent=now, after=None)
    assert pace.wait(now) == 0.25


def test_an_immediate_retry_time_is_trusted_for_a_while() -> None:
    pace = RequestPace()
    for _ in range(16):
        pace.take_refusal(0.0, sent=0.0, after=0.0)
    assert pace.wait(0.0) == 0.0
    pace.take_refusal(0.0, sent=0.0, after=0.0)
    assert pace.wait(0.0) == 0.25
