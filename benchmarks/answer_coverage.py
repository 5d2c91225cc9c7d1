"""Coverage of `estimate` for nugget recall when people judge a fifth of the labels.

    python benchmarks/answer_coverage.py [DRAWS [SETTING…]]   # writes docs/answers.md

A setting is COLLECTION×MODEL. A simulated collection is TOPICS×SYSTEMS: systems, topics and nuggets
differ in how well they do. `dragun` and `mtrag` are public labels from the shared folder, `demo`
the demo's answers. All labels are known, and so are the true scores. MODEL is a `good` or `poor`
model (15% and 70% of its labels are random), `none`, or the collection's `own`. Counted are the
shares of 95% intervals that hold the score of a system and the difference of two.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from qrelsmith.answers.aspects import Aspect, Aspects, read_aspects
from qrelsmith.base.items import item_key, item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.demo.answers import add_answers
from qrelsmith.estimation.answer_units import answer_units
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.sources import EstimationSources
from qrelsmith.evaluation.answer_scope import AnswerScope
from qrelsmith.evaluation.answer_scores import score_answers
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.sources import as_judgments

SHARED = Path(os.environ.get("QRELSMITH_SHARED", Path(__file__).parents[2] / "shared"))
PAGE = Path(__file__).parents[1] / "docs" / "answers.md"
BEGIN, END = "<!-- coverage: benchmarks/answer_coverage.py -->", "<!-- end of coverage -->"
MEASURE = "NuggetRecall(variant='W')"
SCALE, SHARE = Scale((0.0, 1.0, 2.0)), 0.2
SETTINGS = [
    f"{topics}×{systems}×{model}"
    for topics, systems in ((15, 8), (25, 8), (25, 12), (40, 12))
    for model in ("good", "poor", "none")
]
SETTINGS += [
    f"{data}×{model}" for data in ("dragun", "mtrag") for model in ("good", "poor", "none")
]
SETTINGS += ["demo×own", "demo×none"]
MODELS = ("good", "poor", "own", "none")
HEADER = (f"| collection | {' | '.join(MODELS)} |", f"| --- |{' ---: |' * len(MODELS)}")
# The share of a model's labels that are drawn anew.
NOISE = {"good": 0.15, "poor": 0.7}


@dataclass(frozen=True, eq=False)
class World:
    """Answers whose labels are all known.

    Attributes
    ----------
    aspects : Aspects
        The aspects that count.
    people : Qrels
        The labels that are to be estimated from few.
    sets : mapping of str to Qrels
        Labels of models that the collection has.
    measure : str
        The measure.
    scale : Scale
        The levels.
    """

    aspects: Aspects
    people: Qrels
    sets: Mapping[str, Qrels]
    measure: str = MEASURE
    scale: Scale = SCALE


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


def simulated(name: str, rng: np.random.Generator) -> World:
    """Return a simulated collection, `TOPICS×SYSTEMS`."""
    topics, systems = map(int, name.split("×"))
    return World(*simulated_labels(topics, systems, rng), {})


def labels_of(file: Path, kind: str) -> Qrels:
    """Return the lower medians of the labels of nuggets, or of a criterion, in a file."""
    found = as_judgments(file).of_aspects(
        lambda _, aspect: aspect == kind if kind != "nugget" else not aspect.startswith("citation:")
    )
    labels = label_set_of(found, "people")
    # What contradicts counts as 0.
    rows = ((topic, key, max(grade, 0.0)) for topic, key, grade in labels.rows())
    return Qrels.from_rows(rows, name="people")


def dragun(folder: Path) -> World:
    """Return a model's labels of DRAGUN as if they were human; expected answers are nuggets."""
    people = labels_of(folder / "dragun-reports" / "auto_report_assessments.csv.gz", "nugget")
    names = sorted({(topic, item_parts(key)[1]) for topic, key, _ in people.rows()})
    return World(Aspects(Aspect(*name, "nugget") for name in names), people, {})


def mtrag(folder: Path) -> World:
    """Return the labels of MTRAG's annotators, who grade faithfulness from 1 to 4."""
    people = labels_of(folder / "mtrag-answers" / "human-evaluations.json.gz", "faithfulness")
    aspects = Aspects([Aspect("", "faithfulness", "criterion")])
    return World(aspects, people, {}, "Criterion('faithfulness')", Scale((1.0, 2.0, 3.0, 4.0)))


def demo() -> World:
    """Return the demo's answers with the labels of its people and of its model."""
    with TemporaryDirectory() as folder:
        own = add_answers(Path(folder))
        aspects = read_aspects(own / "aspects.csv")
        people = labels_of(own / "judgments.csv", "nugget")
        model = labels_of(own / "qrels" / "simulated-model.csv", "nugget")
    return World(aspects, people, {"model": model})


def world_of(name: str, rng: np.random.Generator) -> World:
    """Return the collection of a setting."""
    if name == "demo":
        return demo()
    known = {"dragun": dragun, "mtrag": mtrag}
    return known[name](SHARED / "data") if name in known else simulated(name, rng)


def coverage(setting: str, draws: int) -> tuple[object, ...]:
    """Return labels, budget and the shares of intervals that hold scores and differences."""
    name, model = setting.rsplit("×", 1)
    rng = np.random.default_rng(list(setting.encode()))
    world = world_of(name, rng)
    people, levels = world.people, world.scale.levels
    sets = dict(world.sets) if model == "own" else {}
    if model in NOISE:
        is_noise = rng.random(len(people.grade)) < NOISE[model]
        noisy = np.where(is_noise, rng.choice(levels, is_noise.size), people.grade)
        rows = zip(people.rows(), noisy.tolist(), strict=True)
        sets[model] = Qrels.from_rows(((t, k, float(g)) for (t, k, _), g in rows), name=model)
    scope = AnswerScope(world.aspects, None, world.scale, {})
    found = answer_units([world.measure], sets, people, scope, None)
    sources = EstimationSources(found.units, sets, found.measures, world.scale, people, None, ())
    population = sources.population(found.measures[0])
    level = np.searchsorted(levels, found.units.grades(people))
    truth = np.nanmean(score_answers(people, [world.measure], scope).scores[0], axis=1)
    truth -= found.measures[0].offset
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
    """Print a row for each setting; without settings write the table of the docs, too."""
    print("setting,labels,budget,draws,score,difference", flush=True)
    cells: dict[str, dict[str, str]] = {}
    for setting in settings or SETTINGS:
        row = coverage(setting, int(draws))
        *_, score, difference = row
        print(*(f"{v:.3f}" if isinstance(v, float) else v for v in row), sep=",", flush=True)
        name, _, model = setting.rpartition("×")
        cells.setdefault(name, {})[model] = f"{score:.1%}, {difference:.1%}"
    if not settings:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        rows = (
            f"| {name} | {' | '.join(of.get(model, '–') for model in MODELS)} |"
            for name, of in cells.items()
        )
        table = "\n".join([*HEADER, *rows])
        PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
