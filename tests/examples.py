"""How many examples hypothesis draws, in a test with a number of its own and in all others.

Examples are drawn anew in every run: what one run misses, the next ones may find. `dev.py test`
draws half of what is written at a test, `dev.py full` twice as many.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

USUAL = 20
EXAMPLES = int(os.environ.get("QRELSMITH_EXAMPLES", USUAL // 2))


def examples(count: int, **more: Any) -> settings:
    """Return settings for about so many examples, without a deadline."""
    return settings(max_examples=max(count * EXAMPLES // USUAL, 1), deadline=None, **more)
