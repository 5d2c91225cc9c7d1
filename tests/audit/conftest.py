"""A campaign whose label sets are sound, careless and reversed on purpose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.data.campaign import Campaign, Group, Level, QrelsSource, write_campaign_toml
from qrelsmith.data.qrels import Qrels, write_qrels
from qrelsmith.data.runs import Run, write_run

TOPICS, DOCS, SYSTEMS = 50, 60, 22


def write_campaign(folder: Path) -> Path:
    rng = np.random.default_rng(7)
    gold = rng.choice(4, p=[0.55, 0.2, 0.15, 0.1], size=(TOPICS, DOCS))
    flipped = rng.random(gold.shape) < 0.02
    labels = {
        "gold": gold,
        "sound": np.where(flipped, rng.integers(0, 4, gold.shape), gold),
        "careless": np.where(rng.random(gold.shape) < 0.85, rng.integers(0, 4, gold.shape), gold),
        "reversed": 3 - gold,
    }
    (folder / "qrels").mkdir(parents=True)
    (folder / "runs").mkdir()
    for name, grades in labels.items():
        rows = [
            (f"t{topic:02d}", f"d{doc:03d}", float(grades[topic, doc]))
            for topic in range(TOPICS)
            for doc in range(DOCS)
        ]
        write_qrels(Qrels.from_rows(rows), folder / "qrels" / f"{name}.qrels")
    for system in range(SYSTEMS):
        noise = 0.3 + 0.4 * system
        scores = gold + noise * rng.normal(size=gold.shape)
        run = {
            f"t{topic:02d}": {f"d{doc:03d}": float(scores[topic, doc]) for doc in range(DOCS)}
            for topic in range(TOPICS)
        }
        name = f"team{system % 4}-s{system:02d}"
        write_run(Run.from_dict(run, name=name), folder / "runs" / f"{name}.run")
    write_campaign_toml(
        Campaign(
            folder=folder,
            title="A campaign for tests",
            levels=tuple(Level(float(grade)) for grade in range(4)),
            groups={"gold": Group(role="gold")},
            qrels_of={"gold.qrels": QrelsSource(group="gold")},
            measures=("nDCG@10",),
        )
    )
    return folder


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_campaign(tmp_path_factory.mktemp("audit") / "campaign")


@pytest.fixture(scope="session")
def inputs(campaign: Path) -> AuditInputs:
    return AuditInputs(campaign)
