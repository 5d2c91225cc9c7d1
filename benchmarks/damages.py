"""How often planted damages are found in DL-2021, and how often clean labels are called damaged.

    python benchmarks/damages.py SHARED 50 shift:1,.2,25 favour:.4,gpt,53 none,.1,25 shift:2,.1,53,0

A case is DAMAGE[:SIZE],NOISE,TOPICS[,SET]. NOISE is the share of the grades of two label sets that
are a level off NIST's, or `gpt`: the first of them is umbrela.gpt-4o's, the second has 10 % slips.
TOPICS is 53 (all topics and runs) or 25 (25 topics and 20 runs, drawn anew). SET is the damaged
one: 1, or 0 for the reference. `hit` is the mean share of the planted culprits that are found in
the right set; `else` is in how many draws anything else was found, by damage and set.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np

from qrelsmith import read_qrels, read_runs
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import DAMAGES, planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import Origins
from qrelsmith.damages.whose import Examined, examine

TOP = 3.0
LETTERS = 4  # of a run's name that tell its team, so that watpfd and watpff are one
Culprits = set[tuple[int, ...]]


def whole(shared: Path) -> LabelArrays:
    """NIST's labels and gpt-4o's, and all runs."""
    folder = shared / "data" / "trec-dl-2021-passage"
    names = ("nist.qrels", "umbrela.gpt-4o.qrels.gz")
    sets = {name: read_qrels(folder / "qrels" / name) for name in names}
    runs = read_runs(folder / "runs", depth=100)
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in runs}
    return lay_out(sets, runs, teams, None, Origins({}, frozenset(), {}, {}, 0.0, {})).arrays


def part(
    full: LabelArrays, sets: list[FloatArray], topics: IntArray, runs: IntArray
) -> LabelArrays:
    """Some topics and runs with label sets of our own."""
    count = len(sets)
    return LabelArrays(
        grades=np.stack(sets),
        orders=full.orders[:, topics],
        sequence=np.arange(len(topics), dtype=float),
        ranks=full.ranks[runs][:, topics],
        team=np.unique(full.team[runs], return_inverse=True)[1],
        lowest=np.zeros(count),
        off_scale=np.zeros(count, dtype=np.int64),
        person=np.zeros(count, dtype=bool),
        family=np.full(count, -1),
    )


def planted(
    kind: str, size: str, labels: LabelArrays, grades: FloatArray, rng: np.random.Generator
) -> tuple[FloatArray, str, Culprits]:
    """Damaged grades, what the damage is called, and whom it should name."""
    places, topics = labels.orders[0], len(grades)
    if kind == "shift":
        chosen = rng.choice(topics, int(size), replace=False).tolist()
        for topic in chosen:
            grades = planting.shift(grades, topic, int(rng.choice([-2, -1, 1, 2])), places=places)
        return grades, "shifted", {(topic,) for topic in chosen}
    if kind == "swap":
        first, second = sorted(rng.choice(topics, 2, replace=False).tolist())
        swapped = planting.swap(grades, first, second, places=places)
        return swapped, "swapped", {(first, second)}
    if kind == "favour":
        sizes = np.bincount(labels.team)
        team = int(rng.choice(np.flatnonzero((sizes >= 2) & (sizes <= 6))))
        docs = team_docs(labels, team)
        favoured = planting.favour(grades, docs, float(size), top=TOP, rng=rng)
        return favoured, "favoured", {(team,)}
    topic = int(rng.integers(topics))
    if kind == "reverse":
        return planting.reverse(grades, topic, top=TOP), "reversed", {(topic,)}
    if kind == "constant":
        level = float(rng.integers(4))
        return planting.make_constant(grades, topic, level), "constant", {(topic,)}
    if kind == "drift":
        drifted = planting.drift(grades, float(size), sequence=labels.sequence, top=TOP, rng=rng)
        return drifted, "drift", {()}
    if kind == "tail":
        return planting.lazy_tail(grades, int(size), places=places), "tail", {()}
    return grades, "", set()


def draw(full: LabelArrays, case: str, seed: int) -> tuple[float, list[Examined]]:
    """The share of the planted culprits that are found, and what else is."""
    damage, noise, size, *where = case.split(",")
    kind, _, extent = damage.partition(":")
    target = int(where[0]) if where else 1
    rng = np.random.default_rng(seed)
    topics, runs = np.arange(full.grades.shape[1]), np.arange(len(full.ranks))
    if size != "53":
        topics = np.sort(rng.choice(topics, 25, replace=False))
        runs = np.sort(rng.choice(runs, 20, replace=False))
    truth = full.grades[0][topics]
    shares = [0.1] if noise == "gpt" else [float(noise), float(noise)]
    slips = [planting.with_slips(truth, share, top=TOP, rng=rng) for share in shares]
    sets = [truth, *([full.grades[1][topics]] if noise == "gpt" else []), *slips]
    labels = part(full, sets, topics, runs)
    sets[target], name, culprits = planted(kind, extent, labels, sets[target], rng)
    rows = examine(part(full, sets, topics, runs), DAMAGES.entries(), reference=0)
    seen = [row for row in rows if row.found and DAMAGES.get(row.damage).entry.about["counts"]]
    hits = [
        row
        for row in seen
        if (row.damage, row.label_set) == (name, target) and row.culprit in culprits
    ]
    return len(hits) / max(len(culprits), 1), [row for row in seen if row not in hits]


def main(shared: str, draws: str, *cases: str) -> None:
    """Print a line for each case."""
    full = whole(Path(shared))
    for case in cases:
        began = time.process_time()
        results = [draw(full, case, seed) for seed in range(int(draws))]
        seconds = (time.process_time() - began) / int(draws)
        others = Counter((row.damage, row.label_set) for _, rest in results for row in rest)
        wrong = sum(bool(rest) for _, rest in results)
        hit = np.mean([share for share, _ in results])
        print(f"{case}: hit {hit:.2f}, else {wrong} {dict(others)}, {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
