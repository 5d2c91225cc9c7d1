"""Options for everything in which designs of a campaign can vary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from qrelsmith.cli.options import Finite

_WORDS = {
    "topics": "Topics.",
    "depth": "Depth of the pools.",
    "systems": "Systems, a run each.",
    "levels": "Grades of the scale.",
    "per_doc": "Judgments a doc by each group, but by one that judges its own topics; a group that"
    " is too small for it grows.",
    "assessors": "Assessors of each group, but of one that judges its own topics.",
    "ordering": "How docs are shown: an ordering, or balanced.",
    "k": "Docs sought at the top of each topic by preferences; 0: none.",
    "finalists": "F: up to how many candidates all pairs are judged.",
    "pairings": "P: with how many others each candidate is paired.",
}


def axis_options(function: Callable[..., None]) -> Callable[..., None]:
    """An option for each thing that can vary, by its name, to be repeated."""
    from qrelsmith.planning.campaign_plan.grid import AXES

    command = function
    for axis in reversed(AXES):
        kind: click.ParamType[Any] = click.IntRange(min=0 if axis == "k" else 1)
        option = click.option(
            f"--{axis.replace('_', '-')}",
            axis,
            type=click.STRING if axis == "ordering" else kind,
            multiple=True,
            help=_WORDS[axis],
        )
        command = option(command)
    return command


def two_numbers(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[float, float] | None:
    """Two numbers from 0 on, of an option LOW:HIGH, or one that is both."""
    if value is None:
        return None
    low, colon, high = value.partition(":")
    number = Finite(min=0)
    ends = [number.convert(text, param, ctx) for text in (low, high if colon else low)]
    if ends[0] > ends[1]:
        raise click.BadParameter(f"{value!r}: expected LOW:HIGH such as 20:40", ctx, param)
    return ends[0], ends[1]
