"""`qrelsmith app token`."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Literal

import click

from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder, Quiet
from qrelsmith.cli.options import Common


@action("app token", example="qrelsmith app token my-campaign --assessor gpt-x")
def command(
    campaign: CampaignFolder,
    assessor: Annotated[str, Option("Model assessor for which the token is created.")],
    scopes: Annotated[tuple[Literal["work:read", "judgments:write"], ...], Option(
        "Permission of the token; default: both.", ("--scope",))] = (),
    days: Annotated[int, Option("Days until the token expires.", least=1, most=365)] = 30,
    revoke: Annotated[bool, Option("Revoke all tokens of the assessor instead.")] = False,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Print a token for a model that judges in the app.

    A program with the token can judge in CAMPAIGN's app as a model assessor.

    The token is printed only once, because the app stores only a hash. The assessor must be in a
    group with the role `llm`; see `qrelsmith app import`.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts import tokens
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.accounts.assessors import model_assessor

    judge = model_assessor(assessor)
    if revoke:
        ended = tokens.revoke(judge.tokens.all())
        note_command("revoke tokens", assessor)
        Common(quiet=quiet).say([f"{ended} tokens are revoked"])
        return
    token = tokens.make_token(judge, scopes or tokens.SCOPES, valid_for=timedelta(days=days))
    note_command("token", assessor)
    click.echo(token)
