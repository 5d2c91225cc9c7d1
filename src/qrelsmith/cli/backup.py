"""`qrelsmith app backup`."""

from __future__ import annotations

from typing import Annotated

import click

from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder


@action(
    "app backup",
    example="qrelsmith app backup my-campaign -o friday.sqlite3",
    renamed={"--keep": "--newest"},
)
def command(
    campaign: CampaignFolder,
    output: Annotated[str | None, Option(
        "File to write; default: a new file in CAMPAIGN/.qrelsmith/backups.",
        ("-o", "--output"), file=True)] = None,
    keep: Annotated[int | None, Option(
        "After the backup, delete all but the N newest backups in CAMPAIGN/.qrelsmith/backups.",
        ("--newest",), metavar="N", least=1)] = None,
) -> None:  # fmt: skip
    """Back up the app's database.

    CAMPAIGN's app can stay in use during the backup. The name of the backup file is printed.
    Protect the backup like the database, because it contains people's names and password hashes.
    """
    # After an upgrade, the nightly backup may run before the migration.
    open_app(campaign, must_exist=True, any_schema=True)
    from qrelsmith.web.maintenance.backup import back_up, drop_old_backups

    click.echo(back_up(output))
    if keep is not None:
        for path in drop_old_backups(keep):
            click.echo(f"deleted {path}", err=True)
