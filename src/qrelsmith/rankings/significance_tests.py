"""Tests of systems: significant pairs, compared between label sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, StackedShares
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.conflicts import Conflicts, conflicts
from qrelsmith.stats.groups import GroupResult
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.topic_draws import topic_samples

# The level below which pairs count as significant when label sets are compared.
ALPHA = 0.05
_DRAWS = 500  # samples of topics behind the interval of a share
_PARTS = (
    "significant in both, same direction",
    "significant in neither",
    "significant only under the reference",
    "significant only under the label set",
    "significant in both, opposite directions",
)


@dataclass(frozen=True, slots=True, eq=False)
class SignificanceTest:
    """A test of all pairs of systems, or of all pairs of groups.

    Attributes
    ----------
    label_set, measure : str
        The label set and measure; empty and `value` for independent samples.
    names : tuple of str
        The systems or groups, in the order of the result.
    result : PairwiseResult or GroupResult
        The result of the test.
    p_adjusted : float array [pair] or None
        p adjusted for all pairs, if requested.
    scores : ScoreMatrix or None
        The tested scores.
    against : str or None
        The system whose pairs are tested; None: all pairs.
    """

    label_set: str
    measure: str
    names: tuple[str, ...]
    result: PairwiseResult | GroupResult
    p_adjusted: FloatArray | None = None
    scores: ScoreMatrix | None = None
    against: str | None = None

    def rows(self) -> list[tuple[Cell, ...]]:
        """Return one row per pair, in the order of sorted names."""
        found = self.result
        columns = [
            found.first, found.second, found.means[found.first], found.means[found.second],
            found.difference, found.p, found.effect_size,
        ]  # fmt: skip
        if self.p_adjusted is not None:
            columns.append(self.p_adjusted)
        return [
            (self.measure, self.names[first], self.names[second], *values)
            for first, second, *values in zip(*(column.tolist() for column in columns), strict=True)
            if self.against in (None, self.names[first], self.names[second])
        ]


@dataclass(frozen=True, eq=False, kw_only=True)
class SignificanceTests(Result):
    """Significant differences between systems, under one or more label sets.

    Attributes
    ----------
    test : str
        The test's name in `TESTS` or `INDEPENDENT_TESTS`.
    tests : tuple of SignificanceTest
        One for each label set and measure, the reference first.
    adjust : str or None
        The adjustment of p.
    beside : bool
        Whether the table counts significant pairs by label set, compared with the reference.
    on_common : mapping of (str, str) to (SignificanceTest, SignificanceTest)
        By label set and measure, the tests of the reference and of the label set on common topics.
    seed : int
        Seed of the trials and of the draws of topics.
    """

    test: str
    tests: tuple[SignificanceTest, ...]
    adjust: str | None = None
    beside: bool = False
    on_common: Mapping[tuple[str, str], tuple[SignificanceTest, SignificanceTest]] = field(
        default_factory=dict, repr=False
    )
    seed: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the label sets, starting with the reference."""
        return tuple(dict.fromkeys(one.label_set for one in self.tests))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures."""
        return tuple(dict.fromkeys(one.measure for one in self.tests))

    @cached_property
    def conflicts(self) -> Mapping[tuple[str, str], Conflicts]:
        """The comparison of significant pairs with the reference, by label set and measure.

        The intervals of all label sets use the same random draws of topics.
        """
        by_key = {}
        for key, sides in self.on_common.items():
            reference_result, other_result = (side.result for side in sides)
            first, second = (side.scores for side in sides)
            if first is None or second is None:
                continue
            if not (
                isinstance(reference_result, PairwiseResult)
                and isinstance(other_result, PairwiseResult)
            ):
                continue
            drawn = topic_samples(first.topics, seed=self.seed, draws=_DRAWS)
            by_key[key] = conflicts(
                reference_result, other_result, (first.scores.T, second.scores.T), drawn=drawn
            )
        return by_key

    def table(self) -> Table:
        """Return one row per pair; with several label sets, the first column names the label set.

        If `beside` is true, each row compares a label set with the reference.
        """
        return self.table_of(*self.measures)

    def table_of(self, *measures: str) -> Table:
        """Return the rows of some measures."""
        if self.beside:
            return self._comparison_table(measures)
        tests = [test for test in self.tests if test.measure in measures]
        columns = ["measure", "run_a", "run_b", "mean_a", "mean_b", "difference", "p"]
        columns += ["effect_size", *(["p_adjusted"] if self.adjust else [])]
        rows: list[tuple[Cell, ...]]
        if len(self.names) > 1:
            columns = ["qrels", *columns]
            rows = [(test.label_set, *row) for test in tests for row in test.rows()]
        else:
            rows = [row for test in tests for row in test.rows()]
        return Table.of(columns, rows, notes=self.notes).sorted()

    def figure(self) -> Figure | None:
        """Return a chart of the system pairs under each label set, by the first measure."""
        return self.figures(self.measures[0]) if self.conflicts else None

    def figures(self, measure: str) -> Figure:
        """Return charts of the system pairs under each label set, by measure."""
        by_name = {
            name: conflict for (name, by), conflict in self.conflicts.items() if by == measure
        }
        return Figure(
            key="significance",
            title=f"Significance of system pairs under {self.names[0]} and the other label sets",
            drawing=StackedShares(
                names=tuple(by_name),
                parts=_PARTS,
                shares=[
                    [
                        part / max(conflict.pairs, 1)
                        for part in (
                            conflict.alike,
                            conflict.neither,
                            conflict.missed,
                            conflict.extra,
                            conflict.opposite,
                        )
                    ]
                    for conflict in by_name.values()
                ],
                label=f"share of system pairs, {measure}",
            ),
            caption="The first two parts of a bar agree with the reference; the last part"
            " contradicts the reference.",
        )

    def _comparison_table(self, measures: Sequence[str]) -> Table:
        columns = (
            "measure", "qrels", "topics", "pairs", "significant", "both", "missed", "extra",
            "opposite", "alike", "low", "high", "over",
        )  # fmt: skip
        rows: list[tuple[Cell, ...]] = []
        for (name, measure), conflict in self.conflicts.items():
            if measure not in measures:
                continue
            scores = self.on_common[name, measure][1].scores
            topics = 0 if scores is None else len(scores.topics)
            rows.append(
                (
                    measure, name, topics, conflict.pairs, conflict.both + conflict.extra,
                    conflict.both, conflict.missed, conflict.extra, conflict.opposite,
                    conflict.share, conflict.low, conflict.high, "topics",
                )
            )  # fmt: skip
        return Table.of(columns, rows, notes=self.notes).sorted()
