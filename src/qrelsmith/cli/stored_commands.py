"""All commands stored in a file, so that lists, help and errors need no import of questions.

`python docs/make_reference.py` writes the file, and a test compares it with the declarations of the
questions. With plug-ins, which may add choices, commands are created from the questions.
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
    """A finite number in a range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Convert an argument to a finite number, or raise a usage error."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r}; expected a finite number.", param, ctx)
        return number


FILE = Path(__file__).with_name("questions.json")
_TYPES: Mapping[str, type[click.ParamType[Any]]] = {
    "choice": click.Choice, "path": click.Path, "int": click.IntRange, "float": Finite,
}  # fmt: skip
# Attributes of click options and arguments that are stored if they are not the default.
_USUAL = {
    "nargs": 1, "required": False, "metavar": None, "multiple": False, "is_flag": False,
    "hidden": False, "expose_value": True, "help": None, "show_default": None,
}  # fmt: skip


@cache
def command_facts() -> Mapping[str, Mapping[str, Any]]:
    """Return the attributes of each command by name: module, heading, summary, question."""
    stored: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return stored


def has_plugins() -> bool:
    """Return whether plug-ins may add choices, apart from qrelsmith's own papers."""
    own = ("qrelsmith_papers",)
    return bool(PLUGINS.files) or any(
        not plugin.value.startswith(own) for plugin in installed_plugins()
    )


class Command(click.Command):
    """A command with its old options, and the commands that begin with its name.

    Attributes
    ----------
    renamed : mapping of str to Renamed
        Current names of old options.
    changed : mapping of str to str
        Current names of options whose former name has another meaning today.
    parts : mapping of str to str
        Summaries of longer commands that begin with this command's name, such as `pdp compare` for
        `pdp`.
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
        """Parse the arguments, replacing old options by new ones.

        Raises
        ------
        click.UsageError
            If the arguments are invalid.
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
        """Write the options, followed by longer commands that begin with this command's name."""
        super().format_options(ctx, formatter)
        if self.parts:
            with formatter.section("Commands"):
                formatter.write_dl(list(self.parts.items()))


class Argument(click.Argument):
    """An argument that may instead be the next word of a longer command, as in `pdp compare`."""

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Return possible completions."""
        parts = () if ctx.params.get(self.name or "") else getattr(ctx.command, "parts", ())
        found = [name for name in parts if name.startswith(incomplete)]
        items = [click.shell_completion.CompletionItem(name) for name in found]
        return items + super().shell_complete(ctx, incomplete)


def stored_command(words: str, callback: Any) -> Command:
    """Return the command of a name as stored in the file.

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
    """Return the entry that the file stores for a command."""
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
