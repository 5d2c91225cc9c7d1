"""Rankings without ties."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence


def orders(scores: Sequence[float]) -> Iterator[list[int]]:
    """Yield every ranking, best first, that results from some way of breaking the ties."""
    groups = [
        [i for i, s in enumerate(scores) if s == value]
        for value in sorted(set(scores), reverse=True)
    ]
    for choice in itertools.product(*[itertools.permutations(group) for group in groups]):
        yield list(itertools.chain(*choice))
