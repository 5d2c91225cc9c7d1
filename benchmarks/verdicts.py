"""How often each verdict of the scorecard is right on labels of known damage, made from DL-2021.

    python benchmarks/verdicts.py SHARED verdicts.jsonl --draws 200 --sizes 10x10,25x20,53x63
    python benchmarks/verdict_tables.py verdicts.jsonl

The first makes draws until each damage and size has so many, a line each, and goes on where it
stopped (`--minutes`: or when they are over); the second counts them, into `verdicts.csv` and the
tables of docs/audit.md. A draw is a campaign of three label sets in memory: NIST's, the damaged
copy, and a copy with 10 % slips that may say whose fault it is. The verdicts are those of the
audit's own functions.

`missed` and `shallow` damage the reference instead, `holes` leave docs of the copy unjudged: each
is for one question. `complete` and `fair-to-new` are asked of the identical copy besides, since
other damage of a copy does not change what is judged.

What a favour does to the top depends on whose it is: a team that is the best anyway changes
nothing. So draws of it say what is true of them (`truths`): the mean of the figure over other
topics and other slips, with the same runs and the same team favoured. At p = 1, where the mean over
all teams lies at its bound, `finds-differences` has such a truth, too (by Tukey's test, which is
quick).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from qrelsmith import read_qrels, read_runs
from qrelsmith.audit.held_inputs import HeldInputs
from qrelsmith.audit.verdicts import registry
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.layout import Layout, Origins, lay_out
from qrelsmith.damages.places_gained import places_by_ndcg
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.top_agreement import either_top_agreement, top_agreement

# The scale's top and size; letters of a run's name that tell its team.
TOP, LEVELS, LETTERS = 3.0, 4, 4
# Copies of labels with a favour, sets of topics of each behind what is true of a draw, and how many
# of these sets are tested.
COPIES, TOPIC_SETS, TESTED = 2, 100, 25
QUESTIONS = (
    "agrees", "ranks-all", "ranks-top", "finds-differences", "fair-to-teams", "undamaged",
    "uncontested",
)  # fmt: skip
# What is asked of the reference, and damages that are for one question.
OF_REFERENCE = ("fair-to-new", "uncontested")
ALSO = {"identical": ("complete", "fair-to-new")}
FOR_ONE = {"holes": "complete", "shallow": "fair-to-new", "missed": "uncontested"}
DAMAGES = (
    "identical", "slips:.05", "slips:.1", "slips:.2", "lenient", "shuffled", "favour:.1",
    "favour:.2", "favour:.4", "favour:1", "shift:1", "shift:2", "swap", "drift:1", "tail:30",
    "constant", "reversed", "holes:.1", "holes:.3", "shallow:3", "missed:.2", "missed:.5",
)  # fmt: skip


def whole(shared: Path) -> tuple[Layout, tuple[Run, ...]]:
    """NIST's labels as arrays, and all runs."""
    folder = shared / "data" / "trec-dl-2021-passage"
    runs = tuple(read_runs(folder / "runs", depth=100))
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in runs}
    sets = {"gold": read_qrels(folder / "qrels" / "nist.qrels")}
    return lay_out(sets, runs, teams, None, Origins({}, frozenset(), {}, {}, 0.0, {})), runs


