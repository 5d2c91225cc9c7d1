"""`qrelsmith app restore`."""

from __future__ import annotations

from qrelsmith.base.errors import InputError
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import make_app
from qrelsmith.cli.declared_options import Argument, CampaignFolder, Quiet
from qrelsmith.cli.options import Common


@action("app restore", example="qrelsmith app restore my-campaign friday.sqlite3")
def command(
    campaign: CampaignFolder,
    backup: Argument,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Restore the app's database from a backup.

    Replace the database of CAMPAIGN's app with BACKUP, and verify the restored database. The
    current database is backed up first. Stop the app before you restore.
    """
    with make_app(campaign):
        from qrelsmith.web.maintenance.restore import restore

        done = restore(backup)
    say = Common(quiet=quiet).say
    if done.before is not None:
        say([f"the former database is in {done.before}"])
    wrong = sum(check.wrong for check in done.checks)
    if wrong:
        raise InputError(
            f"the backup is restored, but {wrong} rows failed a check. See qrelsmith app verify"
        )
    say(["the backup is restored and verified"])
