"""Invites for the people of a new campaign: links that are shown once, or mails."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.web.setup.choices import DraftChoices

# The mail server, smtp://USER@HOST:PORT or smtps://…, its password, and the sender.
_SERVER, _PASSWORD, _SENDER = "QRELSMITH_SMTP", "QRELSMITH_SMTP_PASSWORD", "QRELSMITH_SMTP_FROM"
_PATIENCE_S = 15


@dataclass(frozen=True, slots=True)
class Invited:
    """An invited person.

    Attributes
    ----------
    name, group, email : str
        Pseudonym, group and address; the address may be empty.
    link : str
        The link; empty if it was mailed.
    problem : str
        Why the mail was not sent; empty without an error.
    """

    name: str
    group: str
    email: str
    link: str = ""
    problem: str = ""


def can_mail() -> bool:
    """Return whether the server is configured to send mails."""
    return bool(os.environ.get(_SERVER) and os.environ.get(_SENDER))


def default_mail() -> str:
    """Return the default text of a mail, with placeholders."""
    return gettext(
        "You are invited to judge docs for “{title}”. Your name in this campaign is {name}.\n\n"
        "Open the link below within 14 days, and choose a login and a password. The link works"
        " once.\n{link}"
    )


def people_of(choices: DraftChoices) -> list[Invited]:
    """Return the people in the groups, without links; models need no links."""
    addresses = dict(choices.emails)
    return [
        Invited(who, group.name, addresses.get(who, ""))
        for group in choices.groups
        if group.role != "llm"
        for who in group.people
    ]


def invite_people(choices: DraftChoices, links: Mapping[str, str]) -> list[Invited]:
    """Send the links by mail if the organiser chose so; return the people with the unsent links."""
    people = [
        replace(each, link=links[each.name]) for each in people_of(choices) if each.name in links
    ]
    if choices.invites != "mail" or not can_mail():
        return people
    sent = []
    for person in people:
        problem = _send(person, choices) if person.email else gettext("no e-mail address")
        sent.append(replace(person, link=person.link if problem else "", problem=problem))
    return sent


def _send(person: Invited, choices: DraftChoices) -> str:
    """Send a mail; return the error, or an empty string."""
    text = choices.mail.strip() or default_mail()
    for place, value in (
        ("{title}", choices.title), ("{name}", person.name), ("{link}", person.link),
    ):  # fmt: skip
        text = text.replace(place, value)
    subject = gettext("Invitation: %(title)s") % {"title": " ".join(choices.title.split())}
    try:
        with _connection() as connection:
            EmailMessage(
                subject, text, os.environ[_SENDER], [person.email], connection=connection
            ).send()
    except (OSError, UsageError) as error:  # smtplib's errors are OSErrors
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def _connection() -> BaseEmailBackend:
    """Return a connection to the mail server.

    Raises
    ------
    UsageError
        If the variable does not contain a valid address.
    """
    url = os.environ[_SERVER]
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError(f"{_SERVER} is {quoted(url)}; expected smtp://USER@HOST:PORT") from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.password:
        raise UsageError(f"{_SERVER} is not smtp://USER@HOST:PORT or smtps://USER@HOST:PORT")
    is_tls = parts.scheme == "smtps"
    connection: BaseEmailBackend = get_connection(
        "django.core.mail.backends.smtp.EmailBackend",
        host=parts.hostname,
        port=port or (465 if is_tls else 25),
        username=unquote(parts.username or ""),
        password=os.environ.get(_PASSWORD, ""),
        use_ssl=is_tls,
        use_tls=not is_tls and bool(parts.username),
        timeout=_PATIENCE_S,
    )
    return connection
