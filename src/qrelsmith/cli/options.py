"""Common options of commands, and their effects."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.tables import FORMATS, Table
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.colours import paint_cell
from qrelsmith.cli.declared_options import declared_parameters
from qrelsmith.cli.notes import notes as told
from qrelsmith.forms.reading import parsed_columns, reading
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing, write_text


@dataclass(frozen=True, slots=True)
class Common:
    """The options of all commands.

    Attributes
    ----------
    form : str or None
        The format of the result, one of `FORMATS`.
    output : path or None
        The file for the result; None: stdout.
    seed : int
        Random seed.
    jobs : int or None
        Number of parallel jobs; None: one per processor.
    quiet : bool
        Whether stderr shows only errors.
    """

    form: str | None = None
    output: FilePath | None = None
    seed: int = 0
    jobs: int | None = None
    quiet: bool = False

    def emit(self, table: Table, *, on_terminal: Table | None = None) -> None:
        """Write the result to the requested file in the requested format.

        A wide table can have a shorter version for people: on a terminal, and with `--format
        table`.
        """
        is_shown = self.output is None and sys.stdout.isatty()
        form = self.form or ("table" if is_shown else "csv")
        chosen = on_terminal if form == "table" and on_terminal is not None else table
        if is_shown and form == "table":
            text = chosen.plain(width=shutil.get_terminal_size().columns, paint=paint_cell)
        else:
            text = chosen.text(form)
        if self.output is None:
            told().release()
            click.echo(text, nl=False)
        else:
            write_text(self.output, text)
            told().release()

    def put(self, content: bytes) -> None:
        """Write a result that is already formatted, without any change."""
        if self.output is None:
            told().release()
            click.echo(content, nl=False)
        else:
            with replacing(self.output) as out:
                out.write(content)
            told().release()

    def say(self, notes: Iterable[str]) -> None:
        """Print notes to stderr, one per line; the notes are dropped if an error follows."""
        if not self.quiet:
            for note in notes:
                told().tell(f"qrelsmith: note: {note}")

    def explain(self, notes: Iterable[str]) -> None:
        """Print notes that belong to the following error."""
        self.say(notes)
        told().release()

    def end(self, sentence: str, *, status: int) -> None:
        """Exit with an error after printing the result; the error is shown even with --quiet."""
        told().release()
        click.echo(f"qrelsmith: error: {sentence}", err=True)
        click.get_current_context().exit(status)


def common_options(*shared: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the options for printing a result, passed as `common`.

    Parameters
    ----------
    *shared : str
        `seed` for random draws, `jobs` for parallel work, `reads` for reading files that other
        programs may have written.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def with_common(**own: Any) -> None:
            form, output, quiet = (own.pop(name) for name in ("form", "output", "quiet"))
            seed, jobs = own.pop("seed", 0), own.pop("jobs", None)
            read = take_reading(own)
            check_outputs({"output": output, **own})
            with told().hold(quiet=quiet), reading(*read):
                function(common=Common(form, output, seed, jobs, quiet), **own)

        command: Any = with_common
        # Click expects the parameters in the order in which decorators are applied.
        own_options = getattr(function, "__click_params__", [])
        declared = [] if own_options else declared_parameters(function)
        options = [_SHARED[name]() for name in shared if name in _SHARED]
        options += input_options([*own_options, *declared]) if "reads" in shared else []
        options += [*output_options(), *unused_options(shared)]
        command.__click_params__ = [*own_options, *reversed([*declared, *options])]
        return with_common

    return decorate


_SHARED: dict[str, Callable[[], click.Parameter]] = {
    "seed": lambda: click.Option(
        ["--seed"], type=int, default=0, show_default=True, help="Random seed."
    ),
    "jobs": lambda: click.Option(
        ["--jobs"], type=click.IntRange(min=1),
        help="Number of parallel jobs; default: one per processor. The results are the same for"
            " any number.",
    ),
}  # fmt: skip


def output_options() -> list[click.Parameter]:
    """Return the options of a result: format, file, and whether to show notes."""
    return [
        click.Option(
            ["--format", "form"],
            type=click.Choice(FORMATS.names()),
            help="Output format; default: table on a terminal, csv otherwise.",
        ),
        click.Option(
            ["-o", "--output"], type=click.Path(), help="Write to this file instead of stdout."
        ),
        click.Option(["--quiet"], is_flag=True, help="Hide notes and warnings."),
    ]


def input_options(others: Iterable[click.Parameter]) -> list[click.Parameter]:
    """Return the options for reading files, except options whose names are already used."""
    spelled = {flag for option in others for flag in option.opts}
    options: list[click.Parameter] = [
        click.Option(
            ["--from", "read_as"], metavar="FORM",
            help="Format of the input files, needed only if several formats fit; default:"
                " recognised by content.",
        ),
        click.Option(
            ["--columns", "read_columns"], metavar="ROLE=NAME,…",
            help="Column names in the input files, such as topic=query,doc=document_id.",
        ),
    ]  # fmt: skip
    return [option for option in options if spelled.isdisjoint(option.opts)]


def take_reading(values: dict[str, Any]) -> tuple[str | None, dict[str, str] | None]:
    """Remove the values of `input_options`, and return the format and the columns."""
    form, columns = values.pop("read_as", None), values.pop("read_columns", None)
    return form, None if columns is None else parsed_columns(columns)


def unused_options(shared: Collection[str]) -> list[click.Parameter]:
    """Return hidden options without effect: all commands accept --seed and --jobs until 0.4.0."""
    return [
        click.Option(
            [f"--{name}"], type=int, hidden=True, expose_value=False, callback=_note_unused
        )
        for name in ("seed", "jobs")
        if name not in shared
    ]


def _note_unused(_: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None:
        told().tell(
            f"qrelsmith: note: --{parameter.name} has no effect here and will be an error in 0.4.0"
        )


# Options that name an output file; all others name inputs.
_WRITTEN = ("output", "all_cuts", "again", "round_file")
# Files of a campaign's folder that no command can recreate.
_RECORDS = ("campaign", "topics", "documents", "judgments", "preferences")
# Commands that read all inputs before they write the same kind of file.
_IN_PLACE = ("transform", "aggregate", "sample")


def check_outputs(options: Mapping[str, Any]) -> None:
    """Reject commands that would overwrite their inputs, or write two results to one file.

    Raises
    ------
    UsageError
        If another option or argument names the output file.
    """
    context = click.get_current_context(silent=True)
    if context is not None and context.info_name in _IN_PLACE:
        return
    named = {
        name: [
            Path(text)
            for text in (value if isinstance(value, tuple) else (value,))
            if isinstance(text, str | Path) and str(text)
        ]
        for name, value in options.items()
    }
    for name, paths in named.items():
        if name == "write_outcomes" or not (name in _WRITTEN or name.startswith("write")):
            continue
        for path in paths:
            for other, others in named.items():
                if other != name and any(_same_file(path, read) for read in others):
                    raise UsageError(
                        f"{quoted(path)} is given for both {_option_of(name, context)} and"
                        f" {_option_of(other, context)}; expected different files"
                    )
                if other != name and any(_is_record(path, read) for read in others):
                    raise UsageError(
                        f"{quoted(path)} is a record of the campaign, which "
                        f"{_option_of(name, context)} would overwrite; expected another file"
                    )


def _option_of(name: str, context: click.Context | None) -> str:
    """Return the name of an option or argument, as users type it."""
    if context is None:
        return name
    for parameter in context.command.params:
        if parameter.name == name:
            is_option = isinstance(parameter, click.Option)
            return parameter.opts[-1] if is_option else parameter.make_metavar(context)
    return name


def _same_file(one: Path, other: Path) -> bool:
    """Return whether two paths are the same regular file, which may not exist yet."""
    try:
        if one.exists() and not one.is_file():
            return False
        return one.resolve() == other.resolve() or (other.exists() and one.samefile(other))
    except (OSError, ValueError):
        return False


def _is_record(path: Path, folder: Path) -> bool:
    """Return whether a path is an existing file of a campaign that must not be overwritten."""
    try:
        if not (path.is_file() and (folder / SETTINGS).is_file()):
            return False
        place = path.resolve().relative_to(folder.resolve()).parts
    except (OSError, ValueError):
        return False
    return place[0] == "runs" or (len(place) == 1 and place[0].partition(".")[0] in _RECORDS)
