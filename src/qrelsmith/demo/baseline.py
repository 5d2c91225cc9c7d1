"""The baseline's labels of the demo collection, and a sample that corrects them: no network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign import QrelsSource, read_campaign, write_campaign_toml
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.estimation.estimate import estimate
from qrelsmith.estimation.sample import sample
from qrelsmith.io.writing import write_text
from qrelsmith.models.judge import judge
from qrelsmith.models.lexical import ENDPOINT
from qrelsmith.models.session import BASELINE

# Docs of which the estimate knows the written grade; of the others only the baseline's.
BUDGET = 300
_FILE = f"{BASELINE}.qrels"


def add_baseline(folder: Path, *, seed: int = 0) -> tuple[str, ...]:
    """Add labels of the baseline and a sample of docs to a demo collection; return notes on them.

    The audit then shows people, baseline, and what few labels of people say of the systems when
    they correct the baseline's.
    """
    judged = judge(folder, endpoint=ENDPOINT, seed=seed)
    write_qrels(judged.judgments.to_qrels(name=BASELINE), folder / "qrels" / _FILE)
    campaign = read_campaign(folder)
    sources = {**campaign.qrels_of, _FILE: QrelsSource(kind="model")}
    write_campaign_toml(replace(campaign, qrels_of=sources))
    path = folder / "sample.csv"
    pilot = sample(folder, budget=BUDGET, seed=seed)
    write_text(path, pilot.table().text("csv"))
    try:
        drawn = sample(folder, budget=BUDGET, after=path, seed=seed)
        write_text(path, drawn.table().text("csv"))
        estimate(folder, pairs=True)
    except InputError as error:
        # Docstrings differ from Python to Python, and so does what the systems find.
        path.unlink()
        return (*judged.notes, f"no sample of docs was drawn: {error}")
    return (*judged.notes, *drawn.notes)
