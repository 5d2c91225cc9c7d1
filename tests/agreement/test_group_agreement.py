"""Agreement by topic: Table 5 of ordering-gold-bronze, and examples by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from qrelsmith import agree
from qrelsmith.agreement import cohen_kappa
from qrelsmith.agreement.group_agreement import (
    TopicValues,
    compared_scopes,
    mean_agreement,
    topic_values,
)
from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.judgments.judgment_files import Judgments

ROWS = tuple(itertools.product(range(9), (1, 2), range(3)))
PLAIN = AgreementOptions(coefficient="agreement", resamples=0)
# Table 5: the pair of environments, its topics and the mean κ; V_E1 = .03511.
TABLE_5 = (
    ("PRI-Gold ~ PRI-BronzeT", 25, 0.5324), ("PRI-BronzeW ~ PRI-BronzeT", 50, 0.4575),
    ("RND-Gold ~ PRI-BronzeT", 25, 0.4568), ("PRI-Gold ~ PRI-BronzeW", 25, 0.4445),
    ("RND-Gold ~ PRI-BronzeW", 25, 0.4350),
)  # fmt: skip


def exactly(mean: float, variance: float, size: int) -> np.ndarray:
    values = np.arange(size) - (size - 1) / 2
    return mean + values * math.sqrt(variance / values.var(ddof=1))


def test_no_difference_in_table_5_is_significant() -> None:
    found = [
        TopicValues(scope, tuple(map(str, range(n))), exactly(mean, 0.03511, n), n, 2)
        for scope, n, mean in TABLE_5
    ]
    rows, variance = compared_scopes(found)
    assert variance == pytest.approx(0.03511)
    assert len(rows) == 10
    assert min(row.p for row in rows) > 0.05
    row = next(row for row in rows if row.second == "PRI-Gold ~ PRI-BronzeW")
    assert row.first == "PRI-Gold ~ PRI-BronzeT"
    assert row.effect_size == pytest.approx(0.469, abs=5e-4)
    assert (row.topics, row.means) == ((25, 25), pytest.approx((0.5324, 0.4445)))


def judgments(*rows: str, names: str = "topic doc assessor grade group ordering") -> Judgments:
    """Return judgments from a table; `-` is an empty cell."""
    cells = [["" if cell == "-" else cell for cell in row.split()] for row in rows]
    return Judgments.from_columns(dict(zip(names.split(), zip(*cells, strict=True), strict=True)))


DATA = judgments(
    "1 a g1 2 gold pri", "1 b g1 0 gold pri", "2 a g1 1 gold rnd", "2 b g1 1 gold rnd",
    "1 a w1 2 w pri", "1 b w1 1 w pri", "1 a w2 2 w pri", "1 b w2 0 w pri",
    "2 a w1 1 w pri", "2 b w1 1 w pri", "2 a t1 0 t pri", "2 b t1 1 t pri", "1 a solo 2 - -",
)  # fmt: skip


def values(by: str, data: Judgments = DATA) -> dict[str, TopicValues]:
    found = topic_values(LabelAgreement(data, PLAIN), data, by)
    assert [one.scope for one in found] == sorted(one.scope for one in found)
    return {one.scope: one for one in found}


def test_agreement_of_group_pairs_is_as_computed_by_hand() -> None:
    found = values("group-pair")
    assert list(found) == ["gold ~ t", "gold ~ w", "t ~ w"]
    # On topic 1, w1 agrees with g1 on one of two docs and w2 on both: the mean over the pairs.
    assert found["gold ~ w"].topics == ("1", "2")
    assert found["gold ~ w"].values.tolist() == [0.75, 1.0]
    assert (found["gold ~ w"].units, found["gold ~ w"].assessors) == (4, 3)
    assert (found["gold ~ t"].topics, found["gold ~ t"].values.tolist()) == (("2",), [0.5])


def test_a_mapping_of_judgments_gives_groups_with_intervals_over_topics() -> None:
    parts = {
        name: judgments(*(f"{t} {d} {name}{n} {(t + n + d) % 2} -" for t, n, d in ROWS),
                        names="topic doc assessor grade note")
        for name in ("x", "y")
    }  # fmt: skip
    found = agree(parts, "agreement", by="group-pair", over="docs", resamples=9)
    assert [part.scope for part in found.parts] == ["all", "x ~ y"]
    assert (found.parts[1].value, found.parts[1].assessors) == (0.5, 4)
    assert any("always generalise to similar topics" in note for note in found.notes)
    topics = agree(parts, "agreement", by="group-pair", resamples=9)
    assert not any("always generalise" in note for note in topics.notes)


def test_environment_pairs_distinguish_the_orderings() -> None:
    assert list(values("environment-pair")) == [
        "gold/pri ~ w/pri", "gold/rnd ~ t/pri", "gold/rnd ~ w/pri", "t/pri ~ w/pri",
    ]  # fmt: skip


def test_an_assessor_is_compared_with_the_assessors_of_a_group() -> None:
    found = values("assessor-group")
    assert list(found) == [
        "g1 ~ t",
        "g1 ~ w",
        "t1 ~ gold",
        "t1 ~ w",
        "w1 ~ gold",
        "w1 ~ t",
        "w2 ~ gold",
    ]
    assert found["g1 ~ w"].values.tolist() == [0.75, 1.0]
    assert found["w1 ~ gold"].values.tolist() == [0.5, 1.0]
    assert found["w2 ~ gold"].topics == ("1",)


def test_kappa_is_that_of_the_two_assessors_on_the_topic() -> None:
    rng = np.random.default_rng(0)
    rows = [
        f"{topic} {doc} {who} {rng.integers(0, 3)} {group} pri"
        for topic in "12" for doc in range(12) for who, group in (("g", "gold"), ("w", "bronze"))
    ]  # fmt: skip
    data = judgments(*rows)
    options = AgreementOptions(coefficient="kappa-quadratic", resamples=0)
    (found,) = topic_values(LabelAgreement(data, options), data, "group-pair")
    for topic, value in zip(found.topics, found.values, strict=True):
        own = data.restricted_to(topics=[topic]).ratings().values
        expected = cohen_kappa(own, weights="quadratic", scale=[0, 1, 2]).value
        assert value == pytest.approx(expected)


def test_the_mean_excludes_topics_without_a_value_and_has_an_interval_over_topics() -> None:
    values = np.array([0.5, math.nan, *np.linspace(0.6, 0.8, 7)])
    one = TopicValues("a ~ b", tuple(map(str, range(9))), values, 8, 2)
    options = AgreementOptions(coefficient="agreement")
    found = mean_agreement(one, options)
    assert found.value == pytest.approx(np.nanmean(values))
    assert found.note == (
        "the mean leaves out 1 of 9 topics, in which the coefficient is undefined"
    )
    half = 2.3646 * np.nanstd(values, ddof=1) / math.sqrt(8)  # t with 7 degrees of freedom
    assert found.high - found.value == pytest.approx(half, rel=1e-4)
    assert (found.over, found.topics) == ("topics", 8)
    assert math.isnan(mean_agreement(one, PLAIN).low)
    alone = TopicValues("a ~ b", ("1",), np.array([0.5]), 2, 2)
    assert "no interval over topics" in mean_agreement(alone, options).note
    assert mean_agreement(alone, PLAIN).note == ""
    none = TopicValues("a ~ b", ("1",), np.array([math.nan]), 2, 2)
    assert math.isnan(mean_agreement(none, options).value)
    with pytest.raises(UndefinedError, match="found 1 groups with a value"):
        compared_scopes([one, none])


def test_judgments_without_groups_or_with_one_group_are_refused() -> None:
    bare = judgments("1 a x 1", "1 a y 1", names="topic doc assessor grade")
    with pytest.raises(UsageError, match="have no groups"):
        values("group-pair", bare)
    alone = judgments("1 a x 1 g pri", "1 a y 1 g pri")
    with pytest.raises(UndefinedError, match="no doc was judged by two groups with the same g"):
        values("group-pair", alone)


def test_pairs_with_common_topics_but_no_common_docs_have_no_row() -> None:
    given = judgments(
        "1 a x 1 g pri", "1 b x 0 g pri", "1 a y 1 h pri", "1 b y 0 h pri", "1 c z 1 h rnd"
    )
    assert list(values("environment-pair", given)) == ["g/pri ~ h/pri"]
