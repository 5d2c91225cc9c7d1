"""The command of a question: arguments, options and help, as declared by the question."""

from __future__ import annotations

import inspect

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.base.parameters import QuestionParameter, changed_keywords, old_flags
from qrelsmith.base.questions import Question
from qrelsmith.base.renamed import Renamed
from qrelsmith.cli.asking import ask, keeps_cells
from qrelsmith.cli.declared_options import argument_of, option_of
from qrelsmith.cli.options import input_options, output_options, unused_options
from qrelsmith.cli.stored_commands import Command
from qrelsmith.cli.sweeping import CELLS, DASK


def command_of(question: Question) -> Command:
    """Create the command of a question."""
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
    """Return the arguments and options of a question, except the options of its output."""
    arguments: list[click.Parameter] = []
    options: list[click.Parameter] = []
    for parameter in question.parameters:
        declared = parameter.declared
        if isinstance(declared, Source):
            arguments.append(argument_of(parameter, declared))
            options += [
                option_of(QuestionParameter(name, str, option, None))
                for name, option in declared.beside.items()
            ]
        elif isinstance(declared, Option):
            options.append(option_of(parameter))
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
    """Return the current names of options for files, by former name."""
    return {
        "--" + was.replace("_", "-"): Renamed("--" + name.replace("_", "-"))
        for name, file in question.writes.items()
        if (was := getattr(file, "was", ""))
    }


def _help(question: Question) -> str:
    """Return the docstring of a question without its sections."""
    text = inspect.cleandoc(question.function.__doc__ or "")
    return text.partition("\nParameters\n---")[0].strip()
