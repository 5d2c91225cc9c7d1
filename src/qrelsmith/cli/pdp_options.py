"""Options that `pdp` and `pdp compare` share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from qrelsmith.base.errors import UndefinedError
from qrelsmith.cli.preference_options import outcome_options
from qrelsmith.collection.run_order import RUN_ORDERS

Command = Callable[..., None]


def pdp_options(*, runs: str, mode: str, within: str, batches: str) -> Callable[[Command], Command]:
    """The options of how PDP is computed; one that is None has the default of the function.

    Parameters
    ----------
    runs : str
        The docs of a run that count, in the help of `--runs`.
    mode, within, batches : str
        The default, in the help of the option of that name.
    """
    options = (
        click.option(
            "--runs", type=click.Path(), multiple=True, metavar="RUN",
            help=f"A run, or a folder of runs: {runs}",
        ),
        click.option(
            "--depth", type=click.IntRange(min=1), default=5, show_default=True,
            help="How many docs of each run.",
        ),
        click.option(
            "--within", type=click.IntRange(min=1),
            help=f"Only docs among so many first of a run.  [default: {within}]",
        ),
        click.option(
            "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
            help="How the docs of a run are ranked.",
        ),
        click.option(
            "--mode", type=click.Choice(["individual", "aggregate"]),
            help="Compare docs assessor by assessor, or by their median grades.  [default:"
            f" {mode}]",
        ),
        click.option(
            "--untested", type=click.Choice(["error", "half", "interpolate"]),
            help="What is taken for a pair of grades that no preference compares.  [default:"
            " error]",
        ),
        click.option(
            "--smoothing", type=click.Choice(["jeffreys", "none", "paper"]),
            help="What is added to the counts behind a cell.  [default: jeffreys]",
        ),
        outcome_options,
        click.option(
            "--strength", type=click.Choice(["sign", "share"]),
            help="Whether -2 and 2 count like -1 and 1, or more.  [default: sign]",
        ),
        click.option(
            "--batches", type=click.Choice(["assessors", "all"]),
            help="A grade matrix for each batch of topics that share assessors, or one for all"
            f" topics.  [default: {batches}]",
        ),
        click.option(
            "--exact-docs", type=click.IntRange(1, 20), default=20, show_default=True,
            help="Up to how many docs a PDP is computed exactly.",
        ),
        click.option(
            "--samples", type=click.IntRange(min=2), default=10_000, show_default=True,
            help="Rankings that are sampled for more docs.",
        ),
        click.option(
            "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
            show_default=True, help="What the code -2 (could not be displayed) is.",
        ),
    )  # fmt: skip

    def with_options(function: Command) -> Command:
        for option in reversed(options):
            function = option(function)
        return function

    return with_options


@contextmanager
def flags_in_messages() -> Iterator[None]:
    """Name options in what is undefined, where the function names its keywords."""
    try:
        yield
    except UndefinedError as error:
        problem = re.sub(r"(untested|batches)='(\w+)'", r"--\1 \2", str(error))
        raise UndefinedError(problem) from None
