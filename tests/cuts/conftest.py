"""Artificial labels: HITs of some size, missing labels, docs without target."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from qrelsmith.cuts import TopicLabels


def random_topic(
    seed: int,
    *,
    docs: int = 12,
    levels: int = 7,
    hits: int = 8,
    size: int = 4,
    targets: int = 3,
    real: bool = False,
) -> TopicLabels:
    """Return labels of a topic; some docs have no label, one label or no target."""
    rng = np.random.default_rng(seed)
    grade: list[float] = []
    doc: list[int] = []
    unit: list[int] = []
    for hit in range(hits):
        for one in rng.choice(docs, size=min(int(rng.integers(1, size + 1)), docs), replace=False):
            grade.append(float(rng.integers(0, levels)) + (rng.random() if real else 0.0))
            doc.append(int(one))
            unit.append(hit)
    target = np.where(rng.random(docs) < 0.85, rng.integers(0, targets, docs), np.nan)
    return TopicLabels.of(grade, doc, unit, docs=docs, target=target)


@pytest.fixture(scope="session")
def topic() -> Callable[..., TopicLabels]:
    return random_topic