def draw(
    full: Layout,
    all_runs: tuple[Run, ...],
    damage: str,
    size: str,
    seed: int,
    questions: tuple[str, ...] = (),
) -> dict[str, object]:
    """The verdicts on one damaged set, and the figures behind them; all by default."""
    rng = np.random.default_rng(seed)
    most = (len(full.topics), len(full.runs))
    topics, runs = (
        np.sort(rng.choice(there, int(wanted), replace=False))
        for wanted, there in zip(size.split("x"), most, strict=True)
    )
    truth = full.arrays.grades[0][topics]
    places = full.arrays.orders[-1][topics]  # by docnos
    owners = _owners(full.arrays, topics, runs)
    tested = damaged(damage, truth, places, owners, np.random.default_rng([seed, 1]))
    gained = 0
    if damage.startswith("favour"):
        ranks = full.arrays.ranks[runs][:, topics]
        before = damaged("slips:.1", truth, places, owners, np.random.default_rng([seed, 1]))
        gained = int((places_by_ndcg(ranks, before) - places_by_ndcg(ranks, tested)).max())
    kind, _, extent = damage.partition(":")
    sets = {
        "gold": truth,
        "tested": tested,
        "witness": planting.with_slips(truth, 0.1, top=TOP, rng=rng),
    }
    if kind == "missed":
        missed = (truth == TOP) & (rng.random(truth.shape) < float(extent))
        sets["gold"] = np.where(missed, 0.0, truth)
    elif kind == "shallow":
        ranks = full.arrays.ranks[runs][:, topics]
        pooled = ((ranks > 0) & (ranks <= int(extent))).any(axis=0)
        sets["gold"] = np.where(pooled, truth, np.nan)
    inputs = _campaign(full, all_runs, topics, runs, sets, seed)
    began = time.process_time()
    cells = [
        registry.VERDICTS.get(asked)(inputs, "gold" if asked in OF_REFERENCE else "tested")
        for asked in questions or asked_of(damage)
    ]
    seconds = round(time.process_time() - began, 2)
    values = {cell.question: cell.value for cell in cells if cell.value == cell.value}
    made: dict[str, object] = {
        "damage": damage, "size": size, "seed": seed, "gained": gained,
        "verdicts": {cell.question: cell.verdict for cell in cells}, "values": values,
        "seconds": seconds,
    }  # fmt: skip
    if "ranks-top" in values:  # the verdict has two figures, and the lower one counts
        of = inputs.ask(compare, top=True).tops_by(inputs.measures[0])["tested"]
        values["ranks-top"] = min(float(of.kept.value), float(of.kept_of_either.value))
        if kind == "favour":
            again = np.random.default_rng([seed, 1])  # as `damaged` chose the team
            planting.with_slips(truth, 0.1, top=TOP, rng=again)
            team = int(again.integers(len(owners)))
            made["truths"] = _truths(full, all_runs, len(topics), runs, team, extent, seed)
    return made


def _campaign(
    full: Layout,
    all_runs: tuple[Run, ...],
    topics: IntArray,
    runs: IntArray,
    sets: dict[str, FloatArray],
    seed: int,
) -> HeldInputs:
    named = {name: _qrels(full, topics, grades, name) for name, grades in sets.items()}
    chosen = [all_runs[run] for run in runs]
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in chosen}
    return HeldInputs(named, chosen, levels=range(LEVELS), teams=teams, seed=seed)


def _truths(
    full: Layout,
    all_runs: tuple[Run, ...],
    count: int,
    runs: IntArray,
    team: int,
    extent: str,
    seed: int,
) -> dict[str, float]:
    """Mean figures over sets of so many topics, with these runs and this team favoured."""
    rng = np.random.default_rng([seed, 2])
    every = np.arange(len(full.topics))
    gold = full.arrays.grades[0]
    docs = _owners(full.arrays, every, runs)[team].astype(bool)
    sets = {"gold": gold}
    for copy in range(COPIES):
        slipped = planting.with_slips(gold, 0.1, top=TOP, rng=rng)
        sets[f"copy {copy}"] = planting.favour(slipped, docs, float(extent), top=TOP, rng=rng)
    inputs = _campaign(full, all_runs, every, runs, sets, seed)
    tops, shares = [], []
    for name in inputs.others:
        first, second = (of.scores.T for of in inputs.scores_beside(name, inputs.measures[0]))
        chosen = [
            rng.choice(len(every), count, replace=False)
            for _ in range(TOPIC_SETS if count < len(every) else 1)
        ]
        base, other = (
            np.stack([scores[rows].mean(axis=0) for rows in chosen]) for scores in (first, second)
        )
        tops.append([of(base, other).mean() for of in (top_agreement, either_top_agreement)])
        if float(extent) == 1:
            shares += [_share_found(first[rows], second[rows]) for rows in chosen[:TESTED]]
    truths = {"ranks-top": float(np.mean(tops, axis=0).min())}
    if shares and not np.isnan(shares).all():
        truths["finds-differences"] = float(np.nanmean(shares))
    return {asked: round(truth, 4) for asked, truth in truths.items()}


