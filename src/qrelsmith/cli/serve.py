"""`qrelsmith serve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from qrelsmith.base.options import Option
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.server_settings import ServerSettings, server_settings
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import docs_progress, make_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common
from qrelsmith.web.hub.instance import is_hub


@action("serve", "judge", everyday=True, example="qrelsmith serve my-campaign --port 8000")
def command(
    campaign: CampaignFolder,
    host: Annotated[str | None, Option("Address to listen at; default: 127.0.0.1.")] = None,
    port: Annotated[int | None, Option(
        "Port to listen at (0: any free port); default: 8000.", least=0, most=65535)] = None,
    public_url: Annotated[str | None, Option(
        "URL of the app behind a proxy, such as https://judge.example.org.",
        metavar="URL")] = None,
    proxy: Annotated[str | None, Option(
        "IP address of the proxy whose X-Forwarded-For header is trusted; default: none.",
        metavar="ADDRESS")] = None,
    threads: Annotated[int | None, Option(
        "Number of requests processed in parallel; default: 8.", least=1, most=64)] = None,
    quiet: Annotated[bool, Option("Hide links, notes and warnings; keep the log.")] = False,
) -> None:  # fmt: skip
    """Start the judging app for a campaign, or for all campaigns in a folder.

    The database is SQLite in CAMPAIGN/.qrelsmith, or PostgreSQL if DATABASE_URL or the table
    [server] in campaign.toml specifies one. You can also set the options in [server]; environment
    variables (QRELSMITH_PUBLIC_URL, …) override the table. On SIGTERM, requests in progress are
    finished first. The first start imports the folder's topics, docs and pools. A link for the
    first admin is also printed, unless --quiet is used or an admin's invite is pending.

    If you pass a folder of campaigns or an empty folder, all campaigns in this folder are served at
    one address, with shared accounts in FOLDER/.qrelsmith.
    """
    common = Common(quiet=quiet)
    told: dict[str, Any] = {"host": host, "port": port, "public_url": public_url, "proxy": proxy}
    told["threads"] = threads
    several = is_hub(Path(campaign))
    of_file = ServerSettings() if several else read_campaign(campaign).server
    server = replace(
        server_settings(of_file), **{key: value for key, value in told.items() if value is not None}
    )
    with make_app(campaign, public_url=server.public_url, is_hub=several, is_served=True):
        from qrelsmith.web.accounts.invites import open_invites
        from qrelsmith.web.core.alive import app_address, hold_in_use, note_address
        from qrelsmith.web.project import current_instance
        from qrelsmith.web.serving.logs import log_to
        from qrelsmith.web.serving.server import EVERYWHERE, serve
        from qrelsmith.web.serving.start import first_invite, prepare

        if several:
            from qrelsmith.web.hub.start import prepare_hub

            notes = prepare_hub()
        else:
            with docs_progress(campaign, quiet=quiet) as advance:
                notes = prepare(advance=advance)
        if server.host in EVERYWHERE and not server.public_url:
            notes.append(
                "browsers on other machines need --public-url with the address that they use"
            )
        if server.public_url and not server.proxy:
            notes.append(
                "X-Forwarded-For and X-Forwarded-Proto are ignored. To use them, set proxy in"
                " [server] to the IP address of the proxy"
            )
        common.say(notes)
    log_to()

    def ready(bound: int) -> None:
        address = replace(server, port=bound).address
        earlier = app_address()
        note_address(address)
        is_moved = not quiet and earlier != address and open_invites().exists()
        token = None if quiet else first_invite()
        if token:
            click.echo(f"Create the admin account here: {address}/invite#{token}")
        elif token is not None and not several:
            click.echo(
                "An invite for an admin is pending. For another link, run"
                f" qrelsmith app invite {campaign} --role admin"
            )
        if is_moved:
            click.echo(f"Replace {earlier} with {address} in links that were created earlier.")
        click.echo(f"Listening at {address}")

    trusted = server.proxy if server.public_url else ""
    with hold_in_use(current_instance()):
        run: Callable[..., None] = serve
        if several:
            from qrelsmith.web.hub.start import serve_hub

            run = partial(serve_hub, public_url=server.public_url)
        run(host=server.host, port=server.port, threads=server.threads, proxy=trusted, ready=ready)
