"""Declaration of commands without a question: one function in one module of this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from qrelsmith.base.renamed import Renamed
from qrelsmith.cli.declared_options import declared_parameters
from qrelsmith.cli.stored_commands import Command


@dataclass(frozen=True, slots=True)
class CommandAction:
    """A command with its attributes for lists of commands.

    Attributes
    ----------
    module : str
        The module that declares it.
    heading : str
        A key of `HEADINGS`; "" in a group, which has a heading.
    everyday : bool
        Whether the first page of help lists it.
    """

    command: click.Command
    module: str
    heading: str
    everyday: bool


ACTIONS: dict[str, CommandAction] = {}
"""The commands of the imported modules, by name."""


def action(
    words: str,
    heading: str = "",
    *,
    example: str,
    short: str | None = None,
    everyday: bool = False,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that turns a function into a command.

    Parameters
    ----------
    words : str
        The name of the command: `serve`, `app invite`.
    heading : str
        A key of `HEADINGS`; omitted in a group, which has its own heading.
    example : str
        An example of the command that can be run.
    short : str, optional
        The summary in lists, if it is not the first line of the docstring.
    everyday : bool
        Whether the first page of help lists it.
    renamed : mapping of str to str
        Current names of options by their former names.
    """

    def declare(function: Callable[..., Any]) -> click.Command:
        name = words.rpartition(" ")[2]
        if not hasattr(function, "__click_params__"):
            vars(function)["__click_params__"] = declared_parameters(function)[::-1]
        command = click.command(
            name=name, cls=Command, short_help=short, epilog=f"Example: {example}",
            renamed={old: Renamed(now) for old, now in renamed.items()},
        )(function)  # fmt: skip
        ACTIONS[words] = CommandAction(command, function.__module__, heading, everyday)
        return command

    return declare


def action_command(words: str, module: str) -> click.Command:
    """Import the module of a command and return the command."""
    import_module(module)
    return ACTIONS[words].command
