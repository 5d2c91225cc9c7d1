"""Commands made of questions: arguments, options, help, progress, notes and output."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal, get_args, get_origin

import click
from click.core import ParameterSource

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Source
from qrelsmith.base.parameters import Parameter
from qrelsmith.base.question_options import alternatives
from qrelsmith.base.questions import Question
from qrelsmith.cli.notes import notes
from qrelsmith.cli.options import Common, Finite, check_outputs, output_options, split_names
from qrelsmith.cli.progress import progress
from qrelsmith.cli.sweeping import DASK, Sweeper
from qrelsmith.cli.written import check_file, write_file
from qrelsmith.io.writing import write_together


def command_of(question: Question) -> click.Command:
    """Make the command of a question."""
    arguments: list[click.Parameter] = []
    options: list[click.Parameter] = []
    for parameter in question.parameters:
        declared = parameter.declared
        if isinstance(declared, Source):
            arguments.append(_argument(parameter, declared))
            options += [
                _option(Parameter(name, tuple[str, ...] if each.many else str, each, None))
                for name, each in declared.beside.items()
            ]
        elif isinstance(declared, Option):
            options.append(_option(parameter))
    options += [
        click.Option([each.flag or "--" + name.replace("_", "-"), name], type=click.Path(),
                     metavar=each.metavar or None, help=each.help)
        for name, each in question.writes.items()
    ]  # fmt: skip
    if any(each.name == "sweep" for each in question.parameters):
        options.append(click.Option(["--dask"], metavar="ADDRESS", help=DASK))
    # Until 0.4.0 every command takes these two, whether it needs them or not.
    known = {parameter.name for parameter in question.parameters}
    options += [
        click.Option([f"--{name}"], type=click.INT, hidden=True, expose_value=False)
        for name in ("seed", "jobs")
        if name not in known
    ]
    return click.Command(
        name=question.command.rpartition(" ")[2],
        params=[*arguments, *options, *output_options()],
        help=help_of(question),
        short_help=question.short,
        epilog=f"Example: {question.example}",
        callback=lambda **values: _ask(question, values),
    )


def help_of(question: Question) -> str:
    """The docstring of a question before its sections."""
    text = inspect.cleandoc(question.function.__doc__ or "")
    return text.partition("\nParameters\n---")[0].strip()


def _argument(parameter: Parameter, source: Source) -> click.Argument:
    return click.Argument(
        [parameter.name],
        type=click.Path(),
        nargs=-1 if source.many else 1,
        required=source.required,
        metavar=source.metavar,
    )


def _option(parameter: Parameter) -> click.Option:
    """Make the option of a parameter as its type and declaration say."""
    declared = parameter.declared
    if not isinstance(declared, Option):
        raise TypeError(f"{parameter.name} is not declared as an option")
    kind, many = _kind(parameter.kind)
    default = parameter.default if parameter.default is not inspect.Parameter.empty else None
    default = declared.default if default is None else default
    is_many = (many if declared.many is None else declared.many) and not declared.joined
    if is_many and default is not None and (isinstance(default, str) or not _is_several(default)):
        default = (default,)
    is_flag = kind is bool
    return click.Option(
        [*parameter.flags, parameter.name],
        type=None if is_flag else _type(kind, declared),
        is_flag=is_flag or None,
        multiple=is_many,
        nargs=len(declared.words) or 1,
        default=None if is_flag or default == () else default,
        show_default=not is_flag,
        required=parameter.default is inspect.Parameter.empty,
        metavar=" ".join(declared.words) or declared.metavar or None,
        help=declared.help,
    )


def _is_several(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _kind(kind: Any) -> tuple[Any, bool]:
    """The type of one value, and whether there can be several."""
    for each in alternatives(kind):
        origin = get_origin(each)
        is_class = isinstance(origin, type) and not issubclass(origin, Mapping | PathLike)
        if is_class and issubclass(origin, Iterable):
            return _kind(get_args(each)[0])[0], True
    kinds = [each for each in alternatives(kind) if each is not type(None)]
    return (kinds[0] if kinds else str), False


def _type(kind: Any, declared: Option) -> click.ParamType[Any] | None:
    """The type of the words of an option."""
    if declared.chosen_from:
        return click.Choice(declared.chosen_from)
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if declared.file:
        return click.Path()
    if declared.read is not None or declared.gather is not None:
        return click.STRING
    if kind is int and (declared.least, declared.most) == (None, None):
        return click.INT
    if kind is int:
        return click.IntRange(_whole(declared.least), _whole(declared.most))
    if kind is float:
        return Finite(
            declared.least if declared.above is None else declared.above,
            declared.most if declared.below is None else declared.below,
            min_open=declared.above is not None,
            max_open=declared.below is not None,
        )
    return click.STRING


def _whole(bound: float | None) -> int | None:
    return None if bound is None or not math.isfinite(bound) else int(bound)


def _ask(question: Question, values: dict[str, Any]) -> None:
    """Ask the question of a command's words, and write its answer."""
    form, output, quiet = (values.pop(name) for name in ("form", "output", "quiet"))
    common = Common(form, output, values.get("seed", 0), values.get("jobs"), quiet)
    check_outputs({"output": output, **values})
    written = {name: values.pop(name) for name in question.writes}
    inputs = _inputs(values)
    with notes().hold(quiet=quiet), write_together():
        for name, path in written.items():
            if path is not None:
                check_file(question.writes[name], path)
        dask = values.pop("dask", None)
        keywords = _keywords(question, values)
        if dask is not None:
            keywords["sweep"] = Sweeper(None, common.jobs, dask, quiet, question.doing)
        if any(each.name == "advance" for each in question.parameters):
            with progress(question.doing, None, quiet=quiet or dask is not None) as advance:
                result = question.function(**keywords, advance=advance)
        else:
            result = question.function(**keywords)
        for name, path in written.items():
            note = None if path is None else write_file(question.writes[name], result, path, inputs)
            common.say([] if note is None else [note])
        common.say(result.notes)
        if output is not None:
            output = result.file(output)
            common = replace(common, output=output)
        content = result.content(form, output)
        if content is not None:
            common.put(content)
        else:
            common.emit(result.table(), on_terminal=result.shown())


