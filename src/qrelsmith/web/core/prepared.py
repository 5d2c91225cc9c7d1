"""Queries that are written once and asked often.

Django writes a query anew whenever it is asked, which takes longer than the database takes to
answer: half of a judgment's processor time. What is asked of every judgment is prepared instead.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import QuerySet

Row = TypeVar("Row")
# Numbers that stand for the values while the query is written; no key comes near them.
_FIRST = 2_047_483_600


class Prepared(Generic[Row]):
    """A query of some values, written once for each connection.

    Parameters
    ----------
    build : callable
        The query for some whole numbers or texts, which it takes as they are.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build = build
        self._places = range(_FIRST, _FIRST + len(signature(build).parameters))

    def rows(self, *values: int | str) -> list[Row]:
        """All rows for some values."""
        # With its connection the query is gone, too; each thread has its own.
        written = vars(connections["default"]).setdefault("prepared_queries", {})
        if self not in written:
            written[self] = self._sql()
        query, compiler, sql, params = written[self]
        given: dict[Any, Any] = dict(zip(self._places, values, strict=True))
        # Where a text is asked for, the number stands as one.
        given |= {str(place): value for place, value in given.items()}
        filled = tuple(given.get(each, each) for each in params)
        compiler.as_sql = lambda *_, **__: (sql, filled)
        return list(query._iterable_class(query))

    def first(self, *values: int | str) -> Row | None:
        """Return the first row for some values."""
        return next(iter(self.rows(*values)), None)

    def _sql(self) -> tuple[QuerySet[Any, Row], Any, str, tuple[Any, ...]]:
        query = self._build(*self._places)
        compiler = query.query.get_compiler(using=query.db)
        sql, params = compiler.as_sql()
        # Its columns are always the same, and so is what makes values of them.
        converters = compiler.get_converters([each[0] for each in compiler.select])
        compiler.get_converters = lambda _: converters
        query.query.get_compiler = lambda *_, **__: compiler  # type: ignore[method-assign]
        return query, compiler, sql, params
