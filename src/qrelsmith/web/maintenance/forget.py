"""Severing a person from the judgments."""

from __future__ import annotations

from django.contrib.sessions.models import Session
from django.utils import timezone

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.web.accounts.actions import note_command
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.forgetting import forget_worker
from qrelsmith.web.models import Account, ApiToken, Assessor, Invite


def forget(name: str) -> bool:
    """Delete what is known of the person behind a pseudonym; the judgments stay.

    The account loses its name, e-mail and password and can no longer log in; open sessions end,
    invites and tokens of the pseudonym are deleted. Whether there was an account.

    Raises
    ------
    UsageError
        If there is no such assessor, or it is a crowd worker to whom something is still owed.
    """
    with writing():
        assessor = Assessor.objects.filter(name=name).first()
        if assessor is None:
            known = ", ".join(Assessor.objects.order_by("name").values_list("name", flat=True)[:20])
            raise UsageError(f"there is no assessor {quoted(name)} (there are: {known})")
        Invite.objects.filter(assessor=assessor).delete()
        ApiToken.objects.filter(assessor=assessor).delete()
        forget_worker(assessor)
        account = Account.objects.filter(assessor=assessor).first()
        if account is None:
            return False
        Invite.objects.filter(account=account).delete()
        account.login = f"forgotten-{account.pk}"
        account.email = ""
        account.is_active = False
        account.assessor = None
        account.forgotten_at = timezone.now()
        account.last_login = None
        account.set_unusable_password()
        account.save()
        end_sessions(account)
        note_command("forget", name)
        return True


def end_sessions(account: Account) -> None:
    """Log an account out everywhere."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(account.pk):
            session.delete()
