"""Table 5: agreement of environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qrelsmith.agreement.group_agreement import TopicValues, compared_scopes
from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.stats.effects import standardise
from qrelsmith.stats.unpaired_tukey import unpaired_tukey_summary
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.agreement import kappas, mean_kappa, sides
from qrelsmith_papers.judging_order.collection import (
    CAREFUL,
    GOLD,
    HASTY,
    JudgedCollection,
    environment,
)
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.published_judging import (
    TABLE_5,
    TABLE_5_EFFECT,
    TABLE_5_VARIANCE,
)

_KEY = "table5"
_ALPHA = 0.05

Means = Mapping[frozenset[str], tuple[int, float]]


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation=(
        "Means and V_E1 of the simulated campaign are fitted to the print; a draw of it has "
        "others by chance."
    ),
)
def table5(inputs: StudyInputs) -> Section:
    """Mean κ between environments and its unpaired Tukey HSD test."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    values = kappas(campaign, "environment-pair")
    means = _means(values)
    tables = [
        NamedTable(_KEY, f"Mean κ in the paper and in {campaign.name}", _comparison_table(means)),
        _test_table(f"{_KEY}-test", campaign, values),
    ]
    findings = [
        _printed_test(),
        _none_significant(campaign, values),
        _closer(campaign, means, "PRI-Gold"),
    ]
    if llms is not None:
        labels = kappas(llms.collection, "environment-pair")
        tables += [
            _intervals(llms.collection, labels),
            _test_table(f"{_KEY}-dl2021-test", llms.collection, labels),
        ]
        findings.append(_closer(llms.collection, _means(labels), GOLD))
    return Section(
        key=_KEY,
        title="Table 5: agreement of environments",
        paragraphs=(
            "Cohen's κ with quadratic weights on each topic, and its mean over the topics.",
            llms.note() if llms is not None else MISSING,
        ),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def _means(values: Sequence[TopicValues]) -> Means:
    """Topics and mean κ of each pair of environments."""
    return {
        frozenset(map(environment, sides(one))): (one.known.size, float(one.known.mean()))
        for one in values
    }


def _comparison_table(found: Means) -> Table:
    columns = ("between", "and", "topics, published", "topics", "kappa, published", "kappa")
    rows = []
    for (first, second), (topics, printed) in TABLE_5.items():
        here, value = found.get(frozenset((first, second)), (0, float("nan")))
        rows.append((first, second, topics, here, printed, value))
    return Table.of(columns, rows)


def _intervals(collection: JudgedCollection, values: Sequence[TopicValues]) -> NamedTable:
    rows = []
    for one in values:
        mean = mean_kappa(one, collection)
        rows.append((*sides(one), one.known.size, mean.value, mean.low, mean.high))
    return NamedTable(
        f"{_KEY}-{collection.key}",
        f"Mean κ of {collection.name}",
        Table.of(("between", "and", "topics", "kappa", "low", "high"), rows),
        "95 % intervals from a bootstrap over topics.",
    )


def _test_table(
    key: str, collection: JudgedCollection, values: Sequence[TopicValues]
) -> NamedTable:
    compared, variance = compared_scopes(values)
    rows = [
        (_name(row.first), _name(row.second), *row.topics, row.difference, row.p, row.effect_size)
        for row in compared
    ]
    columns = ("a", "b", "topics a", "topics b", "difference", "p", "ES_E1")
    return NamedTable(
        key,
        f"Every two rows compared: {collection.name}",
        Table.of(columns, rows),
        f"Unpaired Tukey HSD, as in the paper; V_E1 = {variance:.4g}.",
    )


def _name(scope: str) -> str:
    return " ~ ".join(environment(side) for side in scope.split(" ~ "))


def _printed_test() -> Finding:
    """The test from the printed means, and the effect size that the text derives from them."""
    topics, means = zip(*TABLE_5.values(), strict=True)
    result = unpaired_tukey_summary(means, topics, TABLE_5_VARIANCE)
    with_careful = TABLE_5["PRI-Gold", f"PRI-{CAREFUL}"][1]
    with_hasty = TABLE_5["PRI-Gold", f"PRI-{HASTY}"][1]
    effect = float(standardise(with_careful - with_hasty, TABLE_5_VARIANCE))
    lowest = float(np.min(result.p))
    return claim(
        lowest >= _ALPHA and abs(effect - TABLE_5_EFFECT) < 0.0005,
        "From the printed means, numbers of topics and V_E1 of Table 5 no difference is"
        f" significant (lowest p {lowest:.3f}), and the effect size of the text is {effect:.3f}"
        f" ({TABLE_5_EFFECT} is printed).",
        section=_KEY,
        kind=ClaimKind.FROM_PRINT,
        any_size=True,
    )


def _none_significant(collection: JudgedCollection, values: Sequence[TopicValues]) -> Finding:
    compared, _ = compared_scopes(values)
    number = sum(row.p < _ALPHA for row in compared)
    return collection.claim(
        number == 0,
        f"The paper: no two mean κ differ significantly. On {collection.name}"
        f" {number} of {len(compared)} pairs do.",
        section=_KEY,
    )


def _closer(collection: JudgedCollection, found: Means, gold: str) -> Finding:
    prefix = gold.removesuffix(GOLD)
    careful, hasty = (found[frozenset((gold, prefix + name))][1] for name in (CAREFUL, HASTY))
    return collection.claim(
        careful > hasty,
        "The paper: Gold agrees more with BronzeT than with BronzeW (.532 and .445, not"
        f" significantly). On {collection.name}: {careful:.3f} and {hasty:.3f}.",
        section=_KEY,
    )
