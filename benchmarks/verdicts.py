"""How often the scorecard's words are right, on judges whose truth is known.

    python benchmarks/verdicts.py SHARED verdicts.jsonl --collections dl-2021,www-4 --worlds 10
    python benchmarks/verdict_tables.py verdicts.jsonl

The first draws campaigns from worlds (`verdict_worlds.py`: a collection's topics as a population,
some of its systems, a judge), a line for each world, and goes on where it stopped; the second
counts the lines into `verdicts.csv` and the tables of docs/audit.md. The truth of a world is the
mean of each figure over further draws of as many topics; of α it is that of very many topics.
Intervals are those of the audit's own functions, and the second script asks the audit's own rules
for words, so that rules can change without new draws. Scores are nDCG@10, and pairs are told apart
by Tukey's test.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, astuple, dataclass
from pathlib import Path

import numpy as np

from qrelsmith.agreement import topic_interval
from qrelsmith.audit.verdicts.finds_differences import chances_of_both
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.choice_loss import choice_losses
from qrelsmith.stats.differences_kept import differences_kept
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.top_agreement import best_third, either_top_agreement, top_agreement
from verdict_worlds import JUDGES, NEEDS_MODELS, Collection, World, collection, scores

DRAWS, FEWEST_PAIRS = 20, 10
FURTHER = {"10x10": 60, "25x20": 40, "53x63": 15}  # draws for the truth alone
COLLECTIONS, SIZES = ("dl-2021", "llmjudge", "www-4"), ("10x10", "25x20", "53x63")


@dataclass(frozen=True)
class Cell:
    """Where the draws of a line come from."""

    collection: str
    size: str
    judge: str
    world: int


class Population:
    """A cell's topics, systems and judge."""

    def __init__(self, source: Collection, cell: Cell) -> None:
        self.source, self.cell = source, cell
        rng = rng_for(cell.world, "world", cell.collection, cell.size)
        self.count, systems = map(int, cell.size.split("x"))
        every = len(source.ranks)
        self.systems = np.sort(rng.choice(every, min(systems, every), replace=False))
        self.own: IntArray = rng_for(cell.world, "own", cell.judge).integers(1 << 20, size=4)

    def labels(self, topics: IntArray, rng: np.random.Generator) -> tuple[World, FloatArray]:
        """The labels of the reference and of the judge for some topics."""
        source = self.source
        world = World(
            source.gold[topics], source.judges[:, topics], source.ranks[self.systems][:, topics],
            source.team[self.systems], source.top,
        )  # fmt: skip
        grades = JUDGES[self.cell.judge](world, self.own, rng)
        return world, np.where(np.isnan(world.gold), np.nan, grades)

    def draw(self, *keys: object) -> tuple[World, FloatArray, FloatArray, FloatArray]:
        """Topics drawn with replacement: world, judge's labels, both sides' scores."""
        rng = rng_for(self.cell.world, *map(str, (*astuple(self.cell), *keys)))
        world, grades = self.labels(rng.integers(len(self.source.gold), size=self.count), rng)
        return world, grades, scores(world.ranks, world.gold), scores(world.ranks, grades)

    def alpha(self) -> float:
        """The coefficient of very many topics."""
        repeats = max(1, 400 // len(self.source.gold))
        topics = np.tile(np.arange(len(self.source.gold)), repeats)
        world, grades = self.labels(topics, rng_for(self.cell.world, "alpha", self.cell.judge))
        return float(_alpha(world, grades).value)


def _alpha(world: World, grades: FloatArray) -> PopulationInterval:
    known = ~np.isnan(world.gold)
    ratings = np.stack([world.gold[known], grades[known]])
    return topic_interval(  # type: ignore[return-value]
        ratings, np.nonzero(known)[0], "alpha-ordinal", scale=np.arange(world.top + 1)
    )


def _shares(one: FloatArray, other: FloatArray) -> tuple[float, float]:
    """Of the reference's pairs the share found; of the judge's own the share reversed."""
    first, second = paired_tukey(one), paired_tukey(other)
    same = np.sign(first.difference) == np.sign(second.difference)
    pairs, own = np.asarray(first.significant), np.asarray(second.significant)
    kept = (pairs & own & same).sum() / pairs.sum() if pairs.sum() >= FEWEST_PAIRS else np.nan
    return float(kept), float((own & ~same).sum() / own.sum()) if own.any() else 0.0


def _values(one: FloatArray, other: FloatArray, names: list[str]) -> dict[str, float]:
    means = one.mean(axis=0)[None], other.mean(axis=0)[None]
    loss = choice_losses(one, other[None], names, splits=50)
    kept, turned = _shares(one, other)
    return {
        "picks-the-best": float(loss.value[0]) / loss.best,
        "ranks-all": float(kendall_tau_b_stack(*means)[0]),
        "ranks-top": float(top_agreement(*means)[0]),
        "finds-differences": kept,
        "turned": turned,
    }


def judged(population: Population, draw: int) -> dict[str, list[float]]:
    """What the rules judge: value and interval of each figure, the loss as a share of the best.

    Where the judge lifts systems to its top, also those of both tops; of the differences found, the
    interval of the share reversed, and the probabilities of good and bad.
    """
    world, grades, one, other = population.draw("draw", draw)
    names = [f"t{place}" for place in range(population.count)]
    losses = choice_losses(one, other[None], names, seed=draw)
    tops = ranking_interval(one, other, names, statistic=_of_tops, seed=draw)
    of_loss = [end / losses.best for end in _ends(losses.interval().part(0))]
    figures = {
        "agrees": _ends(_alpha(world, grades)),
        "picks-the-best": of_loss,
        "ranks-all": _ends(ranking_interval(one, other, names, seed=draw)),
        "ranks-top": _ends(tops.part(0)),
    }
    if (best_third(other.mean(axis=0)) & ~best_third(one.mean(axis=0))).any():
        figures["ranks-top"] += _ends(tops.part(1))
    kept = differences_kept(
        one, other, names, tests=(paired_tukey(one), paired_tukey(other)), seed=draw
    )
    if kept.pairs >= FEWEST_PAIRS:
        reversed_ends = np.nan_to_num(_ends(kept.turned)).tolist()
        figures["finds-differences"] = [
            *_ends(kept.kept), *reversed_ends, *chances_of_both(*kept.drawn)
        ]  # fmt: skip
    return {asked: [round(end, 5) for end in ends] for asked, ends in figures.items()}


def _of_tops(reference: FloatArray, other: FloatArray) -> FloatArray:
    return np.stack([of(reference, other) for of in (top_agreement, either_top_agreement)])


def _ends(found: PopulationInterval) -> list[float]:
    return [float(found.value), float(found.low), float(found.high)]


def line_of(source: Collection, cell: Cell) -> dict[str, object]:
    """The truths of a world, and the figures of its draws."""
    began = time.process_time()
    population = Population(source, cell)
    names = [f"t{place}" for place in range(population.count)]
    keys = [("further", at) for at in range(FURTHER[cell.size])] + [
        ("draw", at) for at in range(DRAWS)
    ]
    values = [_values(*population.draw(*key)[2:], names) for key in keys]
    truths = {
        asked: float(np.nanmean([0.0] if np.isnan(found).all() else found))
        for asked in values[0]
        for found in [np.array([each[asked] for each in values])]
    }
    truths["agrees"] = population.alpha()
    draws = [judged(population, draw) for draw in range(DRAWS)]
    return {
        **asdict(cell), "truths": {asked: round(truth, 5) for asked, truth in truths.items()},
        "draws": draws, "seconds": round(time.process_time() - began, 1),
    }  # fmt: skip


def main() -> None:
    """Make draws."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--collections", default=",".join(COLLECTIONS))
    parser.add_argument("--sizes", default=",".join(SIZES))
    parser.add_argument("--judges", default=",".join(JUDGES))
    parser.add_argument("--minutes", type=float, default=np.inf)
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.file.open()] if given.file.exists() else []
    made = {(line["collection"], line["size"], line["judge"], line["world"]) for line in lines}
    sources = {name: collection(name, given.shared) for name in given.collections.split(",")}
    cells = [
        Cell(name, size, judge, world)
        for world in range(given.worlds)
        for size in given.sizes.split(",")
        for judge in given.judges.split(",")
        for name, source in sources.items()
        if (name, size, judge, world) not in made
        and (len(source.judges) or judge not in NEEDS_MODELS)
    ]
    end = time.monotonic() + 60 * given.minutes
    with given.file.open("a", encoding="utf-8") as out:
        for cell in cells:
            if time.monotonic() > end:
                break
            out.write(json.dumps(line_of(sources[cell.collection], cell)) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
