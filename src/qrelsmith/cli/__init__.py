"""The command line: `qrelsmith COMMAND …`.

A command's module is imported only when the command runs. Whatever goes wrong on purpose ends in
one line on stderr and exit status 2.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import TextIO

import click

from qrelsmith import __version__
from qrelsmith.base.errors import InputWarning, NotConvergedWarning, QrelsmithError
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.cli.notes import Notes

# name: (module, what it does); the only list of commands.
COMMANDS = {
    "aggregate": ("qrelsmith.cli.aggregate", "Make one grade of several assessors' grades."),
    "agree": ("qrelsmith.cli.agree", "Agreement between assessors or label sets, with intervals."),
    "assign": ("qrelsmith.cli.assign", "Decide who judges which topic, in which order."),
    "audit": ("qrelsmith.cli.audit", "Find out which labels of a campaign can be trusted."),
    "backup": ("qrelsmith.cli.backup", "Back up the judging app's database."),
    "compare": ("qrelsmith.cli.compare", "Compare the rankings of systems under several labels."),
    "crowd": ("qrelsmith.cli.crowd", "Publish HITs to a crowd platform; codes, payments."),
    "cut": ("qrelsmith.cli.cut", "Find the cuts that turn a scale into one of fewer levels."),
    "consistency": ("qrelsmith.cli.consistency", "Do halves of the topics rank the systems alike."),
    "demo": ("qrelsmith.cli.demo", "Build a small test collection here and evaluate it."),
    "disagree": (
        "qrelsmith.cli.disagree",
        "Where Gold and Bronze disagree; a new round of judging.",
    ),
    "efficiency": (
        "qrelsmith.cli.efficiency",
        "How fast assessors judge, from the times of judgments.",
    ),
    "evaluate": ("qrelsmith.cli.evaluate", "Score runs against qrels."),
    "export": ("qrelsmith.cli.export", "Write what the judging app holds as a campaign folder."),
    "forget": ("qrelsmith.cli.forget", "Sever a person from the judgments."),
    "import": ("qrelsmith.cli.import_", "Bring the judging app to what a campaign folder says."),
    "import-labels": (
        "qrelsmith.cli.import_labels",
        "Bring a model's labels into the judging app.",
    ),
    "invite": ("qrelsmith.cli.invite", "Print a link to an account of the judging app."),
    "migrate": ("qrelsmith.cli.migrate", "Bring the judging app's database to this version."),
    "pdp": ("qrelsmith.cli.pdp", "How open labels leave the ideal ranking of docs."),
    "plan": ("qrelsmith.cli.plan", "Decide what to have judged, before it is paid for."),
    "reproduce": ("qrelsmith.cli.reproduce", "Make a paper's tables and figures anew."),
    "pool": ("qrelsmith.cli.pool", "Pool runs: which docs to judge, in which order."),
    "power": ("qrelsmith.cli.power", "Share of system pairs that differ significantly."),
    "prefer": ("qrelsmith.cli.prefer", "Open the search for the best docs in the judging app."),
    "published": ("qrelsmith.cli.published", "Read published crowd labels on several scales."),
    "restore": ("qrelsmith.cli.restore", "Put a backup in the place of the judging app."),
    "serve": ("qrelsmith.cli.serve", "Serve the judging app of a campaign."),
    "significance": ("qrelsmith.cli.significance", "Test every pair of systems for a difference."),
    "simulate": ("qrelsmith.cli.simulate", "Draw topics, systems and assessors."),
    "token": ("qrelsmith.cli.token", "Print a token with which a model judges in the app."),
    "topk": ("qrelsmith.cli.topk", "Find the best k docs of each topic by preferences."),
    "transform": ("qrelsmith.cli.transform", "Move labels to another scale."),
    "loto": ("qrelsmith.cli.loto", "Leave one team out: are new systems ranked fairly."),
    "verify": ("qrelsmith.cli.verify", "Check the app's labels against its events."),
    "measures": ("qrelsmith.cli.measures", "List the measures with formula and source."),
}


class _LazyGroup(click.Group):
    """A group that knows its commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in sorted(COMMANDS)])


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="qrelsmith COMMAND --help shows an example of each command.",
)
@click.version_option(__version__, prog_name="qrelsmith", message="%(prog)s %(version)s")
@click.option(
    "--plugin", "plugins", multiple=True, type=click.Path(), metavar="FILE.py",
    help="A file that registers measures, coefficients, schedulers, …; repeat for more.",
)  # fmt: skip
def group(plugins: tuple[str, ...]) -> None:
    """Build and audit test collections for search."""
    PLUGINS.add_files(plugins)


def main(arguments: list[str] | None = None) -> None:
    """Run a command and exit: 0, or 2 with one line on stderr, 130 when interrupted."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stdout is None:
        sys.exit(_fail("stdout is closed"))
    # Files are UTF-8 whatever the locale is; a terminal shows what it can.
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
    with warnings.catch_warnings():
        for category in (InputWarning, NotConvergedWarning):
            warnings.simplefilter("always", category)
        warnings.showwarning = _shown_once(notes)
        return _run(arguments, notes)


def _run(arguments: list[str] | None, notes: Notes) -> int:
    try:
        outcome = group.main(
            args=arguments, prog_name="qrelsmith", standalone_mode=False, obj=notes
        )
        sys.stdout.flush()
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
        # Whoever read our output has enough. Python must not complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"cannot write the output: {error.strerror or error}")
    except MemoryError:
        return _fail("out of memory")


def _usage(error: click.ClickException) -> str:
    """A usage error as one line that says where to look."""
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message} (see {context.command_path} --help)"


def _fail(message: str, *, status: int = 2) -> int:
    text = " ".join(message.splitlines())
    click.echo(f"qrelsmith: error: {text}", err=True)
    return status


def _shown_once(notes: Notes) -> Callable[..., None]:
    """What shows a warning as one line, and the same one only once: a file may be read twice."""
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
            notes.tell(f"qrelsmith: warning: {message}")

    return show
