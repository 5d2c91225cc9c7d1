"""`qrelsmith plan`."""

from __future__ import annotations

import click

from qrelsmith.cli.commands import question_command


@click.group(
    name="plan",
    epilog="Example: qrelsmith plan preferences nist.qrels --per-pair 100 -o tests.csv",
)
def command() -> None:
    """Plan topics, preference tests, a sample, or a whole campaign with its cost."""


command.add_command(question_command("plan topics"))
command.add_command(question_command("plan campaign"))
command.add_command(question_command("plan sample"))
command.add_command(question_command("plan preferences"))