def _keywords(question: Question, values: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on the command line, as keywords of the question."""
    context = click.get_current_context()
    declared = {each.name: each.declared for each in question.parameters}
    given: dict[str, Any] = {}
    for name, value in values.items():
        if context.get_parameter_source(name) is ParameterSource.DEFAULT:
            continue
        option = declared.get(name)
        if isinstance(option, Option):
            given[name] = _read(option, value)
        elif not isinstance(option, Source):
            given[name] = value
    for each in question.parameters:
        source = each.declared
        if isinstance(source, Source):
            words = values[each.name] if source.many else _alone(values[each.name])
            if source.take is None:
                given |= {each.name: words[0]} if words else {}
            else:
                try:
                    given |= source.take(words, given)
                except UsageError as error:
                    raise click.UsageError(str(error)) from None
    return given


def _inputs(values: Mapping[str, Any]) -> list[str]:
    """The files and folders that the command names to be read."""
    paths = []
    for parameter in click.get_current_context().command.params:
        value = values.get(parameter.name or "")
        if isinstance(parameter.type, click.Path) and value:
            paths += [value] if isinstance(value, str) else list(value)
    return paths


def _alone(word: str | None) -> Sequence[str]:
    return () if word is None else (word,)


def _read(option: Option, value: Any) -> Any:
    """A value as the question takes it."""
    if option.split:
        value = tuple(split_names(value if _is_several(value) else [value]))
    if option.gather is not None:
        return option.gather(value)
    if option.read is None:
        return value
    return [option.read(each) for each in value] if _is_several(value) else option.read(value)
