"""The baseline's labels of the demo collection, and a sample of docs to correct them with."""

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

# Number of docs whose written grade is used in the estimate; other docs have the baseline's grade.
BUDGET = 300
_FILE = f"{BASELINE}.qrels"


def add_baseline(folder: Path, *, seed: int = 0) -> tuple[str, ...]:
    """Add the baseline's labels and a sample of docs to a demo collection, and return notes.

    The audit then shows the human labels, the baseline's labels, and the system scores estimated
    from both.
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
        # Docstrings differ between Python versions, and so do the docs found by the systems.
        path.unlink()
        return (*judged.notes, f"no sample of docs was drawn: {error}")
    return (*judged.notes, *drawn.notes)
