"""The judging app as commands find it."""

from __future__ import annotations

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
    try:
        from qrelsmith.web.instance import find_instance
        from qrelsmith.web.project import check_schema, use
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            str(error.name), extra="web", purpose="the judging app"
        ) from None
    use(find_instance(campaign), public_url=public_url)
    if must_exist:
        check_schema()
