"""Login with name and password; after several failures the user has to wait."""

from __future__ import annotations

import hashlib
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.contrib.auth.hashers import make_password
from django.http import HttpRequest

from qrelsmith.web.accounts.limits import count_keys
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.models import Account, LoginFailure

# Failures per time window for one name from one address, for one name from any address, and for one
# address. Above the last limit, each name still has one attempt.
PER_NAME = 5
PER_NAME_ANYWHERE = 10
PER_ADDRESS = 30

_ACTIVE = Prepared[Account](
    lambda pk: Account.objects.select_related("assessor__crowd_worker").filter(
        pk=pk, is_active=True
    )
)


class AccountBackend:
    """Authentication of accounts by name and password."""

    def authenticate(
        self,
        request: HttpRequest | None,
        login: str | None = None,
        password: str | None = None,
        **_: Any,
    ) -> Account | None:
        """Return the account, or None if the name or password is wrong."""
        if login is None or password is None:
            return None
        named = accounts_named(login)
        exact = login if len(named) != 1 else next(iter(named))
        account = Account.objects.filter(login=exact).first() if exact in named else None
        if account is None:
            make_password(password)  # so that an unknown name takes as long as a known one
            return None
        return account if account.check_password(password) and account.is_active else None

    def get_user(self, user_id: int) -> Account | None:
        """Return the account with the given number, or None if the account is not active."""
        return _ACTIVE.first(int(user_id))


def accounts_named(login: str) -> set[str]:
    """Return the account names that equal a name, ignoring upper and lower case."""
    # Not in SQL: SQLite ignores the case of ASCII letters only.
    folded = login.casefold()
    known = Account.objects.values_list("login", flat=True)
    return {name for name in known if name.casefold() == folded}


def attempt(login: str, address: str) -> list[int] | None:
    """Count a login attempt as failed; return its counts, or None if the user has to wait.

    The attempt is counted before the password is checked, so that simultaneous attempts are
    counted, too. If the attempt succeeds, `forgive` removes its counts.
    """
    made, (of_name, of_address, anywhere) = count_keys(_keys(login, address))
    # Many people may share one address: without failures of their own they are not locked out.
    is_late = of_name > PER_NAME or anywhere > PER_NAME_ANYWHERE
    if is_late or (of_address > PER_ADDRESS and of_name > 1):
        # A refused attempt does not extend the waiting time.
        forgive(made)
        return None
    return made


def forgive(failures: list[int]) -> None:
    """Remove the counts of a successful attempt."""
    LoginFailure.objects.filter(pk__in=failures).delete()


def _keys(login: str, address: str) -> tuple[str, ...]:
    """Return the keys for counting failures: digests, to avoid storing names and addresses."""
    place, login = _place(address), login.casefold()
    texts = (f"{login}\n{place}", f"\n{place}", f"\n\n{login}")
    return tuple(hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() for text in texts)


def _place(address: str) -> str:
    """Return the IPv4 address, or the IPv6 network, because one user can have a whole network."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        mapped = ip.ipv4_mapped
        return str(mapped) if mapped else str(IPv6Network((int(ip), 64), strict=False))
    return str(ip)
