"""`qrelsmith forget`."""

from __future__ import annotations

import click

from qrelsmith.cli.app import open_app
from qrelsmith.cli.options import Common


@click.command(name="forget", epilog="Example: qrelsmith forget my-campaign bronze-7")
@click.argument("campaign", type=click.Path())
@click.argument("assessor")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(campaign: str, assessor: str, quiet: bool) -> None:
    """Erase an assessor's personal data; keep the judgments.

    What CAMPAIGN's app knows of the person behind ASSESSOR is deleted.

    Backups that were made before still hold the person.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.maintenance.forget import forget

    was_there = forget(assessor)
    note = "the account is severed" if was_there else "there is no account to sever"
    Common(None, None, 0, None, quiet).say([f"{note}; backups made before are as they were"])
