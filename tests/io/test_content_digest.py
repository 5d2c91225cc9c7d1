"""Digests of objects depend on their content, not on its source."""

from __future__ import annotations

import numpy as np

from qrelsmith import Judgments, Qrels, Run, ScoreMatrix
from qrelsmith.pairs.preferences import Preferences


def test_equal_content_has_the_same_digest_whatever_its_order_and_name() -> None:
    one = Qrels.from_rows([("1", "a", 2.0), ("2", "b", 0.0)], name="x")
    other = Qrels.from_rows([("2", "b", 0.0), ("1", "a", 2.0)], name="y")
    assert one.digest() == other.digest()
    scores = {"1": {"a": 1.0, "b": 2.0}, "2": {"c": 1.0}}
    turned = {topic: scores[topic] for topic in reversed(scores)}
    assert Run.from_dict(scores).digest() == Run.from_dict(turned).digest()
    judged = {"topic": ["1", "2"], "doc": ["a", "b"], "assessor": ["x", "x"], "grade": [1, 2]}
    back = {name: values[::-1] for name, values in judged.items()}
    assert Judgments.from_columns(judged).digest() == Judgments.from_columns(back).digest()
    # The order of answers is part of a log.
    answers = [("1", "a", "b", 1, "x"), ("2", "a", "b", 0, "")]
    log = Preferences.from_rows(answers).digest()
    assert log == Preferences.from_rows(list(answers)).digest()
    assert log != Preferences.from_rows(answers[::-1]).digest()
    values = np.array([[0.1, 0.2], [0.3, 0.4]])
    matrix = ScoreMatrix("AP", ("b", "a"), ("1", "2"), values)
    assert matrix.digest() == ScoreMatrix("AP", ("a", "b"), ("1", "2"), values[::-1]).digest()


def test_different_content_has_a_different_digest() -> None:
    digests = [
        Qrels.from_dict(grades).digest()
        for grades in ({}, {"1": {"a": 1}}, {"1": {"a": 2}}, {"1": {"b": 1}}, {"2": {"a": 1}})
    ]
    digests += [Run.from_dict({"1": {"a": 1.0}}, name=name).digest() for name in ("x", "y")]
    base = {"topic": ["1"], "doc": ["a"], "assessor": ["x"], "grade": [1]}
    for more in ({}, {"note": ["why"]}, {"judged_at": ["2026-01-01T00:00:00Z"]}):
        digests.append(Judgments.from_columns({**base, **more}).digest())
    assert len(set(digests)) == len(digests)
    assert all(len(digest) == 64 for digest in digests)