def _share_found(reference: FloatArray, scores: FloatArray) -> float:
    """Of the pairs that the reference tells apart, the share told apart the same way."""
    one, other = paired_tukey(reference), paired_tukey(scores)
    same = np.sign(one.difference) == np.sign(other.difference)
    with np.errstate(invalid="ignore"):
        return float(
            np.divide((one.significant & other.significant & same).sum(), one.significant.sum())
        )


def asked_of(damage: str) -> tuple[str, ...]:
    """The questions that a damage is for."""
    kind = damage.partition(":")[0]
    return (FOR_ONE[kind],) if kind in FOR_ONE else (*QUESTIONS, *ALSO.get(kind, ()))


def damaged(
    damage: str,
    grades: FloatArray,
    places: IntArray,
    owners: list[FloatArray],
    rng: np.random.Generator,
) -> FloatArray:
    """Grades with a damage, at a place that the generator chooses."""
    kind, _, extent = damage.partition(":")
    topics = len(grades)
    if kind == "identical":
        return grades.copy()
    if kind == "slips":
        return planting.with_slips(grades, float(extent), top=TOP, rng=rng)
    # Labels of somebody else never are the reference's but for the damage.
    grades = planting.with_slips(grades, 0.1, top=TOP, rng=rng)
    if kind in ("missed", "shallow"):  # of the reference
        return grades
    if kind == "holes":
        return np.where(rng.random(grades.shape) < float(extent), np.nan, grades)
    if kind == "lenient":
        return np.minimum(grades + 1, TOP)
    if kind == "shuffled":
        return planting.randomise(grades, np.ones(topics, dtype=bool), rng=rng)
    if kind == "favour":
        docs = owners[rng.integers(len(owners))].astype(bool)
        return planting.favour(grades, docs, float(extent), top=TOP, rng=rng)
    if kind == "drift":
        sequence = np.arange(topics, dtype=float)
        return planting.drift(grades, float(extent), sequence=sequence, top=TOP, rng=rng)
    if kind == "tail":
        return planting.lazy_tail(grades, int(extent), places=places)
    first, second = rng.choice(topics, 2, replace=False).tolist()
    if kind == "swap":
        return planting.swap(grades, first, second, places=places)
    if kind == "constant":
        return planting.make_constant(grades, first, float(rng.integers(4)))
    if kind == "reversed":
        return planting.reverse(grades, first, top=TOP)
    for topic in (first, second)[: int(extent)]:  # shift
        grades = planting.shift(grades, topic, int(rng.choice([-2, -1, 1, 2])), places=places)
    return grades


def _owners(labels: LabelArrays, topics: IntArray, runs: IntArray) -> list[FloatArray]:
    """The docs in the top ten of each team with two to six runs, else of every team."""
    sizes = np.bincount(labels.team[runs], minlength=int(labels.team.max()) + 1)
    chosen = np.flatnonzero((sizes >= 2) & (sizes <= 6))
    chosen = chosen if len(chosen) else np.flatnonzero(sizes)
    return [team_docs(labels, team)[topics].astype(float) for team in chosen.tolist()]


def _qrels(full: Layout, topics: IntArray, grades: FloatArray, name: str) -> Qrels:
    known = [
        (full.topics[topic], full.docs[topic][doc], at, doc)
        for at, topic in enumerate(topics.tolist())
        for doc in np.flatnonzero(~np.isnan(grades[at])).tolist()
    ]
    names, docs, rows, columns = zip(*known, strict=True)
    return Qrels.from_columns(list(names), list(docs), grades[list(rows), list(columns)], name=name)


def main() -> None:
    """Make draws."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--sizes", default="10x10,25x20,53x63")
    parser.add_argument("--damages", default=",".join(DAMAGES))
    parser.add_argument("--minutes", type=float, default=np.inf)
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.file.open()] if given.file.exists() else []
    made = {(line["damage"], line["size"], line["seed"]) for line in lines}
    wanted = [
        (damage, size, seed)
        for seed in range(given.draws)
        for size in given.sizes.split(",")
        for damage in given.damages.split(",")
        if (damage, size, seed) not in made
    ]
    full, runs = whole(given.shared)
    end = time.monotonic() + 60 * given.minutes
    with given.file.open("a") as out:
        for damage, size, seed in wanted:
            if time.monotonic() > end:
                break
            out.write(json.dumps(draw(full, runs, damage, size, seed)) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
