"""The command of a question: its arguments, options and help, made of what it declares."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, Literal, get_args, get_origin

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.base.parameters import QuestionParameter, changed_keywords, old_flags
from qrelsmith.base.question_options import alternatives
from qrelsmith.base.questions import Question
from qrelsmith.base.renamed import Renamed
from qrelsmith.cli.asking import ask, is_several, keeps_cells
from qrelsmith.cli.options import Finite, input_options, output_options, unused_options
from qrelsmith.cli.stored_commands import Command
from qrelsmith.cli.sweeping import CELLS, DASK


def command_of(question: Question) -> Command:
    """Make the command of a question."""
    return Command(
        name=question.command.rpartition(" ")[2],
        params=[
            *(own := parameters_of(question)),
            *(input_options(own) if _reads(question) else ()),
            *output_options(),
        ],
        help=_help(question),
        short_help=question.short,
        epilog=f"Example: {question.example}",
        callback=lambda **values: ask(question, values),
        renamed=old_flags(question.parameters) | _old_files(question),
        changed={
            question.flag(old): question.flag(now)
            for old, now in changed_keywords(question.parameters).items()
        },
    )


def _reads(question: Question) -> bool:
    """Return whether the command of a question reads files or campaigns."""
    return any(isinstance(parameter.declared, Source) for parameter in question.parameters)


def parameters_of(question: Question) -> list[click.Parameter]:
    """Return the arguments and options of a question, without those of its output."""
    arguments: list[click.Parameter] = []
    options: list[click.Parameter] = []
    for parameter in question.parameters:
        declared = parameter.declared
        if isinstance(declared, Source):
            arguments.append(_argument(parameter, declared))
            options += [
                _option(QuestionParameter(name, str, option, None))
                for name, option in declared.beside.items()
            ]
        elif isinstance(declared, Option):
            options.append(_option(parameter))
    options += [
        click.Option(
            ["--" + name.replace("_", "-"), name],
            type=click.Path(), metavar=file.metavar or None, help=file.help,
        )
        for name, file in question.writes.items()
    ]  # fmt: skip
    names = {parameter.name for parameter in question.parameters}
    if "sweep" in names:
        if keeps_cells(question):
            options.append(click.Option(["--cells"], type=click.Path(), help=CELLS))
        options.append(click.Option(["--dask"], metavar="ADDRESS", help=DASK))
    return [*arguments, *options, *unused_options(names)]


def _old_files(question: Question) -> dict[str, Renamed]:
    """Options of files by the names that they had before."""
    return {
        "--" + was.replace("_", "-"): Renamed("--" + name.replace("_", "-"))
        for name, file in question.writes.items()
        if (was := getattr(file, "was", ""))
    }


def _help(question: Question) -> str:
    """Return the docstring of a question before its sections."""
    text = inspect.cleandoc(question.function.__doc__ or "")
    return text.partition("\nParameters\n---")[0].strip()


def _argument(parameter: QuestionParameter, source: Source) -> click.Argument:
    return click.Argument(
        [parameter.name],
        type=click.Path(),
        nargs=-1 if source.many else 1,
        required=source.required,
        metavar=source.metavar,
    )


def _option(parameter: QuestionParameter) -> click.Option:
    """Make the option of a parameter as its type and declaration say."""
    option = parameter.declared
    if not isinstance(option, Option):
        raise TypeError(f"{parameter.name} is not declared as an option")
    kind, many = _kind(parameter.kind)
    is_required = parameter.default is inspect.Parameter.empty
    default = option.default if is_required or parameter.default is None else parameter.default
    is_many = (many if option.many is None else option.many) and not option.joined
    if is_many and default is not None and not is_several(default):
        default = (default,)
    # `--intervals/--no-intervals` is a flag by its name.
    is_flag = kind is bool and not any("/" in flag for flag in option.flags)
    return click.Option(
        [*(option.flags or parameter.flags), parameter.name],
        type=None if kind is bool else _type(kind, option),
        is_flag=is_flag or None,
        multiple=is_many,
        nargs=len(option.words) or 1,
        default=None if kind is bool or default == () else default,
        show_default=kind is not bool,
        required=is_required,
        metavar=" ".join(option.words) or option.metavar or None,
        help=option.help,
    )


def _kind(kind: Any) -> tuple[Any, bool]:
    """Return the type of one value, and whether there can be several."""
    for member in alternatives(kind):
        origin = get_origin(member)
        is_class = isinstance(origin, type) and not issubclass(origin, Mapping | PathLike)
        is_pair = origin is tuple and Ellipsis not in get_args(member)
        if is_class and issubclass(origin, Iterable) and not is_pair:
            return _kind(get_args(member)[0])[0], True
    kinds = [member for member in alternatives(kind) if member is not type(None)]
    return (kinds[0] if kinds else str), False


def _type(kind: Any, option: Option) -> click.ParamType[Any]:
    """Return the type of the words of an option."""
    if option.chosen_from:
        return click.Choice(option.chosen_from)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if option.file:
        return click.Path()
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
