"""Every damage: silent on clean labels, loud on its own, and the culprit is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.damages.conftest import TOP, collection

from qrelsmith.damages import DAMAGES, planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.whose import Examined, examine

RNG = np.random.default_rng(7)


def of_set(change: Callable[[LabelArrays, np.ndarray], np.ndarray]) -> Callable:
    """Damage to the grades of one label set."""

    def plant(labels: LabelArrays, at: int) -> LabelArrays:
        grades = labels.grades.copy()
        grades[at] = change(labels, grades[at])
        return replace(labels, grades=grades, _made={})

    return plant


# What is planted, and who must be named.
PLANTED = {
    "shifted": (of_set(lambda of, g: planting.shift(g, 4, 1, places=of.orders[0])), (4,)),
    "swapped": (of_set(lambda of, g: planting.swap(g, 3, 9, places=of.orders[0])), (3, 9)),
    "favoured": (
        of_set(lambda of, g: planting.favour(g, team_docs(of, 2), 0.4, top=TOP, rng=RNG)),
        (2,),
    ),
}


def found(labels: LabelArrays) -> list[Examined]:
    return [row for row in examine(labels, DAMAGES.entries(), reference=0) if row.found]


def test_every_damage_is_planted() -> None:
    assert PLANTED.keys() == set(DAMAGES.names())


@pytest.mark.parametrize("slips", [0.0, 0.1, 0.3])
def test_clean_labels_show_nothing(slips: float) -> None:
    assert not [row for seed in range(3) for row in found(collection(seed, slips=slips))]


@pytest.mark.parametrize("at", [0, 1], ids=["gold", "bronze"])
@pytest.mark.parametrize("damage", PLANTED)
def test_damage_is_found_and_its_culprit_named(damage: str, at: int, clean: LabelArrays) -> None:
    plant, culprit = PLANTED[damage]
    rows = found(plant(clean, at))
    assert {(row.damage, row.label_set, row.culprit) for row in rows} == {(damage, at, culprit)}


def test_of_two_label_sets_either_may_be_at_fault() -> None:
    plant, culprit = PLANTED["shifted"]
    rows = found(plant(collection(1, sets=2), 1))
    assert [(row.label_set, row.culprit, row.blamed) for row in rows] == [
        (1, culprit, -1),
        (0, culprit, -1),
    ]
