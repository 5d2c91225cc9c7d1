"""The data problems of groups equal those of the campaign's folder, to the last digit."""

from __future__ import annotations

from pathlib import Path

from qrelsmith import find_damages, read_judgments, simulate_campaign
from qrelsmith.collection.pools.pool_sets import read_pool_set
from qrelsmith.damages.group_damages import group_damages

KINDS = ("copied", "hurried", "outlying-assessor", "tail")


def test_groups_have_the_numbers_of_their_folder(tmp_path: Path) -> None:
    simulation = simulate_campaign("www4", topic_count=12, damages=["hurried", "tail:20"], seed=4)
    folder = tmp_path / "c"
    simulation.write(folder)
    for truth in (folder / "qrels").iterdir():  # docs that no group judged
        truth.unlink()
    asked = find_damages(folder, kinds=KINDS)
    live = group_damages(
        read_judgments(folder / "judgments.csv"),
        KINDS,
        reference="simulated-gold",
        pools=read_pool_set(sorted((folder / "pools").iterdir())),
        lowest=0.0,
    )
    assert live is not None
    assert str(live.table().rows) == str(asked.table().rows)
    assert {row.damage for row in live.found} == {"hurried", "tail"}
