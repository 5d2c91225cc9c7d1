"""A collection that the simulator is fitted to and held against: its options."""

from __future__ import annotations

from collections.abc import Callable

import click


def fit_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that name what the simulator is fitted to: `fit`, `fit_runs`, `fit_scale`."""
    for option in (
        click.option(
            "--fit-scale", metavar="LEVELS",
            help="Levels of the labels of --fit: 0..3; default: the campaign's, else 0 to the"
            " highest grade seen.",
        ),
        click.option(
            "--fit-runs", type=click.Path(), multiple=True, metavar="RUN",
            help="A run, or a folder of runs, of the collection of --fit; default: the"
            " campaign's. Repeat for more.",
        ),
        click.option(
            "--fit", type=click.Path(), multiple=True, metavar="CAMPAIGN|FILE",
            help="A collection that the simulator is fitted to, on half of its topics, and held"
            " against, on the other half: a campaign folder, or files of labels; repeat for more"
            " files.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function
