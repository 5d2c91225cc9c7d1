"""Section 3.4: the p of compatibility whose ranking is most similar to nDCG at each cutoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.evaluation import score_runs
from qrelsmith.rankings.measure_power import best_matching
from qrelsmith.stats.split_halves import random_halves
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import MATCHES, lowest_step
from qrelsmith_papers.topk_preferences.dl2021 import PASSAGES, dl2021


class _Tuned(NamedTuple):
    """The best p for each cutoff, and the loss of τ with the paper's p."""

    best: Sequence[float]
    lost: Sequence[float]


_CLAIMS: tuple[c.Claim[_Tuned], ...] = (
    c.claim(
        "Larger values of p correspond to larger values of k.",
        ("smallest step of the best p", lambda t: lowest_step(t.best), c.over(0)),
    ),
    c.claim(
        "The values of p, tuned elsewhere, provide good consistency.",
        ("largest loss of τ against the best p", lambda t: max(t.lost), c.at_most(0.01)),
    ),
)


@TOPK.add(
    "tuning",
    title="Section 3.4: p for each cutoff",
    claims=_CLAIMS,
    kind=c.ClaimKind.OTHER_DATA,
    reads=PASSAGES.read,
    deviation="The paper tuned by hand on other data; its choice is accurate to about .05.",
)
def tuning(inputs: StudyInputs) -> Made:
    """Find the p whose ranking of the DL 2021 runs is most similar to nDCG@3, 5, 10 and 20."""
    data = dl2021(inputs)
    if data is None:
        return Made(missing=PASSAGES.missing)
    tried = [hundredth / 100 for hundredth in range(60, 100, 1 if inputs.paper_size else 5)]
    compat = score_runs(data.graded, data.runs, [f"Compat(p={p})" for p in tried])
    ndcg = score_runs(data.graded, data.runs, [f"nDCG@{cutoff}" for cutoff in MATCHES])
    candidates = [compat.matrix(f"Compat(p={p})") for p in tried]
    first = random_halves(compat.topics, splits=1, seed=inputs.seed)[0].tolist()
    parts = {
        "all": set(compat.topics),
        "one half": {topic for topic, is_in in zip(compat.topics, first, strict=True) if is_in},
        "the other half": {
            topic for topic, is_in in zip(compat.topics, first, strict=True) if not is_in
        },
    }
    rows, lines = [], []
    for name, topics in parts.items():
        for cutoff, published in MATCHES.items():
            _, taus = best_matching(
                ndcg.matrix(f"nDCG@{cutoff}").restricted_to(topics),
                [one.restricted_to(topics) for one in candidates],
            )
            best = int(np.nanargmax(taus))
            own = float(taus[tried.index(published)])
            rows.append((name, cutoff, tried[best], float(taus[best]), published, own))
            if name == "all":
                lines.append(Line(f"nDCG@{cutoff}", tried, taus.tolist()))
    tuned = [row[2] for row in rows[: len(MATCHES)]]
    lost = [row[3] - row[5] for row in rows[: len(MATCHES)]]
    return Made(
        held=[data.hold(_Tuned(tuned, lost))],
        paragraphs=(
            "The paper tuned p by hand on other data. Here all p from .60 to .99 in steps of"
            f" {tried[1] - tried[0]:.2f} are tried on the NIST grades of DL 2021, on all topics"
            " and on random halves, which show how far the choice can be trusted.",
        ),
        tables=(
            table_of(
                "tuning-best",
                "The p with the highest τ",
                "topics|nDCG@k|p tuned|tau|p of the paper|tau with it",
                rows,
            ),
        ),
        figures=(
            Figure(
                key="tuning",
                title="Consistency with nDCG by p",
                drawing=Lines(
                    lines=lines, x_label="p of compatibility", y_label="Kendall's τ with nDCG@k"
                ),
                caption=f"{len(data.runs)} runs of DL 2021 on {len(compat.topics)} topics, ideal"
                " rankings of grades.",
            ),
        ),
    )
