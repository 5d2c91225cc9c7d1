"""Compile SQL once, execute it many times.

Django compiles a query at every execution, which takes longer than the database needs to answer.
Compiling would take half of a judgment's processor time, so the queries of judgments are prepared.
On PostgreSQL, the database also parses and plans these queries only once per connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
# Placeholders for the values during compilation, far from any real key.
_FIRST = 2_047_483_600
# How often PostgreSQL plans a query before it keeps the plan.
_REPEATED = 2


class Prepared(Generic[Row]):
    """A query with parameters, compiled once for each connection.

    Parameters
    ----------
    build : callable
        A function from whole numbers or strings to the query, which must use them unchanged.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build
        self._places = range(_FIRST, _FIRST + len(signature(build).parameters))

    def rows(self, *values: int | str) -> list[Row]:
        """Return all rows for the given values."""
        # Compiled queries are lost with their connection, and each thread has its own.
        written = vars(connections["default"]).setdefault("prepared_queries", {})
        if self not in written:
            written[self] = self._sql()
        query, compiler, sql, params = written[self]
        given: dict[Any, Any] = dict(zip(self._places, values, strict=True))
        # For a string parameter, the placeholder is written as a string.
        given |= {str(place): value for place, value in given.items()}
        filled = tuple(given.get(each, each) for each in params)
        compiler.as_sql = lambda *_, **__: (sql, filled)
        with _planned_once():
            return list(query._iterable_class(query))

    def first(self, *values: int | str) -> Row | None:
        """Return the first row for the given values, or None."""
        return next(iter(self.rows(*values)), None)

    def _sql(self) -> tuple[QuerySet[Any, Row], Any, str, tuple[Any, ...]]:
        query = self._build(*self._places)
        compiler = query.query.get_compiler(using=query.db)
        sql, params = compiler.as_sql()
        # The columns are always the same, and therefore the converters of their values, too.
        converters = compiler.get_converters([each[0] for each in compiler.select])
        compiler.get_converters = lambda _: converters
        query.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return query, compiler, sql, params


@contextmanager
def _planned_once() -> Iterator[None]:
    """Send queries with separate parameters, so that PostgreSQL prepares repeated queries.

    Django inserts the parameters itself: some of its queries are invalid with separate parameters.
    """
    connection = connections["default"]
    if connection.vendor != "postgresql":
        yield
        return
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.ensure_connection()
    session = connection.connection
    session.prepare_threshold, usual = _REPEATED, session.cursor_factory
    session.cursor_factory = ServerBindingCursor
    try:
        yield
    finally:
        session.cursor_factory = usual
