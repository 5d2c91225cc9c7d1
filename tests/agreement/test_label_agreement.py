from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qrelsmith.agreement import krippendorff_alpha, topic_interval
from qrelsmith.agreement.label_agreement import (
    BREAKDOWNS,
    AgreementOptions,
    LabelAgreement,
    ScopedAgreement,
)
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.judgment_files import Judgments

PLAIN = AgreementOptions(coefficient="agreement", resamples=0)
NO_DISAGREEMENT = "no disagreement is expected (0/0): all counted labels are equal"


def judgments(*rows: str, more: tuple[str, ...] = ()) -> Judgments:
    """Return judgments from rows `topic doc assessor grade …`; `-` is an empty cell."""
    names = ("topic", "doc", "assessor", "grade", *more)
    cells = [["" if cell == "-" else cell for cell in row.split()] for row in rows]
    return Judgments.from_columns(dict(zip(names, zip(*cells, strict=True), strict=True)))


def agreement(data: Judgments, options: AgreementOptions = PLAIN, **changes) -> LabelAgreement:
    return LabelAgreement(data, replace(options, **changes))


def scopes(parts: list[ScopedAgreement]) -> dict[str, ScopedAgreement]:
    assert len({part.scope for part in parts}) == len(parts)
    return {part.scope: part for part in parts}


# Percent agreement: x–y 2 of 3 docs, x–z 1 of 1, y–z 1 of 2; w has no docs in common with others.
FOUR = judgments(
    "1 a x 1", "1 a y 1", "1 b x 0", "1 b y 1", "1 b z 0", "2 a x 2", "2 a y 2",
    "2 c y 1", "2 c z 1", "2 d w 1",
)  # fmt: skip


def test_agreement_is_computed_by_pair_of_assessors() -> None:
    found = scopes(list(agreement(FOUR).by_pair()))
    assert list(found) == ["w ~ x", "w ~ y", "w ~ z", "x ~ y", "x ~ z", "y ~ z"]
    assert found["x ~ y"].value == pytest.approx(2 / 3)
    assert (found["x ~ y"].units, found["x ~ y"].assessors) == (3, 2)
    assert found["x ~ z"].value == 1
    assert found["y ~ z"].value == 0.5
    assert math.isnan(found["w ~ x"].value)
    assert found["w ~ x"].units == 0
    assert found["w ~ x"].note == "there are no labels"


def test_agreement_by_assessor_is_the_mean_over_the_others() -> None:
    found = scopes(list(agreement(FOUR).by_assessor()))
    assert list(found) == ["w", "x", "y", "z"]
    assert found["x"].value == pytest.approx((2 / 3 + 1) / 2)
    assert found["y"].value == pytest.approx((2 / 3 + 1 / 2) / 2)
    # y has labels of 1a, 1b, 2a and 2c, all of which another assessor labelled; w has none of
    # these.
    assert [found[name].units for name in "wxyz"] == [0, 3, 4, 2]
    assert [found[name].assessors for name in "wxyz"] == [0, 3, 3, 3]
    assert math.isnan(found["w"].value)
    assert found["w"].note == "no pair of assessors has a value"
    assert found["x"].note == ("1 of 3 pairs of assessors have no value and are not in the mean")
    assert all(math.isnan(part.low) and math.isnan(part.high) for part in found.values())


def test_a_doc_labelled_by_one_assessor_does_not_count() -> None:
    data = judgments("1 a x 1", "1 a y 1", "1 b x 1", "1 c y 1")
    assert [part.units for part in agreement(data).by_assessor()] == [1, 1]
    groups = judgments("1 a x 1 g", "1 a y 1 h", "1 b x 1 g", "1 b z 1 g", more=("group",))
    assert scopes(list(agreement(groups).by_group()))["g ~ h"].units == 1


def test_agreement_is_computed_by_topic_and_averaged() -> None:
    found = list(agreement(FOUR).by_topic())
    assert [part.scope for part in found] == ["mean", "1", "2"]
    by_scope = scopes(found)
    # Pairs of labels: topic 1 has a (1 of 1 agrees) and b (1 of 3); all docs have the same weight.
    assert by_scope["1"].value == pytest.approx((1 + 1 / 3) / 2)
    assert by_scope["2"].value == 1
    assert by_scope["mean"].value == pytest.approx((2 / 3 + 1) / 2)
    assert (by_scope["mean"].units, by_scope["mean"].assessors) == (4, 3)
    assert (by_scope["1"].units, by_scope["2"].units) == (2, 2)


