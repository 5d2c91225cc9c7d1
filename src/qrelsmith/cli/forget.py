"""`qrelsmith app forget`."""

from __future__ import annotations

from typing import Annotated

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder, Quiet
from qrelsmith.cli.options import Common


@action("app forget", example="qrelsmith app forget my-campaign bronze-7")
def command(
    campaign: CampaignFolder,
    assessor: Annotated[str | None, Source("Assessor.", "", many=False)] = None,
    login: Annotated[str | None, Option(
        "Login of the account to erase; the account can have any role.")] = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Erase a person's data, but keep the judgments.

    Delete all personal data of the person with the pseudonym ASSESSOR, or of the account --login,
    from CAMPAIGN's app.

    Earlier backups still contain the person's data.
    """
    if (assessor is None) is (login is None):
        raise click.UsageError("expected either the pseudonym of an assessor or --login")
    open_app(campaign, must_exist=True)
    from qrelsmith.web.maintenance.forget import forget

    was_there = forget(assessor or login or "", by_login=login is not None)
    note = "the account is deleted" if was_there else "there is no account to delete"
    Common(quiet=quiet).say([f"{note}; earlier backups still contain the person"])
