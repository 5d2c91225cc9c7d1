"""The judging app as commands find it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qrelsmith.data.text import FilePath
from qrelsmith.errors import MissingDependencyError


def open_app(campaign: FilePath, *, public_url: str = "", must_exist: bool = False) -> None:
    """Set the app up for a campaign; its modules with models can be imported only after this.

    Parameters
    ----------
    campaign : path
        The campaign.
    public_url : str
        How browsers reach the app.
    must_exist : bool
        Whether its database must be there, with this program's schema.

    Raises
    ------
    MissingDependencyError
        If the extra `web` is not installed.
    InputError
        If there is no campaign, or no app where there must be one.
    """
    with made_app(campaign, public_url=public_url):
        if must_exist:
            from qrelsmith.web.project import check_schema

            check_schema()


@contextmanager
def made_app(campaign: FilePath, *, public_url: str = "") -> Iterator[None]:
    """Set the app up as `open_app` does, for what may make it: an error leaves no new app behind.

    Raises
    ------
    MissingDependencyError
        If the extra `web` is not installed.
    InputError
        If there is no campaign.
    """
    try:
        from qrelsmith.web.instance import find_instance
        from qrelsmith.web.project import use
        from qrelsmith.web.traces import undone_on_error
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            str(error.name), extra="web", purpose="the judging app"
        ) from None
    instance = find_instance(campaign)
    with undone_on_error(instance):
        use(instance, public_url=public_url)
        yield
