"""The judging app as commands find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import click

from qrelsmith.base.errors import InputError, MissingDependencyError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli.progress import progress
from qrelsmith.collection.documents import roughly
from qrelsmith.io.text import FilePath


def open_app(
    campaign: FilePath, *, public_url: str = "", must_exist: bool = False, any_schema: bool = False
) -> None:
    """Set the app up for a campaign; its modules with models can be imported only after this.

    With an app that must be there, it is in use until the command is over: nothing is restored
    meanwhile.

    Parameters
    ----------
    public_url : str
        How browsers reach the app.
    must_exist : bool
        Whether its database must be there, with this program's schema.
    any_schema : bool
        Whether an older schema will do.

    Raises
    ------
    MissingDependencyError
        If the extra `web` is not installed, or with PostgreSQL the extra `postgres`.
    InputError
        If there is no campaign, no app where there must be one, or its database cannot be used,
        or is being restored.
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
def make_app(campaign: FilePath, *, public_url: str = "", is_hub: bool = False) -> Iterator[None]:
    """Set the app up as `open_app` does, for what may make it: an error leaves no new app behind.

    Parameters
    ----------
    campaign : path
        The folder of the campaign, or of several.
    public_url : str
        How browsers reach the app.
    is_hub : bool
        Whether it is the server of several campaigns.

    Raises
    ------
    MissingDependencyError, InputError
        As `open_app`, but for an app that is not there.
    """
    _need("django", "icu4py", "nh3", "waitress", extra="web")
    from qrelsmith.web.hub.instance import find_hub
    from qrelsmith.web.instance import find_instance

    instance = find_hub(Path(campaign)) if is_hub else find_instance(campaign)
    if instance.database is not None:
        _need("psycopg", extra="postgres")
    # Django takes long to import, and has no part in saying that there is no campaign.
    from qrelsmith.web.hub.settings import hub_settings
    from qrelsmith.web.project import check_connection, use
    from qrelsmith.web.serving.traces import undone_on_error

    with undone_on_error(instance), _faults_in_one_line(campaign):
        use(instance, public_url=public_url, others=hub_settings() if is_hub else {})
        check_connection()
        yield


@contextmanager
def _faults_in_one_line(campaign: FilePath) -> Iterator[None]:
    """Say of a database that stops working, as on a full disk, what it said."""
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
    """Show a progress bar; yield a function to call with the number of docs worked on.

    Each doc is worked on so many times: it is read and compared, and then recorded.
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
