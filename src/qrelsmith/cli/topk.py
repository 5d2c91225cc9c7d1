"""`qrelsmith topk`: the best k docs of each topic by preferences."""

from __future__ import annotations

import click

from qrelsmith.cli.topk_hits import hits
from qrelsmith.cli.topk_plan import plan, simulate
from qrelsmith.cli.topk_session import answer, pairs, pool, result


@click.group(
    name="topk",
    epilog="Example: qrelsmith topk result graded.qrels crowd.pref --write-combined combined.qrels",
)
def command() -> None:
    """Find the best k docs of each topic by preferences.

    Grades say who is a candidate (`pool`), a scheduler which pairs are to be judged (`pairs`), a
    log of answers (`answer`, or `hits` for crowds) what is settled (`result`). Nothing else is
    kept: a session goes on from its two files. `plan` and `simulate` say what it will cost.
    """


for _command in (plan, pool, pairs, answer, result, hits, simulate):
    command.add_command(_command)
