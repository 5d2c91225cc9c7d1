"""Where models answer: what an endpoint gives back, and how it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from qrelsmith.models.requests import Unit


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with what it took.

    Attributes
    ----------
    answer : str
        What the model said.
    tokens_in, tokens_out : int or None
        As the endpoint counts them; None if it does not say.
    latency_ms : int
        From sending to the last byte.
    """

    answer: str
    tokens_in: int | None
    tokens_out: int | None
    latency_ms: int


class RequestRefusedError(Exception):
    """The endpoint did not take a request, so that it costs nothing; it may take it later.

    Parameters
    ----------
    reason : str
        Why.
    retry_after : float, optional
        After how many seconds, if the endpoint says so.
    is_busy : bool
        Whether it takes others meanwhile (429), and the wait counts as no failure.
    """

    def __init__(
        self, reason: str, *, retry_after: float | None = None, is_busy: bool = False
    ) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        self.is_busy = is_busy


class LostError(Exception):
    """A request was sent and its answer is lost: it may have been paid for."""


class NoSchemaError(Exception):
    """The endpoint cannot hold a model to the form of the answer."""


class Endpoint(Protocol):
    """A model that can be asked."""

    name: str
    is_baseline: bool

    async def ask(self, unit: Unit, body: bytes) -> Reply:
        """Return the answer to one request.

        Raises
        ------
        RequestRefusedError, LostError, NoSchemaError
            If there is none.
        QrelsmithError
            If there never will be: the key is wrong, the model is not known.
        """

    async def close(self) -> None:
        """Let go of all connections."""
