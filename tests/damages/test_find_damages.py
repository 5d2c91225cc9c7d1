from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith import find_damages, read_qrels
from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.damages.evidence import majority_p

GOLD = {f"t{t}": {f"d{d:02}": (d * 7 + t) % 3 for d in range(40)} for t in range(9)}


def test_p_of_a_strict_majority_is_as_computed_by_hand() -> None:
    # Two of three tests at .02 or below: 3/2 · .02 (Rüger 1978); for two tests, the larger p.
    assert majority_p([[0.001], [0.02], [0.9]]) == pytest.approx([0.03])
    assert majority_p([[0.001], [0.02]]) == pytest.approx([0.02])


def test_unknown_names_and_levels_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown label set 'silver'"):
        find_damages({"gold": GOLD}, label_set="silver")
    with pytest.raises(UsageError, match="expected less than 1"):
        find_damages({"gold": GOLD}, alpha=1.0)


def test_grades_outside_the_scale_of_loose_files_are_found(tmp_path: Path) -> None:
    odd = {topic: dict(grades) for topic, grades in GOLD.items()}
    odd["t3"] |= {"d01": 7, "d02": 9}
    files = [tmp_path / f"{name}.qrels" for name in ("gold", "odd")]
    for file, grades in zip(files, (GOLD, odd), strict=True):
        write_qrels(Qrels.from_dict(grades), file)
    with pytest.warns(InputWarning, match="2 such grades are treated as missing"):
        result = find_damages(files, scale=Scale.parse("0..2"), off_scale="missing")
    assert [(row.damage, row.label_set, row.value) for row in result.found] == [
        ("off-scale", "odd", 2.0)
    ]
    with pytest.raises(InputError, match=r"odd\.qrels:1"):
        find_damages(files, scale=Scale.parse("0..2"))


def test_topics_of_dl_2021_shifted_by_one_place_are_named(shared: Path) -> None:
    folder = shared / "data" / "trec-dl-2021-passage"
    nist = read_qrels(folder / "qrels" / "nist.qrels")
    damaged = {topic: dict(grades) for topic, grades in nist.to_dict().items()}
    rng = np.random.default_rng(0)
    for grades in damaged.values():
        for doc, grade in grades.items():
            grades[doc] = min(grade + 1, 3) if rng.random() < 0.1 else grade
    moved = sorted(damaged)[10:12]
    for topic in moved:
        docs = sorted(damaged[topic])
        stored = [damaged[topic][doc] for doc in docs]
        damaged[topic] = dict(zip(docs, [stored[0], *stored[:-1]], strict=True))
    result = find_damages(
        [nist, Qrels.from_dict(damaged, name="damaged")], folder / "runs", kinds="shifted"
    )
    assert [row.topic for row in result.of("damaged")] == moved
    assert "shift by -1" in result.found[0].sentence


def test_the_order_of_the_label_sets_changes_no_number() -> None:
    rng = np.random.default_rng(0)
    sets = {"gold": GOLD} | {
        name: {
            topic: {doc: int(rng.integers(3)) if rng.random() < slips else grade
                    for doc, grade in grades.items()}
            for topic, grades in GOLD.items()
        }
        for name, slips in (("ann", 0.1), ("ben", 0.4), ("cyd", 0.7))
    }  # fmt: skip
    # Many tests have p = 1; none of them is in the middle because of its place.
    forth, back = (
        find_damages({name: sets[name] for name in names}, reference="gold", kinds="shifted")
        for names in (("gold", "ann", "ben", "cyd"), ("gold", "cyd", "ben", "ann"))
    )
    assert set(map(str, forth.table().rows)) == set(map(str, back.table().rows))
