"""Checks that names are valid in every database and for every program that reads exports."""

from __future__ import annotations

from django.db.models import Model
from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.table_reading import has_control
from qrelsmith.web.models import Assessor


def check_name(name: str, *, what: str, of: type[Model], field: str = "name") -> None:
    """Raise `UsageError` if a name does not fit into a column.

    SQLite accepts longer names, but they would be lost when the campaign moves to PostgreSQL.
    """
    longest: int | None = getattr(of._meta.get_field(field), "max_length", None)
    if longest is not None and len(name) > longest:
        raise UsageError(
            gettext(
                "the %(what)s name %(name)s has %(length)s characters; expected at most %(longest)s"
            )
            % {"what": what, "name": quoted(name), "length": len(name), "longest": longest}
        )


def check_assessor(name: str, *, group: str) -> None:
    """Raise `UsageError` for a pseudonym or group that cannot be exported."""
    if not name or has_control(name) or has_control(group):
        raise UsageError(
            gettext(
                "the assessor name %(name)s in the group %(group)s is empty or contains a control"
                " character"
            )
            % {"name": quoted(name), "group": quoted(group)}
        )
    check_name(name, what=gettext("assessor"), of=Assessor)
    check_name(group, what=gettext("group"), of=Assessor, field="group")
