"""Invite links: the only way to get an account."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError, nearest, quoted
from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.core.campaign_chain import append_row
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.models import Account, Assessor, Invite, OrganiserAction, Role
from qrelsmith.web.project import current_instance

VALID_FOR = timedelta(days=14)


def make_invite(
    role: Role,
    *,
    assessor: Assessor | None = None,
    account: Account | None = None,
    created_by: Account | None = None,
    valid_for: timedelta = VALID_FOR,
) -> str:
    """Return the token of a new invite; it is shown once and not stored."""
    token = secrets.token_urlsafe(24)
    Invite.objects.create(
        token_sha256=invite_digest(token),
        role=role,
        assessor=assessor,
        account=account,
        created_by=created_by,
        expires_at=timezone.now() + valid_for,
    )
    return token


def invited_assessor(name: str, *, group: str | None) -> Assessor:
    """Return the assessor for an invited person; create the assessor only if a group is given.

    Raises
    ------
    UsageError
        If the assessor is unknown and no group is given, the group is unknown or differs from the
        assessor's, or the assessor is a model or already has an account.
    """
    groups = current_instance().campaign.groups
    group_of = {each: key for key, of_group in groups.items() for each in of_group.assessors}
    group_of |= dict(Assessor.objects.values_list("name", "group"))
    if name not in group_of:
        check_assessor(name, group=group or "")
        if group is None:
            problem = _unknown(gettext("unknown assessor %(name)s"), name, sorted(group_of))
            raise UsageError(
                gettext("%(problem)s; a new assessor needs a group") % {"problem": problem}
            )
        if group not in groups:
            raise UsageError(_unknown(gettext("unknown group %(name)s"), group, groups))
        return Assessor.objects.create(name=name, group=group)
    if group not in (None, group_of[name]):
        raise UsageError(
            gettext("%(name)s is in the group %(group)s")
            % {"name": quoted(name), "group": quoted(group_of[name])}
        )
    assessor, _ = Assessor.objects.get_or_create(name=name, defaults={"group": group_of[name]})
    if is_model(assessor):
        raise UsageError(
            gettext("%(name)s is a model, which authenticates with a token; expected a person")
            % {"name": quoted(name)}
        )
    if Account.objects.filter(assessor=assessor).exists():
        raise UsageError(
            gettext("%(name)s already has an account (renew the password on the People page)")
            % {"name": quoted(name)}
        )
    return assessor


def _unknown(problem: str, name: str, choices: Collection[str]) -> str:
    """Return the error message for an unknown name, with the nearest name and all choices."""
    near = nearest(name, choices)
    hint = gettext("; did you mean %(near)s?") % {"near": near} if near else ""
    there = gettext(" (choices: %(choices)s)") % {"choices": ", ".join(choices)}
    return problem % {"name": quoted(name)} + hint + there


def make_invites(
    text: str, *, created_by: Account | None = None, valid_for: timedelta = VALID_FOR
) -> list[tuple[str, str]]:
    """Create invites for a list of assessors; return names and tokens in the order of the list.

    Parameters
    ----------
    text : str
        One line per assessor: a pseudonym and, for a new assessor, its group after a comma or a
        tab. Blank lines and lines that begin with # are ignored.
    created_by : Account, optional
        The account that creates the invites.
    valid_for : timedelta
        How long the invites are valid.

    Raises
    ------
    UsageError
        If one of the assessors cannot be invited; no invite is created then.
    """
    made: list[tuple[str, str]] = []
    lines: dict[str, int] = {}
    with writing():
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip() or line.startswith("#"):
                continue
            name, _, group = (part.strip() for part in line.replace("\t", ",").partition(","))
            try:
                if lines.setdefault(name, number) != number:
                    raise UsageError(
                        gettext("%(name)s is already on line %(line)s")
                        % {"name": quoted(name), "line": lines[name]}
                    )
                assessor = invited_assessor(name, group=group or None)
            except UsageError as error:
                raise UsageError(
                    gettext("line %(number)s: %(problem)s") % {"number": number, "problem": error}
                ) from None
            token = make_invite(
                Role.ASSESSOR, assessor=assessor, created_by=created_by, valid_for=valid_for
            )
            made.append((name, token))
    if not made:
        raise UsageError(gettext("the list is empty; expected one pseudonym per line"))
    return made


def open_invites() -> QuerySet[Invite]:
    """Return the invites that are unused and have not expired."""
    return Invite.objects.filter(used_at=None, expires_at__gt=timezone.now())


def open_invite(token: str) -> Invite | None:
    """Return the invite with a token, or None if there is no valid invite."""
    found = open_invites().select_related("assessor", "account")
    found = found.filter(token_sha256=invite_digest(token))
    # If an assessor has two invites, the first one used creates the account; the other expires.
    taken = Account.objects.filter(assessor=OuterRef("assessor"))
    return found.exclude(Exists(taken), account=None).first()


def accept_invite(token: str, *, login: str, password: str | None) -> Account | None:
    """Create or update the account of an invite, and return the account.

    Return None if the invite was used or has expired, the name is taken, or another account now
    judges as this assessor. Without a password, nobody can log in to the account by name.
    """
    # Hashing is slow, so it is done before the transaction, which blocks other writers.
    digest = make_password(password)
    try:
        with writing():
            invite = open_invite(token)
            if invite is None:
                return None
            used = Invite.objects.filter(pk=invite.pk, used_at=None).update(used_at=timezone.now())
            if not used:
                return None
            account = invite.account or Account(
                login=login, role=invite.role, assessor=invite.assessor
            )
            account.password = digest
            account.save()
            whose = account.assessor.name if account.assessor else str(account.role)
            action = "new password" if invite.account else "join"
            append_row(OrganiserAction(account=account.pk, action=action, target=whose))
            return account
    except IntegrityError:
        return None


def invite_digest(token: str) -> str:
    """Return the digest that identifies a token; the token itself is not stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
