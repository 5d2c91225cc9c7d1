"""Endpoints of models: their replies and their failures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from qrelsmith.models.requests import Unit


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with its tokens and latency.

    Attributes
    ----------
    answer : str
        The model's answer.
    tokens_in, tokens_out : int or None
        The endpoint's counts; None if they are missing.
    latency_ms : int
        Time from sending to the last byte.
    """

    answer: str
    tokens_in: int | None
    tokens_out: int | None
    latency_ms: int


class RequestRefusedError(Exception):
    """The endpoint refused a request, which costs nothing and may be sent again later.

    Parameters
    ----------
    reason : str
        The reason of the refusal.
    retry_after : float, optional
        Seconds until the next attempt, if the endpoint gives them.
    is_busy : bool
        Whether the endpoint is only busy (429), so that the wait does not count as a failure.
    """

    def __init__(
        self, reason: str, *, retry_after: float | None = None, is_busy: bool = False
    ) -> None:
        super().__init__(reason)
        self.retry_after = retry_after
        self.is_busy = is_busy


class LostError(Exception):
    """A request was sent, but its answer is lost; the request may have been charged."""


class NoSchemaError(Exception):
    """The endpoint does not support a schema for the answer."""


class Endpoint(Protocol):
    """A model that accepts requests."""

    name: str
    is_baseline: bool

    async def ask(self, unit: Unit, body: bytes) -> Reply:
        """Send one request and return the answer.

        Raises
        ------
        RequestRefusedError, LostError, NoSchemaError
            If there is no answer.
        QrelsmithError
            If repeating is useless, because the key is wrong or the model is unknown.
        """

    async def close(self) -> None:
        """Close all connections."""
