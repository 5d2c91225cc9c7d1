"""A batch of synthetic annotations as the content of files: judgments and true preferences."""

from __future__ import annotations

import numpy as np

from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.planning.simulation import SyntheticBatch, all_tests

_TRUTH = "simulated-truth"


def batch_judgments(batch: SyntheticBatch, levels: int) -> Judgments:
    """Return the grades of every assessor on a scale of 0 … levels − 1."""
    grades = batch.grades(levels)
    who, topic, doc = (place.ravel() for place in np.indices(grades.shape))
    return Judgments.from_columns(
        {
            "topic": [_topic(batch, place) for place in topic.tolist()],
            "doc": [_doc(place) for place in doc.tolist()],
            "assessor": [f"simulated-{place + 1:03d}" for place in who.tolist()],
            "grade": grades.ravel().tolist(),
        }
    )


def batch_preferences(batch: SyntheticBatch) -> Preferences:
    """Return preferences by the true relevance, for every pair of docs of a topic."""
    tests = all_tests(batch.truth)
    return Preferences.from_rows(
        (_topic(batch, topic), _doc(left), _doc(right), int(outcome), _TRUTH)
        for topic, left, right, outcome in zip(
            tests.topics.tolist(),
            tests.left.tolist(),
            tests.right.tolist(),
            tests.outcomes.tolist(),
            strict=True,
        )
    )


def _topic(batch: SyntheticBatch, place: int) -> str:
    return f"t{batch.topics[place] + 1:06d}"


def _doc(place: int) -> str:
    return f"d{place + 1:03d}"
