"""Options of commands that read preferences, and label sets of a campaign."""

from __future__ import annotations

from collections.abc import Callable

import click


def outcome_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of outcomes in files: `sign` and `outcomes`, None where they were not given."""
    for option in (
        click.option(
            "--outcomes", type=click.Choice(["numbers", "sides", "winner"]),
            help="How outcomes are written, where more than one way fits.",
        ),
        click.option(
            "--sign", type=click.Choice(["negative-left", "positive-left"]),
            help="What a preference below 0 or above 0 says.  [default: negative-left]",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def label_set_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options that choose label sets of a campaign: `label_set` and `reference`."""
    for option in (
        click.option(
            "--reference", metavar="NAME",
            help="The label set of a campaign with which the others are compared.",
        ),
        click.option(
            "--label-set", multiple=True, metavar="NAME|FILE",
            help="Only this label set of a campaign; else one more file; repeat for more.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function
