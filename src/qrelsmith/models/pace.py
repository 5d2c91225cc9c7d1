"""The rate of requests: as fast as the endpoint answers, with a common pause after refusals."""

from __future__ import annotations

import math
from collections import deque

# Number of answers over which the endpoint's own rate is measured.
_COUNTED = 32
# A refusal multiplies the rate by _CUT, or by _HARD_CUT if few answers came since the last refusal.
# The rate recovers after a number of answers, which is larger if a wait costs more answers.
_CUT, _HARD_CUT, _FEW = 0.95, 0.8, 40
_FEWEST, _MOST = 50, 200
_FASTEST = 0.1  # maximum relative increase per answer
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 30.0
# Maximum number of consecutive retries without a wait, if the endpoint asks for them.
_AT_ONCE = 16


class RequestPace:
    """A rate limiter that adapts to the endpoint's answers and refusals (429).

    Without a refusal there is no limit. A refusal applies to all requests: no request is sent
    before the time that the endpoint names. If the endpoint names no time, the wait doubles until
    an answer comes. After the wait, requests are sent one by one, slightly slower than earlier
    answers arrived. The rate rises with each answer until the next refusal (additive increase,
    multiplicative decrease, as in network congestion control). Times are seconds of the caller's
    clock.
    """

    def __init__(self) -> None:
        self._rate = math.inf
        self._next = -math.inf
        self._cut_at = -math.inf
        self._since_cut = self._in_a_row = self._at_once = 0
        self._period = float(_FEWEST)
        self._answers: deque[float] = deque(maxlen=_COUNTED)

    def wait(self, now: float) -> float:
        """Return the seconds until a request may be sent."""
        return max(0.0, self._next - now)

    def take_turn(self, now: float) -> None:
        """Record that a request is sent."""
        interval = 1.0 / self._rate
        # One slightly late request does not delay all later ones.
        self._next = max(self._next, now - interval) + interval

    def take_answer(self, now: float) -> None:
        """Record an answer."""
        self._answers.append(now)
        self._in_a_row = self._at_once = 0
        self._since_cut += 1
        growth = (1.0 - _CUT) * 4.0 * self._since_cut**3 / self._period**4
        self._rate *= 1.0 + min(growth, _FASTEST)

    def take_refusal(self, now: float, *, sent: float, after: float | None) -> None:
        """Record a refusal.

        Parameters
        ----------
        now, sent : float
            The current time, and the time at which the request was sent.
        after : float, optional
            Seconds to wait, if the endpoint gives them.
        """
        if after == 0 and self._at_once < _AT_ONCE:
            self._at_once += 1
            return
        # Refusals of requests sent before the last reduction only determine when to retry.
        is_new = sent >= self._cut_at
        self._in_a_row += is_new
        doubled = _FIRST_WAIT * 2.0 ** min(max(self._in_a_row - 1, 0), 10)
        wait = after or min(doubled, _LONGEST_WAIT)
        if is_new:
            self._cut(now, wait)
        self._next = max(self._next, now + wait)

    def _cut(self, now: float, wait: float) -> None:
        """Reduce the rate; the first reduction is to the rate of the answers so far.

        If no answer arrived since the last reduction, the wait was too short: the rate does not
        change.
        """
        if math.isinf(self._rate):
            if len(self._answers) > 1:
                self._rate = len(self._answers) / max(now - self._answers[0], 1e-3)
        elif self._since_cut:
            self._rate *= _CUT if self._since_cut > _FEW else _HARD_CUT
        missed = 0.0 if math.isinf(self._rate) else 10.0 * wait * self._rate
        self._period = min(max(missed, float(_FEWEST)), float(_MOST))
        self._since_cut, self._cut_at = 0, now
