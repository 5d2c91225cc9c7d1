"""The number of examples drawn by hypothesis, for tests with their own number and for all others.

New examples are drawn in every run, so later runs may find errors that one run misses. `dev.py
test` draws half of the number given at a test, `dev.py full` twice that number.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

USUAL = 20
EXAMPLES = int(os.environ.get("QRELSMITH_EXAMPLES", USUAL // 2))


def examples(count: int, **more: Any) -> settings:
    """Return settings for about the given number of examples, without a deadline."""
    return settings(max_examples=max(count * EXAMPLES // USUAL, 1), deadline=None, **more)
