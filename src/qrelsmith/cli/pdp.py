"""`qrelsmith pdp`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import click

from qrelsmith.analyses.label_pdp import CodedTests, GradedDocs
from qrelsmith.analyses.label_transforms import of_group
from qrelsmith.analyses.pdp_rows import mean_row, topic_rows
from qrelsmith.cli.options import Common, common_options, parse_scale, scale_options
from qrelsmith.cli.pdp_notes import left_out, thinnest
from qrelsmith.cli.run_files import read_runs
from qrelsmith.data.grade_matrices import read_matrix, write_matrix
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.preferences import Preferences, read_preferences
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set, restricted_judgments
from qrelsmith.data.writing import together
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.errors import InputError, ShapeError, UndefinedError
from qrelsmith.preferences import GradeMatrix, Mode, PreferenceTests, Smoothing, Strength, Untested
from qrelsmith.preferences.grade_matrix import PAPER_CLIP
from qrelsmith.rng import rng_for
from qrelsmith.scales import Scale, assumed_note
from qrelsmith.tables import Cell, Table

_RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class _Tested:
    """How preferences are read; None where the option was not given."""

    smoothing: Smoothing | None
    untested: Untested | None
    sign: Literal["negative-left", "positive-left"] | None
    strength: Strength | None
    batches: Literal["assessors", "all"] | None


@click.command(
    name="pdp",
    epilog="Example: qrelsmith pdp nist.qrels --preferences crowd.prefs --runs runs/ --depth 5",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--preferences", type=click.Path(), multiple=True,
    help="A file of preferences that tell how docs of two grades compare; repeat for more.",
)  # fmt: skip
@click.option(
    "--grade-matrix", type=click.Path(),
    help="In place of preferences: CSV without header, the cell in row i and column j is the"
    " probability that a doc of the i-th level from the lowest is preferred to one of the j-th.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["individual", "aggregate"]), default="individual",
    show_default=True, help="Compare docs assessor by assessor, or by their median grades.",
)  # fmt: skip
@click.option(
    "--paper", is_flag=True,
    help="As the authors' program: no smoothing, doc-level matrix clipped to [0.01, 0.99].",
)  # fmt: skip
@click.option(
    "--runs", type=click.Path(), multiple=True, metavar="RUN",
    help="A run, or a folder of runs: the docs are the first graded ones of each run. Repeat for"
    " more.",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), default=5, show_default=True,
    help="How many docs of each run.",
)  # fmt: skip
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@click.option("--write-grade-matrix", type=click.Path(), help="Write the grade matrix here.")
@click.option(
    "--untested", type=click.Choice(["error", "half", "interpolate"]),
    help="What is taken for a pair of grades that no preference compares.  [default: error]",
)  # fmt: skip
@click.option(
    "--smoothing", type=click.Choice(["jeffreys", "none", "paper"]),
    help="What is added to the counts behind a cell.  [default: jeffreys]",
)  # fmt: skip
@click.option(
    "--sign", type=click.Choice(["negative-left", "positive-left"]),
    help="What a preference below 0 or above 0 says.  [default: negative-left]",
)  # fmt: skip
@click.option(
    "--strength", type=click.Choice(["sign", "share"]),
    help="Whether -2 and 2 count like -1 and 1, or more.  [default: sign]",
)  # fmt: skip
@click.option(
    "--batches", type=click.Choice(["assessors", "all"]),
    help="A grade matrix for each batch of topics that share assessors, or one for all topics."
    "  [default: assessors]",
)  # fmt: skip
@click.option(
    "--exact-docs", type=click.IntRange(1, 20), default=20, show_default=True,
    help="Up to how many docs a PDP is computed exactly.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(min=2), default=10_000, show_default=True,
    help="Rankings that are sampled for more docs.",
)  # fmt: skip
@click.option(
    "--intervals", is_flag=True,
    help="Add columns low and high: a 95 % interval of the mean, over topics and preferences.",
)  # fmt: skip
@click.option(
    "-B", "--resamples", type=click.IntRange(min=1), default=_RESAMPLES, show_default=True,
    help="Bootstrap samples behind the interval.",
)  # fmt: skip
@click.option("--group", metavar="NAME", help="Only the judgments of this group.")
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@scale_options
@common_options
@together()
def command(
    common: Common,
    files: tuple[str, ...],
    preferences: tuple[str, ...],
    grade_matrix: str | None,
    mode: Mode,
    paper: bool,
    runs: tuple[str, ...],
    depth: int,
    order: str,
    write_grade_matrix: str | None,
    untested: Untested | None,
    smoothing: Smoothing | None,
    sign: Literal["negative-left", "positive-left"] | None,
    strength: Strength | None,
    batches: Literal["assessors", "all"] | None,
    exact_docs: int,
    samples: int,
    intervals: bool,
    resamples: int,
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Pairwise discriminative power: how open the labels leave the ideal ranking of docs.

    From one judgments FILE, or qrels, one FILE per assessor. Columns: topic, docs, pdp, se; the
    mean has the topic `all`. pdp is an entropy in nats, from 0 (one ranking for certain) to ln
    docs! (all alike); lower discriminates more. se is the standard error of sampling, 0 where
    nothing was sampled.

    Without --runs the docs are all graded docs of a topic; with it, the first --depth graded docs
    of each run, and the row of a topic is the mean over the runs. Docs without a grade are left
    out. How many preferences stand behind the thinnest cell is said on stderr. --topic-set keeps
    the preferences of its topics only.
    """
    given = _Tested(_smoothing(smoothing, paper), untested, sign, strength, batches)
    _check(preferences, grade_matrix, given, write_grade_matrix)
    # A grade matrix brings its scale.
    levels = parse_scale(scale, off_scale if grade_matrix is None else "error")
    matrix = None
    if grade_matrix is not None:
        matrix = _given_matrix(
            grade_matrix, levels, mode, clip=PAPER_CLIP if given.smoothing == "paper" else 0.0
        )
        levels = Scale(matrix.levels)
    judgments = read_judgments(*files, scale=levels, off_scale=off_scale)
    if not len(judgments):
        raise InputError("there are no judgments; expected at least one", path=files[0])
    if group is not None:
        judgments = of_group(judgments, group)
    if topic_set is not None:
        judgments = restricted_judgments(judgments, read_topic_set(topic_set), path=topic_set)
    graded = GradedDocs.of(judgments, errors=errors)
    if not any(graded.docs):
        raise UndefinedError("no doc has a grade: there is nothing to compare")
    coded: CodedTests | None = None
    evidence: GradeMatrix | PreferenceTests
    if matrix is None:
        coded = graded.tests(_read_all(preferences, given.sign))
        evidence = coded.tests
    else:
        evidence = matrix
    per_batch = coded is not None and given.batches != "all" and int(graded.batches.max()) > 0
    if per_batch and write_grade_matrix is not None:
        raise click.UsageError(
            f"--write-grade-matrix: the topics form {graded.batches.max() + 1} batches that share"
            " no assessors, each with a matrix; expected one (--batches all)"
        )
    lists = graded.lists(read_runs(runs, order=order, common=common), depth=depth) if runs else None
    setting = Setting(
        grades=graded.grades,
        evidence=evidence,
        levels=levels.levels if levels is not None else graded.levels(),
        mode=mode,
        smoothing=given.smoothing or "jeffreys",
        untested=given.untested or "error",
        strength=given.strength or "sign",
        batches=graded.batches if per_batch else None,
        lists=None if lists is None else lists.lists,
    )
    try:
        found = collection_pdp(
            setting,
            rng=rng_for(common.seed, "pdp"),
            resamples=resamples if intervals else 0,
            exact_docs=exact_docs,
            samples=samples,
        )
    except UndefinedError as error:
        # The core names its argument where there is an option of that name.
        problem = re.sub(r"untested='(\w+)'", r"--untested \1", str(error))
        hint = "; or pool the batches (--batches all)" if per_batch else ""
        raise UndefinedError(f"{problem}{hint}") from None
    if write_grade_matrix is not None:
        write_matrix(found.matrix.p[0], write_grade_matrix)
    if levels is None:
        common.say([assumed_note(Scale(found.matrix.levels))])
    common.say([*left_out(graded, coded, lists, depth, found), *thinnest(found)])
    rows = topic_rows(found, graded.topics, lists=setting.lists)
    table: list[tuple[Cell, ...]] = [
        (row.topic, _whole(row.docs), row.pdp, row.se) for row in (mean_row(rows), *rows)
    ]
    columns: tuple[str, ...] = ("topic", "docs", "pdp", "se")
    if intervals:
        columns += ("low", "high")
        nan = float("nan")
        table = [
            (*row, found.low, found.high) if place == 0 else (*row, nan, nan)
            for place, row in enumerate(table)
        ]
    common.emit(Table.of(columns, table))


