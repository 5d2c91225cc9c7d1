"""`qrelsmith app invite`."""

from __future__ import annotations

import csv
import sys
from datetime import timedelta
from typing import Annotated, Literal

import click

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.io.text import text_stream


@action("app invite", example="qrelsmith app invite my-campaign --role assessor --assessor gold-1")
def command(
    campaign: CampaignFolder,
    role: Annotated[Literal["admin", "organiser", "assessor", "viewer"] | None, Option(
        "Role of the account.")] = None,
    login: Annotated[str | None, Option(
        "Create a link for a new password of the account with this login instead.")] = None,
    assessor: Annotated[str | None, Option("Pseudonym of the assessor.")] = None,
    names: Annotated[str | None, Option(
        "Invite the assessors in this file, one pseudonym per line; for a new assessor, add a"
        " comma and the group.",
        ("--list",), metavar="FILE", file=True)] = None,
    group: Annotated[str | None, Option("Create a new pseudonym in this group.")] = None,
    days: Annotated[int, Option("Days until the link expires.", least=1, most=365)] = 14,
    url: Annotated[str | None, Option(
        "URL of the app; default: the running server's URL.")] = None,
) -> None:  # fmt: skip
    """Print a link for a new account, or for a new password.

    A link can be used once, by one person. With --list, the output is a csv with the columns
    assessor and link. With --login, the link sets a new password for an existing account.
    """
    if (role is None) is (login is None):
        raise click.UsageError("expected either --role or --login")
    if (role == "assessor") is not ((assessor is None) is not (names is None)):
        raise click.UsageError(
            "--role assessor needs --assessor or --list; other roles take neither"
        )
    listed = None if names is None else text_stream(names).read()
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.accounts.invites import invited_assessor, make_invite, make_invites
    from qrelsmith.web.core.alive import app_address, is_address_known
    from qrelsmith.web.core.database import writing
    from qrelsmith.web.models import Account, Role

    base, valid_for = (url or app_address()).rstrip("/"), timedelta(days=days)
    if not url and not is_address_known():
        click.echo(
            f"note: the app has not been started yet, so the link uses {base}. Start the app at"
            " that address, or set host, port or public_url under [server] in campaign.toml before"
            " you create invites",
            err=True,
        )
    if listed is not None:
        if group is not None:
            raise click.UsageError(
                "--group cannot be used with --list; in the list, write the group of a new assessor"
                " after a comma"
            )
        try:
            with writing():
                made = make_invites(listed, valid_for=valid_for)
                for name, _ in made:
                    note_command("invite", name)
        except UsageError as error:
            raise InputError(str(error), path=names) from None
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(("assessor", "link"))
        for name, token in made:
            rows.writerow((name, f"{base}/invite#{token}"))
        return
    if login is not None:
        account = Account.objects.filter(login=login, is_active=True).first()
        if account is None:
            raise UsageError(f"no active account has the login {quoted(login)}")
        note_command("renew", login)
        token = make_invite(Role(account.role), account=account, valid_for=valid_for)
        click.echo(f"{base}/invite#{token}")
        return
    judge = None if assessor is None else invited_assessor(assessor, group=group)
    note_command("invite", assessor or str(role))
    token = make_invite(Role(str(role)), assessor=judge, valid_for=valid_for)
    click.echo(f"{base}/invite#{token}")
