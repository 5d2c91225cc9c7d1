"""Table 5: quadratic weighted κ between environments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.agreement.group_agreement import (
    TopicValues,
    compared_scopes,
    mean_agreement,
    topic_values,
)
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.content import NamedTable
from qrelsmith.stats.effects import standardise
from qrelsmith.stats.unpaired_tukey import unpaired_tukey_summary
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, HASTY, environment
from qrelsmith_papers.judging_order.judged import of_label_sets, on_every_set
from qrelsmith_papers.judging_order.printed_tables import TABLE_5, TABLE_5_EFFECT, TABLE_5_VARIANCE

_MARGIN = 0.8  # in standard deviations: Cohen's large effect


def kappas(collection: JudgedCollection, by: str) -> list[TopicValues]:
    """Return κ of every topic, between environments or between assessors and groups."""
    agreement = LabelAgreement(collection.judgments, kappa_options(collection))
    return topic_values(agreement, collection.judgments, by)


def sides(values: TopicValues) -> tuple[str, str]:
    """Return the two names in a scope, which are separated by “ ~ ”."""
    first, _, second = values.scope.partition(" ~ ")
    return first, second


def kappa_options(collection: JudgedCollection) -> AgreementOptions:
    """Return the options of agreement on a collection."""
    return AgreementOptions("kappa-quadratic", scale=collection.scale, seed=collection.seed)


class Kappas(NamedTuple):
    """Topic count and mean κ by pair of environments, V_E1, and the lowest p of Tukey's HSD."""

    means: Mapping[frozenset[str], tuple[int, float]]
    variance: float
    lowest: float

    def lead(self, gold: str) -> float:
        """Return how much more a Gold environment agrees with BronzeT than with BronzeW."""
        careful, hasty = (self._with(gold, name) for name in (CAREFUL, HASTY))
        return careful - hasty

    def leads(self) -> float:
        """Return the smallest `lead` of Gold's environments."""
        golds = {name for pair in self.means for name in pair if name.endswith(GOLD)}
        return min(map(self.lead, golds))

    def effect(self) -> float:
        """Return the first environment's `lead` in units of the standard deviation."""
        return float(standardise(self.lead(self._first()), self.variance))

    def largest(self) -> c.Difference:
        """Return the largest difference between two mean κ, with its tests."""
        one, other = (self.means[pair] for pair in self._farthest())
        error = math.sqrt(self.variance * (1 / one[0] + 1 / other[0]))
        freedom = sum(topics for topics, _ in self.means.values()) - len(self.means)
        margin = _MARGIN * math.sqrt(self.variance)
        apart = one[1] - other[1]
        return c.difference_test(apart, self.lowest, error=error, margin=margin, freedom=freedom)

    def _farthest(self) -> tuple[frozenset[str], frozenset[str]]:
        by_mean = sorted(self.means, key=lambda pair: self.means[pair][1])
        return by_mean[-1], by_mean[0]

    def _first(self) -> str:
        return next(name for name in ("PRI-Gold", GOLD) if any(name in p for p in self.means))

    def _with(self, gold: str, group: str) -> float:
        pair = next(p for p in self.means if gold in p and any(n.endswith(group) for n in p))
        return self.means[pair][1]


def _print_kappas() -> Kappas:
    topics, means = zip(*TABLE_5.values(), strict=True)
    test = unpaired_tukey_summary(means, topics, TABLE_5_VARIANCE)
    pairs = {frozenset(pair): row for pair, row in TABLE_5.items()}
    return Kappas(pairs, TABLE_5_VARIANCE, float(np.min(test.p)))


def own_kappas(values: Sequence[TopicValues]) -> Kappas:
    """Return the mean κ of a collection, computed from the κ of its topics."""
    compared, variance = compared_scopes(values)
    means = {
        frozenset(map(environment, sides(one))): (one.known.size, float(one.known.mean()))
        for one in values
    }
    return Kappas(means, variance, min(row.p for row in compared))


_TABLE_5: tuple[c.Claim[Kappas], ...] = (
    c.claim(
        "None of the differences in mean κ are statistically significant.",
        (
            "largest difference between two mean κ",
            Kappas.largest,
            c.alike(f"{_MARGIN} standard deviations"),
        ),
        erratum="No difference is significant, but with 25 topics per side none can be excluded"
        " either: the table does not show how similar the mean κ are.",
    ),
    c.claim(
        "The Gold-BronzeT mean agreements are higher than the Gold-BronzeW ones.",
        ("smallest lead of BronzeT", Kappas.leads, c.over(0)),
    ),
)
_PRINTED_EFFECT: tuple[c.Claim[Kappas], ...] = (
    c.claim(
        "The effect size between PRI-Gold with PRI-BronzeT and with PRI-BronzeW is 0.469.",
        (
            "effect size from means and V_E1",
            Kappas.effect,
            c.within(TABLE_5_EFFECT - 0.0005, TABLE_5_EFFECT + 0.0005),
        ),
        of="effect",
    ),
)


@of_label_sets(
    "table5",
    title="Table 5: agreement of environments",
    claims=(*_PRINTED_EFFECT, *_TABLE_5),
    deviation="The simulated campaign is fitted to the print; draws vary by chance.",
)
def table5(inputs: StudyInputs) -> Made:
    """Compare mean κ between environments with an unpaired Tukey HSD test."""

    def of(item: JudgedCollection, key: str) -> tuple[Mapping[str, Kappas], list[NamedTable]]:
        values = kappas(item, "environment-pair")
        shown = _print_comparison if key == "table5" else _own_kappa_table
        tables = [shown(key, item, values), _tests(f"{key}-test", item, values)]
        return {"": own_kappas(values)}, tables

    about = "Cohen's κ with quadratic weights on each topic, and its mean over the topics."
    printed = [c.on_print(_print_kappas(), of) for of in ("", "effect")]
    return on_every_set(inputs, "table5", of, printed=printed, words=[about])


def _print_comparison(
    key: str, item: JudgedCollection, values: Sequence[TopicValues]
) -> NamedTable:
    means, none = own_kappas(values).means, (0, math.nan)
    rows = [
        (*pair, topics, means.get(key, none)[0], mean, means.get(key, none)[1])
        for pair, (topics, mean) in TABLE_5.items()
        for key in [frozenset(pair)]
    ]
    columns = "between|and|topics, published|topics|kappa, published|kappa"
    return table_of(key, f"Mean κ in the paper and in {item.name}", columns, rows)


def _own_kappa_table(key: str, item: JudgedCollection, values: Sequence[TopicValues]) -> NamedTable:
    rows = [
        (*sides(one), one.known.size, mean.value, mean.low, mean.high)
        for one in values
        for mean in [mean_agreement(one, kappa_options(item))]
    ]
    columns, note = (
        "between|and|topics|kappa|low|high",
        "95% intervals from a bootstrap over topics.",
    )
    return table_of(key, f"Mean κ of {item.name}", columns, rows, note)


def _tests(key: str, collection: JudgedCollection, values: Sequence[TopicValues]) -> NamedTable:
    compared, variance = compared_scopes(values)
    rows = [
        (*map(_name, (row.first, row.second)), *row.topics, row.difference, row.p, row.effect_size)
        for row in compared
    ]
    return table_of(
        key,
        f"Every two rows compared: {collection.name}",
        "a|b|topics a|topics b|difference|p|ES_E1",
        rows,
        f"Unpaired Tukey HSD, as in the paper; V_E1 = {variance:.4g}.",
    )


def _name(scope: str) -> str:
    return " ~ ".join(environment(side) for side in scope.split(" ~ "))