def test_the_mean_excludes_and_counts_topics_without_a_value() -> None:
    data = judgments(
        "1 a x 0", "1 a y 0", "1 b x 1", "1 b y 1", "2 a x 1", "2 a y 1", "3 a x 1",
    )  # fmt: skip
    found = scopes(list(agreement(data, coefficient="alpha-ordinal").by_topic()))
    assert found["mean"].value == found["1"].value == 1
    assert found["mean"].note == (
        "the mean leaves out 2 of 3 topics, in which the coefficient is undefined"
    )
    assert found["2"].note == NO_DISAGREEMENT
    assert found["3"].note == "there is only one assessor"
    assert math.isnan(found["2"].value)
    assert math.isnan(found["3"].value)
    # One topic is not evidence about other topics.
    mean = next(agreement(data, coefficient="alpha-ordinal", resamples=20).by_topic())
    assert mean.value == 1
    assert math.isnan(mean.low)
    assert math.isnan(mean.high)


GROUPS = judgments(
    "1 a g1 1 gold", "1 a g2 1 gold", "1 a s1 1 silver", "1 a s2 0 silver", "1 a s3 1 silver",
    "1 b g1 0 gold", "1 b s1 0 silver", "1 b s2 0 silver",
    "1 c g2 1 gold", "1 d s3 1 silver", "1 e b1 1 bronze", "1 a l1 0 -",
    more=("group",),
)  # fmt: skip


def test_agreement_is_computed_within_and_between_groups() -> None:
    found = scopes(list(agreement(GROUPS).by_group()))
    # Bronze has one assessor; l1 has no group.
    assert list(found) == ["gold", "silver", "bronze ~ gold", "bronze ~ silver", "gold ~ silver"]
    assert (found["gold"].value, found["gold"].units, found["gold"].assessors) == (1, 1, 2)
    # Silver agrees in 1 of 3 pairs on a, and on b.
    assert found["silver"].value == pytest.approx((1 / 3 + 1) / 2)
    # g1–s1 1, g1–s2 1/2, g1–s3 1, g2–s1 1, g2–s2 0, g2–s3 1.
    assert found["gold ~ silver"].value == pytest.approx(4.5 / 6)
    assert (found["gold ~ silver"].units, found["gold ~ silver"].assessors) == (2, 5)
    assert math.isnan(found["bronze ~ gold"].value)
    assert found["bronze ~ gold"].note == "no pair of assessors has a value"


def test_every_assessor_must_have_one_named_group() -> None:
    with pytest.raises(UsageError, match="the judgments have no groups; expected a column `group`"):
        list(agreement(FOUR).by_group())
    data = judgments("1 a x 1 gold", "1 b x 1 silver", "1 a y 0 gold", more=("group",))
    with pytest.raises(UsageError, match="assessor 'x' is in the groups 'gold' and 'silver'"):
        list(agreement(data).by_group())


def test_the_latest_revision_counts_with_its_group() -> None:
    data = judgments(
        "1 a x 0 silver 1", "1 a x 1 gold 2", "1 a y 1 gold 1", "1 a z 1 silver 1",
        more=("group", "revision"),
    )  # fmt: skip
    assert agreement(data).overall().value == 1
    found = scopes(list(agreement(data).by_group()))
    assert list(found) == ["gold", "gold ~ silver"]
    assert found["gold"].assessors == 2


def test_cohens_kappa_needs_two_assessors() -> None:
    data = judgments(
        "1 a x 0", "1 a y 0", "1 b x 1", "1 b y 1",
        "2 a y 0", "2 a z 1", "2 b y 1", "2 b z 0", "2 c y 0", "2 c z 0",
        "3 a x 1", "3 a y 1", "3 a z 0",
    )  # fmt: skip
    three = agreement(data, coefficient="kappa")
    overall = three.overall()
    assert math.isnan(overall.value)
    assert overall.note.startswith("kappa is for 2 assessors, not 3")
    found = scopes(list(three.by_topic()))
    assert found["1"].value == 1
    # Topic 2: observed 1/3, expected 5/9.
    assert found["2"].value == pytest.approx((1 / 3 - 5 / 9) / (1 - 5 / 9))
    assert math.isnan(found["3"].value)
    assert found["mean"].value == pytest.approx((1 + found["2"].value) / 2)
    assert found["mean"].note == (
        "the mean leaves out 1 of 3 topics, in which the coefficient is undefined"
    )
    assert found["mean"].units == 5
    assert scopes(list(three.by_pair()))["y ~ z"].units == 4


def test_an_assessor_without_labels_is_not_a_third_assessor() -> None:
    data = judgments("1 a x 0", "1 a y 0", "1 b x 1", "1 b y 1", "1 a z -1")
    assert agreement(data, coefficient="kappa").overall().value == 1


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ("missing", [[1, 2, np.nan, np.nan], [1, 2, 1, 0]]),
        ("nonrelevant", [[1, 2, 0, np.nan], [1, 2, 1, 0]]),
    ],
)
def test_codes_are_missing_and_the_code_not_displayed_may_be_nonrelevant(errors, expected) -> None:
    data = judgments(
        "1 a x 1", "1 b x 2", "1 c x -2", "1 d x -1", "1 a y 1", "1 b y 2", "1 c y 1", "1 d y 0"
    )
    found = agreement(data, coefficient="alpha-interval", errors=errors).overall()
    assert found.value == krippendorff_alpha(np.array(expected), level="interval").value
    assert found.units == (2 if errors == "missing" else 3)


