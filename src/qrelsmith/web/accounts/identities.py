"""Accounts of people who log in with a provider: linked, matched by e-mail, or new."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError
from django.utils.translation import gettext

from qrelsmith.web.accounts.openid_settings import OpenId
from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Account, Identity, Role

_LONGEST_NAME = 150


class LoginRefusedError(Exception):
    """A refused login with a provider; the user sees its message."""


@dataclass(frozen=True, slots=True)
class OpenIdPerson:
    """A person whom the provider has authenticated.

    Attributes
    ----------
    subject : str
        The provider's permanent identifier of the person.
    email : str
        The e-mail address; empty if there is none.
    is_verified : bool
        Whether the provider has verified the address.
    name : str
        The name of a new account.
    """

    subject: str
    email: str
    is_verified: bool
    name: str

    @property
    def shown(self) -> str:
        """The e-mail address or name, as shown on pages."""
        return self.email or self.name or self.subject


def account_of_person(person: OpenIdPerson, provider: OpenId) -> Account | None:
    """Return a person's account, created if permitted; None if the person has no account.

    An account belongs to the person if it is linked, or if an admin entered the address that the
    provider has verified. On a server of several campaigns, a person of a permitted domain who has
    no account gets an account without a role.

    Raises
    ------
    LoginRefusedError
        If the domain is not permitted, the account is disabled, or a new account would have no
        usable name.
    """
    _check_domain(person, provider)
    linked = Identity.objects.filter(issuer=provider.issuer, subject=person.subject)
    identity = linked.select_related("account").first()
    account = identity.account if identity else _by_address(person, provider)
    if account is None and provider.domains and provider.creates_accounts:
        account = _new_account(person, provider)
    if account is not None and not account.is_active:
        raise LoginRefusedError(gettext("Your account is disabled."))
    if account is not None and identity is None:
        link(account, person.subject, provider)
    return account


def link(account: Account, subject: str, provider: OpenId) -> None:
    """Link an account to a person of the provider, unless the person is linked already."""
    with writing():
        Identity.objects.get_or_create(
            issuer=provider.issuer, subject=subject, defaults={"account": account}
        )


def _check_domain(person: OpenIdPerson, provider: OpenId) -> None:
    if not provider.domains:
        return
    names = {"provider": provider.provider, "domains": ", ".join(provider.domains)}
    if not person.is_verified:
        raise LoginRefusedError(
            gettext("%(provider)s has not verified your e-mail address.") % names
        )
    if person.email.rpartition("@")[2].lower() not in provider.domains:
        raise LoginRefusedError(
            gettext("You need an e-mail address of %(domains)s to log in.") % names
        )


def _by_address(person: OpenIdPerson, provider: OpenId) -> Account | None:
    """Return the only account with a person's verified address; None for no or several accounts.

    An account that is linked to another person is excluded, because an address can get a new owner.
    """
    if not person.is_verified or not person.email:
        return None
    found = Account.objects.filter(email__iexact=person.email).exclude(
        identities__issuer=provider.issuer
    )
    accounts = list(found[:2])
    return accounts[0] if len(accounts) == 1 else None


def _new_account(person: OpenIdPerson, provider: OpenId) -> Account | None:
    """Return a new account without a role, or None if its name is taken."""
    name = person.name
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        claim = {"provider": provider.provider, "claim": provider.name_claim}
        raise LoginRefusedError(
            gettext("%(claim)s from %(provider)s is not a usable name. Ask the server's admin.")
            % claim
        )
    account = Account(login=name, role=Role.VIEWER, email=person.email)
    account.set_unusable_password()
    try:
        with writing():
            account.save()
    except IntegrityError:
        return None
    return account
