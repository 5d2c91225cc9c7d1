"""Command parameters for measures of answers, and a check whether measures score answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option
from qrelsmith.evaluation.measures import MEASURES, is_of_answers


class AnswerFiles(TypedDict, total=False):
    """Parameters for the files of answers and of aspects."""

    aspects: Annotated[
        Any,
        Option("File with the aspects (nuggets, rubrics, criteria) for measures of answers.",
               metavar="FILE", file=True, many=False),
    ]  # fmt: skip
    answers: Annotated[
        Any,
        Option("File with systems' answers, including sentences and citations; repeatable.",
               metavar="FILE", file=True, many=True),
    ]  # fmt: skip


class AnswerVoices(AnswerFiles, total=False):
    """Parameters for files of answers, and for combining several grades of one aspect."""

    aggregation: Annotated[
        str,
        Option("For answers: aggregation of several assessors' grades of an aspect, as in"
            " `aggregate`.", default="median", metavar="NAME"),
    ]  # fmt: skip
    one_voice: Annotated[
        str | None,
        Option("For answers: a group whose assessors count as one assessor, such as a group of"
            " models.",
               metavar="GROUP"),
    ]  # fmt: skip


def are_of_answers(measures: Sequence[str]) -> bool:
    """Return whether measures score answers, not rankings of docs.

    Raises
    ------
    UsageError
        If answer measures and doc measures are mixed.
    """
    of_answers = [name for name in measures if is_of_answers(MEASURES.get(name))]
    if of_answers and len(of_answers) < len(measures):
        other = next(name for name in measures if name not in of_answers)
        raise UsageError(
            f"{of_answers[0]} scores answers, but {other} scores rankings of docs; "
            "expected measures of one kind"
        )
    return bool(of_answers)
