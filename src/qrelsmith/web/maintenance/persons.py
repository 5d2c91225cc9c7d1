"""All data of one person in the app, to answer that person's request for a copy."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import ForeignKey, Model, QuerySet
from django.utils import timezone

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.writing import write_text
from qrelsmith.web.core.lines import time_text
from qrelsmith.web.desk.matters import desk_name
from qrelsmith.web.models import (
    Account,
    Assessor,
    Assignment,
    CrowdWorker,
    DeskEvent,
    OrganiserAction,
)

# Columns derived from secrets: with a digest, one could guess the secret.
_SECRETS = frozenset({"password", "token_sha256", "code_sha256", "nonce", "digest", "head"})
# Columns that name a row in references from other rows.
_NAMES = ("op_id", "name", "login", "key", "version")


@dataclass(frozen=True, slots=True)
class Person:
    """A person: an account, a pseudonym, or both.

    Attributes
    ----------
    account : Account or None
        The person's account.
    assessor : Assessor or None
        The person's pseudonym.
    """

    account: Account | None
    assessor: Assessor | None


def find_person(name: str, *, by_login: bool = False) -> Person:
    """Return the person with the given pseudonym, or with the given login if `by_login` is set.

    Raises
    ------
    UsageError
        If there is no such person.
    """
    if by_login:
        account = Account.objects.select_related("assessor").filter(login=name).first()
        if account is None:
            raise UsageError(f"unknown account {quoted(name)}")
        return Person(account, account.assessor)
    assessor = Assessor.objects.filter(name=name).first()
    if assessor is None:
        known = ", ".join(Assessor.objects.order_by("name").values_list("name", flat=True)[:20])
        raise UsageError(
            f"unknown assessor {quoted(name)} (choices: {known}). For other accounts, use --login"
        )
    return Person(Account.objects.filter(assessor=assessor).first(), assessor)


def sessions_of(account: Account) -> Iterator[Session]:
    """Yield the open sessions of an account."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(account.pk):
            yield session


def write_person(person: Person, path: Path) -> int:
    """Write all data of a person as JSON; return the number of records.

    Only its owner can read the file.

    Raises
    ------
    UsageError
        If the file exists.
    InputError
        If the file cannot be written.
    """
    data: dict[str, Any] = {}
    owners: list[Model] = [row for row in (person.account, person.assessor) if row is not None]
    for owner in owners:
        data[owner._meta.model_name or ""] = [_record(owner)]
    if person.account is not None:
        ends = [{"expire_date": row.expire_date} for row in sessions_of(person.account)]
        actions = OrganiserAction.objects.filter(account=person.account.pk)
        words = DeskEvent.objects.filter(by=desk_name(person.account)).select_related(
            "topic", "doc"
        )
        data["session"] = ends
        data["organiseraction"] = [_record(row) for row in actions]
        data["deskevent"] = [_record(row) for row in words]
    if person.assessor is not None:
        owners += CrowdWorker.objects.filter(assessor=person.assessor)
        owners += Assignment.objects.filter(assessor=person.assessor)
    tables: dict[str, dict[Any, Any]] = {}
    for owner in owners:
        for name, rows in _rows_of(owner):
            # An event refers to both its assessor and the assignment.
            tables.setdefault(name, {}).update((row.pk, _record(row)) for row in rows)
    data |= {name: list(records.values()) for name, records in tables.items()}
    text = json.dumps(data, ensure_ascii=False, indent=1, default=_text)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise UsageError(f"{quoted(path)} already exists; expected a new file") from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from None
    write_text(path, text + "\n")
    return sum(map(len, data.values()))


def _rows_of(owner: Model) -> Iterator[tuple[str, QuerySet[Any]]]:
    """Yield each table with a foreign key to `owner`: its name and the rows of `owner`."""
    for relation in owner._meta.related_objects:
        model: Any = relation.related_model
        if model is not Account:
            rows = model.objects.filter(**{relation.field.name: owner}).order_by("pk")
            yield (
                model._meta.model_name,
                rows.select_related(
                    *(field.name for field in model._meta.concrete_fields if field.is_relation)
                ),
            )


def _record(row: Model) -> dict[str, Any]:
    """Return the columns of a row, with names instead of keys."""
    record = {}
    for field in row._meta.concrete_fields:
        if field.name not in _SECRETS:
            value = getattr(row, field.name)
            record[field.name] = _name(value) if isinstance(field, ForeignKey) else value
    return record


def _name(row: Model | None) -> Any:
    if row is None:
        return None
    found = next((getattr(row, name) for name in _NAMES if hasattr(row, name)), None)
    if found is None and hasattr(row, "doc"):
        return row.doc.name
    return row.pk if found is None else found


def _text(value: object) -> str:
    return time_text(value) if isinstance(value, datetime) else str(value)