def test_not_displayed_cannot_be_a_0_that_the_scale_lacks() -> None:
    scale = Scale.parse("1..2")
    data = judgments("1 a x 1", "1 a y -2")
    with pytest.raises(UsageError, match="turns -2 into 0, but the"):
        agreement(data, scale=scale, errors="nonrelevant")
    assert agreement(data, scale=scale).overall().units == 0


@pytest.mark.parametrize(("undefined", "value"), [("nan", math.nan), ("one", 1.0), ("zero", 0.0)])
@pytest.mark.parametrize("coefficient", ["alpha-nominal", "alpha-ordinal", "kappa", "fleiss"])
def test_coefficients_if_all_labels_are_equal(undefined, value: float, coefficient: str) -> None:
    data = judgments("1 a x 2", "1 a y 2", "1 b x 2", "1 b y 2")
    options = AgreementOptions(coefficient=coefficient, undefined=undefined, resamples=20)
    found = LabelAgreement(data, replace(options, over="docs")).overall()
    np.testing.assert_array_equal([found.value, found.low, found.high], [value] * 3)
    assert (found.units, found.assessors, found.note) == (2, 2, NO_DISAGREEMENT)
    plain = LabelAgreement(data, replace(options, resamples=0))
    parts = [plain.overall(), *plain.by_topic(), *plain.by_pair(), *plain.by_assessor()]
    np.testing.assert_array_equal([part.value for part in parts], [value] * 6)


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (["1 a x 1", "1 b x 0"], "there is only one assessor"),
        (["1 a x 1", "1 b y 0"], "no unit has two labels"),
        (["1 a x -1", "1 a y -2"], "there are no labels"),
    ],
)
def test_without_common_docs_there_is_nothing_to_compare(rows: list[str], note: str) -> None:
    data = judgments(*rows)
    for resamples in (0, 10):
        found = agreement(data, coefficient="alpha-ordinal", resamples=resamples).overall()
        assert math.isnan(found.value)
        assert math.isnan(found.low)
        assert (found.units, found.note) == (0, note)
    for breakdown in BREAKDOWNS.values():
        if breakdown is not BREAKDOWNS["group"]:
            parts = list(breakdown(agreement(data, coefficient="alpha-ordinal")))
            assert all(math.isnan(part.value) for part in parts)


def test_the_scale_matters_to_some_coefficients_only() -> None:
    data = judgments("1 a x 0", "1 a y 0", "1 b x 2", "1 b y 0")
    assumed = agreement(data, coefficient="ac1")
    assert assumed.assumed_top == 2
    given = agreement(data, coefficient="ac1", scale=Scale.parse("0..2"))
    assert given.assumed_top is None
    wide = agreement(data, coefficient="ac1", scale=Scale.parse("0..9"))
    # Observed ½; expected Σ π(1−π)/(levels−1) = (¾·¼ + ¼·¾)/2, and the same divided by 9.
    assert (
        assumed.overall().value == given.overall().value == pytest.approx((0.5 - 0.1875) / 0.8125)
    )
    assert wide.overall().value == pytest.approx((0.5 - 0.375 / 9) / (1 - 0.375 / 9))
    ordinal = [
        agreement(data, coefficient="alpha-ordinal", scale=s) for s in (None, Scale.parse("0..9"))
    ]
    assert ordinal[0].overall().value == ordinal[1].overall().value
    assert ordinal[0].assumed_top is None


def test_fractional_grades_are_their_own_levels() -> None:
    data = judgments("1 a x 0.5", "1 a y 0.5", "1 b x 2", "1 b y 0.5")
    found = agreement(data, coefficient="ac1")
    assert found.assumed_top is None
    assert found.overall().value == pytest.approx((0.5 - 0.375) / 0.625)


def test_distant_grades_need_no_more_memory() -> None:
    data = judgments("1 a x 0", "1 a y 50000", "1 b x 50000", "1 b y 50000", "1 c x 7", "1 c y 3")
    found = agreement(data, coefficient="alpha-ratio", resamples=100).overall()
    grades = np.array([[0, 50000, 7], [50000, 50000, 3]])
    assert found.value == krippendorff_alpha(grades, level="ratio").value


def random_judgments(topics: int = 2) -> Judgments:
    rng = np.random.default_rng(1)
    return judgments(
        *(
            f"{topic} d{doc} {who} {rng.integers(0, 4)}"
            for topic in range(topics)
            for doc in range(15)
            for who in "xyz"
        )
    )


