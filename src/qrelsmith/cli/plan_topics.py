"""`qrelsmith plan topics`."""

from __future__ import annotations

import re
from typing import Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.cli.options import Common, Finite, common_options, label_set_option, topic_set_option
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import reference_option, scores_of_files, sources
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import ScoringOptions, scoring_options
from qrelsmith.rankings.topic_set_size import kinds

_PAGE = "topics.html"
_RANGE = re.compile(r"(\d{1,8})(?:\.\.(\d{1,8})(?::(\d{1,8}))?)?")
_Positive = Finite(min=0, min_open=True)
_Share = Finite(0, 1, min_open=True, max_open=True)


@click.command(
    name="topics",
    short_help="How many topics a collection needs.",
    epilog="Example: qrelsmith plan topics --variance 0.0284 --difference 0.1",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[CAMPAIGN|QRELS RUN...]",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--variance", type=Finite(min=0), multiple=True,
    help="The residual variance of the scores (V_E2); repeat for more.",
)  # fmt: skip
@click.option(
    "--scores", type=click.Path(), help="Scores to take the variance of, as for significance."
)
@click.option(
    "--test", type=click.Choice(kinds()), multiple=True, default=("anova",),
    show_default=True, help="What the topics are for: a test, or an interval; repeat for more.",
)  # fmt: skip
@click.option(
    "--difference", type=_Positive, multiple=True,
    help="A difference to detect; repeat for more.",
)  # fmt: skip
@click.option(
    "--width", type=_Positive, multiple=True,
    help="With an interval: how wide it may be, from end to end; repeat for more.",
)  # fmt: skip
@click.option(
    "--systems", type=click.IntRange(min=2), default=2, show_default=True,
    help="How many systems are compared (anova).",
)  # fmt: skip
@click.option(
    "--alpha", type=_Share, default=0.05, show_default=True,
    help="The level of significance; an interval has the level 1 - alpha.",
)  # fmt: skip
@click.option(
    "--power", type=_Share, default=0.8, show_default=True,
    help="The probability with which the difference is to be found.",
)  # fmt: skip
@click.option(
    "--topics", "counts", multiple=True, metavar="N",
    help="Look at these numbers of topics: 50, or 10..200, or 10..200:10; repeat for more.",
)  # fmt: skip
@label_set_option
@reference_option
@topic_set_option
@click.option(
    "--figure", type=click.Path(), metavar="FOLDER",
    help="Draw power over the number of topics into this folder, as SVG.",
)  # fmt: skip
@scoring_options
@common_options
def topics(
    common: Common,
    scoring: ScoringOptions,
    files: tuple[str, ...],
    scores: str | None,
    counts: tuple[str, ...],
    label_set: str | None,
    topic_set: str | None,
    figure: str | None,
    **options: Any,
) -> None:
    """How many topics a collection needs so that a difference is found, or known well enough.

    Columns: measure, test, systems, alpha, variance, target (the difference or width), topics (the
    smallest number that is enough, of each system), power, reached (the smallest difference found
    with --power, or the expected width). The variance is given, or is the residual variance of the
    two-way analysis of scores: of QRELS and runs with -m, or of --scores. With --topics a row for
    each number of topics, whether they are enough or not.
    """
    from qrelsmith.rankings.plan_topics import plan_topics
    from qrelsmith.rankings.topic_plan_report import topic_plan_report
    from qrelsmith.report import check_dependencies, check_folder, write_report

    wanted = _counts(counts)
    if figure is not None:
        check_dependencies()
        check_folder(figure)
    labels: object = None
    runs = None
    chosen: list[str] | None = [] if label_set is None else [label_set]
    if scores is not None:
        labels = scores_of_files([scores], scoring, beside=bool(files))
    elif files:
        labels, runs, chosen = sources(files, chosen or [])
    elif scoring.says_how():
        raise click.UsageError("options say how runs are scored; expected QRELS RUN...")
    with progress("evaluating", None, quiet=common.quiet) as advance:
        plan = plan_topics(
            labels,
            runs,
            scoring.measures,
            topics=wanted,
            label_set=chosen[0] if chosen else None,
            topic_set=topic_set,
            jobs=common.jobs,
            advance=advance,
            **scoring.keywords,
            **options,
        )
    if figure is not None:
        inputs = [path for path in (*files, scores, topic_set) if path is not None]
        write_report(topic_plan_report(plan, inputs=inputs), figure, page=_PAGE)
        common.say([f"the figure is in {figure}"])
    common.say(plan.notes)
    common.emit(plan.table())


def _counts(texts: tuple[str, ...]) -> list[int]:
    """Numbers of topics, each once, ascending."""
    counts: set[int] = set()
    for text in texts:
        match = _RANGE.fullmatch(text)
        first, last, step = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
        if first < 2 or (last and last < first) or (match and match[3] and not step):
            raise UsageError(
                f"--topics {quoted(text)}; expected a number from 2 on, or a range such as 10..200"
                " or 10..200:10"
            )
        counts.update(range(first, (last or first) + 1, step or 1))
    return sorted(counts)
