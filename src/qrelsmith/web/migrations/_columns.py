"""Operations and columns shared by several migrations.

The effect of a released migration never changes, so these definitions never change, either.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.utils import timezone

Column = tuple[str, Any]
_APP = "qrelsmith_web"


def table(name: str, *columns: Column, **options: Any) -> migrations.CreateModel:
    """Return the operation that creates a table with a numeric key."""
    key = models.BigAutoField(
        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
    )
    return migrations.CreateModel(name, [("id", key), *columns], options)


def reference(
    to: str,
    name: str | None = None,
    *,
    delete: Any = models.PROTECT,
    is_single: bool = False,
    **options: Any,
) -> models.ForeignKey[Any, Any]:
    """Return a column that refers to a table of the app, one to one if `is_single`."""
    field = models.OneToOneField if is_single else models.ForeignKey
    names: dict[str, Any] = {} if name is None else {"related_name": name}
    return field(to=f"{_APP}.{to}", on_delete=delete, **names, **options)


def choice(longest: int, *values: str, **options: Any) -> models.CharField[Any, Any]:
    """Return a column restricted to some values."""
    named = [(value, value.capitalize()) for value in values]
    return models.CharField(choices=named, max_length=longest, **options)


def unique(table_name: str, name: str, *fields: str, **options: Any) -> migrations.AddConstraint:
    """Return the operation that makes the values of some columns unique."""
    return migrations.AddConstraint(
        table_name, models.UniqueConstraint(fields=fields, name=name, **options)
    )


def index(table_name: str, name: str, *fields: str, **options: Any) -> migrations.AddIndex:
    """Return the operation that adds an index."""
    return migrations.AddIndex(table_name, models.Index(fields=fields, name=name, **options))


def moment() -> models.DateTimeField[Any, Any]:
    """Return the column with the time at which a row was written."""
    return models.DateTimeField(default=timezone.now)


def measured() -> list[Column]:
    """Return the columns of revisions, times and input that are common to all events."""
    return [
        ("base_revision", models.PositiveIntegerField()),
        ("revision", models.PositiveIntegerField()),
        ("accepted_at", moment()),
        ("judged_at", models.DateTimeField(null=True)),
        ("shown_at", models.DateTimeField(null=True)),
        ("client_ms", models.BigIntegerField(null=True)),
        ("active_ms", models.BigIntegerField(null=True)),
        ("idle_ms", models.BigIntegerField(null=True)),
        ("input_kind", models.CharField(blank=True, max_length=20)),
    ]
