"""`qrelsmith plan topics`."""

from __future__ import annotations

import re

import click

from qrelsmith.analyses.compared_sets import compared_sets
from qrelsmith.analyses.scored_sets import scored_sets, scores_of
from qrelsmith.analyses.scoring import Scoring
from qrelsmith.analyses.topic_set_size import (
    Aim,
    Variance,
    kinds,
    topic_curves,
    topic_plan,
    variance_of,
)
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.ranking_sources import scores_of_files, sources
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import ScoringOptions, scoring_options
from qrelsmith.content import NamedTable, Report, Section
from qrelsmith.data.manifest import manifest_for, manifest_text
from qrelsmith.data.text import FilePath
from qrelsmith.errors import UsageError, quoted
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.report import check_dependencies, check_folder, write_report
from qrelsmith.stats.design.power import POWERS
from qrelsmith.tables import Table

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
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...]",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--variance", "numbers", type=Finite(min=0), multiple=True,
    help="The residual variance of the scores (V_E2); repeat for more.",
)  # fmt: skip
@click.option(
    "--scores", type=click.Path(), help="Scores to take the variance of, as for significance."
)
@click.option(
    "--test", "tests", type=click.Choice(kinds()), multiple=True, default=("anova",),
    show_default=True, help="What the topics are for: a test, or an interval; repeat for more.",
)  # fmt: skip
@click.option(
    "--difference", "differences", type=_Positive, multiple=True,
    help="A difference to detect; repeat for more.",
)  # fmt: skip
@click.option(
    "--width", "widths", type=_Positive, multiple=True,
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
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@click.option(
    "--figure", type=click.Path(), metavar="FOLDER",
    help="Draw power over the number of topics into this folder, as SVG and PDF.",
)  # fmt: skip
@scoring_options
@common_options
def topics(
    common: Common,
    scoring: ScoringOptions,
    files: tuple[str, ...],
    numbers: tuple[float, ...],
    scores: str | None,
    tests: tuple[str, ...],
    differences: tuple[float, ...],
    widths: tuple[float, ...],
    systems: int,
    alpha: float,
    power: float,
    counts: tuple[str, ...],
    topic_set: str | None,
    figure: str | None,
) -> None:
    """How many topics a collection needs so that a difference is found, or known well enough.

    Columns: measure, test, systems, alpha, variance, target (the difference or width), topics (the
    smallest number that is enough, of each system), power, reached (the smallest difference found
    with --power, or the expected width). The variance is given, or is the residual variance of the
    two-way analysis of scores: of QRELS and runs with -m, or of --scores. With --topics a row for
    each number of topics, whether they are enough or not.
    """
    aims = _aims(tests, differences, widths, systems, alpha, power)
    wanted = _counts(counts)
    if figure is not None:
        check_dependencies()
        check_folder(figure)
    variances = _variances(numbers, files, scores, topic_set, scoring, common)
    table = topic_plan(variances, aims, topics=wanted)
    if figure is not None:
        inputs = [path for path in (*files, scores, topic_set) if path is not None]
        _draw(variances, aims, table, figure, inputs)
        common.say([f"the figure is in {figure}"])
    common.emit(table)


def _aims(
    tests: tuple[str, ...],
    differences: tuple[float, ...],
    widths: tuple[float, ...],
    systems: int,
    alpha: float,
    power: float,
) -> list[Aim]:
    """Each test with each of its targets."""
    aims = []
    for test in dict.fromkeys(tests):
        is_test = test in POWERS.names()
        targets = differences if is_test else widths
        if not targets:
            option = "--difference" if is_test else "--width"
            raise click.UsageError(f"{test} needs {option}")
        aims += [Aim(test, target, systems, alpha, power) for target in dict.fromkeys(targets)]
    unused = ("--width", widths) if all(not aim.is_interval for aim in aims) else None
    if all(aim.is_interval for aim in aims):
        unused = ("--difference", differences)
    if unused is not None and unused[1]:
        raise click.UsageError(f"{unused[0]} is for none of {', '.join(tests)}")
    return aims


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


def _variances(
    numbers: tuple[float, ...],
    files: tuple[str, ...],
    scores: str | None,
    topic_set: str | None,
    scoring: ScoringOptions,
    common: Common,
) -> list[Variance]:
    if numbers:
        if files or scores is not None or scoring.named or topic_set is not None:
            raise click.UsageError("either --variance or scores to take it of, not both")
        return [Variance("", number) for number in dict.fromkeys(numbers)]
    if not files and scores is None:
        raise click.UsageError("expected --variance, QRELS RUN..., or --scores FILE")
    matrices = _matrices(files, scores, topic_set, scoring, common)
    variances = [variance_of(matrix) for matrix in matrices]
    systems, topics = len(matrices[0].systems), len(matrices[0].topics)
    common.say([f"variance of {systems} systems on {topics} topics"])
    return variances


def _matrices(
    files: tuple[str, ...],
    scores: str | None,
    topic_set: str | None,
    scoring: ScoringOptions,
    common: Common,
) -> list[ScoreMatrix]:
    """The scores of each measure."""
    if scores is not None:
        named = scores_of_files([scores], scoring, beside=bool(files))
        found = scores_of(named, scoring.measures, topic_set=topic_set)
    else:
        labels, runs, _ = sources(files, ())
        compared = compared_sets(
            labels, runs, scoring.measures, Scoring(**scoring.keywords), which="reference",
            topic_set=topic_set,
        )  # fmt: skip
        found = scored_sets(compared, jobs=common.jobs)
    if found is None:
        raise click.UsageError("expected QRELS RUN..., or --scores FILE")
    common.say(found.notes)
    (name,), (chosen,) = found.names, found.topics.set_names
    return [found.beside_reference(name, measure, topic_set=chosen) for measure in found.measures]


def _draw(
    variances: list[Variance], aims: list[Aim], table: Table, folder: FilePath, inputs: list[str]
) -> None:
    """Write the curves with their table as a report."""
    manifest = manifest_for(
        ("qrelsmith", "plan", "topics"),
        parameters={
            "variances": [[variance.measure, variance.value] for variance in variances],
            "aims": [[aim.test, aim.target, aim.systems, aim.alpha, aim.power] for aim in aims],
        },
        inputs=inputs,
    )
    section = Section(
        key="topics",
        title="How many topics",
        tables=(NamedTable("topic-set-size", "What numbers of topics are good for", table),),
        figures=(topic_curves(variances, aims),),
    )
    report = Report(
        title="Topic set size",
        subtitle=", ".join(f"{aim.test} {aim.target:g}" for aim in aims),
        notices=(),
        sections=(section,),
        manifest=manifest_text(manifest),
        kind="Plan of a test collection",
    )
    write_report(report, folder, page=_PAGE)
