"""Options and arguments of a command, generated from a function's declared parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.base.parameters import QuestionParameter, parameters_of
from qrelsmith.base.question_options import alternatives
from qrelsmith.cli import stored_commands
from qrelsmith.cli.stored_commands import Finite

Argument = Annotated[str, Source("Required.", "", many=False, required=True)]
CampaignFolder = Argument
Quiet = Annotated[bool, Option("Hide notes and warnings.")]


def declared_parameters(function: Callable[..., Any]) -> list[click.Parameter]:
    """Return the arguments and options declared by a command's signature, in order."""
    made: list[click.Parameter] = []
    for parameter in parameters_of(inspect.unwrap(function)):
        if isinstance(parameter.declared, Source):
            made.append(argument_of(parameter, parameter.declared))
        elif isinstance(parameter.declared, Option):
            option = option_of(parameter)
            option.default = False if option.is_flag else option.default
            if read := parameter.declared.read:
                option.type = click.types.FuncParamType(read)
            made.append(option)
    return made


def argument_of(parameter: QuestionParameter, source: Source) -> click.Argument:
    """Create the argument of a parameter from its type and declaration."""
    has_default = parameter.default not in (inspect.Parameter.empty, None, ())
    return stored_commands.Argument(
        [parameter.name],
        type=_argument_type(parameter.kind, source),
        nargs=-1 if source.many else 1,
        required=source.required,
        metavar=source.metavar or None,
        **({"default": parameter.default} if has_default else {}),
    )


def _argument_type(kind: Any, source: Source) -> click.ParamType[Any]:
    if source.choices or get_origin(kind) is Literal:
        return click.Choice(source.choices or get_args(kind))
    return click.Path(path_type=Path) if kind is Path else click.Path()


def option_of(parameter: QuestionParameter) -> click.Option:
    """Create the option of a parameter from its type and declaration."""
    option = parameter.declared
    if not isinstance(option, Option):
        raise TypeError(f"{parameter.name} is not declared as an option")
    kind, many = _kind(parameter.kind)
    is_required = parameter.default is inspect.Parameter.empty
    default = option.default if is_required or parameter.default is None else parameter.default
    is_many = (many if option.many is None else option.many) and not option.joined
    if is_many and default is not None and not is_several(default):
        default = (default,)
    # A name such as `--intervals/--no-intervals` means a flag.
    is_flag = kind is bool and not any("/" in flag for flag in option.flags)
    # For click, a default of None is a value, and an option with a value is never missing.
    defaults = {} if kind is bool or default in (None, ()) else {"default": default}
    return click.Option(
        [*(option.flags or parameter.flags), parameter.name],
        type=None if kind is bool else _type(kind, option),
        is_flag=is_flag or None,
        multiple=is_many,
        nargs=len(option.words) or 1,
        **defaults,
        show_default=kind is not bool and default != "",
        required=is_required,
        metavar=" ".join(option.words) or option.metavar or None,
        help=option.help,
    )


def _kind(kind: Any) -> tuple[Any, bool]:
    """Return the type of a parameter's values, and whether several values are allowed."""
    for member in alternatives(kind):
        origin = get_origin(member)
        is_class = isinstance(origin, type) and not issubclass(origin, Mapping | PathLike)
        is_pair = origin is tuple and Ellipsis not in get_args(member)
        if is_class and issubclass(origin, Iterable) and not is_pair:
            return _kind(get_args(member)[0])[0], True
    kinds = [member for member in alternatives(kind) if member is not type(None)]
    return (kinds[0] if kinds else str), False


def _type(kind: Any, option: Option) -> click.ParamType[Any]:
    """Return the type of an option's arguments."""
    if option.chosen_from:
        return click.Choice(option.chosen_from)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if option.file:
        return click.Path(path_type=Path) if kind is Path else click.Path()
    if option.read is not None or option.gather is not None:
        return click.STRING
    if kind is int and (option.least, option.most) == (None, None):
        return click.INT
    if kind is int:
        return click.IntRange(option.least, option.most)
    if kind is float:
        return Finite(
            option.least if option.above is None else option.above,
            option.most if option.below is None else option.below,
            min_open=option.above is not None,
            max_open=option.below is not None,
        )
    return click.STRING


def is_several(value: Any) -> bool:
    """Return whether a value is a collection of values."""
    return isinstance(value, Iterable) and not isinstance(value, str)
