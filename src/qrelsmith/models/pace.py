"""The pace of requests: as fast as the endpoint answers, and one pause for all where it refuses."""

from __future__ import annotations

import math
from collections import deque

# Answers over which the endpoint's own pace is measured.
_COUNTED = 32
# A refusal takes the pace to so much, further down if few answers came since the last one; it is
# found again after a number of answers, a larger one where a wait costs more of them.
_CUT, _HARD_CUT, _FEW = 0.95, 0.8, 40
_FEWEST, _MOST = 50, 200
_FASTEST = 0.1  # what one answer adds at most
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 30.0
# So often in a row "come again at once" is believed.
_AT_ONCE = 16


class RequestPace:
    """When the next request may leave, by what the endpoint answers and refuses (429).

    Without a refusal there is no limit. A refusal is for all: nobody sends before the endpoint said
    that one may come again, or, where it says nothing, before a wait that doubles while it answers
    nobody. From then on requests leave one by one, a little slower than answers came before, and
    faster with each answer until it refuses again (additive increase, multiplicative decrease, as
    senders do in networks). Moments are seconds of one clock, which is the caller's.
    """

    def __init__(self) -> None:
        self._rate = math.inf
        self._next = -math.inf
        self._cut_at = -math.inf
        self._since_cut = self._in_a_row = self._at_once = 0
        self._period = float(_FEWEST)
        self._answers: deque[float] = deque(maxlen=_COUNTED)

    def wait(self, now: float) -> float:
        """Return the seconds until a request may leave."""
        return max(0.0, self._next - now)

    def take_turn(self, now: float) -> None:
        """Note that a request leaves."""
        interval = 1.0 / self._rate
        # Who came a little late does not make all later ones late.
        self._next = max(self._next, now - interval) + interval

    def take_answer(self, now: float) -> None:
        """Return a request was answered."""
        self._answers.append(now)
        self._in_a_row = self._at_once = 0
        self._since_cut += 1
        growth = (1.0 - _CUT) * 4.0 * self._since_cut**3 / self._period**4
        self._rate *= 1.0 + min(growth, _FASTEST)

    def take_refusal(self, now: float, *, sent: float, after: float | None) -> None:
        """Return a request was told to come again later.

        Parameters
        ----------
        now, sent : float
            The moment, and that at which the request left.
        after : float, optional
            How many seconds the endpoint asks for.
        """
        if after == 0 and self._at_once < _AT_ONCE:
            self._at_once += 1
            return
        # Those that were under way when the pace was cut tell no more than when to come again.
        is_new = sent >= self._cut_at
        self._in_a_row += is_new
        doubled = _FIRST_WAIT * 2.0 ** min(max(self._in_a_row - 1, 0), 10)
        wait = after or min(doubled, _LONGEST_WAIT)
        if is_new:
            self._cut(now, wait)
        self._next = max(self._next, now + wait)

    def _cut(self, now: float, wait: float) -> None:
        """Slow down, the first time to what has been answered so far.

        Where nothing was answered since the last time, the wait was too short, not the pace high.
        """
        if math.isinf(self._rate):
            if len(self._answers) > 1:
                self._rate = len(self._answers) / max(now - self._answers[0], 1e-3)
        elif self._since_cut:
            self._rate *= _CUT if self._since_cut > _FEW else _HARD_CUT
        missed = 0.0 if math.isinf(self._rate) else 10.0 * wait * self._rate
        self._period = min(max(missed, float(_FEWEST)), float(_MOST))
        self._since_cut, self._cut_at = 0, now
