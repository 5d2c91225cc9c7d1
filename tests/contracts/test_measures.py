"""Rules for every registered measure; they test a new measure before it has its own tests.

Measures that count docs, or report how much is unknown, are not effectiveness scores and are left
out of the contracts on scores. All other contracts hold for all measures.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry_entries import Entry
from qrelsmith.evaluation.measures import MEASURES, MeasureFunction

GMAX = 3.0
NAN = math.nan
COUNTS = {"NumRet", "NumRel", "NumRelRet"}
NO_SCORE = COUNTS | {"RBPresidual"}
ABOUT_THE_RUN = {"NumRet", "Judged", "RBPresidual"}
ABOUT_THE_POOL = {"infAP"}

few = examples(10)


def names_of(entry: Entry[MeasureFunction]) -> list[str]:
    """Return the entry with a sensible cutoff, and without one if it is optional."""
    if not entry.cutoff:
        return [entry.name]
    if entry.about.get("cutoff_is_recall"):
        return [f"{entry.name}@0.5"]
    return [f"{entry.name}@10"] + ([] if entry.about.get("needs_cutoff") else [entry.name])


# Measures of answers use other data: tests/evaluation/measures/test_answers.py; those of
# ir_measures have no arrays: tests/evaluation/test_outside_scores.py.
ENTRIES = [
    entry for entry in MEASURES.entries() if not (entry.about["aspects"] or entry.about["by"])
]
NAMES = [name for entry in ENTRIES for name in names_of(entry)]
SCORES = [name for name in NAMES if MEASURES.get(name).entry.name not in NO_SCORE]

all_measures = pytest.mark.parametrize("name", NAMES)
all_scores = pytest.mark.parametrize("name", SCORES)


def score(
    name: str, grades: object, ideal: object, retrieved: object = None, gmax: float = GMAX
) -> FloatArray:
    """Return the score of arrays that the measure cannot change."""
    arrays = [np.array(values, dtype=np.float64) for values in (grades, ideal)]
    for array in arrays:
        array.flags.writeable = False
    count = None if retrieved is None else np.array(retrieved, dtype=np.int64)
    return MEASURES.get(name)(*arrays, gmax=gmax, retrieved=count)


def descending(grades: list[float]) -> list[float]:
    return sorted(grades, reverse=True)


@st.composite
def topics(
    draw: st.DrawFn, *, levels: tuple[float, ...] = (0, 1, 2, 3), complete: bool = False
) -> tuple[list[float], list[float]]:
    """Return grades in rank order, including unjudged docs, and those of the ideal ranking."""
    judged = draw(st.lists(st.sampled_from(levels), min_size=1, max_size=12))
    ranking = draw(st.permutations(judged + [NAN] * draw(st.integers(0, 6))))
    if not complete:
        ranking = ranking[: draw(st.integers(0, len(ranking)))]
    return list(ranking), descending(judged)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_measure_is_documented(entry: Entry[MeasureFunction]) -> None:
    assert entry.formula
    assert entry.source
    assert entry.summary.endswith(".")
    assert len(entry.summary) < 100
    assert list(entry.function.__annotations__)[1] == "ideal"


@all_measures
def test_every_label_survives_parsing(name: str) -> None:
    label = MEASURES.label(name)
    assert MEASURES.get(label) == MEASURES.get(name)
    assert MEASURES.get(label).label == label


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_number_in_a_label_survives_parsing(entry: Entry[MeasureFunction]) -> None:
    name = names_of(entry)[0]
    base, at, cutoff = name.partition("@")
    for key, default in entry.parameters.items():
        if isinstance(default, str):
            continue
        label = MEASURES.label(f"{base}({key}=0.5){at}{cutoff}")
        assert f"{key}=0.5" in label
        assert MEASURES.get(label).parameters[key] == 0.5
        assert MEASURES.get(label).label == label


@all_measures
@few
@given(topic=topics())
def test_every_ranking_has_one_finite_number(name: str, topic: tuple[list[float], ...]) -> None:
    result = score(name, *topic)
    assert result.shape == ()
    assert result.dtype == np.float64
    assert np.isfinite(result)


def highest(name: str) -> float:
    """Return the maximum of all scores of a measure, up to rounding."""
    return 1.0 + 1e-12 if MEASURES.get(name).entry.about["bounded"] else math.inf


@all_scores
@few
@given(topic=topics())
def test_scores_are_between_0_and_1_if_the_measure_is_bounded(
    name: str, topic: tuple[list[float], ...]
) -> None:
    assert 0.0 <= score(name, *topic) <= highest(name)


@all_scores
@few
@given(topic=topics(levels=(0.0, 0.1, 0.25, 0.7, 1.0)))
def test_real_valued_grades_are_accepted(name: str, topic: tuple[list[float], ...]) -> None:
    assert 0.0 <= score(name, *topic, gmax=1.0) <= highest(name)


@all_scores
@few
@given(topic=topics(complete=True))
def test_the_ideal_ranking_has_the_maximum_score(name: str, topic: tuple[list[float], ...]) -> None:
    ranking, ideal = topic
    assert score(name, ranking, ideal) <= score(name, ideal, ideal) + 1e-12


@all_scores
@few
@given(topic=topics(), data=st.data())
def test_moving_a_better_doc_up_never_lowers_the_score(
    name: str, topic: tuple[list[float], ...], data: st.DataObject
) -> None:
    ranking, ideal = topic
    worse = [
        place
        for place in range(len(ranking) - 1)
        if max(ranking[place + 1], 0) > (0 if math.isnan(ranking[place]) else ranking[place])
    ]
    if worse:
        place = data.draw(st.sampled_from(worse))
        better = ranking.copy()
        better[place], better[place + 1] = ranking[place + 1], ranking[place]
        assert score(name, better, ideal) >= score(name, ranking, ideal) - 1e-12


@all_measures
@few
@given(topic=topics(), more=st.integers(1, 20))
def test_unjudged_docs_at_the_end_change_nothing(
    name: str, topic: tuple[list[float], ...], more: int
) -> None:
    ranking, ideal = topic
    plain = score(name, ranking, ideal, len(ranking))
    padded = score(name, ranking + [NAN] * more, ideal + [NAN] * more, len(ranking))
    assert padded == pytest.approx(plain, abs=1e-12)


@all_measures
@few
@given(cases=st.lists(topics(levels=(-2, -1, 0, 1, 2, 3)), min_size=6, max_size=6))
def test_a_batch_equals_a_loop(name: str, cases: list[tuple[list[float], list[float]]]) -> None:
    width, depth = (max(len(case[side]) for case in cases) for side in (0, 1))
    grades = [ranking + [NAN] * (width - len(ranking)) for ranking, _ in cases]
    ideal = [best + [NAN] * (depth - len(best)) for _, best in cases]
    count = [len(ranking) for ranking, _ in cases]
    one_by_one = [float(score(name, *case, len(case[0]))) for case in cases]
    flat = score(name, grades, ideal, count)
    assert flat.shape == (6,)
    np.testing.assert_allclose(flat, one_by_one, rtol=0, atol=1e-12)
    nested = score(
        name,
        np.reshape(grades, (2, 3, width)),
        np.reshape(ideal, (2, 3, depth)),
        np.reshape(count, (2, 3)),
    )
    np.testing.assert_allclose(nested, np.reshape(one_by_one, (2, 3)), rtol=0, atol=1e-12)


@all_measures
@pytest.mark.parametrize("ranking", [[], [NAN], [NAN] * 5], ids=["empty", "one", "five"])
def test_a_run_without_the_topic_scores_0(name: str, ranking: list[float]) -> None:
    value = score(name, ranking, [3, 1, 0], 0)
    expected = {"NumRel": 2.0, "RBPresidual": 1.0}.get(MEASURES.get(name).entry.name, 0.0)
    assert value == expected


@all_measures
@pytest.mark.parametrize("ideal", [[], [NAN], [0, 0], [0, -1], [-2, -2]], ids=str)
def test_a_topic_without_relevant_docs_scores_0(name: str, ideal: list[float]) -> None:
    value = score(name, [NAN, *ideal], ideal)
    if MEASURES.get(name).entry.name not in ABOUT_THE_RUN:
        assert value == 0.0
    assert np.isfinite(value)


@all_measures
@few
@given(topic=topics(levels=(-2, -1, 0, 1, 3)))
def test_codes_below_0_count_as_unjudged(name: str, topic: tuple[list[float], ...]) -> None:
    if MEASURES.get(name).entry.name in ABOUT_THE_POOL:
        return
    bare = [[NAN if grade < 0 else grade for grade in grades] for grades in topic]
    assert score(name, *topic) == score(name, *bare)


@pytest.mark.parametrize("name", sorted(ABOUT_THE_POOL))
def test_codes_are_never_relevant_even_if_they_count(name: str) -> None:
    assert score(name, [-1, -2], [1, -1, -2]) == 0.0


@pytest.mark.parametrize(
    "entry",
    [e for e in ENTRIES if e.cutoff and not e.about.get("cutoff_is_recall")],
    ids=lambda entry: entry.name,
)
@few
@given(topic=topics(), cutoff=st.integers(1, 15))
def test_nothing_after_the_cutoff_matters(
    entry: Entry[MeasureFunction], topic: tuple[list[float], ...], cutoff: int
) -> None:
    """`evaluate` relies on this when it keeps only the ranks up to the highest cutoff."""
    ranking, ideal = topic
    name = f"{entry.name}@{cutoff}"
    whole = score(name, ranking, ideal, len(ranking))
    assert score(name, ranking[:cutoff], ideal, len(ranking)) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(
    "entry",
    [
        e
        for e in ENTRIES
        if e.cutoff
        and not {"needs_cutoff", "cutoff_is_recall"} & {k for k, v in e.about.items() if v}
    ],
    ids=lambda entry: entry.name,
)
@few
@given(topic=topics())
def test_a_cutoff_beyond_the_list_has_no_effect(
    entry: Entry[MeasureFunction], topic: tuple[list[float], ...]
) -> None:
    assert score(f"{entry.name}@1000", *topic) == pytest.approx(
        score(entry.name, *topic), abs=1e-12
    )


@pytest.mark.parametrize(
    "entry", [e for e in ENTRIES if "gmax" in e.takes], ids=lambda entry: entry.name
)
@pytest.mark.parametrize("gmax", [None, NAN, math.inf, -1.0, 2.0])
def test_the_top_of_the_scale_is_required_and_checked(
    entry: Entry[MeasureFunction], gmax: float
) -> None:
    with pytest.raises(UsageError, match="top"):
        score(names_of(entry)[0], [3, 0], [3, 0], gmax=gmax)


@pytest.mark.parametrize(
    "entry", [e for e in ENTRIES if "rel" in e.parameters], ids=lambda entry: entry.name
)
def test_codes_cannot_be_made_relevant(entry: Entry[MeasureFunction]) -> None:
    base, at, cutoff = names_of(entry)[0].partition("@")
    with pytest.raises(UsageError, match="codes are never relevant"):
        score(f"{base}(rel=-1){at}{cutoff}", [-1, 1], [1, -1])


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("ndcg_cut_10", "nDCG@10"), ("ndcg_cut.5", "nDCG@5"), ("P_10", "P@10"), ("ndcg", None),
        ("recip_rank", "RR"), ("map_cut_100", "AP@100"), ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("set_P", "SetP"), ("recall_1000", "R@1000"), ("success_1", "Success@1"),
        ("nDGC@10", "nDCG@10"), ("NDCG10", "nDCG@10"), ("RBP_0.8", "RBP"),
        ("RPB(p=0.5)", "RBP(p=0.5)"),
    ],
)  # fmt: skip
def test_a_name_used_by_other_programs_is_reported_with_the_name_used_here(
    theirs: str, ours: str | None
) -> None:
    if ours is None:
        assert MEASURES.label(theirs) == "nDCG"
        return
    with pytest.raises(UsageError, match=f"did you mean {re.escape(ours)}\\?"):
        MEASURES.get(theirs)
    assert MEASURES.label(ours).startswith(ours)
