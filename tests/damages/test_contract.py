"""Every data problem: silent on clean labels, found if planted, and its source is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.damages.conftest import DOCS, TOP, arrays_of, collection, with_assessors

from qrelsmith.damages import DAMAGES, planting
from qrelsmith.damages.examined import Examined
from qrelsmith.damages.favoured import favoured, team_docs
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.swapped import swapped
from qrelsmith.damages.whose import examine

RNG = np.random.default_rng(7)


def of_set(change: Callable[[LabelArrays, np.ndarray], np.ndarray]) -> Callable:
    """A data problem in the grades of one label set."""

    def plant(labels: LabelArrays, at: int) -> LabelArrays:
        grades = labels.grades.copy()
        grades[at] = change(labels, grades[at])
        return replace(labels, grades=grades, _made={})

    return plant


# The planted problems, and the source that must be named.
PLANTED = {
    "constant": (of_set(lambda _, g: planting.make_constant(g, 6, 2.0)), (6,)),
    "constant-set": (of_set(lambda _, g: planting.repeat_grade(g, 0.97, 1.0, rng=RNG)), ()),
    "drift": (
        of_set(lambda of, g: planting.drift(g, 1.0, sequence=of.sequence, top=TOP, rng=RNG)),
        (),
    ),
    "favoured": (
        of_set(lambda of, g: planting.favour(g, team_docs(of, 2), 0.4, top=TOP, rng=RNG)),
        (2,),
    ),
    "off-scale": (lambda of, at: replace(of, off_scale=np.eye(3, dtype=int)[at] * 5), ()),
    "reversed": (of_set(lambda _, g: planting.reverse(g, 5, top=TOP)), (5,)),
    "shifted": (of_set(lambda of, g: planting.shift(g, 4, 1, places=of.orders[0])), (4,)),
    "swapped": (of_set(lambda of, g: planting.swap(g, 3, 9, places=of.orders[0])), (3, 9)),
    "follows-docno": (
        of_set(lambda of, g: np.clip(g + np.where(of.orders[-1] > DOCS / 2, 1, -1), 0, TOP)),
        (),
    ),
    "missing-positives": (
        of_set(lambda _, g: np.where((g > 0) & (RNG.random(g.shape) < 0.5), 0.0, g)),
        (),
    ),
    "unexplained": (
        of_set(lambda _, g: planting.randomise(g, np.arange(len(g)) == 5, rng=RNG)),
        (5,),
    ),
    "unrelated": (of_set(lambda _, g: planting.randomise(g, np.ones(len(g), bool), rng=RNG)), ()),
    "tail": (of_set(lambda of, g: planting.lazy_tail(g, 30, places=of.orders[0])), ()),
}
# Found only in the log of people's judgments, which the reference does not have here.
BY_PEOPLE = {
    "anchoring": of_set(lambda of, g: planting.anchor(g, 0.4, places=of.orders[0], rng=RNG)),
    "outlying-assessor": of_set(
        lambda _, g: planting.randomise(g, np.arange(len(g)) % 3 == 1, rng=RNG)
    ),
    "position": of_set(
        lambda of, g: planting.place_effect(g, 1.0, places=of.orders[0], top=TOP, rng=RNG)
    ),
}
# Shared docs, times, runs and models each have a test below.
ALONE = {
    "constant-assessor", "copied", "hurried", "duplicate-runs", "leans-on", "same-model",
    "unused-level",
}  # fmt: skip


def found(labels: LabelArrays) -> list[Examined]:
    rows = examine(labels, DAMAGES.entries(), reference=0)
    return [row for row in rows if row.found and DAMAGES.get(row.damage).entry.about["counts"]]


def test_every_data_problem_is_planted() -> None:
    assert PLANTED.keys() | BY_PEOPLE.keys() | ALONE == set(DAMAGES.names())


@pytest.mark.parametrize("slips", [0.0, 0.1, 0.3])
def test_clean_labels_have_no_data_problems(slips: float) -> None:
    labels = [with_assessors(collection(seed, slips=slips)) for seed in range(3)]
    assert not [row for of in labels for row in found(of)]


@pytest.mark.parametrize("at", [0, 1], ids=["gold", "bronze"])
@pytest.mark.parametrize("damage", PLANTED)
def test_a_data_problem_is_found_and_its_source_named(
    damage: str, at: int, clean: LabelArrays
) -> None:
    plant, culprit = PLANTED[damage]
    rows = found(plant(clean, at))
    assert {(row.damage, row.label_set, row.culprit) for row in rows} == {(damage, at, culprit)}


@pytest.mark.parametrize("damage", BY_PEOPLE)
def test_data_problems_of_people_are_found(damage: str, clean: LabelArrays) -> None:
    rows = found(with_assessors(BY_PEOPLE[damage](clean, 1)))
    culprit = (1,) if damage == "outlying-assessor" else ()
    assert (damage, 1, culprit) in {(row.damage, row.label_set, row.culprit) for row in rows}
    assert {row.label_set for row in rows} == {1}


def test_assessors_too_fast_to_have_read_are_named(clean: LabelArrays) -> None:
    rows = found(with_assessors(clean, hasty=2))
    assert {(row.damage, row.culprit) for row in rows} == {("hurried", (2,))}


def test_assessors_with_one_grade_are_named(clean: LabelArrays) -> None:
    people = with_assessors(clean)
    single = people.sessions[1]
    assert single is not None
    flat = replace(single, grade=np.where(single.assessor == 2, 1.0, single.grade))
    rows = found(replace(people, sessions=(None, flat, None), _made={}))
    assert ("constant-assessor", 1, (2,)) in {(r.damage, r.label_set, r.culprit) for r in rows}
    assert {(row.label_set, row.culprit) for row in rows} == {(1, (2,))}


def test_assessors_who_never_use_the_top_grade_are_named(clean: LabelArrays) -> None:
    people = with_assessors(clean)
    single = people.sessions[1]
    assert single is not None
    capped = replace(
        single,
        grade=np.where(single.assessor == 2, np.minimum(single.grade, TOP - 1), single.grade),
    )
    rows = found(replace(people, sessions=(None, capped, None), _made={}))
    assert {(row.damage, row.culprit, row.detail) for row in rows} == {("unused-level", (2,), TOP)}


def test_several_sets_with_one_grade_are_not_a_shared_bias(clean: LabelArrays) -> None:
    grades = clean.grades.copy()
    grades[1], grades[2] = 0, 3
    rows = found(replace(clean, grades=grades, _made={}))
    assert [(row.damage, row.label_set, row.sharing) for row in rows] == [
        ("constant-set", 1, 0),
        ("constant-set", 2, 0),
    ]


def test_lists_of_relevant_docs_and_strict_references_are_sound(clean: LabelArrays) -> None:
    listed = clean.grades.copy()
    listed[0] = np.where(listed[0] > 1, 1, np.nan)  # as in MS MARCO
    strict = clean.grades.copy()
    strict[0] = np.where((strict[0] == 3) & (np.arange(DOCS) < 25), 1, 0)
    assert (strict[0] == 0).mean() > 0.95
    assert not [row for of in (listed, strict) for row in found(replace(clean, grades=of, _made={}))
                if row.damage.startswith("constant")]  # fmt: skip


def test_pairs_of_assessors_who_copy_are_named(clean: LabelArrays) -> None:
    truth = clean.grades[0]
    own = [planting.with_slips(truth, 0.3, top=TOP, rng=RNG) for _ in range(3)]
    own[1] = planting.copy_from(own[1], own[0], 0.8, rng=RNG)
    people = with_assessors(clean)
    single = people.sessions[1]
    assert single is not None
    everyone = replace(
        single,
        assessor=np.repeat(np.arange(3), len(single.topic)),
        topic=np.tile(single.topic, 3),
        doc=np.tile(single.doc, 3),
        grade=np.concatenate([grades.ravel() for grades in own]),
        place=np.tile(single.place, 3),
        seconds=np.tile(single.seconds, 3),
        is_random=np.tile(single.is_random, 3),
    )
    rows = found(replace(people, sessions=(None, everyone, None), _made={}))
    assert [(row.damage, row.culprit) for row in rows] == [("copied", (0, 1))]


def test_shared_runs_and_shared_models_are_reported_as_facts(clean: LabelArrays) -> None:
    ranks = clean.ranks.copy()
    ranks[3] = ranks[0]
    grades = np.stack([*clean.grades, clean.grades[1]])
    labels = arrays_of(grades, ranks, clean.orders[0])
    rows = [row for row in examine(labels, DAMAGES.entries(), reference=0) if row.found]
    assert [(row.damage, row.culprit) for row in rows] == [
        ("duplicate-runs", (0, 3)),
        ("same-model", (1, 3)),
    ]


def test_a_team_with_good_docs_is_not_favoured_if_the_other_labels_have_errors() -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(4, p=(0.4, 0.3, 0.2, 0.1), size=(40, 100)).astype(float)
    noise = np.where(np.arange(16) % 4 == 2, 0.8, 3.0)  # team 2 knows the true grades
    scores = truth + noise[:, None, None] * rng.normal(size=(16, 40, 100))
    ranks = np.argsort(np.argsort(-scores, axis=-1), axis=-1) + 1
    sets = np.stack([truth, planting.with_slips(truth, 0.5, top=TOP, rng=rng)])
    order = np.broadcast_to(np.arange(100), truth.shape)
    evidence = favoured(arrays_of(sets, ranks, order), 0, 1)
    assert evidence.z_of((2,)) > 3
    assert not evidence.large.any()


def test_topics_of_different_lengths_are_swapped_up_to_the_shorter_length() -> None:
    clean = collection(0, slips=0.0)
    grades = clean.grades.copy()
    short = clean.orders[0] < 16
    grades[:, 3] = np.where(short[3], grades[:, 3], np.nan)
    # Topic 9 keeps its own labels at the end, which fit better than the other topic's labels.
    noisy = planting.with_slips(grades[1], 0.5, top=TOP, rng=np.random.default_rng(0))
    grades[1] = np.where(short, noisy, grades[1])
    grades[1] = planting.swap(grades[1], 3, 9, places=clean.orders[0])
    evidence = swapped(replace(clean, grades=grades, _made={}), 1, 0)
    assert evidence.z_of((3, 9)) > 2


def test_with_two_label_sets_either_may_be_the_source() -> None:
    plant, culprit = PLANTED["shifted"]
    rows = found(plant(collection(1, sets=2), 1))
    assert [(row.label_set, row.culprit, row.blamed) for row in rows] == [
        (1, culprit, -1),
        (0, culprit, -1),
    ]
