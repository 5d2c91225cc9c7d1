"""How often planted damages are found in DL-2021, and how often clean labels are called damaged.

    python benchmarks/damages.py run SHARED DRAWS RESULTS.csv [CASE…]   draws, a row for each case
    python benchmarks/damages.py table RESULTS.csv                     the tables of docs/damages.md

A case is DAMAGE[:SIZE],LABELS,TOPICS; without any, all of `CASES`. LABELS are the label sets beside
NIST's, of which the first is damaged: a number is the share of grades of two sets that are a level
off NIST's; `lenient`: .1, and half of all grades below the top are one higher; `gpt`:
umbrela.gpt-4o's own, and a set with 10 % slips; `gold`: NIST's itself is the damaged one, beside a
set with 10 % slips and gpt-4o's. `people`: as .1, by three people in a random order, who share the
topics, or for `copied` all judge all; `pool`: the same in prioritised order. TOPICS is 53 (all the
topics and runs), 25 (25 topics and 20 runs, drawn anew) or 10 (10 and 10).

What gpt-4o's labels show before anything is planted is its own and left out.
"""

from __future__ import annotations

import csv
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from qrelsmith import read_qrels, read_runs
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import DAMAGES, planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import AssessorGrades, LabelArrays
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import Origins
from qrelsmith.damages.whose import Examined, examine

TOP = 3.0
LETTERS = 4  # of a run's name that tell its team, so that watpfd and watpff are one
Culprits = set[tuple[int, ...]]
PLACED = ("shift", "swap", "tail")
BY_PEOPLE = ("position", "anchoring", "copied", "outlying", "hurried")
PEOPLE = 3

PLANTED = [
    *("shift:1", "shift:2", "shift:10", "swap", "favour:.1", "favour:.2", "favour:.4"),
    *("reverse", "constant", "drift:1", "tail:30"),
]
BY_PEOPLE_SIZES = [
    *("position:1", "position:.5", "anchoring:.4", "anchoring:.2"),
    *("copied:1", "copied:.5", "outlying", "hurried"),
]
CASES = [
    *(f"none,{labels},{size}" for size in ("25", "53") for labels in
      ("0", ".1", ".3", "lenient", "people", "pool", "gpt")),
    *("none,.1,10", "none,people,10"),
    *(f"{damage},{labels},{size}" for size in ("53", "25") for labels in (".1", ".2", "gpt", "gold")
      for damage in PLANTED),
    *(f"{damage},people,{size}" for size in ("53", "25") for damage in BY_PEOPLE_SIZES),
]  # fmt: skip
COLUMNS = ("case", "draws", "found", "share", "right", "clean", "others", "seconds")


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
    topics = len(grades)
    # Stored in the order of the pool, or of the docnos.
    places = labels.orders[rng.integers(len(labels.orders))] if kind in PLACED else labels.orders[0]
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


def by_people(
    kind: str,
    size: str,
    labels: LabelArrays,
    grades: FloatArray,
    rng: np.random.Generator,
    *,
    is_random: bool,
) -> tuple[FloatArray, AssessorGrades, str, Culprits]:
    """Grades of three people, their sessions, what damage they have, and whom it should name."""
    graded = ~np.isnan(grades)
    places = labels.orders[0]
    if is_random:
        key = np.where(graded, rng.random(grades.shape), np.inf)
        places = np.argsort(np.argsort(key, axis=1), axis=1)
    who = np.arange(len(grades)) % PEOPLE
    name, culprits = {"": "", "none": ""}.get(kind, kind), {()}
    own = [grades]
    if kind == "position":
        own = [planting.place_effect(grades, float(size), places=places, top=TOP, rng=rng)]
    elif kind == "anchoring":
        own = [planting.anchor(grades, float(size), places=places, rng=rng)]
    elif kind == "outlying":
        name, culprits = "outlying-assessor", {(1,)}
        own = [planting.randomise(grades, who == 1, rng=rng)]
    elif kind == "copied":
        culprits = {(0, 1)}
        own = [planting.with_slips(grades, 0.2, top=TOP, rng=rng) for _ in range(PEOPLE)]
        own[1] = planting.copy_from(own[1], own[0], float(size), rng=rng)
    elif kind == "hurried":
        culprits = {(1,)}
    topic, doc = np.nonzero(graded)
    copies = len(own)
    assessor = np.repeat(np.arange(PEOPLE), len(topic)) if copies > 1 else who[topic]
    seconds = rng.lognormal(np.log(20), 0.7, copies * len(topic))
    if kind == "hurried":
        seconds = np.where(assessor == 1, rng.lognormal(np.log(0.7), 0.5, len(seconds)), seconds)
    sessions = AssessorGrades(
        names=("ann", "bob", "cy"),
        assessor=assessor,
        topic=np.tile(topic, copies),
        doc=np.tile(doc, copies),
        grade=np.concatenate([each[topic, doc] for each in own]),
        place=np.tile(places[topic, doc].astype(float), copies),
        seconds=seconds,
        is_random=np.full(copies * len(topic), is_random),
    )
    return np.median(np.stack(own), axis=0), sessions, name, culprits if name else set()


