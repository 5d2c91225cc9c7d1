"""The judging app as commands find it."""

from __future__ import annotations

from qrelsmith.data.text import FilePath
from qrelsmith.errors import MissingDependencyError


def open_app(campaign: FilePath, *, public_url: str = "") -> None:
    """Set the app up for a campaign; its modules with models can be imported only after this.

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
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            str(error.name), extra="web", purpose="the judging app"
        ) from None
    use(find_instance(campaign), public_url=public_url)
