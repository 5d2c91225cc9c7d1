"""Options that the commands of `topk` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import click

from qrelsmith.cli.options import parse_scale, scale_options, topic_set_option
from qrelsmith.cli.preference_options import outcome_options
from qrelsmith.cli.run_files import is_campaign
from qrelsmith.io.format_marks import first_line

k_option = click.option(
    "-k", "--k", type=click.IntRange(min=1), default=5, show_default=True,
    help="How many docs are to be found at the top of each topic.",
)  # fmt: skip
terms_option = click.option(
    "--terms", type=click.Path(),
    help="A TOML file with a table [hits], such as campaign.toml: pairs and challenge pairs of a"
    " HIT, reward, fee, who may work. Default: as the campaign says, else as in the paper.",
)  # fmt: skip

# What else a setting has: keywords of the functions of `topk`.
_SETTING = ("k", "method", "finalists", "pairings", "keep", "forced", "outcomes")


def graded_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of candidates' grades, as one argument `graded`: keywords of the function."""

    @wraps(function)
    def with_graded(
        *,
        label_set: str | None,
        topic_set: str | None,
        scale: str | None,
        off_scale: Any,
        **own: Any,
    ) -> None:
        if label_set is not None and not is_campaign(own["qrels"]):
            own |= _arguments_after(label_set)
            label_set = None
        elif own.get("drawn") is not None and _lacks_grades(own):
            own |= _arguments_after(None)
        if own["qrels"] is None and own.get("drawn") is None:
            raise click.MissingParameter(param_hint="'QRELS'", param_type="argument")
        graded = {
            "label_set": label_set,
            "topic_set": topic_set,
            "scale": parse_scale(scale, off_scale),
            "off_scale": off_scale,
        }
        function(graded=graded, **own)

    command: Callable[..., None] = with_graded
    command = click.option(
        "--label-set", metavar="NAME|FILE",
        help="Of a campaign, the label set whose grades are taken (default: its reference); else"
        " the file of them, in place of QRELS.",
    )(command)  # fmt: skip
    return topic_set_option(scale_options(command))


def _lacks_grades(arguments: Mapping[str, Any]) -> bool:
    """Whether drawn pairs were given without QRELS, so that ANSWERS is the first argument."""
    first, answers, given = (arguments.get(name) for name in ("qrels", "answers", "given"))
    if first is None or is_campaign(first):
        return False
    if answers is not None:
        return given is not None and len(given) == 3
    return not Path(first).exists() or b"left" in first_line(first)


def _arguments_after(file: str | None) -> dict[str, Any]:
    """The arguments of the command, one place on: a file, or nothing, stands before them."""
    context = click.get_current_context()
    places = [each for each in context.command.params if isinstance(each, click.Argument)]
    values: list[str | None] = [file]
    for place in places:
        value = context.params[place.name or ""]
        values += value if place.nargs == -1 else [] if value is None else [value]
    moved: dict[str, Any] = {}
    for place in places:
        taken = values if place.nargs == -1 else values[:1]
        values = values[len(taken) :]
        moved[place.name or ""] = tuple(taken) if place.nargs == -1 else next(iter(taken), None)
    if values:
        raise click.UsageError(f"got an argument too many, {values[0]}: --label-set is the file")
    return moved


def setting_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of the search and of outcomes, as one argument `setting`.

    To stand above `common_options`: its seed is part of the setting.
    """
    from qrelsmith.topk import SCHEDULERS

    @wraps(function)
    def with_setting(*, sign: str | None, seed: int, **own: Any) -> None:
        setting = {"sign": sign or "negative-left", "seed": seed}
        setting |= {name: own.pop(name) for name in _SETTING}
        function(setting=setting, seed=seed, **own)

    command: Callable[..., None] = with_setting
    for option in (
        click.option(
            "--force", "forced", is_flag=True,
            help="Allow other sizes than F > P > k, and `answer` what no pair asks.",
        ),
        click.option(
            "--keep", type=click.Choice(["majority", "half"]), default="majority",
            show_default=True,
            help="Who stays after a round: who won more than half of their pairings, or half (as in"
            " the authors' program: 4 of 8).",
        ),
        click.option(
            "-P", "--pairings", type=click.IntRange(min=1), default=7, show_default=True,
            help="With how many others each candidate is paired in a round.",
        ),
        click.option(
            "-F", "--finalists", type=click.IntRange(min=1), default=9, show_default=True,
            help="Up to how many candidates all pairs are judged.",
        ),
        click.option(
            "--method", default="rounds", show_default=True, metavar="NAME",
            help=f"Who is compared with whom: {', '.join(SCHEDULERS.names())}.",
        ),
        k_option,
        outcome_options,
    ):  # fmt: skip
        command = option(command)
    return command


def log_file(path: str | None) -> str | list[Any] | None:
    """The file of a log; one that is not there yet is an empty log."""
    return path if path is None or Path(path).exists() else []
