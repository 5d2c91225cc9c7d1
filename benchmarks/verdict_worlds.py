"""Collections and judges for `verdicts.py`: labels, systems and noise models.

A world is a collection's topics as a population, some of its systems and a judge. Topics are drawn
with replacement, and the judge labels each drawn topic anew, so that draws are independent and the
truth is the mean over many of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith import read_qrels, read_runs
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import planting
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import Origins

DEPTH, SYSTEMS, LETTERS = 10, 63, 4
UNKNOWN = Origins({}, frozenset(), {}, {}, 0.0, {})


@dataclass(frozen=True)
class Collection:
    """Labels and systems as arrays.

    Attributes
    ----------
    name : str
        The collection.
    gold : float array, shape (topics, docs)
        The reference's grades from 0 on; nan beyond a topic's docs.
    judges : float array, shape (judges, topics, docs)
        Labels of real models.
    ranks : int array, shape (systems, topics, docs)
        The rank of each judged doc; 0 where a system lacks it.
    team : int array, shape (systems,)
        The team of each system.
    top : float
        The highest grade.
    """

    name: str
    gold: FloatArray
    judges: FloatArray
    ranks: IntArray
    team: IntArray
    top: float


@dataclass(frozen=True)
class World:
    """What a judge labels: some topics of a collection, with the ranks of some systems."""

    gold: FloatArray
    judges: FloatArray
    ranks: IntArray
    team: IntArray
    top: float


Judge = Callable[[World, IntArray, np.random.Generator], FloatArray]
"""world of the drawn topics, the judge's own numbers, generator → grades [topic, doc]"""


def collection(name: str, shared: Path) -> Collection:
    """Read a collection; where it has no systems for every size, they are simulated."""
    data = shared / "data"
    if name == "dl-2021":
        folder = data / "trec-dl-2021-passage"
        runs = tuple(read_runs(folder / "runs", depth=100))
        files = {path.name.split(".qrels")[0]: path for path in (folder / "qrels").iterdir()}
        others = sorted(each for each in files if each != "nist")
        sets = {"nist": read_qrels(files["nist"])} | {n: read_qrels(files[n]) for n in others}
        teams = {run.name: team_in_name(run.name)[:LETTERS] for run in runs}
        arrays = lay_out(sets, runs, teams, None, UNKNOWN).arrays
        grades = np.where(arrays.grades < 0, np.nan, arrays.grades)
        judges = np.where(np.isnan(grades[0]), np.nan, np.nan_to_num(grades[1:]))
        on_scale = [judge for judge in judges if set(judge[~np.isnan(judge)]) <= {0.0, 1, 2, 3}]
        return Collection(name, grades[0], np.array(on_scale), arrays.ranks, arrays.team, 3.0)
    if name == "llmjudge":
        folder = data / "llmjudge-dl23"
        files = [folder / "human.qrels", *sorted((folder / "llm").iterdir())]
    else:
        files = [data / "ntcir-www4" / "www4gold-corrected.qrels"]
    sets = {path.stem: read_qrels(path) for path in files}
    arrays = lay_out(sets, (), {}, None, UNKNOWN).arrays
    gold = np.where(arrays.grades[0] < 0, np.nan, arrays.grades[0])
    top = float(np.nanmax(gold))
    judges = np.where(arrays.grades[1:] > top, np.nan, arrays.grades[1:])
    judges = np.where(np.isnan(gold), np.nan, np.nan_to_num(judges))
    return Collection(name, gold, judges, *_simulated_systems(gold, top), top)


def _simulated_systems(gold: FloatArray, top: float) -> tuple[IntArray, IntArray]:
    """Rank the judged docs by grade and noise; systems of a team share half of the noise."""
    rng = np.random.default_rng(21)
    team = np.arange(SYSTEMS) // 4
    shared = rng.normal(size=(team.max() + 1, *gold.shape))
    skill = rng.uniform(0.2, 1.0, size=(SYSTEMS, 1, 1)) + 0.1 * rng.normal(
        size=(SYSTEMS, len(gold), 1)
    )
    noise = np.sqrt(0.5) * (shared[team] + rng.normal(size=(SYSTEMS, *gold.shape)))
    scores = np.where(np.isnan(gold), -np.inf, skill * gold / top * 2.5 + noise)
    ranks = (-scores).argsort(axis=2, kind="stable").argsort(axis=2) + 1
    kept = (ranks <= 100) & ~np.isnan(gold)
    return np.where(kept, ranks, 0), team


def scores(ranks: IntArray, grades: FloatArray) -> FloatArray:
    """nDCG@10 [topic, system]; 0 for a topic without relevant docs."""
    discount = np.where(ranks > 0, 1.0 / np.log2(np.maximum(ranks, 1) + 1.0), 0.0)
    discount[ranks > DEPTH] = 0.0
    gains = np.nan_to_num(grades)
    best = -np.sort(-gains, axis=1)[:, :DEPTH]
    ideal = best @ (1.0 / np.log2(np.arange(best.shape[1]) + 2.0))
    found = np.einsum("std,td->ts", discount, gains)
    return np.asarray(found / np.where(ideal > 0, ideal, 1.0)[:, None])


