"""Removal of a person's data from the app."""

from __future__ import annotations

from django.utils import timezone

from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.forgetting import forget_worker
from qrelsmith.web.maintenance.persons import find_person, sessions_of
from qrelsmith.web.models import Account, ApiToken, Assessor, Invite


def forget(name: str, *, by_login: bool = False) -> bool:
    """Delete a person's data but keep the judgments; return whether there was an account.

    The account loses its name, e-mail and password and can no longer log in. The account's open
    sessions end; invites and tokens of the pseudonym are deleted.

    Parameters
    ----------
    name : str
        The pseudonym, or the login of an account of any role.
    by_login : bool
        Whether `name` is a login.

    Raises
    ------
    UsageError
        If there is no such person, or the person is a crowd worker with an open payment.
    """
    with writing():
        person = find_person(name, by_login=by_login)
        if person.assessor is not None:
            _forget_assessor(person.assessor)
        if person.account is None:
            return False
        _forget_account(person.account)
        # A login is a personal name; a pseudonym is not.
        target = person.assessor.name if person.assessor else f"account {person.account.pk}"
        note_command("forget", target)
        return True


def end_sessions(account: Account) -> None:
    """Log an account out everywhere."""
    for session in sessions_of(account):
        session.delete()


def _forget_assessor(assessor: Assessor) -> None:
    Invite.objects.filter(assessor=assessor).delete()
    ApiToken.objects.filter(assessor=assessor).delete()
    forget_worker(assessor)


def _forget_account(account: Account) -> None:
    Invite.objects.filter(account=account).delete()
    end_sessions(account)
    account.identities.all().delete()
    account.login = f"forgotten-{account.pk}"
    account.email = ""
    account.is_active = False
    account.assessor = None
    account.forgotten_at = timezone.now()
    account.last_login = None
    account.set_unusable_password()
    account.save()
