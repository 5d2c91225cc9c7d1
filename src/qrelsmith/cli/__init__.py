"""The command line: `qrelsmith COMMAND …`.

A command's module is imported only when the command runs. Every expected error results in one line
on stderr and exit status 2.
"""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from collections.abc import Callable
from typing import TextIO

import click

from qrelsmith import __version__
from qrelsmith.base.errors import (
    InputNote,
    InputWarning,
    NotConvergedWarning,
    QrelsmithError,
    nearest,
)
from qrelsmith.base.keyword_words import command_line
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.cli.commands import Commands
from qrelsmith.cli.notes import Notes
from qrelsmith.io.limits import VARIABLE as LIMITS

# Click's message for a value that is not among an option's choices.
_CHOICE = re.compile(r"'([^']+)' is not one of ('.+')\.$")


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="qrelsmith COMMAND --help shows an example of each command; qrelsmith --help --all lists"
    " all commands.",
)
@click.version_option(__version__, prog_name="qrelsmith", message="%(prog)s %(version)s")
@click.option(
    "--plugin", "plugins", multiple=True, type=click.Path(), metavar="FILE.py",
    help="A file that registers measures, coefficients, schedulers, …; repeat for more.",
)  # fmt: skip
@click.option(
    "--limits", type=click.FloatRange(1), metavar="TIMES",
    help="Multiply the decompression limits for untrusted files by this factor.",
)  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="With --help: list all commands.")
def group(plugins: tuple[str, ...], limits: float | None, *, everything: bool) -> None:
    """Build and audit test collections for search."""
    if limits is not None:
        # Worker processes also read this variable.
        os.environ[LIMITS] = str(limits)
    PLUGINS.add_files(plugins)


def main(arguments: list[str] | None = None) -> None:
    """Run a command, and exit with status 0, 2 (one line on stderr) or 130 (interrupted)."""
    # The matrices are small and several are processed in parallel. So threads of the algebra
    # library cost more time than they save: ten times as much for an audit's intervals on a busy
    # machine.
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the exit
    if sys.stdout is None:
        sys.exit(_fail("stdout is closed"))
    # Files are UTF-8 in every locale; a terminal shows the characters that it supports.
    if isinstance(sys.stdout, io.TextIOWrapper):
        if sys.stdout.isatty():
            sys.stdout.reconfigure(errors="backslashreplace")
        else:
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run a command and return the exit status."""
    notes = Notes()
    with warnings.catch_warnings(), command_line():
        for category in (InputWarning, NotConvergedWarning):
            warnings.simplefilter("always", category)
        warnings.showwarning = _show_once(notes)
        return _run(arguments, notes)


def _run(arguments: list[str] | None, notes: Notes) -> int:
    try:
        outcome = group.main(
            args=arguments, prog_name="qrelsmith", standalone_mode=False, obj=notes
        )
        sys.stdout.flush()
        notes.tell_outdated()
        return outcome if isinstance(outcome, int) else 0
    except click.exceptions.Abort:
        return _fail("interrupted; no file is left half-written", status=130)
    except KeyboardInterrupt:
        return _fail("interrupted; no file is left half-written", status=130)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _fail(_usage(error))
    except QrelsmithError as error:
        return _fail(str(error))
    except BrokenPipeError:
        # The reader of the output closed the pipe. Python must not report this again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"cannot write the output: {error.strerror or error}")
    except MemoryError:
        return _fail("out of memory")


def _usage(error: click.ClickException) -> str:
    """Format a usage error as one line with a reference to the help."""
    message = " ".join(error.format_message().split())
    choice = _CHOICE.search(message)
    near = choice and nearest(choice[1], re.findall("'(.+?)'", choice[2]))
    if near:
        message += f" Did you mean '{near}'?"
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        name = error.option_name
        if any(name in option.opts for option in group.params):
            message = f"put {name} before the command: qrelsmith {name} … {context.info_name}"
    if context is None:
        return message
    return f"{message} (see {context.command_path} --help)"


def _fail(message: str, *, status: int = 2) -> int:
    text = " ".join(message.splitlines())
    click.echo(f"qrelsmith: error: {text}", err=True)
    return status


def _show_once(notes: Notes) -> Callable[..., None]:
    """Return a function that shows each warning once, as one line."""
    shown: set[str] = set()

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        context = click.get_current_context(silent=True)
        quiet = notes.quiet or (context is not None and context.params.get("quiet", False))
        if not quiet and str(message) not in shown:
            shown.add(str(message))
            kind = "note" if issubclass(category, InputNote) else "warning"
            notes.tell(f"qrelsmith: {kind}: {message}")

    return show
