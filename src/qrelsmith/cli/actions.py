"""How a command that answers no question is declared: one function in one file of this house."""

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
    """A command with what lists of commands know about it.

    Attributes
    ----------
    module : str
        The module that declares it.
    heading : str
        A key of `HEADINGS`; "" in a group, which has one.
    everyday : bool
        Whether the first page of help lists it.
    """

    command: click.Command
    module: str
    heading: str
    everyday: bool


ACTIONS: dict[str, CommandAction] = {}
"""The commands of the modules imported so far, by their words."""


def action(
    words: str,
    heading: str = "",
    *,
    example: str,
    short: str | None = None,
    everyday: bool = False,
    renamed: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a function the command of these words.

    Parameters
    ----------
    words : str
        The words of the command: `serve`, `app invite`.
    heading : str
        A key of `HEADINGS`; none in a group, which has one.
    example : str
        A command that can be run.
    short : str, optional
        The summary in lists, where it is not the first line of the docstring.
    everyday : bool
        Whether the first page of help lists it.
    renamed : mapping of str to str
        Options by the names that they had before.
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
    """Return the command of these words, whose module is imported now."""
    import_module(module)
    return ACTIONS[words].command
