"""Agreement of labels by scope: the result of `agree`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.compared_labels import Between
from qrelsmith.agreement.group_agreement import ScopesCompared
from qrelsmith.agreement.scoped_agreement import ScopedAgreement
from qrelsmith.base.content import Figure, HeatMap, Intervals
from qrelsmith.base.errors import UnknownNameError
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table

COLUMNS = ("scope", "coefficient", "value", "low", "high", "units", "assessors", "over")
_TESTED = (
    "coefficient", "a", "b", "topics_a", "topics_b", "mean_a", "mean_b", "difference", "p",
    "effect_size",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class ScopeTests:
    """Pairwise tests of scopes for differences in a coefficient's mean over topics.

    Attributes
    ----------
    coefficient : str
        The name of the coefficient.
    compared : tuple of ScopesCompared
        The unpaired Tukey HSD test of each pair.
    residual_variance : float
        The residual variance V_E1 of the test.
    """

    coefficient: str
    compared: tuple[ScopesCompared, ...]
    residual_variance: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Agreement(Result):
    """The agreement of labels.

    Attributes
    ----------
    parts : tuple of ScopedAgreement
        For each coefficient, the value for all labels, followed by the requested parts.
    between : str
        Kind of compared items: `label sets` or `assessors`.
    by : str or None
        The kind of breakdown.
    scale : Scale or None
        The scale of the grades, if it was declared.
    tests : tuple of ScopeTests
        Tests of the parts that are means over topics, one per coefficient; empty for other parts.
    test : bool
        Whether the table shows the tests.
    """

    parts: tuple[ScopedAgreement, ...]
    between: Between
    by: str | None = None
    scale: Scale | None = None
    tests: tuple[ScopeTests, ...] = ()
    test: bool = False

    def of(self, coefficient: str) -> tuple[ScopedAgreement, ...]:
        """Return the values of one coefficient by scope; the first value is for all labels.

        Raises
        ------
        UnknownNameError
            If the coefficient was not requested.
        """
        label = COEFFICIENTS.label(coefficient)
        found = tuple(part for part in self.parts if part.coefficient == label)
        if not found:
            names = dict.fromkeys(part.coefficient for part in self.parts)
            raise UnknownNameError("coefficient of this result", coefficient, list(names))
        return found

    def table(self) -> Table:
        """Return a table of the values of all scopes, or a table of the tests if requested."""
        if self.test:
            rows = [
                (
                    tests.coefficient, row.first, row.second, *row.topics, *row.means,
                    row.difference, row.p, row.effect_size,
                )
                for tests in self.tests
                for row in tests.compared
            ]  # fmt: skip
            return Table.of(_TESTED, rows, notes=self.notes)
        return Table.of(
            COLUMNS,
            [
                (p.scope, p.coefficient, p.value, p.low, p.high, p.units, p.assessors, p.over)
                for p in self.parts
            ],
            notes=self.notes,
        )

    def figure(self) -> Figure | None:
        """Return a heat map of the first coefficient by pair, or a chart of its values by scope."""
        first = self.parts[0].coefficient
        if self.by != "pair":
            rows = [(p.scope, p.value, p.low, p.high) for p in self.of(first)]
            drawn = Intervals.of(rows, f"{first}, 95% interval")
            caption = "Values near 1 mean that the labels agree well."
            return Figure("agreement-parts", f"{first} of the labels", drawn, caption)
        pairs = {part.sides: part.value for part in self.of(first)[1:]}
        names = list(dict.fromkeys(name for sides in pairs for name in sides))
        if not names:
            return None
        values = [[pairs.get((a, b), pairs.get((b, a), math.nan)) for b in names] for a in names]
        coefficients = [value for row in values for value in row if not math.isnan(value)]
        return Figure(
            key="agreement-pairs",
            title=f"Agreement ({first}) between {self.between}",
            drawing=HeatMap(
                rows=names,
                columns=names,
                values=values,
                low=min([0.0, *coefficients]),
                high=1.0,
                label=first,
            ),
            caption=f"Values near 1 mean that two {self.between} agree well on their common docs.",
        )
