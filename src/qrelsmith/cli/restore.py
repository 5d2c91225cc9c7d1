"""`qrelsmith app restore`."""

from __future__ import annotations

import click

from qrelsmith.base.errors import InputError
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import make_app
from qrelsmith.cli.options import Common


@action("app restore", example="qrelsmith app restore my-campaign friday.sqlite3")
@click.argument("campaign", type=click.Path())
@click.argument("backup", type=click.Path())
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(campaign: str, backup: str, quiet: bool) -> None:
    """Restore the app's database from a backup.

    BACKUP takes the place of the database of CAMPAIGN's app, and is verified.

    What was there is backed up first. Stop the app before.
    """
    with make_app(campaign):
        from qrelsmith.web.maintenance.restore import restore

        done = restore(backup)
    say = Common(None, None, 0, None, quiet).say
    if done.before is not None:
        say([f"what was there before is in {done.before}"])
    wrong = sum(check.wrong for check in done.checks)
    if wrong:
        raise InputError(f"the backup is restored, but {wrong} rows are wrong: see verify")
    say(["the backup is restored and verified"])
