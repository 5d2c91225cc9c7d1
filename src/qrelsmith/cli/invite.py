"""`qrelsmith invite`."""

from __future__ import annotations

from datetime import timedelta

import click

from qrelsmith.cli.app import open_app


@click.command(
    name="invite", epilog="Example: qrelsmith invite my-campaign --role assessor --assessor gold-1"
)
@click.argument("campaign", type=click.Path())
@click.option(
    "--role", type=click.Choice(["admin", "organiser", "assessor", "viewer"]), required=True,
    help="What the account may do.",
)  # fmt: skip
@click.option("--assessor", help="The pseudonym that an assessor judges under.")
@click.option("--group", help="Make a new pseudonym, of this group.")
@click.option("--days", type=click.IntRange(1, 365), default=14, show_default=True,
              help="For how long the link can be used.")  # fmt: skip
@click.option("--url", help="The address of the app; default: where it is served.")  # fmt: skip
def command(
    campaign: str, role: str, assessor: str | None, group: str | None, days: int, url: str | None
) -> None:
    """Print a link to an account of the judging app.

    The link is for one person, once.
    """
    if (role == "assessor") is not (assessor is not None):
        raise click.UsageError("an assessor needs --assessor, and nobody else has one")
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.accounts.invites import invited_assessor, make_invite
    from qrelsmith.web.core.alive import app_address
    from qrelsmith.web.models import Role

    judge = None if assessor is None else invited_assessor(assessor, group=group)
    note_command("invite", assessor or role)
    token = make_invite(Role(role), assessor=judge, valid_for=timedelta(days=days))
    click.echo(f"{(url or app_address()).rstrip('/')}/invite#{token}")
