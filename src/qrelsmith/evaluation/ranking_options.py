"""Parameters of commands about rankings: label sets and runs, a campaign, or scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, PythonOnly, Source, Working
from qrelsmith.evaluation.answer_options import AnswerVoices, are_of_answers
from qrelsmith.evaluation.common_topics import Common, Empty
from qrelsmith.judgments.label_options import is_campaign
from qrelsmith.judgments.run_options import (
    LabelSetChoice,
    ScoringOptions,
    TopicScope,
    files_by_name,
    run_words,
)

if TYPE_CHECKING:
    from qrelsmith.evaluation import ScoreMatrix

QRELS = Option("Qrels file; repeat the option to compare label sets. Every FILE is then a run.",
               file=True, many=True)  # fmt: skip
SCORES = Option(
    "File of scores, as for `significance`, instead of qrels and runs.", file=True, many=False
)
# Scoring options, which do not apply to ready-made scores.
_SCORING = ("order", "gains", "scale", "off_scale", "condensed")

POPULATION = "Population to which the interval generalises: similar topics or similar systems."

Gmax = Annotated[float | None, PythonOnly("Deprecated: use scale.")]
EmptyTopics = Annotated[
    Empty,
    Option("Treatment of topics without relevant docs: their scores are 0, or they are left out."),
]  # fmt: skip


class OneRanking(ScoringOptions, TopicScope, Working, AnswerVoices, total=False):
    """Scoring options for one label set, and the topics."""


class RankingScope(OneRanking, total=False):
    """Scoring options for several label sets, and the topics."""

    common: Annotated[
        Common,
        Option("Compare two label sets on the topics with labels in both sets, or on the topics"
            " with labels in all sets.",
               default="pair", was={"common": {"pairs": "pair"}}),
    ]  # fmt: skip
    label_set: LabelSetChoice


def ranking_source(
    metavar: str, *, required: bool = False, needed: bool = True, **beside: Option
) -> Source:
    """Return the input parameter of a command about rankings: QRELS RUN..., a campaign or scores.

    Parameters
    ----------
    metavar : str
        The name of the argument in the help text.
    required, needed : bool
        Whether an argument is required; whether labels and runs are required.
    beside : Option
        Names of further options: `qrels` (label sets), `scores`.
    """

    def take(words: Sequence[str], options: dict[str, Any]) -> Mapping[str, Any]:
        return ranking_words(words, options, needed=needed)

    text = (
        "Qrels, or a campaign."
        if required
        else "Qrels, label sets by name, a campaign, or scores in place of labels and runs:"
        " matrices, an Evaluation, or these by name. The first label set is the reference."
    )
    return Source(
        text, metavar, take, required=required, beside=beside,
    )  # fmt: skip


def ranking_words(
    words: Sequence[str], options: dict[str, Any], *, needed: bool = True
) -> dict[str, Any]:
    """Parse a campaign folder, QRELS RUN..., runs with label sets, or scores.

    Raises
    ------
    UsageError
        If no label set or run is given, or a file is named twice.
    """
    label_sets, scores = options.pop("qrels", ()), options.pop("scores", ())
    chosen = options.pop("label_set", ())
    if scores:
        return {"labels": _scores(scores, options, beside=bool(words or label_sets or chosen))}
    files = [*words[:1], *run_words(words[1:])]
    if files:
        run_words(files[:1])  # checks that the path exists
    names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    folder = len(files) == 1 and Path(files[0]).is_dir()
    if folder and not (is_campaign(files[0]) or label_sets or names):
        from qrelsmith.campaign.campaign import read_campaign

        read_campaign(files[0])  # the error says what is missing
    if files and not label_sets and is_campaign(files[0]):
        told = {"label_set": chosen} if chosen else {}
        return {"labels": files[0], "runs": files[1:] or None, **told}
    if not (needed or files or names or label_sets):
        return {}
    named = [*label_sets, *names]
    named, runs = (named, run_words(files)) if named else (files[:1], files[1:])
    if named and not runs and are_about_answers(options):
        return {"labels": files_by_name(named)}
    if not named or not runs:
        raise UsageError("expected QRELS RUN... or a campaign folder")
    return {"labels": files_by_name(named), "runs": runs}


def are_about_answers(options: Mapping[str, Any]) -> bool:
    """Return whether options name files or measures of answers."""
    measures = options.get("measures") or ()
    names = [measures] if isinstance(measures, str) else measures
    return any(options.get(name) for name in ("aspect", "aspects", "answers")) or (
        bool(names) and are_of_answers([str(name) for name in names])
    )


def says_how_scored(scope: Mapping[str, Any]) -> bool:
    """Return whether any scoring option differs from its default."""
    plain = (None, False, "trec", "error")
    return any(scope[name] not in plain for name in _SCORING)


def _scores(
    scores: str | Sequence[str], options: Mapping[str, Any], *, beside: bool
) -> dict[str, tuple[ScoreMatrix, ...]]:
    from qrelsmith.evaluation.score_files import read_scores

    if beside or options.get("ordering"):
        raise UsageError("--scores cannot be used with labels, runs or --ordering")
    if any(name in options for name in _SCORING):
        raise UsageError(
            "--order, --gains, --scale, --off-scale and --condensed apply only "
            "when runs are scored, so they cannot be used with --scores"
        )
    paths = [scores] if isinstance(scores, str) else scores
    return {name: read_scores(path) for name, path in files_by_name(paths).items()}
