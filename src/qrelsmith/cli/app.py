"""Set-up of the judging app for commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from qrelsmith.base.errors import InputError, MissingDependencyError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.server_settings import server_settings
from qrelsmith.cli.progress import progress
from qrelsmith.collection.documents import roughly
from qrelsmith.io.text import FilePath


def open_app(
    campaign: FilePath, *, public_url: str = "", must_exist: bool = False, any_schema: bool = False
) -> None:
    """Set up the app for a campaign; call this before importing the app's model modules.

    If `must_exist`, the app is locked until the command ends, so that no backup is restored
    meanwhile.

    Parameters
    ----------
    public_url : str
        The app's URL for browsers.
    must_exist : bool
        Whether the app's database must exist, with this program's schema.
    any_schema : bool
        Whether an older schema is accepted.

    Raises
    ------
    MissingDependencyError
        If the extra `web` is not installed, or with PostgreSQL the extra `postgres`.
    InputError
        If there is no campaign, or the required app does not exist, or its database is unusable or
        is being restored.
    """
    with make_app(campaign, public_url=public_url):
        if must_exist:
            from qrelsmith.web.core.alive import hold_in_use
            from qrelsmith.web.core.stamp import check_stamp
            from qrelsmith.web.project import check_app, check_schema, current_instance

            (check_app if any_schema else check_schema)()
            context = click.get_current_context()
            context.with_resource(_faults_in_one_line(campaign))
            context.with_resource(hold_in_use(current_instance()))
            check_stamp()


@contextmanager
def make_app(
    campaign: FilePath, *, public_url: str = "", is_hub: bool = False, is_served: bool = False
) -> Iterator[None]:
    """Set up or create the app like `open_app`; after an error, delete a newly created app.

    Parameters
    ----------
    campaign : path
        The folder of one campaign, or of several.
    public_url : str
        The app's URL for browsers.
    is_hub : bool
        Whether the app is the server of several campaigns.
    is_served : bool
        Whether the command answers requests, with a pool of connections and the login with a
        provider.

    Raises
    ------
    MissingDependencyError, InputError
        As `open_app`, except for an app that does not exist.
    """
    _need("django", "icu4py", "nh3", "waitress", extra="web")
    from qrelsmith.web.hub.instance import find_hub
    from qrelsmith.web.instance import find_instance

    instance = find_hub(Path(campaign)) if is_hub else find_instance(campaign)
    if instance.database is not None:
        _need("psycopg", "psycopg_pool", extra="postgres")
    # Importing Django is slow and unnecessary for the error that there is no campaign.
    from qrelsmith.web.accounts.openid_settings import openid_settings
    from qrelsmith.web.hub.settings import hub_settings
    from qrelsmith.web.project import check_connection, use
    from qrelsmith.web.serving.traces import undone_on_error
    from qrelsmith.web.settings import pool_settings

    with undone_on_error(instance), _faults_in_one_line(campaign):
        others: dict[str, Any] = {}
        if is_served:
            connections = server_settings(instance.campaign.server).connections
            others = (hub_settings() if is_hub else openid_settings()) | pool_settings(
                instance, connections
            )
        use(instance, public_url=public_url, others=others)
        check_connection()
        yield


@contextmanager
def _faults_in_one_line(campaign: FilePath) -> Iterator[None]:
    """Report a failure of the database, such as a full disk, in one line."""
    from django.db import InterfaceError, OperationalError

    try:
        yield
    except (InterfaceError, OperationalError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"the app's database cannot be used: {reason}", path=campaign) from None


@contextmanager
def docs_progress(
    campaign: FilePath, *, quiet: bool, times: int = 2
) -> Iterator[Callable[[int], None]]:
    """Show a progress bar; yield a function to call with the number of processed docs.

    Each doc counts several times, because it is first read and compared, and then recorded.
    """
    documents = read_campaign(campaign).documents
    total = 0 if documents is None or quiet else times * roughly(documents)
    with progress("reading docs", total, quiet=quiet or not total) as advance:

        def advance_by(count: int) -> None:
            for _ in range(count):
                advance()

        yield advance_by


def _need(*packages: str, extra: str) -> None:
    for package in packages:
        if find_spec(package) is None:
            raise MissingDependencyError(package, extra=extra, purpose="the judging app")
