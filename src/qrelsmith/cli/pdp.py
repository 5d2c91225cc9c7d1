"""`qrelsmith pdp`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import click

from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.pdp_options import flags_in_messages, pdp_options
from qrelsmith.cli.preference_options import label_set_options
from qrelsmith.cli.run_files import check_named_once, label_files
from qrelsmith.io.writing import write_together

# What says how preferences are counted.
_OF_PREFERENCES = (
    "smoothing", "untested", "sign", "outcomes", "strength", "batches", "write_grade_matrix",
)  # fmt: skip


@click.command(
    name="pdp",
    short_help="Pairwise discriminative power (PDP) of relevance labels.",
    epilog="Example: qrelsmith pdp nist.qrels --preferences crowd.prefs --runs runs/ --depth 5",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="CAMPAIGN|FILE...")
@click.option(
    "--preferences", type=click.Path(), multiple=True,
    help="A file of preferences that tell how docs of two grades compare; repeat for more.",
)  # fmt: skip
@label_set_options
@click.option(
    "--grade-matrix", type=click.Path(),
    help="In place of preferences: CSV without header, the cell in row i and column j is the"
    " probability that a doc of the i-th level from the lowest is preferred to one of the j-th.",
)  # fmt: skip
@click.option(
    "--paper", is_flag=True,
    help="As the authors' program: no smoothing, doc-level matrix clipped to [0.01, 0.99].",
)  # fmt: skip
@pdp_options(
    runs="the docs are the first graded ones of each run. Repeat for more.",
    mode="individual; of a campaign both",
    within="all; of a campaign 10",
    batches="assessors; of a campaign all where batches have too few tests",
)
@click.option("--write-grade-matrix", type=click.Path(), help="Write the grade matrix here.")
@click.option(
    "--intervals/--no-intervals", default=None,
    help="Add columns low and high: a 95 % interval of the mean over topics like these.  [default:"
    " for a campaign]",
)  # fmt: skip
@click.option(
    "-B", "--resamples", type=click.IntRange(min=1), default=1000, show_default=True,
    help="Bootstrap samples behind the interval.",
)  # fmt: skip
@click.option("--group", metavar="NAME", help="Only the judgments of this group.")
@topic_set_option
@scale_options
@common_options
@write_together()
def command(
    common: Common,
    files: tuple[str, ...],
    label_set: tuple[str, ...],
    preferences: tuple[str, ...],
    runs: tuple[str, ...],
    grade_matrix: str | None,
    write_grade_matrix: str | None,
    paper: bool,
    scale: str | None,
    off_scale: Literal["error", "missing"],
    **options: Any,
) -> None:
    """Pairwise discriminative power (PDP) of relevance labels.

    Of one judgments FILE, of qrels, one FILE per assessor, or of a CAMPAIGN. Columns: topic, docs,
    pdp, se, over; the mean has the topic `all`. pdp is an entropy in nats, from 0 (one ranking for
    certain) to ln docs! (all alike); lower discriminates more. se is the standard error of
    sampling, 0 where nothing was sampled; over is the population of the interval.

    Without --runs the docs are all graded docs of a topic; with it, the first --depth graded docs
    of each run, and the row of a topic is the mean over the runs. Docs without a grade are left
    out. How many preferences stand behind the thinnest cell is said on stderr. --topic-set keeps
    the preferences of its topics only.

    Of a campaign with a file preferences.*, every label set has its rows, after the columns
    label_set and mode: its docs are the first --depth ones that every label set grades, among the
    first 10 of each run.
    """
    from qrelsmith.discrimination.grade_matrices import write_matrix
    from qrelsmith.discrimination.pdp import pdp

    labels, names = label_files(files, label_set)
    is_campaign = len(files) == 1 and (Path(files[0]) / SETTINGS).is_file()
    if not is_campaign and bool(preferences) == (grade_matrix is not None):
        raise click.UsageError("expected either --preferences or --grade-matrix")
    chosen = {name: value for name, value in options.items() if value is not None}
    if paper and chosen.setdefault("smoothing", "paper") != "paper":
        raise click.UsageError(f"either --paper or --smoothing {chosen['smoothing']}, not both")
    if grade_matrix is not None:
        _refuse_beside_matrix({**chosen, "write_grade_matrix": write_grade_matrix})
    check_named_once(runs)
    with flags_in_messages():
        result = pdp(
            labels[0] if is_campaign else labels,
            list(preferences) or None,
            list(runs) or None,
            label_set=names,
            grade_matrix=grade_matrix,
            # A grade matrix brings its scale.
            scale=parse_scale(scale, off_scale if grade_matrix is None else "error"),
            off_scale=off_scale,
            seed=common.seed,
            jobs=common.jobs,
            **chosen,
        )
    if write_grade_matrix is not None:
        matrices = [each for of_set in result.sets for each in of_set.pdp.matrix.p]
        if len(matrices) > 1:
            raise click.UsageError(
                f"--write-grade-matrix: there are {len(matrices)} matrices, of label sets, modes"
                " or batches of topics that share no assessors; expected one (--label-set, --mode,"
                " --batches all)"
            )
        write_matrix(matrices[0], write_grade_matrix)
    common.say(result.notes)
    common.emit(result.table(), on_terminal=result.means() if len(result.sets) > 1 else None)


def _refuse_beside_matrix(options: Mapping[str, object]) -> None:
    """Refuse what goes with preferences; the paper's smoothing is what clips a matrix."""
    for name in _OF_PREFERENCES:
        if options.get(name) is not None and (name, options[name]) != ("smoothing", "paper"):
            flag = "--" + name.replace("_", "-")
            raise click.UsageError(f"{flag} goes with --preferences, not with --grade-matrix")