def draw(full: LabelArrays, case: str, seed: int) -> tuple[float, list[Examined], list[Examined]]:
    """The share of the planted culprits that are found, and the findings, right and other ones."""
    damage, noise, size = case.split(",")
    kind, _, extent = damage.partition(":")
    target = 0 if noise == "gold" else 1
    rng = np.random.default_rng(seed)
    topics, runs = np.arange(full.grades.shape[1]), np.arange(len(full.ranks))
    if size != "53":
        topics = np.sort(rng.choice(topics, int(size), replace=False))
        runs = np.sort(rng.choice(runs, {"25": 20, "10": 10}[size], replace=False))
    truth, model = full.grades[0][topics], full.grades[1][topics]

    def slips(share: float) -> FloatArray:
        return planting.with_slips(truth, share, top=TOP, rng=rng)

    if noise in ("gpt", "gold"):
        sets = [truth, model, slips(0.1)] if noise == "gpt" else [truth, slips(0.1), model]
    else:
        share = float(noise) if noise[-1].isdigit() else 0.1
        sets = [truth, slips(share), slips(share)]
    if noise == "lenient":
        everywhere = np.ones(truth.shape, dtype=bool)
        sets[1] = planting.favour(sets[1], everywhere, 0.5, top=TOP, rng=rng)
    labels = part(full, sets, topics, runs)
    own: set[object] = set()
    if noise in ("gpt", "gold"):
        own = {(row.damage, row.label_set, row.culprit) for row in found(labels)}
    if noise in ("people", "pool"):
        sets[1], sessions, name, culprits = by_people(
            kind, extent, labels, sets[1], rng, is_random=noise == "people"
        )
        labels = replace(
            part(full, sets, topics, runs),
            sessions=(None, sessions, None),
            person=np.array([True, True, False]),
        )
    else:
        sets[target], name, culprits = planted(kind, extent, labels, sets[target], rng)
        labels = part(full, sets, topics, runs)
    seen = found(labels)
    hits = [
        row
        for row in seen
        if (row.damage, row.label_set) == (name, target) and row.culprit in culprits
    ]
    rest = [
        row
        for row in seen
        if row not in hits and (row.damage, row.label_set, row.culprit) not in own
    ]
    return len(hits) / max(len(culprits), 1), hits, rest


def found(labels: LabelArrays) -> list[Examined]:
    """What is found that counts as damage."""
    rows = examine(labels, DAMAGES.entries(), reference=0)
    return [row for row in rows if row.found and row.entry.about["counts"]]


def run(shared: str, draws: str, results: str, *cases: str) -> None:
    """Write a row for each case."""
    full = whole(Path(shared))
    with Path(results).open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        for case in cases or CASES:
            count = int(draws) * (4 if case.startswith("none") and not case.endswith("53") else 1)
            began = time.process_time()
            drawn = [draw(full, case, seed) for seed in range(count)]
            others = Counter(
                f"{row.damage}@{row.label_set}" for _, _, rest in drawn for row in rest
            )
            findings = sum(len(hits) + len(rest) for _, hits, rest in drawn)
            row = (
                case,
                count,
                np.mean([bool(hits) for _, hits, _ in drawn]),
                np.mean([share for share, _, _ in drawn]),
                sum(len(hits) for _, hits, _ in drawn) / findings if findings else float("nan"),
                np.mean([not rest for _, _, rest in drawn]),
                " ".join(f"{name}:{times}" for name, times in sorted(others.items())),
                (time.process_time() - began) / count,
            )
            print(*row, flush=True)
            writer.writerow(row)
            file.flush()


def table(results: str) -> None:
    """Print the tables: clean label sets, then each damage by labels and size."""
    with Path(results).open(encoding="utf-8", newline="") as file:
        rows = {row[0]: row for row in csv.reader(file)}
    size = {"53": "53 × 63", "25": "25 × 20", "10": "10 × 10"}
    print("| clean labels | topics × runs | draws | report anything |\n| --- | --- | ---: | ---: |")
    for case, row in rows.items():
        if case.startswith("none"):
            _, labels, extent = case.split(",")
            wrong = round((1 - float(row[5])) * int(row[1]))
            print(f"| {labels} | {size[extent]} | {row[1]} | {wrong} |")
    sums = [(int(row[1]), 1 - float(row[5])) for case, row in rows.items() if case[:4] == "none"]
    total = sum(count for count, _ in sums)
    print(f"\nTogether {round(sum(n * s for n, s in sums))} of {total:,} clean campaigns.\n")
    columns = [
        (labels, extent) for extent in ("53", "25") for labels in (".1", ".2", "gpt", "gold")
    ]
    _print_table("planted", PLANTED, columns, rows, size)
    print()
    _print_table("planted", BY_PEOPLE_SIZES, [("people", "53"), ("people", "25")], rows, size)


def _print_table(
    corner: str,
    damages: list[str],
    columns: list[tuple[str, str]],
    rows: dict[str, list[str]],
    size: dict[str, str],
) -> None:
    heads = [f"{labels}, {size[extent]}" for labels, extent in columns]
    print("|", " | ".join([corner, *heads]), "|")
    print("|", " | ".join(["---", *["---:"] * len(heads)]), "|")
    for damage in damages:
        cells = [damage]
        for labels, extent in columns:
            row = rows.get(f"{damage},{labels},{extent}")
            cells.append("–" if row is None else _cell(row))
        print("|", " | ".join(cells), "|")


def _cell(row: list[str]) -> str:
    """Found in so many draws (of several topics: this share of them); findings that are right."""
    share, hit, right = float(row[2]), float(row[3]), float(row[4])
    text = f"{share:.2f}" if abs(share - hit) < 0.005 else f"{share:.2f} ({hit:.2f})"
    return text if right != right or right > 0.995 else f"{text}, {right:.2f} right"


if __name__ == "__main__":
    {"run": run, "table": table}[sys.argv[1]](*sys.argv[2:])
