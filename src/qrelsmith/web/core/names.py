"""Names that the database holds on every server, and that every reader of an export takes."""

from __future__ import annotations

from django.db.models import Model

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.table_reading import has_control
from qrelsmith.web.models import Assessor


def check_name(name: str, *, what: str, of: type[Model], field: str = "name") -> None:
    """Raise `UsageError` at a name that does not fit into a column.

    SQLite takes longer ones, which would stay behind when the campaign moves to PostgreSQL.
    """
    longest: int | None = getattr(of._meta.get_field(field), "max_length", None)
    if longest is not None and len(name) > longest:
        raise UsageError(
            f"the {what} {quoted(name)} has {len(name)} characters; expected at most {longest}"
        )


def check_assessor(name: str, *, group: str) -> None:
    """Raise `UsageError` at a pseudonym or group that an export could not hand on."""
    if not name or has_control(name) or has_control(group):
        raise UsageError(
            f"the assessor {quoted(name)} of the group {quoted(group)} is empty or holds a control"
            " character; expected names without"
        )
    check_name(name, what="assessor", of=Assessor)
    check_name(group, what="group", of=Assessor, field="group")
