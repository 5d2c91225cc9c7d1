"""`qrelsmith serve`."""

from __future__ import annotations

import click

from qrelsmith.cli.app import docs_progress, make_app
from qrelsmith.cli.options import Common


@click.command(name="serve", epilog="Example: qrelsmith serve my-campaign --port 8000")
@click.argument("campaign", type=click.Path())
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
    help="The port to listen at; 0 takes a free one.",
)  # fmt: skip
@click.option(
    "--public-url", default="", metavar="URL",
    help="How browsers reach the app, where a proxy stands before it: https://judge.example.org.",
)  # fmt: skip
@click.option(
    "--proxy", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="Where that proxy is; its word is taken on who asks.",
)  # fmt: skip
@click.option(
    "--threads", type=click.IntRange(1, 64), default=8, show_default=True,
    help="How many requests are worked on at a time.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    campaign: str,
    host: str,
    port: int,
    public_url: str,
    proxy: str,
    threads: int,
    quiet: bool,
) -> None:
    """Serve the judging app of a campaign.

    The database is SQLite in CAMPAIGN/.qrelsmith, or PostgreSQL where the environment variable
    DATABASE_URL names one. The first start imports topics, docs and pools of the folder and prints
    a link with which an admin can log in.
    """
    common = Common(form=None, output=None, seed=0, jobs=None, quiet=quiet)
    with make_app(campaign, public_url=public_url):
        from qrelsmith.web.alive import served
        from qrelsmith.web.logs import log_to
        from qrelsmith.web.project import current_instance
        from qrelsmith.web.server import EVERYWHERE, serve
        from qrelsmith.web.start import first_invite, prepare

        with docs_progress(campaign, quiet=quiet) as advance:
            notes = prepare(advance=advance)
        if host in EVERYWHERE and not public_url:
            notes.append(
                "browsers of other machines are let in only with --public-url, which says by what"
                " address they ask"
            )
        common.say(notes)
    log_to(quiet=quiet)

    def ready(bound: int) -> None:
        address = public_url.rstrip("/") or f"http://{host}:{bound}"
        token = first_invite()
        if token:
            click.echo(f"Log in as admin, once: {address}/invite#{token}")
        click.echo(f"Listening at {address}")

    trusted = proxy if public_url else ""
    with served(current_instance()):
        serve(host=host, port=port, threads=threads, proxy=trusted, ready=ready)
