"""Scores of runs against qrels. Only this package decides how missing topics are treated."""

from qrelsmith.evaluation.notes import MissingTopics
from qrelsmith.evaluation.score_matrix import ALL_TOPICS, ScoreMatrix
from qrelsmith.evaluation.score_runs import score_runs
from qrelsmith.evaluation.scores import Evaluation

__all__ = ["ALL_TOPICS", "Evaluation", "MissingTopics", "ScoreMatrix", "score_runs"]
