"""`qrelsmith app forget`."""

from __future__ import annotations

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.options import Common


@action("app forget", example="qrelsmith app forget my-campaign bronze-7")
@click.argument("campaign", type=click.Path())
@click.argument("assessor", required=False)
@click.option("--login", help="The account to forget by its login; for accounts of any role.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(campaign: str, assessor: str | None, login: str | None, quiet: bool) -> None:
    """Erase a person's data; keep the judgments.

    What CAMPAIGN's app knows of the person behind the pseudonym ASSESSOR, or behind an account, is
    deleted.

    Backups that were made before still hold the person.
    """
    if (assessor is None) is (login is None):
        raise click.UsageError("name either the pseudonym of an assessor or --login")
    open_app(campaign, must_exist=True)
    from qrelsmith.web.maintenance.forget import forget

    was_there = forget(assessor or login or "", by_login=login is not None)
    note = "the account is severed" if was_there else "there is no account to sever"
    Common(None, None, 0, None, quiet).say([f"{note}; backups made before are as they were"])
