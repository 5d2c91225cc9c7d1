"""`qrelsmith app import`."""

from __future__ import annotations

from typing import Annotated

from qrelsmith.base.options import Option
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import docs_progress, make_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options


@action("app import", example="qrelsmith app import my-campaign --dry-run")
@common_options()
def command(
    common: Common,
    campaign: CampaignFolder,
    dry_run: Annotated[bool, Option("Read and compare everything without recording it.")] = False,
    accept_changes: Annotated[bool, Option(
        "Record changed topics, docs and levels that have judgments as new versions.")] = False,
) -> None:  # fmt: skip
    """Import a campaign folder into the judging app.

    CAMPAIGN's topics, docs, assignments and preference settings are imported, and the records of an
    export, if there are any.

    Existing data are not changed. The folder is compared with the judged data, so that campaigns
    are not mixed. If a judged topic or doc is missing or has a different text, this is an error. If
    you changed a text on purpose, use --accept-changes to record a new version. All files are read
    and compared before anything is recorded. If an import was interrupted, repeat the command to
    resume it.
    """
    with make_app(campaign):
        from qrelsmith.web.serving.start import import_folder, migrate_app, missing_work

        common.say(migrate_app())
        times = 1 if dry_run else 2
        with docs_progress(campaign, quiet=common.quiet, times=times) as advance:
            counts = import_folder(is_dry=dry_run, accept_changes=accept_changes, advance=advance)
        common.say([] if dry_run else missing_work())
    rows = [(each.what, each.new, each.changed, each.same) for each in counts]
    common.emit(Table.of(("what", "new", "changed", "same"), rows))
