"""Qrels × runs × measures → scores. What a missing topic counts for is decided here, once."""

from qrelsmith.evaluation.evaluate import evaluate
from qrelsmith.evaluation.notes import TopicRule
from qrelsmith.evaluation.scores import ALL_TOPICS, Evaluation, ScoreMatrix

__all__ = ["ALL_TOPICS", "Evaluation", "ScoreMatrix", "TopicRule", "evaluate"]
