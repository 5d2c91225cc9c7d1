"""Crowd platforms: how workers come from them, and how they go back with their code.

A platform is a class under `@PLATFORMS.add`; another one needs no other change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlencode

from django.http import QueryDict

from qrelsmith.registry import Registry
from qrelsmith.web.views.parameters import ParameterError

_TURK_ID = re.compile("[0-9A-Z]{5,64}")
_PROLIFIC_ID = re.compile("[0-9a-f]{24}")
_TURK_HOSTS = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who comes, and for which piece of work, as the platform calls them.

    Attributes
    ----------
    worker : str
        The platform's id of the worker; empty in a preview.
    reference : str
        Its id of this piece of work: what is paid in the end. Nobody else can guess it.
    study : str
        What the piece of work belongs to.
    submit_to : str
        Where the code goes, if the platform says so.
    is_preview : bool
        Whether somebody only looks, and has not accepted the work yet.
    """

    worker: str
    reference: str
    study: str = ""
    submit_to: str = ""
    is_preview: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """How a worker hands in the code.

    Attributes
    ----------
    address : str
        Where to go, or where the form is sent.
    fields : mapping of str to str
        What the form carries; empty: it is a link.
    """

    address: str
    fields: dict[str, str] = field(default_factory=dict)


class Platform(Protocol):
    """Where workers come from."""

    title: str
    # Other sites that may show the landing page in a frame.
    framed_by: str
    parameters: str

    def arrival(self, query: QueryDict) -> Arrival:
        """Who comes; `ParameterError` at an address that the platform did not make."""

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """How the worker hands in the code."""


PLATFORMS: Registry[Callable[[], Platform]] = Registry("platform of workers")


@PLATFORMS.add("mturk", source="Amazon Mechanical Turk: external questions")
class MechanicalTurk:
    """Shows the landing page in a frame, and takes the code as a form."""

    title = "Mechanical Turk"
    framed_by = "https://*.mturk.com"
    # MTurk adds them itself.
    parameters = ""

    def arrival(self, query: QueryDict) -> Arrival:
        """From `assignmentId`, `workerId`, `hitId` and `turkSubmitTo`."""
        submit_to = query.get("turkSubmitTo", "").rstrip("/") or _TURK_HOSTS[0]
        if submit_to not in _TURK_HOSTS:
            raise ParameterError("turkSubmitTo is no address of Mechanical Turk")
        reference = query.get("assignmentId", "")
        if reference == _NOT_ACCEPTED:
            return Arrival("", "", submit_to=submit_to, is_preview=True)
        return Arrival(
            worker=_id(query, "workerId", _TURK_ID),
            reference=_id(query, "assignmentId", _TURK_ID),
            study=_id(query, "hitId", _TURK_ID, is_needed=False),
            submit_to=submit_to,
        )

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """The form that MTurk expects."""
        fields = {"assignmentId": arrival.reference, "code": code}
        return Ending(f"{arrival.submit_to}/mturk/externalSubmit", fields)


@PLATFORMS.add("prolific", source="Prolific: studies at an external address")
class Prolific:
    """Sends workers with three ids, and takes them back at an address with a code."""

    title = "Prolific"
    framed_by = ""
    parameters = (
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )

    def arrival(self, query: QueryDict) -> Arrival:
        """From `PROLIFIC_PID`, `SESSION_ID` and `STUDY_ID`."""
        return Arrival(
            worker=_id(query, "PROLIFIC_PID", _PROLIFIC_ID),
            reference=_id(query, "SESSION_ID", _PROLIFIC_ID),
            study=_id(query, "STUDY_ID", _PROLIFIC_ID, is_needed=False),
        )

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """Prolific's page for completed studies; it knows codes of studies, not of submissions."""
        query = urlencode({"cc": study_code or code})
        return Ending(f"https://app.prolific.com/submissions/complete?{query}")


def platform_of(name: str) -> Platform:
    """The platform of a name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    found: Platform = PLATFORMS.get(name)()
    return found


def _id(query: QueryDict, name: str, form: re.Pattern[str], *, is_needed: bool = True) -> str:
    value = query.get(name, "")
    if not value and not is_needed:
        return ""
    if form.fullmatch(value) is None:
        raise ParameterError(
            f"{name} is not as the platform writes it; open the address that it shows you"
        )
    return value
