"""The parts of every result, and the parts kept from the tables of 0.1.0."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class Sum(Result):
    value: float

    def table(self) -> Table:
        return Table.of(["sum"], [[self.value]])


def test_a_result_still_works_as_the_earlier_table() -> None:
    for name, expected in (("columns", ("sum",)), ("rows", ((3.0,),))):
        with pytest.warns(DeprecationWarning, match=rf"Sum\.{name} .* use \.table\(\)\.{name}"):
            assert getattr(Sum(value=3.0), name) == expected
    with pytest.warns(DeprecationWarning, match=r"Sum\.text"):
        csv = Sum(value=3.0).text("csv")  # type: ignore[attr-defined]
    assert csv == "sum\n3.0\n"


def test_a_result_has_no_other_parts_of_a_table() -> None:
    with pytest.raises(AttributeError, match="'Sum' object has no attribute 'sorted'"):
        Sum(value=3.0).sorted()  # type: ignore[attr-defined]
