"""The command `power`: share of significantly different pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Unpack

from qrelsmith.base.content import Figure, HeatMap
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.evaluation.ranking_options import QRELS, SCORES, RankingScope, ranking_source
from qrelsmith.evaluation.ready_scores import scores_or_runs
from qrelsmith.judgments.run_options import Measures, Runs
from qrelsmith.rankings.paired_tests import FEWEST_PAIRED, check_paired
from qrelsmith.rankings.significance import PAIRED_TEST, Trials, cached_tests
from qrelsmith.stats.power import DiscriminativePower, discriminative_power
from qrelsmith.stats.significance import TESTS


@dataclass(frozen=True, slots=True)
class LabelSetPower:
    """The number of significantly different system pairs under a label set and a measure.

    Attributes
    ----------
    label_set, measure : str
        The label set and the measure.
    topics : int
        Number of topics.
    power : DiscriminativePower
        The result of the test.
    """

    label_set: str
    measure: str
    topics: int
    power: DiscriminativePower


@dataclass(frozen=True, eq=False, kw_only=True)
class DiscriminativePowers(Result):
    """The discriminative power of label sets and measures.

    Attributes
    ----------
    powers : tuple of LabelSetPower
        One for each label set (the reference first), measure and test.
    """

    powers: tuple[LabelSetPower, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the label sets, starting with the reference."""
        return tuple(dict.fromkeys(one.label_set for one in self.powers))

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests."""
        return tuple(dict.fromkeys(one.power.test for one in self.powers))

    def of(self, label_set: str, measure: str, test: str) -> DiscriminativePower:
        """Return the discriminative power by one test, of one measure under one label set.

        Raises
        ------
        UsageError
            If this power was not requested.
        """
        for one in self.powers:
            if (one.label_set, one.measure, one.power.test) == (label_set, measure, test):
                return one.power
        raise UsageError(
            f"the power of {measure} under {label_set} by {test} was not computed; expected a "
            "requested measure, label set and test"
        )

    def table(self) -> Table:
        """Return one row per measure and test, and per label set if there are two or more."""
        columns = ["measure", "test", "pairs", "significant", "power", "delta"]
        rows: list[tuple[Cell, ...]] = []
        several = len(self.names) > 1
        for row_of in self.powers:
            result = row_of.power
            row = (
                row_of.measure,
                result.test,
                result.pairs,
                result.significant,
                result.power,
                result.delta,
            )
            rows.append((row_of.label_set, *row) if several else row)
        return Table.of(
            ["qrels", *columns] if several else columns, rows, notes=self.notes
        ).sorted()

    def figure(self) -> Figure | None:
        """Return a chart of the share of distinguished pairs, for the first measure."""
        measure = self.powers[0].measure
        first = self.tests[0]
        names = sorted(self.names, key=lambda name: -self.of(name, measure, first).power)
        values = [[self.of(name, measure, test).power for test in self.tests] for name in names]
        return Figure(
            key="discriminative-power",
            title=f"Share of system pairs that {measure} separates",
            drawing=HeatMap(
                names, list(self.tests), values, 0.0, 1.0,
                f"share of pairs with p < {self.powers[0].power.alpha:g}",
            ),
            caption=f"Label sets are sorted by discriminative power ({first}). The reference is"
            f" {self.names[0]}.",
        )  # fmt: skip


@question(
    command="power",
    heading="score",
    audit=("discriminative_power",),
    example="qrelsmith power nist.qrels runs/*.run -m nDCG@10 -m AP --test paired-t",
    doing="evaluating",
)
def power(
    labels: Annotated[Any, ranking_source("[QRELS RUN...|CAMPAIGN]", qrels=QRELS, scores=SCORES)],
    runs: Runs = None,
    measures: Measures = None,
    *,
    tests: Annotated[str | Sequence[str], Option(
        "Test; repeatable.", ("--test",), choices=TESTS.names)] = (PAIRED_TEST,),
    trials: Trials = None,
    alpha: Annotated[float, Option("Significance level.", above=0, below=1)] = 0.05,
    seed: Seed = 0,
    **scope: Unpack[RankingScope],
) -> DiscriminativePowers:  # fmt: skip
    """Compute discriminative power, the share of system pairs that differ significantly.

    Columns: measure, test, pairs, significant, power (share of the pairs), delta. `delta` is the
    difference above which every pair of these systems would differ significantly (Sakai 2006). The
    tests and p are the same as in `significance`. If there is only one system, power and delta are
    nan. If you pass a campaign folder, its label sets, runs and measures are used. With several
    label sets, there is a column qrels.

    Returns
    -------
    DiscriminativePowers
        A row for each label set, measure and test.

    Raises
    ------
    UnknownNameError, UsageError, UndefinedError, InputError
        The same errors as `significance`.

    Examples
    --------
    >>> import numpy as np
    >>> from qrelsmith import ScoreMatrix, power
    >>> scores = np.array([[0.5, 0.6, 0.9, 0.7], [0.4, 0.4, 0.6, 0.6]])
    >>> matrix = ScoreMatrix("AP", ("a", "b"), ("t1", "t2", "t3", "t4"), scores)
    >>> print(power(matrix, tests="paired-t"))
    measure  test      pairs  significant   power   delta
    ───────  ────────  ─────  ───────────  ──────  ──────
    AP       paired-t      1            1  1.0000  0.1523
    """
    chosen = tuple(dict.fromkeys([tests] if isinstance(tests, str) else tests))
    check_paired(chosen, trials)
    scored = scores_or_runs(labels, runs, measures, **scope)
    if len(scored.topics.chosen) > 1:
        raise UsageError("found several sets of topics; expected one")
    (name_of_set,) = scored.topics.set_names
    named = [
        (name, scored.pair_with_reference(name, measure, topic_set=name_of_set))
        for name in scored.with_topics(FEWEST_PAIRED)
        for measure in scored.measures
    ]
    found = [
        cached_tests(scored, named, test, trials=trials, seed=seed, alpha=alpha) for test in chosen
    ]
    powers = [
        LabelSetPower(name, matrix.measure, len(matrix.topics), discriminative_power(result))
        for (name, matrix), *results in zip(named, *found, strict=True)
        for result in results
    ]
    return DiscriminativePowers(
        powers=tuple(powers), notes=(*scored.notes, *scored.exclusion_notes(FEWEST_PAIRED))
    )
