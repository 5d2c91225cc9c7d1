"""A campaign with label sets that are sound, careless or reversed on purpose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.campaign.campaign import Campaign, Group, Level, QrelsSource, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.given_labels import read_qrels

TOPICS, DOCS, SYSTEMS = 50, 60, 22


def write_campaign(
    folder: Path, *, topics: int = TOPICS, docs: int = DOCS, systems: int = SYSTEMS
) -> Path:
    rng = np.random.default_rng(7)
    gold = rng.choice(4, p=[0.55, 0.2, 0.15, 0.1], size=(topics, docs))
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
            for topic in range(topics)
            for doc in range(docs)
        ]
        write_qrels(Qrels.from_rows(rows), folder / "qrels" / f"{name}.qrels")
    for system in range(systems):
        noise = 0.3 + 0.4 * system
        scores = gold + noise * rng.normal(size=gold.shape)
        run = {
            f"t{topic:02d}": {f"d{doc:03d}": float(scores[topic, doc]) for doc in range(docs)}
            for topic in range(topics)
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


def write_preferences_and_judgments(folder: Path) -> None:
    """Write noisy preferences based on gold, and judgments of two students who know gold."""
    rng = np.random.default_rng(3)
    tests = ["topic,left,right,outcome,assessor"]
    judged = ["topic,doc,assessor,grade,group"]
    for topic, grades in read_qrels(folder / "qrels" / "gold.qrels").to_dict().items():
        docs = sorted(grades)
        for _ in range(60):
            left, right = (docs[place] for place in rng.choice(len(docs), 2, replace=False))
            felt = grades[right] - grades[left] + rng.normal()
            outcome = 0 if abs(felt) < 0.2 else int(np.sign(felt))
            tests.append(f"{topic},{left},{right},{outcome},crowd")
        for student in ("s1", "s2"):
            for doc in docs:
                grade = grades[doc] if rng.random() < 0.8 else rng.integers(0, 4)
                judged.append(f"{topic},{doc},{student},{int(grade)},students")
    (folder / "preferences.csv").write_text("\n".join(tests) + "\n")
    (folder / "judgments.csv").write_text("\n".join(judged) + "\n")


@pytest.fixture(scope="session")
def preferred(tmp_path_factory: pytest.TempPathFactory) -> AuditInputs:
    """A smaller campaign with preferences and a group of two assessors."""
    folder = write_campaign(
        tmp_path_factory.mktemp("audit") / "preferred", topics=12, docs=30, systems=8
    )
    write_preferences_and_judgments(folder)
    return AuditInputs(folder)
