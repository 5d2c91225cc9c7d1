"""Labels of known damage, made from DL-2021: what `damages.py` draws."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qrelsmith import find_damages, read_qrels, read_runs, simulate_campaign
from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import AssessorGrades, LabelArrays
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import Origins
from qrelsmith.planning.simulation import AssessorDesign, CampaignDesign, GroupDesign, Systems

TOP = 3.0
LETTERS = 4  # of a run's name that tell its team, so that watpfd and watpff are one
RUNS = {"53": 63, "25": 20, "10": 10}  # of so many topics
PEOPLE = 3
PLACED = ("shift", "swap", "tail")
BY_PEOPLE = ("position", "anchoring", "copied", "outlying", "hurried", "capped")
Culprits = set[tuple[str, tuple[int, ...]]]


@dataclass(frozen=True)
class World:
    """Label sets, of which one is damaged.

    Attributes
    ----------
    labels : LabelArrays
        The label sets; the first is the reference.
    before : LabelArrays or None
        The same without the planted damage, where real labels may show something of their own.
    target : int
        The damaged set.
    culprits : set of (str, tuple of int)
        What the damage is called, and whom it should name.
    """

    labels: LabelArrays
    before: LabelArrays | None
    target: int
    culprits: Culprits


@dataclass(frozen=True)
class Whole:
    """All of DL-2021: NIST's labels first, then the models', by name."""

    arrays: LabelArrays
    names: tuple[str, ...]

    def model(self, name: str) -> FloatArray:
        """The grades of one label set."""
        return self.arrays.grades[self.names.index(name)]


def whole(shared: Path) -> Whole:
    """All label sets and runs."""
    folder = shared / "data" / "trec-dl-2021-passage"
    files = {path.name.split(".qrels")[0]: path for path in (folder / "qrels").iterdir()}
    names = ("nist", *sorted(name for name in files if name != "nist"))
    runs = read_runs(folder / "runs", depth=100)
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in runs}
    sets = {name: read_qrels(files[name]) for name in names}
    known = Origins({}, frozenset(), {}, {}, 0.0, {})
    return Whole(lay_out(sets, runs, teams, None, known).arrays, names)


def world(full: Whole, damage: str, noise: str, size: str, rng: np.random.Generator) -> World:
    """Some topics and runs, with label sets of one case."""
    kind, _, extent = damage.partition(":")
    faults = damage.split("+")
    topics = np.arange(full.arrays.grades.shape[1])
    runs = np.arange(len(full.arrays.ranks))
    if size != "53":
        topics = np.sort(rng.choice(topics, int(size), replace=False))
        runs = np.sort(rng.choice(runs, RUNS[size], replace=False))
    truth = full.arrays.grades[0][topics]
    gpt = full.model("umbrela.gpt-4o")[topics]
    target = 1

    def slips(share: float) -> FloatArray:
        return planting.with_slips(truth, share, top=TOP, rng=rng)

    if noise == "gpt":
        sets = [truth, gpt, slips(0.1)]
    elif noise == "gold":
        sets, target = [truth, slips(0.1), gpt], 0
    elif noise == "llm":
        models = rng.choice(np.arange(1, len(full.names)), 2, replace=False).tolist()
        sets = [truth, *(full.arrays.grades[model][topics] for model in models)]
    else:
        share = float(noise) if noise[-1].isdigit() else 0.1
        sets = [truth, slips(share), slips(share)]
    if noise == "lenient":
        everywhere = np.ones(truth.shape, dtype=bool)
        sets[1] = planting.favour(sets[1], everywhere, 0.5, top=TOP, rng=rng)
    labels = part(full.arrays, sets, topics, runs)
    before = labels if noise in ("gpt", "gold") else None
    culprits: Culprits = set()
    if noise == "two":  # a fault of the file, then the slips of both
        sets[1] = truth.copy()
    if kind not in BY_PEOPLE and noise not in ("people", "pool"):
        for fault in faults:
            sets[target], more = planted(fault, labels, sets[target], culprits, rng)
            culprits |= more
    if kind in BY_PEOPLE or noise in ("people", "pool", "two"):
        sets[1], sessions, of_people = by_people(
            "two" if noise == "two" else kind, extent, labels, sets[1], rng,
            is_random=noise != "pool",
        )  # fmt: skip
        culprits |= of_people
        labels = replace(
            labels,
            grades=np.stack(sets),
            _made={},
            sessions=(None, sessions, None),
            person=np.array([True, True, False]),
            judged={}
            if kind == "copied" or noise == "two"
            else {1: _as_judged(sessions, truth.shape)},
        )
        return World(labels, before, 1, culprits)
    damaged = replace(labels, grades=np.stack(sets), _made={})
    return World(damaged, before, target, culprits)


def part(
    full: LabelArrays, sets: list[FloatArray], topics: IntArray, runs: IntArray
) -> LabelArrays:
    """Some topics and runs with label sets of our own."""
    count = len(sets)
    return LabelArrays(
        grades=np.stack(sets),
        orders=full.orders[:, topics],
        sequence=np.arange(len(topics), dtype=float),
        ranks=full.ranks if len(runs) == len(full.ranks) else full.ranks[np.ix_(runs, topics)],
        team=np.unique(full.team[runs], return_inverse=True)[1],
        lowest=np.zeros(count),
        off_scale=np.zeros(count, dtype=np.int64),
        person=np.zeros(count, dtype=bool),
        family=np.full(count, -1),
    )


def planted(
    fault: str, labels: LabelArrays, grades: FloatArray, before: Culprits, rng: np.random.Generator
) -> tuple[FloatArray, Culprits]:
    """Damaged grades, and what should be found; topics that are damaged before stay as they are."""
    kind, _, size = fault.partition(":")
    used = {topic for _, culprit in before for topic in culprit}
    free = [topic for topic in range(len(grades)) if topic not in used]
    # Stored in the order of the pool, or of the docnos.
    places = labels.orders[rng.integers(len(labels.orders))] if kind in PLACED else labels.orders[0]
    if kind == "shift":
        chosen = rng.choice(free, min(int(size), len(free)), replace=False).tolist()
        for topic in chosen:
            grades = planting.shift(grades, topic, int(rng.choice([-2, -1, 1, 2])), places=places)
        return grades, {("shifted", (topic,)) for topic in chosen}
    if kind in ("swap", "interleave"):
        first, second = sorted(rng.choice(free, 2, replace=False).tolist())
        swapped = planting.swap(grades, first, second, places=places)
        if kind == "swap":
            return swapped, {("swapped", (first, second))}
        even = (places % 2 == 0) | np.isnan(swapped)
        return np.where(even, grades, swapped), {("unexplained", (n,)) for n in (first, second)}
    if kind == "favour":
        sizes = np.bincount(labels.team)
        of_size = np.flatnonzero((sizes >= 2) & (sizes <= 6))
        team = int(rng.choice(of_size if len(of_size) else np.flatnonzero(sizes)))
        docs = team_docs(labels, team)
        favoured = planting.favour(grades, docs, float(size), top=TOP, rng=rng)
        return favoured, {("favoured", (team,))}
    if kind == "drift":
        drifted = planting.drift(grades, float(size), sequence=labels.sequence, top=TOP, rng=rng)
        return drifted, {("drift", ())}
    if kind == "tail":
        return planting.lazy_tail(grades, int(size), places=places), {("tail", ())}
    if kind == "lost":
        lost = (grades > 0) & (rng.random(grades.shape) < float(size))
        return np.where(lost, 0.0, grades), {("missing-positives", ())}
    topic = int(rng.choice(free))
    if kind == "reverse":
        return planting.reverse(grades, topic, top=TOP), {("reversed", (topic,))}
    if kind == "constant":
        level = float(rng.integers(4))
        return planting.make_constant(grades, topic, level), {("constant", (topic,))}
    if kind == "misread":  # as another topic: its grades say nothing of these docs
        read, graded = grades.copy(), ~np.isnan(grades[topic])
        read[topic, graded] = rng.permutation(read[topic, graded])
        return read, {("unexplained", (topic,))}
    return grades, set()


def by_people(
    kind: str,
    size: str,
    labels: LabelArrays,
    grades: FloatArray,
    rng: np.random.Generator,
    *,
    is_random: bool,
) -> tuple[FloatArray, AssessorGrades, Culprits]:
    """Grades of three people, their sessions, what damage they have, and whom it should name."""
    graded = ~np.isnan(grades)
    places = labels.orders[0]
    if is_random:
        places = _random_places(graded, rng)
    who = np.arange(len(grades)) % PEOPLE
    named: Culprits = {(kind, ())} if kind in BY_PEOPLE else set()
    own = [grades]
    if kind == "position":
        own = [planting.place_effect(grades, float(size), places=places, top=TOP, rng=rng)]
    elif kind == "anchoring":
        own = [planting.anchor(grades, float(size), places=places, rng=rng)]
    elif kind == "outlying":
        named = {("outlying-assessor", (1,))}
        own = [planting.randomise(grades, who == 1, rng=rng)]
    elif kind == "two":
        own = [planting.with_slips(grades, 0.2, top=TOP, rng=rng) for _ in range(2)]
    elif kind == "copied":
        named = {(kind, (0, 1))}
        own = [planting.with_slips(grades, 0.2, top=TOP, rng=rng) for _ in range(PEOPLE)]
        own[1] = planting.copy_from(own[1], own[0], float(size), rng=rng)
    elif kind == "hurried":
        named = {(kind, (1,))}
    elif kind == "capped":  # never the top grade
        named = {("unused-level", (1,))}
        own = [np.where((who == 1)[:, None] & (grades == TOP), TOP - 1, grades)]
    topic, doc = np.nonzero(graded)
    copies = len(own)
    assessor = np.repeat(np.arange(copies), len(topic)) if copies > 1 else who[topic]
    seconds = rng.lognormal(np.log(20), 0.7, copies * len(topic))
    if kind == "hurried":
        seconds = np.where(assessor == 1, rng.lognormal(np.log(0.7), 0.5, len(seconds)), seconds)
    sessions = AssessorGrades(
        names=("ann", "bob", "cy")[: copies if copies > 1 else PEOPLE],
        assessor=assessor,
        topic=np.tile(topic, copies),
        doc=np.tile(doc, copies),
        grade=np.concatenate([each[topic, doc] for each in own]),
        place=np.tile(places[topic, doc].astype(float), copies),
        seconds=seconds,
        is_random=np.full(copies * len(topic), is_random),
    )
    return np.floor(np.median(np.stack(own), axis=0)), sessions, named


def _random_places(graded: BoolArray, rng: np.random.Generator) -> IntArray:
    key = np.where(graded, rng.random(graded.shape), np.inf)
    return np.asarray(np.argsort(np.argsort(key, axis=1), axis=1))


def _as_judged(sessions: AssessorGrades, shape: tuple[int, ...]) -> IntArray:
    """The order in which each topic's docs were judged [topic, doc], as `LabelArrays.judged`."""
    places = np.full(shape, -1, dtype=np.int64)
    places[sessions.topic, sessions.doc] = sessions.place
    return places


def simulated_campaign(rng: np.random.Generator, folder: Path) -> list[str]:
    """What is found in a simulated campaign without damage: `damage@label set`."""

    def group(name: str, people: int, *, creators: bool) -> GroupDesign:
        low = float(rng.uniform(0.03, 0.15))
        return GroupDesign(
            name=name,
            assessors=AssessorDesign(count=people, noise=(low, low + 0.1)),
            creators=creators,
            ordering=str(rng.choice(["prioritised", "randomised"])),
            per_doc=1,
        )

    design = CampaignDesign(
        topics=int(rng.choice([10, 24])),
        docs=200,
        alpha=(0.3, 0.8),
        beta=(1.0, 2.5),
        systems=Systems(count=12, noise=(0.1, 0.3), teams=4, team_shared=0.2),
        run_depth=60,
        depth=40,
        groups=(group("gold", 2, creators=True), group("bronze", 3, creators=False)),
    )
    with tempfile.TemporaryDirectory(dir=folder) as held:
        target = Path(held) / "campaign"
        simulate_campaign(design, seed=int(rng.integers(2**31))).write(target)
        found = find_damages(target).found
    return [f"{row.damage}@{row.label_set}" for row in found if row.counts]
