"""Coverage of `estimate` for nugget recall when people judge a fifth of the labels.

    python benchmarks/answer_coverage.py [DRAWS [SETTING…]]

A setting is TOPICS×SYSTEMS×MODEL: 15, 25 or 40 topics, 8 or 12 systems, the labels of a `good` or
`poor` model or `none`; by default 12 of them with 120 samples each. Systems, topics and nuggets
differ in how well they do; all labels are simulated, so that the true scores are known. Printed are
the shares of 95% intervals that hold the score of a system and the difference of two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from qrelsmith.answers.aspects import Aspect, Aspects
from qrelsmith.base.items import item_key
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.estimation.answer_units import answer_units
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.sources import EstimationSources
from qrelsmith.evaluation.answer_scope import AnswerScope
from qrelsmith.evaluation.answer_scores import score_answers

MEASURE = "NuggetRecall(variant='W')"
SCALE, SHARE = Scale((0.0, 1.0, 2.0)), 0.2
SETTINGS = [
    f"{topics}×{systems}×{model}"
    for topics, systems in ((15, 8), (25, 8), (25, 12), (40, 12))
    for model in ("good", "poor", "none")
]
# The share of a model's labels that are drawn anew.
NOISE = {"good": 0.15, "poor": 0.7}


def simulated_labels(topics: int, systems: int, rng: np.random.Generator) -> tuple[Aspects, Qrels]:
    """Return nuggets, 3 to 12 a topic, and people's labels of all answers."""
    ability = rng.normal(0.0, 0.6, systems)
    aspects, rows = [], []
    for topic in (f"t{number:02}" for number in range(topics)):
        ease = rng.normal(0.0, 0.7, systems) + rng.normal(-0.2, 0.7)
        for place in range(int(rng.integers(3, 13))):
            name = f"n{place}"
            importance = "vital" if rng.random() < 0.5 else "okay"
            aspects.append(Aspect(topic, name, "nugget", "", importance))
            seen = ability + ease + rng.normal(0.0, 0.8) + rng.normal(0.0, 1.0, systems)
            for system, grade in enumerate(np.digitize(seen, (0.0, 0.6)).tolist()):
                rows.append((topic, item_key(f"s{system:02}", name), float(grade)))
    return Aspects(aspects), Qrels.from_rows(rows, name="people")


def coverage(setting: str, draws: int) -> tuple[object, ...]:
    """Return labels, budget and the shares of intervals that hold scores and differences."""
    topics, systems, model = setting.split("×")
    rng = np.random.default_rng(list(setting.encode()))
    aspects, people = simulated_labels(int(topics), int(systems), rng)
    sets: dict[str, Qrels] = {}
    if model in NOISE:
        is_noise = rng.random(len(people.grade)) < NOISE[model]
        noisy = np.where(is_noise, rng.integers(0, 3, is_noise.size), people.grade)
        rows = zip(people.rows(), noisy.tolist(), strict=True)
        sets[model] = Qrels.from_rows(((t, k, float(g)) for (t, k, _), g in rows), name=model)
    scope = AnswerScope(aspects, None, SCALE, {})
    found = answer_units([MEASURE], sets, people, scope, None)
    sources = EstimationSources(found.units, sets, found.measures, SCALE, people, None, ())
    population = sources.population(found.measures[0])
    level = np.searchsorted(SCALE.levels, found.units.grades(people))
    truth = np.nanmean(score_answers(people, [MEASURE], scope).scores[0], axis=1)
    budget = round(SHARE * level.size)
    held = [list(hits(population, level, budget, rng, truth)) for _ in range(draws)]
    scores, differences = np.mean(held, axis=0)
    return setting, level.size, budget, draws, scores, differences


def hits(
    population: Population,
    level: np.ndarray,
    budget: int,
    rng: np.random.Generator,
    truth: np.ndarray,
) -> Iterator[float]:
    """Yield the shares of scores and differences that the intervals of one sample hold."""
    trial = sampling_trial(population, level, budget, rng)
    yield float((np.abs(trial.estimates.score - truth) <= trial.reach()).mean())
    first, second = np.triu_indices(truth.size, 1)
    difference, reach, _ = trial.pairs()
    yield float((np.abs(difference - truth[first] + truth[second]) <= reach).mean())


def main(draws: str = "120", *settings: str) -> None:
    """Print a row for each setting."""
    print("setting,labels,budget,draws,score,difference", flush=True)
    for setting in settings or SETTINGS:
        row = coverage(setting, int(draws))
        print(*(f"{v:.3f}" if isinstance(v, float) else v for v in row), sep=",", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
