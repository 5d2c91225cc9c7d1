"""Coverage, width and decided pairs of `estimate` on DL-2021: `python benchmarks/estimation.py`.

NIST's grades are people's. Every condition (people only, or one model's label set) is drawn anew
DRAWS times at each budget; all conditions share their random numbers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import stem
from qrelsmith.estimation.boundaries import quantiles
from qrelsmith.estimation.design import combined, inclusion
from qrelsmith.estimation.estimator import degrees, estimated
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.influence import influence_of
from qrelsmith.estimation.linear_measures import linear_measure
from qrelsmith.estimation.units import units_of
from qrelsmith.judgments.given_labels import read_qrels

MEASURES, BUDGETS, DRAWS, PILOT = ("P(rel=2)@10", "RBP(p=0.8)", "nDCG@10"), (270, 535, 1070), 8, 0.3


def main(data: Path) -> None:
    """Print a row for each condition, measure and budget."""
    nist = read_qrels(data / "qrels" / "nist.qrels")
    units = units_of(sorted((data / "runs").glob("*.gz")), {"nist": nist}, depth=100)
    level = units.grades(nist).astype(np.int64)
    fold = np.random.default_rng(5).integers(0, 5, level.size)
    sets = {stem(path): read_qrels(path) for path in sorted((data / "qrels").glob("*.gz"))}
    print("labels,measure,budget,score_held,difference_held,width,decided,wrong")
    for name in ("", *sets):
        labels = [units.grades(sets[name])] if name else []
        for measure in (linear_measure(one, Scale.parse("0..3")) for one in MEASURES):
            topics = len(units.topics)
            population = Population(measure, units.rank, units.topic, topics, labels, fold)
            known = influence_of(measure, units.rank, units.topic, np.eye(4)[level], topics=topics)
            truth = known.expected.sum(axis=1)
            for budget in BUDGETS:
                rows = [one_draw(population, level, truth, budget, draw) for draw in range(DRAWS)]
                means = ",".join(f"{value:.4f}" for value in np.mean(rows, axis=0))
                print(f"{name or 'people'},{measure.label},{budget},{means}", flush=True)


def one_draw(
    population: Population, level: np.ndarray, truth: np.ndarray, budget: int, draw: int
) -> list[float]:
    """What held in one sample of two waves."""
    rng = np.random.default_rng(draw)
    first = inclusion(population.importance(), PILOT * budget)
    pilot = rng.random(level.size) < first
    rows = np.flatnonzero(pilot)
    size = population.wave_size(rows, level[rows])
    second = inclusion(size, budget - int(pilot.sum()), among=~pilot)
    rows = np.flatnonzero(pilot | (rng.random(level.size) < second))
    chance = combined([first, second])[rows]
    _, influence = population.fit(rows, level[rows], chance)
    found = estimated(influence, rows, level[rows], chance, population.topic)
    a, b = np.triu_indices(truth.size, 1)
    reach, apart = (
        quantiles(degrees(noise, over_topics=False), labels=rows.size)
        * np.sqrt((noise**2).sum(axis=1))
        for noise in (found.noise, found.noise[a] - found.noise[b])
    )
    said, true = found.score[a] - found.score[b], truth[a] - truth[b]
    decided = np.abs(said) > apart
    wrong = decided & (np.sign(said) != np.sign(true))
    return [
        float((np.abs(found.score - truth) <= reach).mean()),
        float((np.abs(said - true) <= apart).mean()),
        float(2 * reach.mean()),
        float(decided.mean()),
        float(wrong.sum() / max(int(decided.sum()), 1)),
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
