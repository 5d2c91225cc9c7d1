"""The answer to `pdp compare`: the PDP of methods of labelling, compared with a reference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.results import Result
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.discrimination.missing_tests import GradePairCounts, deciding_tests
from qrelsmith.discrimination.pdp_result import OVER, LabelSetPdp, PdpOfLabels

_COLUMNS = (
    "setting", "mode", "levels", "topics", "pdp", "low", "high", "difference", "difference_low",
    "difference_high", "p", "p_topics", "tests", "missing", "to_decide", "over",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class PdpCompared(Result):
    """The PDP of several methods of labelling, and the differences from the first method.

    Attributes
    ----------
    answer : PdpOfLabels
        The PDP of each method, on the docs that all methods grade.
    counts : mapping of str to GradePairCounts
        The tests of each pair of grades of each setting.
    per_pair : int
        The required number of tests for a pair of grades.
    contradicted : Table
        The pairs whose assessors prefer different docs: topic, left, right, answers.
    """

    answer: PdpOfLabels
    counts: Mapping[str, GradePairCounts] = field(default_factory=dict)
    per_pair: int = 100
    contradicted: Table = field(default_factory=lambda: Table.of((), []))

    def table(self) -> Table:
        """Return a row for each setting and mode; the reference is first.

        `difference` is the setting's PDP minus the reference's PDP; a setting with a difference
        below 0 discriminates better. `missing` is the number of tests that the setting's pairs of
        grades lack. `to_decide` is the approximate number of further tests that would decide the
        difference (inf: more topics are needed).
        """
        return Table.of(
            _COLUMNS,
            [*map(self._row, self.answer.sets), *map(self._row_without, self.answer.lacking)],
        )

    def missing(self) -> Table:
        """Return a row for each setting and pair of grades that lacks tests."""
        rows: list[tuple[Cell, ...]] = []
        for name, counts in self.counts.items():
            lacking = counts.missing(self.per_pair)
            texts = [grade_text(level) for level in counts.levels]
            for low, high in np.argwhere(lacking).tolist():
                rows.append(
                    (
                        name, texts[low], texts[high], int(counts.tests[low, high]),
                        int(counts.possible[low, high]), int(lacking[low, high]),
                    )
                )  # fmt: skip
        columns = ("setting", "grade", "other_grade", "tests", "possible", "missing")
        return Table.of(columns, rows)

    def figure(self) -> Figure | None:
        """Return a chart of the differences from the first setting, with their intervals."""
        rows = [row for row in self.answer.sets if row.comparison is not None]
        if not rows:
            return None
        modes = len({row.mode for row in rows}) > 1
        held = [row.comparison for row in rows if row.comparison is not None]
        reference = self.answer.reference
        return Figure(
            key="pdp-compare",
            title=f"PDP minus that of {reference}",
            drawing=Intervals(
                names=[row.name + (f" ({row.mode})" if modes else "") for row in rows],
                values=[each.difference for each in held],
                lows=[each.low for each in held],
                highs=[each.high for each in held],
                label="difference in nats, 95% interval; below 0: docs are separated better than by"
                f" {reference}",
                reference=0.0,
                groups=[row.mode for row in rows] if modes else (),
            ),
            caption=f"{len(held[0].topics)} topics, {self._tests()} preference tests.",
        )

    def sentences(self) -> list[str]:
        """Return a sentence on each comparison: better, worse or undecided, with the difference."""
        facts = []
        for row in self.answer.sets:
            other = row.comparison
            if other is None or math.isnan(other.difference):
                continue
            what, against = f"{row.name} ({row.mode})", self.answer.reference
            size = f"{abs(other.difference):.3f} nats"
            if math.isnan(other.low):
                facts.append(f"{what} differs from {against} by {other.difference:.3f} nats")
                continue
            ends = f"[{other.low:.3f}, {other.high:.3f}], p = {other.p:.3f}"
            if other.low <= 0 <= other.high:
                facts.append(
                    f"{what} against {against} is undecided: {other.difference:.3f} nats {ends};"
                    f" {self._advice(row)}"
                )
            else:
                way = "better" if other.high < 0 else "worse"
                facts.append(f"{what} separates docs {way} than {against}, by {size} {ends}")
        return facts

    def missing_notes(self) -> list[str]:
        """Return a sentence per setting on the number of missing tests."""
        notes = []
        if self.contradicted.rows:
            notes.append(
                "pairs on which assessors contradict each other (the median is used, unless the"
                f" assessors discuss the pair): {len(self.contradicted.rows)}"
            )
        for name, counts in self.counts.items():
            lacking = counts.missing(self.per_pair)
            if lacking.any():
                notes.append(
                    f"tests missing for {name}: {lacking.sum()}, in {np.count_nonzero(lacking)}"
                    f" pairs of grades with fewer than {self.per_pair} tests"
                )
        return notes

    def _advice(self, row: LabelSetPdp) -> str:
        more = self._to_decide(row)
        if math.isinf(more):
            return "further tests would not decide the difference, but more topics would"
        return f"about {more:.0f} further tests would decide the difference"

    def _tests(self) -> int:
        return 0 if self.answer.common is None else len(self.answer.common.tests)

    def _to_decide(self, row: LabelSetPdp) -> float:
        other = row.comparison
        if other is None:
            return math.nan
        return deciding_tests(
            other.difference, other.low, other.high, tests=self._tests(),
            tests_share=other.tests_share,
        )  # fmt: skip

    def _row(self, row: LabelSetPdp) -> tuple[Cell, ...]:
        other, nan = row.comparison, math.nan
        held: tuple[Cell, ...] = (nan,) * 5
        if other is not None:
            held = (other.difference, other.low, other.high, other.p, other.p_topics)
        return (
            row.name, row.mode, len(row.pdp.matrix.levels), row.pdp.defined, row.pdp.mean,
            row.pdp.low, row.pdp.high, *held, *self._of_tests(row.name), self._to_decide(row), OVER,
        )  # fmt: skip

    def _row_without(self, name: str) -> tuple[Cell, ...]:
        counts = self.counts.get(name)
        levels = None if counts is None else len(counts.levels)
        nans: tuple[Cell, ...] = (math.nan,) * 8
        return (name, None, levels, 0, *nans, *self._of_tests(name), math.nan, OVER)

    def _of_tests(self, name: str) -> tuple[Cell, Cell]:
        """Return the number of tests between docs of different grades, and of missing tests."""
        counts = self.counts.get(name)
        if counts is None:
            return None, None
        return int(np.triu(counts.tests, 1).sum()), int(counts.missing(self.per_pair).sum())
