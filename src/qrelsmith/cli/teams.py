"""The option that names the teams of runs."""

from __future__ import annotations

import click

teams_option = click.option(
    "--teams", type=click.Path(), metavar="FILE",
    help="The team of each run: run team. Default: what stands before the first hyphen or"
    " underscore of a run's name.",
)  # fmt: skip
