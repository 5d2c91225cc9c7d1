"""A prepared query gives the same result as the same query compiled again."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test.utils import CaptureQueriesContext

from qrelsmith.web.core.database import writing
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.graded.assigned import docs_of_lists
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.models import AssignedDoc, DocVersion


def test_a_prepared_query_gives_the_same_result_as_the_original(app: Any, at_work: Any) -> None:
    b1 = at_work(app)
    b1.judge(1, 1)
    listed = Prepared[AssignedDoc](
        lambda assignment, after: (
            docs_of_lists().filter(assignment=assignment, position__gt=after).order_by("position")
        )
    )
    for after in (0, 3, 99):
        twin = docs_of_lists().filter(assignment=b1.assignment, position__gt=after)
        found = listed.rows(b1.assignment.pk, after)
        assert [vars_of(each) for each in found] == [
            vars_of(each) for each in twin.order_by("position")
        ]
    titles = Prepared[str](
        lambda sha256: DocVersion.objects.filter(sha256=sha256).values_list("title", flat=True)
    )
    version = DocVersion.objects.order_by("-pk")[0]
    assert titles.first(version.sha256) == version.title
    assert titles.first("'; --") is None


def test_postgresql_plans_a_prepared_query_once(app: Any, at_work: Any) -> None:
    at_work(app)
    titles = Prepared[str](
        lambda sha256: DocVersion.objects.filter(sha256=sha256).values_list("title", flat=True)
    )
    for _ in range(5):
        titles.rows("a digest")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement FROM pg_prepared_statements")
            (plan,) = [sql for (sql,) in cursor if '"title"' in sql]
        assert "$1" in plan


def vars_of(doc: Any) -> dict[str, Any]:
    """Return all columns of a doc and its related rows that a query has loaded."""
    own = {name: value for name, value in vars(doc).items() if name != "_state"}
    return own | {"name": doc.doc.name, "opened": doc.assignment.opened_at}


def test_a_prepared_lock_is_one_statement_of_its_database(app: Any, at_work: Any) -> None:
    doc = at_work(app).doc(1)
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked, writing():
            DOCS.lock_head(doc, has_account=True)
        (lock,) = [each["sql"] for each in asked if each["sql"].startswith("SELECT")]
        assert ("FOR NO KEY UPDATE" in lock) == (connection.vendor == "postgresql")