def _rounded(world: World, raised: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Round grades at random, within the scale."""
    return np.clip(np.floor(raised + rng.random(raised.shape)), 0.0, world.top)


def _slips(share: float) -> Judge:
    return lambda world, _own, rng: planting.with_slips(world.gold, share, top=world.top, rng=rng)


def _after_slips(of: Judge) -> Judge:
    """A judge who also makes slips of 10 %."""

    def judge(world: World, own: IntArray, rng: np.random.Generator) -> FloatArray:
        slipped = planting.with_slips(world.gold, 0.1, top=world.top, rng=rng)
        changed = World(slipped, world.judges, world.ranks, world.team, world.top)
        return of(changed, own, rng)

    return judge


def _favour(share: float) -> Judge:
    def judge(world: World, own: IntArray, rng: np.random.Generator) -> FloatArray:
        teams = np.unique(world.team)
        of_team = world.ranks[world.team == teams[own[0] % len(teams)]]
        docs = ((of_team > 0) & (of_team <= DEPTH)).any(axis=0)
        return planting.favour(world.gold, docs, share, top=world.top, rng=rng)

    return judge


def _leniency(spread: float) -> Judge:
    """Each topic has a leniency of its own."""

    def judge(world: World, _own: IntArray, rng: np.random.Generator) -> FloatArray:
        return _rounded(world, world.gold + spread * rng.normal(size=(len(world.gold), 1)), rng)

    return judge


def _popularity(size: float) -> Judge:
    """Docs that many systems retrieve get higher grades, others lower ones."""

    def judge(world: World, _own: IntArray, rng: np.random.Generator) -> FloatArray:
        popular = ((world.ranks > 0) & (world.ranks <= 2 * DEPTH)).mean(axis=0)
        return _rounded(world, world.gold + size * (popular - 0.25), rng)

    return judge


def _copies_run(share: float) -> Judge:
    """A share of the grades is what a run's order says: its best docs are the most relevant."""

    def judge(world: World, own: IntArray, rng: np.random.Generator) -> FloatArray:
        ranks = world.ranks[own[0] % len(world.ranks)].astype(float)
        ranks[ranks == 0] = np.inf
        place = ranks.argsort(axis=1, kind="stable").argsort(axis=1)
        by_grade = -np.sort(-np.nan_to_num(world.gold, nan=-1.0), axis=1)
        copied = np.take_along_axis(by_grade, place, axis=1)
        taken = (rng.random(world.gold.shape) < share) & ~np.isnan(world.gold) & (copied >= 0)
        return np.where(taken, copied, world.gold)

    return judge


def _correlated(share: float) -> Judge:
    """Errors that are those of a real model, and slips: a judge of the same kind."""

    def judge(world: World, own: IntArray, rng: np.random.Generator) -> FloatArray:
        model = world.judges[own[0] % len(world.judges)]
        return np.where(rng.random(model.shape) < share, model, world.gold)

    return judge


def _some_topics(
    share: float, of: Callable[[World, int, np.random.Generator], FloatArray]
) -> Judge:
    def judge(world: World, _own: IntArray, rng: np.random.Generator) -> FloatArray:
        grades = world.gold.copy()
        for topic in np.flatnonzero(rng.random(len(grades)) < share).tolist():
            grades[topic] = of(world, topic, rng)
        return grades

    return judge


def _shuffled(world: World, topic: int, rng: np.random.Generator) -> FloatArray:
    row = world.gold[topic].copy()
    known = ~np.isnan(row)
    row[known] = rng.permutation(row[known])
    return row


def _real(world: World, own: IntArray, _rng: np.random.Generator) -> FloatArray:
    return world.judges[own[0] % len(world.judges)]


def _lenient(world: World, _own: IntArray, _rng: np.random.Generator) -> FloatArray:
    return np.minimum(world.gold + 1, world.top)


def _reversed(world: World, _own: IntArray, _rng: np.random.Generator) -> FloatArray:
    return world.top - world.gold


JUDGES: dict[str, Judge] = {
    "slips .05": _slips(0.05),
    "slips .1": _slips(0.1),
    "slips .2": _slips(0.2),
    "slips .4": _slips(0.4),
    "lenient": _lenient,
    "favour .2": _after_slips(_favour(0.2)),
    "favour 1": _after_slips(_favour(1.0)),
    "topics shuffled .1": _after_slips(_some_topics(0.1, _shuffled)),
    "topics shuffled .5": _some_topics(0.5, _shuffled),
    "shuffled": _some_topics(1.0, _shuffled),
    "reversed": _reversed,
    "topic-wise leniency": _after_slips(_leniency(0.7)),
    "popularity": _after_slips(_popularity(2.0)),
    "correlated": _correlated(0.5),
    "copies a run": _copies_run(0.5),
    "real model": _real,
}
NEEDS_MODELS = ("correlated", "real model")
