"""`qrelsmith app token`."""

from __future__ import annotations

from datetime import timedelta

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.options import Common


@action("app token", example="qrelsmith app token my-campaign --assessor gpt-x")
@click.argument("campaign", type=click.Path())
@click.option("--assessor", required=True, help="The model assessor that the token judges as.")
@click.option(
    "--scope", "scopes", multiple=True, type=click.Choice(["work:read", "judgments:write"]),
    help="What it is good for; both if none is named.",
)  # fmt: skip
@click.option("--days", type=click.IntRange(1, 365), default=30, show_default=True,
              help="For how long it can be used.")  # fmt: skip
@click.option("--revoke", is_flag=True, help="Make all tokens of the assessor useless instead.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    campaign: str, assessor: str, scopes: tuple[str, ...], days: int, revoke: bool, quiet: bool
) -> None:
    """Print a token for a model that judges in the app.

    A program with the token judges in CAMPAIGN's app as one model assessor.

    It is printed this once: the app keeps its digest. The assessor must be in a group with the
    role llm; see `qrelsmith app import`.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts import tokens
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.accounts.assessors import model_assessor

    judge = model_assessor(assessor)
    if revoke:
        ended = tokens.revoke(judge.tokens.all())
        note_command("revoke tokens", assessor)
        Common(None, None, 0, None, quiet).say([f"{ended} tokens are revoked"])
        return
    token = tokens.make_token(judge, scopes or tokens.SCOPES, valid_for=timedelta(days=days))
    note_command("token", assessor)
    click.echo(token)
