"""`qrelsmith prefer`."""

from __future__ import annotations

from typing import Annotated

from qrelsmith.base.options import Option
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options


@action("prefer", "judge", example="qrelsmith prefer my-campaign --dry-run")
@common_options()
def command(
    common: Common,
    campaign: CampaignFolder,
    dry_run: Annotated[bool, Option("Show the tasks to start, without recording them.")] = False,
    unfinished: Annotated[bool, Option(
        "Include topics whose docs are not all graded in the app.")] = False,
    renew: Annotated[bool, Option(
        "Also update tasks with judged pairs to the current grades. Answers are kept, and are used"
        " for pairs that are needed again.")] = False,
) -> None:  # fmt: skip
    """Start a top-k preference task in the app.

    For each topic in CAMPAIGN's app, a task is created from the topic's grades. The table
    [preferences] of campaign.toml sets the source of the grades, the number of docs to find, the
    scheduler, and the assessors. The candidates of a topic are all docs with the highest grades
    (see `topk pool`). Existing tasks are updated to the current grades if no pair was judged.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.pairs.contests import open_contests
    from qrelsmith.web.project import current_instance

    opening = open_contests(
        current_instance().campaign, is_dry=dry_run, renew=renew, unfinished=unfinished
    )
    counts = opening.contests
    if not dry_run:
        note_command("prefer", f"{counts.new} new, {counts.changed} changed")
    common.say(opening.notes())
    row = (counts.what, counts.new, counts.changed, counts.same)
    common.emit(Table.of(("what", "new", "changed", "same"), [row]))
