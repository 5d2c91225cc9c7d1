from __future__ import annotations

from collections.abc import Callable

import pytest

from qrelsmith.base.content import Section, Verdict


# SPEC 7.4 (exact, at the optimum) and 4 (α, E[φ]); pdp 3.5 prints 4.2142, 4.1705, 4.0249, 3.8180.
def test_the_worked_example_has_the_values_at_the_optimum(make: Callable[..., Section]) -> None:
    section = make("example")
    pdp, agreement = (named.table for named in section.tables)
    found = {(row[0], row[1]): row[4] for row in pdp.rows}
    assert found == pytest.approx(
        {
            ("4 grades", "individual"): 4.21752,
            ("4 grades", "aggregate"): 4.16448,
            ("7 grades", "individual"): 4.02394,
            ("7 grades", "aggregate"): 3.81306,
        },
        abs=5e-6,
    )
    assert [row[2] for row in agreement.rows] == pytest.approx([0.6818, 0.5713], abs=5e-5)
    assert [row[4] for row in agreement.rows] == pytest.approx([72.868, 45.961], abs=5e-4)
    assert {finding.verdict for finding in section.findings} == {Verdict.HOLDS}