def _smoothing(smoothing: Smoothing | None, paper: bool) -> Smoothing | None:
    if paper and smoothing not in (None, "paper"):
        raise click.UsageError(f"either --paper or --smoothing {smoothing}, not both")
    return "paper" if paper else smoothing


def _check(
    preferences: Sequence[str],
    grade_matrix: str | None,
    given: _Tested,
    written: str | None,
) -> None:
    """Raise `click.UsageError` unless the options fit each other."""
    if bool(preferences) == (grade_matrix is not None):
        raise click.UsageError("expected either --preferences or --grade-matrix")
    if grade_matrix is None:
        return
    smoothing = given.smoothing if given.smoothing != "paper" else None
    others = {
        "--smoothing": smoothing,
        "--untested": given.untested,
        "--sign": given.sign,
        "--strength": given.strength,
        "--batches": given.batches,
        "--write-grade-matrix": written,
    }
    for option, value in others.items():
        if value is not None:
            raise click.UsageError(f"{option} goes with --preferences, not with --grade-matrix")


def _given_matrix(path: FilePath, scale: Scale | None, mode: Mode, *, clip: float) -> GradeMatrix:
    values = read_matrix(path)
    try:
        return GradeMatrix.given(
            values, levels=None if scale is None else scale.levels, mode=mode, clip=clip
        )
    except ShapeError as error:
        raise InputError(str(error), path=path) from None


def _read_all(
    paths: Sequence[FilePath], sign: Literal["negative-left", "positive-left"] | None
) -> Preferences:
    """The preferences of several files together."""
    read = [read_preferences(path, sign=sign or "negative-left") for path in paths]
    for path, one in zip(paths, read, strict=True):
        if not len(one):
            raise InputError("there are no preferences; expected at least one", path=path)
    return (
        read[0]
        if len(read) == 1
        else Preferences.from_rows(chain.from_iterable(one.rows() for one in read))
    )


def _whole(docs: float) -> int | float:
    return int(docs) if docs.is_integer() else docs
