"""Populations of topics for `intervals.py`: what is drawn from them, and what is true of them."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith import evaluate
from qrelsmith.base.arrays import FloatArray
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.judgments.given_labels import read_qrels

MEASURE = "nDCG@10"
SETS = ("umbrela.gpt-4o", "umbrela.llama3.2.run2", "nuggets-vital.gpt-4o")

Draw = Callable[[np.random.Generator, int], tuple[FloatArray, FloatArray]]
"""Generator, topics → two arrays: scores [topic, system] of a reference and a label set, or
ratings[assessor, unit] and topic[unit]."""


@dataclass(frozen=True)
class World:
    """A population: how to draw topics from it, and what is true of it.

    The truth is the systems' mean scores by the reference, or the labels of very many topics.
    """

    draw: Draw
    truth: FloatArray


@dataclass(frozen=True)
class Collection:
    """TREC 2021 Deep Learning: scores [topic, system] and grades {(topic, doc): grade} by set."""

    topics: tuple[str, ...]
    scores: dict[str, FloatArray]
    grades: dict[str, dict[tuple[str, str], float]]

    @classmethod
    def read(cls, folder: Path) -> Collection:
        """Read qrels and runs."""
        runs = load_runs(sorted((folder / "runs").iterdir()), depth=10)
        scores, grades, topics = {}, {}, ()
        for path in sorted((folder / "qrels").iterdir(), key=lambda path: path.stem[:4] != "nist"):
            name = path.name.removesuffix(".gz").removesuffix(".qrels")
            found = evaluate(read_qrels(path), runs, [MEASURE])
            order = [found.topics.index(topic) for topic in sorted(found.topics)]
            topics = topics or tuple(sorted(found.topics))
            # One set lacks a topic: its runs score 0 there, as trec_eval -c has it.
            scores[name] = np.zeros((len(topics), len(found.systems)))
            places = [topics.index(topic) for topic in sorted(found.topics)]
            scores[name][places] = found.scores[0].T[order]
            opener = gzip.open if path.suffix == ".gz" else open
            with opener(path, "rt", encoding="utf-8") as lines:
                rows = [line.split() for line in lines]
            grades[name] = {(row[0], row[2]): float(row[3]) for row in rows}
        return cls(topics, scores, grades)

    def pair(self, name: str) -> tuple[FloatArray, list[str]]:
        """The grades of NIST and of a set, on what both graded [2, unit]; the topic of each."""
        one, other = self.grades["nist"], self.grades[name]
        units = sorted(one.keys() & other.keys())
        ratings = np.array([[grades[unit] for unit in units] for grades in (one, other)])
        return ratings, [topic for topic, _ in units]


def simulated_scores(systems: int, *, effects: bool) -> World:
    """Two label sets whose true means correlate at .9, and whose scores share half their noise.

    With effects topics differ in difficulty and in how much they scatter, and systems of a kind
    scatter alike.
    """
    fixed = np.random.default_rng(7)
    first, second = 0.1 * fixed.normal(size=(2, systems))
    true = first, 0.9 * first + 0.43 * second
    kinds = 0.5 * fixed.normal(size=(systems, 4))

    def draw(rng: np.random.Generator, topics: int) -> tuple[FloatArray, FloatArray]:
        noise = rng.normal(size=(3, topics, systems))
        level, scatter = np.zeros((topics, 1)), np.ones((topics, 1))
        if effects:
            noise = 0.7 * noise + 0.7 * rng.normal(size=(3, topics, 4)) @ kinds.T
            level = rng.normal(size=(topics, 1))
            scatter = np.exp(0.5 * rng.normal(size=(topics, 1)))
        own = [0.7 * noise[0] + 0.7 * part for part in noise[1:]]
        one, other = (
            mean + level + 0.25 * scatter * part for mean, part in zip(true, own, strict=True)
        )
        return one, other

    return World(draw, first)


def resampled_scores(collection: Collection, name: str, systems: int) -> World:
    """Topics of the collection, drawn with replacement; some of its systems."""
    columns = np.random.default_rng(1).permutation(len(collection.scores["nist"][0]))[:systems]
    one, other = (collection.scores[key][:, columns] for key in ("nist", name))

    def draw(rng: np.random.Generator, topics: int) -> tuple[FloatArray, FloatArray]:
        rows = rng.integers(len(one), size=topics)
        return one[rows], other[rows]

    return World(draw, one.mean(axis=0))


def simulated_labels(*, effects: bool, docs: int = 40, broken: float = 0.0) -> World:
    """Grades 0…3 of two assessors.

    With effects topics differ in what there is to find, in how hard it is to tell, and in how
    lenient the second assessor is, who grades at random in a broken one.
    """

    def draw(rng: np.random.Generator, topics: int) -> tuple[FloatArray, FloatArray]:
        shape = (topics, docs)
        share, noise, lenient = np.full((3, topics, 1), [[[1.0]], [[0.8]], [[0.0]]])
        if effects:
            share = 2 * rng.beta(2, 2, size=(topics, 1)) + 0.1
            noise = 0.8 * np.exp(0.4 * rng.normal(size=(topics, 1)))
            lenient = 0.6 * rng.normal(size=(topics, 1))
        true = 4 * rng.random(shape) ** (1 / share) - 0.5
        seen = np.stack([true, true + lenient]) + noise * rng.normal(size=(2, *shape))
        ruined = rng.random((topics, 1)) < broken
        seen[1] = np.where(ruined, rng.uniform(-0.5, 3.5, size=shape), seen[1])
        grades = np.clip(np.round(seen), 0, 3).reshape(2, -1)
        return grades, np.repeat(np.arange(topics), docs)

    return World(draw, draw(np.random.default_rng(0), 20_000)[0])


def resampled_labels(collection: Collection, name: str) -> World:
    """Topics of the collection, drawn with replacement, with all their labels."""
    ratings, topics = collection.pair(name)
    names, number = np.unique(topics, return_inverse=True)
    units = [np.flatnonzero(number == place) for place in range(len(names))]

    def draw(rng: np.random.Generator, count: int) -> tuple[FloatArray, FloatArray]:
        rows = rng.integers(len(units), size=count)
        of_unit = np.repeat(np.arange(count), [len(units[row]) for row in rows])
        return ratings[:, np.concatenate([units[row] for row in rows])], of_unit

    return World(draw, ratings)
