"""All commands as a file: lists, help and refusals import no question, and start at once.

`python docs/make_reference.py` writes the file; a test holds it against what the questions declare.
With plug-ins, which may bring further choices, commands are made of the questions themselves.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click

from qrelsmith.base.plugins import PLUGINS, installed_plugins
from qrelsmith.base.renamed import Renamed, changed_meaning, renamed_words
from qrelsmith.cli.notes import notes


class Finite(click.FloatRange):
    """A number in a range that is neither infinite nor nan."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or a usage error."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r}; expected a finite number.", param, ctx)
        return number


FILE = Path(__file__).with_name("questions.json")
_TYPES: Mapping[str, type[click.ParamType[Any]]] = {
    "choice": click.Choice, "path": click.Path, "int": click.IntRange, "float": Finite,
}  # fmt: skip
# What click is facts of an option or an argument, where it is not the usual.
_USUAL = {
    "nargs": 1, "required": False, "metavar": None, "multiple": False, "is_flag": False,
    "hidden": False, "expose_value": True, "help": None, "show_default": None,
}  # fmt: skip


@cache
def command_facts() -> Mapping[str, Mapping[str, Any]]:
    """Return what is known of each command by its words: module, heading, summary, question."""
    stored: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return stored


def has_plugins() -> bool:
    """Return whether plug-ins other than our own papers may bring choices."""
    own = ("qrelsmith_papers",)
    return bool(PLUGINS.files) or any(
        not plugin.value.startswith(own) for plugin in installed_plugins()
    )


class Command(click.Command):
    """A command that knows its old options, and the commands that begin with its words.

    Attributes
    ----------
    renamed : mapping of str to Renamed
        What old options are now.
    changed : mapping of str to str
        What options are now that meant something else before.
    parts : mapping of str to str
        Commands that begin with its words, as `pdp compare` with `pdp`, and their summaries.
    """

    parts: Mapping[str, str] = {}

    def __init__(
        self,
        *args: Any,
        renamed: Mapping[str, Renamed] | None = None,
        changed: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.renamed, self.changed = renamed or {}, changed or {}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words, old options as the new ones.

        Raises
        ------
        click.UsageError
            If they are not what the command takes.
        """
        try:
            return super().parse_args(ctx, renamed_words(args, self.renamed, notes().keep_outdated))
        except click.UsageError as error:
            for old, new in self.changed.items():
                if old in error.format_message():
                    problem = changed_meaning(error.format_message(), old, new)
                    raise click.UsageError(problem, ctx) from None
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, and below them the commands that begin with its words."""
        super().format_options(ctx, formatter)
        if self.parts:
            with formatter.section("Commands"):
                formatter.write_dl(list(self.parts.items()))


class Argument(click.Argument):
    """An argument in whose place the rest of a longer command can stand: `pdp compare`."""

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Return the words that can follow."""
        parts = () if ctx.params.get(self.name or "") else getattr(ctx.command, "parts", ())
        found = [name for name in parts if name.startswith(incomplete)]
        items = [click.shell_completion.CompletionItem(name) for name in found]
        return items + super().shell_complete(ctx, incomplete)


def stored_command(words: str, callback: Any) -> Command:
    """Return the command of these words as the file has it.

    Raises
    ------
    KeyError
        If the file has no such command.
    """
    entry = dict(command_facts()[words]["command"])
    parameters = [_parameter(dict(facts)) for facts in entry.pop("params")]
    renamed = {old: Renamed(*now) for old, now in entry.pop("renamed", {}).items()}
    return Command(callback=callback, params=parameters, renamed=renamed, **entry)


def command_entry(command: Command) -> dict[str, Any]:
    """Return what the file says of a command."""
    old = {"renamed": command.renamed, "changed": command.changed}
    return {key: names for key, names in old.items() if names} | {
        "name": command.name,
        "help": command.help,
        "short_help": command.short_help,
        "epilog": command.epilog,
        "params": [_entry(parameter) for parameter in command.params],
    }


def _entry(parameter: click.Parameter) -> dict[str, Any]:
    facts = {
        name: value
        for name, usual in _USUAL.items()
        if (value := getattr(parameter, name, usual)) != usual
    }
    opts = [*parameter.opts]
    if parameter.secondary_opts:
        opts = ["/".join([opts[0], parameter.secondary_opts[0]])]
    if isinstance(parameter, click.Option):
        opts.append(parameter.name or "")
        if not parameter.is_flag and parameter.to_info_dict()["default"] is not None:
            facts["default"] = parameter.to_info_dict()["default"]
    kind = parameter.type
    if isinstance(kind, click.Choice):
        facts["type"] = ["choice", list(kind.choices)]
    elif isinstance(kind, click.Path):
        facts["type"] = ["path"]
    elif isinstance(kind, click.FloatRange):
        facts["type"] = ["float", kind.min, kind.max, kind.min_open, kind.max_open]
    elif isinstance(kind, click.IntRange):
        facts["type"] = ["int", kind.min, kind.max]
    elif isinstance(kind, click.types.IntParamType):
        facts["type"] = ["whole"]
    return {"opts": opts, "option": isinstance(parameter, click.Option), **facts}


def _parameter(facts: dict[str, Any]) -> click.Parameter:
    name, *bounds = facts.pop("type", ["text"])
    kind: click.ParamType[Any]
    if name in ("whole", "text"):
        kind = click.INT if name == "whole" else click.STRING
    elif name == "float":
        low, high, low_open, high_open = bounds
        kind = Finite(low, high, min_open=low_open, max_open=high_open)
    else:
        kind = _TYPES[name](*bounds)
    default = facts.get("default")
    if isinstance(default, list):
        facts["default"] = tuple(default)
    opts, is_option = facts.pop("opts"), facts.pop("option")
    if not is_option:
        return Argument(opts, type=kind, **facts)
    is_flag = facts.get("is_flag", False)
    if is_flag:
        del facts["is_flag"]
        facts |= {"is_flag": None if "/" in opts[0] else True}
        return click.Option(opts, **facts)
    return click.Option(opts, type=kind, **facts)