def test_the_seed_affects_only_intervals_over_docs() -> None:
    data = random_judgments()
    options = AgreementOptions(over="docs", resamples=200, seed=3)
    first = LabelAgreement(data, options)
    overall = first.overall()
    assert overall.low < overall.value < overall.high
    pairs = list(first.by_pair())
    second = LabelAgreement(data, replace(options, coefficient="Alpha-Ordinal"))
    assert list(second.by_pair()) == pairs
    assert second.overall() == overall
    other = LabelAgreement(data, replace(options, seed=4)).overall()
    assert other.value == overall.value
    assert (other.low, other.high) != (overall.low, overall.high)


def test_intervals_are_over_topics_if_there_are_at_least_8() -> None:
    data = random_judgments(topics=8)
    found = LabelAgreement(data, AgreementOptions())
    ratings = data.ratings()
    pair = found.pair(*found.assessors[:2])
    expected = topic_interval(ratings.values[:2], [topic for topic, _ in ratings.units])
    assert (pair.low, pair.high) == (expected.low, expected.high)
    assert (pair.over, pair.topics, pair.note) == ("topics", 8, "")
    few = LabelAgreement(data.restricted_to(topics=data.topics[:7]), AgreementOptions()).overall()
    assert math.isnan(few.low)
    assert few.note.startswith("no interval over topics: found 7 topics, expected 8 or more")


def test_without_resamples_there_are_no_intervals() -> None:
    data = random_judgments(topics=8)
    with_intervals = agreement(data, coefficient="alpha-ordinal", resamples=10, over="docs")
    without = agreement(data, coefficient="alpha-ordinal")
    for by in ("topic", "pair"):
        pairs = zip(BREAKDOWNS[by](with_intervals), BREAKDOWNS[by](without), strict=True)
        for one, other in pairs:
            assert one.value == other.value
            assert one.low <= one.high
            assert math.isnan(other.low)
            assert math.isnan(other.high)
            assert other.over == ""


def test_an_unknown_coefficient_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean alpha-ordinal"):
        agreement(FOUR, coefficient="alpha-ordinary")


def test_pairs_of_labels_are_as_many_as_counted_by_hand() -> None:
    # a and b share d1 and d2, a and c share d1; b and c share d1.
    columns = {
        "topic": ["t"] * 6,
        "doc": ["d1", "d1", "d1", "d2", "d2", "d3"],
        "assessor": ["a", "b", "c", "a", "b", "c"],
        "grade": [0, 1, 2, 1, 1, 0],
        "group": ["x", "x", "y", "x", "x", "y"],
    }
    data = Judgments.from_columns(columns)
    found = LabelAgreement(data, AgreementOptions("alpha-interval", resamples=0))
    assert found.overall().pairs == 4
    assert {each.scope: each.pairs for each in found.by_pair()} == {
        "a ~ b": 2, "a ~ c": 1, "b ~ c": 1,
    }  # fmt: skip
    assert {each.scope: each.pairs for each in found.by_assessor()} == {"a": 3, "b": 3, "c": 2}
    assert {each.scope: each.pairs for each in found.by_group()} == {"x": 2, "x ~ y": 2}
    assert next(found.by_topic()).pairs == 4


@pytest.mark.parametrize("coefficient", ["alpha-ordinal", "kappa-quadratic", "ac1", "agreement"])
@pytest.mark.parametrize(("topics", "docs", "share"), [(3, 4, 1.0), (12, 1, 0.9), (12, 4, 0.4)])
def test_all_pairs_at_once_equal_the_pairs_one_by_one(coefficient, topics, docs, share) -> None:
    rng = np.random.default_rng(topics * docs)
    assessor, topic, doc = np.nonzero(rng.random((5, topics, docs)) < share)
    labels = Judgments(
        topics=tuple(f"q{n:02}" for n in range(topics)),
        docs=tuple(f"d{n}" for n in range(docs)),
        assessors=("a", "b", "c", "d", "e"),
        topic=topic,
        doc=doc,
        assessor=assessor,
        grade=rng.integers(0, 3, topic.size) * (rng.random(topic.size) < 0.7) * 1.0,
    )
    agreement = LabelAgreement(labels, AgreementOptions(coefficient=coefficient))
    found = list(agreement.by_pair())
    assert len(found) == 10
    for part in found:
        alone = agreement.pair(*part.sides)
        numbers = [(each.value, each.low, each.high) for each in (part, alone)]
        assert numbers[0] == pytest.approx(numbers[1], nan_ok=True)
        ends = {"value": 0.0, "low": 0.0, "high": 0.0}
        assert replace(part, **ends) == replace(alone, **ends)
