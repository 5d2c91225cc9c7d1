"""`qrelsmith app doctor`."""

from __future__ import annotations

from typing import Annotated

import click

from qrelsmith.base.options import Option
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.server_settings import server_settings
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import make_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options


@action(
    "app doctor", example="qrelsmith app doctor my-campaign", renamed={"--exit-code": "--strict"}
)
@common_options()
def command(
    common: Common,
    campaign: CampaignFolder,
    exit_code: Annotated[bool, Option(
        "Exit with status 1 if a check fails.", ("--strict",))] = False,
) -> None:  # fmt: skip
    """Check the setup of a campaign's judging app.

    There is one row per check of CAMPAIGN's app: identity and schema of the database, public URL
    and proxy, response of the app, clock, backups, permissions, disk, secret, tokens. Each problem
    is shown with its solution.
    """
    with make_app(campaign):
        from qrelsmith.web.project import check_app

        check_app()
    from qrelsmith.web.serving.doctor import examine

    table = examine(server_settings(read_campaign(campaign).server))
    common.emit(table)
    if exit_code and any(row[1] == "wrong" for row in table.rows):
        raise click.exceptions.Exit(1)
