"""Coverage, decisions and orders of `estimate` on real labels, beside simpler ways to spend labels.

    python benchmarks/estimation.py dl2021 DATA coverage [CONDITION…]

or designs, order, looks, reranked, over-topics, spoiled, plans in place of coverage.

DATA is the folder of a collection: `dl2021` has 63 runs, NIST's grades as people's and 19 label
sets of models; `dl2023` has people's and models' labels of LLMJudge, with 30 systems made up here;
`cast` has 7 runs and people's labels alone. Each condition (people only, or one model's label set)
is drawn anew DRAWS times (from number FIRST on) at each budget (of `coverage`: COVERED), with
random numbers of its own that do not depend on budget, measure or way. The pool is the product's:
docs within the measure's reach in some run, and docs that the model labelled; what people did not
judge is not relevant.
`coverage`, `spoiled` and `plans` print rows that docs/measured holds (few-labels.csv,
few-labels-spoiled.csv, few-labels-plans.csv); docs/make_few_labels.py makes the tables. Set
OPENBLAS_NUM_THREADS=1 where other programs run: its threads wait for each other.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from scipy import stats

from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.collection.runs import Run
from qrelsmith.estimation.decisions import decide_pairs
from qrelsmith.estimation.design import combined, inclusion, systematic_draw
from qrelsmith.estimation.estimator import ScoreEstimates
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.influence import influence_of
from qrelsmith.estimation.linear_measures import linear_measure
from qrelsmith.estimation.ordering import corrected_scores
from qrelsmith.estimation.plan_sample import simulate_people
from qrelsmith.estimation.sampling_trials import SamplingTrial, estimated_trial, sampling_trial
from qrelsmith.estimation.units import Units, units_of
from qrelsmith.judgments.given_labels import read_qrels

MEASURES = ("P(rel=2)@10", "RBP(p=0.8)", "nDCG@10")
BUDGETS = (135, 270, 535, 1070)
DRAWS, FIRST = int(os.environ.get("DRAWS", "8")), int(os.environ.get("FIRST", "0"))
COVERED = [int(budget) for budget in os.environ.get("COVERED", "270 535 1070").split()]
SHOWN = (
    "score", "difference", "width", "decided", "wrong", "wrong outside", "wrong at 5 looks",
)  # fmt: skip
WAYS = ("sample", "random with model", "random without model", "whole topics")
LOOKS, SYSTEMS, TOP = 20, 30, 100
AGREEMENT = 0.6  # the default of `plan sample`
JUDGES = ("umbrela.gpt-4o", "umbrela.gpt-4", "umbrela.llama3.2.run1", "binary.gpt-4o",
          "nuggets-all.gpt-4o")  # fmt: skip


class Collection(NamedTuple):
    """Units, what people say of all of them, and what models say."""

    units: Units
    level: np.ndarray
    models: dict[str, np.ndarray]
    scale: Scale

    def pool(self, measure: str, model: str) -> Collection:
        """Return the part that `sample` draws from with a measure and a label set."""
        rank, units = self.units.rank, self.units
        depth = linear_measure(measure, self.scale).depth
        kept = ((rank > 0) & (rank <= depth)).any(axis=0)
        if model:
            kept |= ~np.isnan(self.models[model])
        places = np.flatnonzero(kept)
        keys = tuple(units.keys[place] for place in places.tolist())
        part = replace(units, keys=keys, topic=units.topic[places], rank=rank[:, places])
        models = {name: labels[places] for name, labels in self.models.items()}
        return Collection(part, self.level[places], models, self.scale)

    def population(self, measure: str, model: str) -> Population:
        """The units with one model's labels, or with nobody's."""
        labels = [self.models[model]] if model else []
        fold = np.random.default_rng(5).integers(0, 5, self.level.size)
        units = self.units
        return Population(
            linear_measure(measure, self.scale), units.rank, units.topic, len(units.topics),
            labels, fold,
        )  # fmt: skip

    def truth(self, population: Population, level: np.ndarray | None = None) -> np.ndarray:
        """The scores by complete judging [system, topic]."""
        sure = np.eye(len(self.scale.levels))[self.level if level is None else level]
        return influence_of(
            population.measure, population.rank, population.topic, sure, topics=population.topics
        ).expected


def main(name: str, data: Path, question: str, *conditions: str) -> None:
    """Print the rows that a question asks for."""
    collection = COLLECTIONS[name](data)
    chosen = conditions or ("people", *collection.models)
    for row in QUESTIONS[question](collection, ["" if c == "people" else c for c in chosen]):
        print(*(f"{v:.4f}" if isinstance(v, float) else v for v in row), sep=",", flush=True)


def coverage(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """How often intervals hold, how wide they are, and which decisions are wrong."""
    yield "labels", "measure", "budget", "draws", *SHOWN, "score error", "difference error"
    for model in models:
        for measure in MEASURES:
            pool = collection.pool(measure, model)
            population = pool.population(measure, model)
            truth = pool.truth(population).sum(axis=1)
            for budget in COVERED:
                rngs = (rng_of(draw, model) for draw in range(FIRST, DRAWS))
                rows = [
                    said_of(sampling_trial(population, pool.level, budget, rng), truth)
                    for rng in rngs
                ]
                mean = np.mean(rows, axis=0).tolist()
                error = stats.sem(rows, axis=0)[:2].tolist()
                yield model or "people", measure, budget, len(rows), *mean, *error


def spoiled(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """Which of the decided pairs are wrong where a judge is useless, or copies a run.

    Another run is copied in each draw; the model's labels are those of the first condition named.
    """
    yield "labels", "measure", "budget", "draws", "decided", "wrong"
    model = next(name for name in models if name)
    for judge in ("copies a run", "half copies a run", "constant", "reversed", "people only"):
        for measure in MEASURES[::2]:
            pool = collection.pool(measure, model)
            bare = pool.population(measure, "")
            truth = pool.truth(bare).sum(axis=1)
            first, second = np.triu_indices(truth.size, 1)
            true = np.sign(truth[first] - truth[second])
            for budget in (20, 50, 100, BUDGETS[1]):
                counts = []
                for draw in range(FIRST, DRAWS):
                    labels = spoiled_labels(judge, pool, pool.models[model], draw)
                    trial = sampling_trial(
                        replace(bare, labels=labels), pool.level, budget, rng_of(draw, judge)
                    )
                    pairs = trial.pairs()
                    is_wrong = pairs.decided & (np.sign(pairs.difference) != true)
                    counts.append([int(pairs.decided.sum()), int(is_wrong.sum())])
                decided, wrong = np.sum(counts, axis=0).tolist()
                share = decided / len(counts) / true.size
                yield judge, measure, budget, len(counts), share, wrong / max(decided, 1)


def spoiled_labels(judge: str, pool: Collection, model: np.ndarray, draw: int) -> list[np.ndarray]:
    """The labels of a useless judge."""
    rank = pool.units.rank[17 * draw % len(pool.units.rank)]
    of_run = np.select([rank == 0, rank <= 3, rank <= 6, rank <= 10], [0.0, 3.0, 2.0, 1.0])
    is_copied = np.random.default_rng([7, draw]).random(model.size) < 0.5
    return {
        "copies a run": [of_run],
        "half copies a run": [np.where(is_copied, of_run, model)],
        "constant": [np.ones(model.size)],
        "reversed": [np.nanmax(model) - model],
        "people only": [],
    }[judge]


def plans(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """The share of pairs decided that `plan sample` forecasts, and what comes out."""
    yield "labels", "measure", "budget", "draws", "forecast", "came"
    for model in [m for m in models if m]:
        for measure in MEASURES[::2]:
            pool = collection.pool(measure, model)
            population = pool.population(measure, model)
            for budget in (100, BUDGETS[1], BUDGETS[2]):
                shares = []
                for draw in range(FIRST, DRAWS):
                    rng = rng_of(draw, model)
                    shares.append([
                        sampling_trial(population, people, budget, rng).pairs().decided.mean()
                        for people in (simulate_people(population, AGREEMENT, rng), pool.level)
                    ])  # fmt: skip
                forecast, came = np.mean(shares, axis=0).tolist()
                yield model, measure, budget, len(shares), forecast, came


def designs(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """The same budget spent otherwise: at random with the model, people alone, whole topics."""
    yield "labels", "measure", "budget", "way", *SHOWN
    whole = collection
    for model in models:
        for measure in MEASURES[::2]:
            collection = whole.pool(measure, model)
            level = collection.level
            mine, bare = (collection.population(measure, name) for name in (model, ""))
            by_topic = collection.truth(mine)
            truth = by_topic.sum(axis=1)
            for budget in (*BUDGETS, 2 * BUDGETS[-1]):
                for way in WAYS:
                    rows = []
                    for draw in range(DRAWS):
                        rng = rng_of(draw, model)
                        if way == "whole topics":
                            rows.append(of_topics(collection, by_topic, budget, rng))
                        elif way == "sample":
                            rows.append(said_of(sampling_trial(mine, level, budget, rng), truth))
                        else:
                            drawn_from = mine if way == "random with model" else bare
                            rows.append(said_of(at_random(drawn_from, level, budget, rng), truth))
                    yield model or "people", measure, budget, way, *np.mean(rows, axis=0).tolist()


def order(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """τ with the true order: the judge's own, the sample's scores, and `--order`."""
    yield "labels", "measure", "budget", "judge", "estimates", "order"
    whole = collection
    for model in [m for m in models if m] if len(models) < 8 else JUDGES:
        for measure in ("P(rel=2)@10", "nDCG@10"):
            collection = whole.pool(measure, model)
            population = collection.population(measure, model)
            truth = collection.truth(population).sum(axis=1)
            for budget in BUDGETS:
                taus = []
                for draw in range(DRAWS):
                    trial = sampling_trial(
                        population, collection.level, budget, rng_of(draw, model)
                    )
                    found = trial.estimates
                    best = corrected_scores(
                        trial.judged, found.score, found.noise, trial.rank_weight
                    )
                    shown = trial.judged, found.score, best
                    taus.append([tau(scores, truth) for scores in shown])
                yield model, measure, budget, *np.mean(taus, axis=0).tolist()


def looks(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """Twenty looks at a growing sample: pairs decided at any look, and ever decided wrongly."""
    yield "labels", "measure", "boundary", "decided", "ever wrong"
    whole = collection
    for model in models:
        collection = whole.pool("nDCG@10", model)
        level = collection.level
        population = collection.population("nDCG@10", model)
        truth = collection.truth(population).sum(axis=1)
        a, b = np.triu_indices(truth.size, 1)
        true = np.sign(truth[a] - truth[b])
        end = round(0.3 * BUDGETS[1]) + BUDGETS[-1]
        boundaries = {"one look": (None, None), "20 looks": (LOOKS, None), "until": (None, end)}
        rows: dict[str, list[list[float]]] = {name: [] for name in boundaries}
        for draw in range(DRAWS):
            rng = rng_of(draw, model)
            chances = [inclusion(population.importance, 0.3 * BUDGETS[1])]
            drawn = systematic_draw(chances[0], rng.random(level.size), rng.random())
            decided = {name: np.zeros((2, a.size), dtype=bool) for name in rows}
            for _ in range(LOOKS):
                places = np.flatnonzero(drawn)
                trial = estimated_trial(population, level, combined(chances), places)
                for name, (number, until) in boundaries.items():
                    pairs = trial.pairs(number, until)
                    wrong = pairs.decided & (np.sign(pairs.difference) != true)
                    decided[name] |= np.stack([pairs.decided, wrong])
                size = population.wave_size(places, level[places])
                chances.append(inclusion(size, BUDGETS[-1] / LOOKS, among=~drawn))
                rest = np.where(drawn, 0.0, chances[-1])
                drawn |= systematic_draw(rest, rng.random(level.size), rng.random())
            for name, (sure, wrong) in decided.items():
                rows[name].append([float(sure.mean()), float(wrong.mean())])
        for name, shown in rows.items():
            yield model or "people", "nDCG@10", name, *np.mean(shown, axis=0).tolist()


def reranked(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """How often the favour of a run that its judge re-ranked is found, and clean runs are accused.

    Three ways to draw: for all runs, for the re-ranked one, and for a clean one, another each time
    (its column `accused` is of that run alone).

    Favour of a run: the judge's score less the sample's, less the median of that over the other
    runs. It is found where it is more than 1.96 times the root of the sample's noise and of the
    spread over clean runs beyond their noise; the same rule for all runs.
    """
    yield "labels", "budget", "focus", "draws", "favour", "found", "clean runs accused"
    units, levels = collection.units, np.array(collection.scale.levels)
    first = next(n for n, name in enumerate(units.runs) if "bm25" in name.lower())
    whole = collection
    for model in [m for m in models if m]:
        collection = whole.pool(f"nDCG@{TOP}", model)
        units = collection.units
        graded = np.nan_to_num(collection.models[model])
        rank = np.vstack([units.rank, reranked_ranks(units, first, graded)])
        population = replace(collection.population("nDCG@10", model), rank=rank)
        on_scale = np.rint(graded * levels[-1] / max(graded.max(), 1)).astype(np.int64)
        judged = collection.truth(population, on_scale).sum(axis=1)
        true = judged - collection.truth(population).sum(axis=1)
        favour = float(true[-1] - np.median(true[:-1]))
        for way in ("all runs", "re-ranked", "clean"):
            found, wrong = [], []
            for draw in range(FIRST, DRAWS):
                clean = draw % (len(judged) - 1)
                focus = {"all runs": (), "re-ranked": (len(judged) - 1,), "clean": (clean,)}[way]
                drawn_from = replace(population, focus=focus)
                estimates = sampling_trial(
                    drawn_from, collection.level, 250, rng_of(draw, model)
                ).estimates
                accused = is_accused(judged, estimates)
                found.append(accused[-1])
                wrong.append(accused[clean] if way == "clean" else accused[:-1].mean())
            yield model, 250, way, len(found), favour, float(np.mean(found)), float(np.mean(wrong))


def is_accused(judged: np.ndarray, estimates: ScoreEstimates) -> np.ndarray:
    """Which systems' scores by the judge are above the sample's beyond chance; the last is new."""
    gap = judged - estimates.score
    gap = gap - np.median(gap[:-1])
    noise = estimates.noise - estimates.noise[:-1].mean(axis=0)
    variance = (noise**2).sum(axis=1)
    usual = np.median(gap[:-1] ** 2) / stats.chi2.ppf(0.5, 1)
    error = np.sqrt(variance + max(usual - np.median(variance[:-1]), 0.0))
    return np.asarray(gap > 1.96 * error)


def over_topics(collection: Collection, models: list[str]) -> Iterator[tuple[object, ...]]:
    """Coverage over topics: topics are drawn with replacement, and the truth is the mean of all."""
    yield "labels", "topics", "measure", "score", "difference", "decided", "wrong"
    everything = collection
    for model, number, measure in itertools.product(models, (25, 53), MEASURES):
        collection = everything.pool(measure, model)
        whole = collection.population(measure, model)
        truth = collection.truth(whole).sum(axis=1)
        a, b = np.triu_indices(truth.size, 1)
        true = truth[a] - truth[b]
        rows = []
        for draw in range(DRAWS):
            rng = rng_of(draw, f"{model} {number}")
            inside = [
                np.flatnonzero(whole.topic == topic)
                for topic in rng.integers(0, whole.topics, number)
            ]
            units = np.concatenate(inside)
            population = replace(
                whole, rank=whole.rank[:, units], topics=number,
                topic=np.repeat(np.arange(number), [each.size for each in inside]),
                labels=[labels[units] for labels in whole.labels],
                fold=rng.integers(0, 5, units.size),
            )  # fmt: skip
            level, budget = collection.level[units], round(BUDGETS[2] * number / 53)
            trial = sampling_trial(population, level, budget, rng, over_topics=True)
            said, reach, decided = trial.pairs()
            wrong = decided & (np.sign(said) != np.sign(true))
            score = trial.reach()
            rows.append([
                (np.abs(trial.estimates.score - truth) <= score).mean(),
                (np.abs(said - true) <= reach).mean(),
                decided.mean(), wrong.sum() / max(int(decided.sum()), 1),
            ])  # fmt: skip
        yield model or "people", number, measure, *np.mean(rows, axis=0).tolist()


def reranked_ranks(units: Units, run: int, graded: np.ndarray) -> np.ndarray:
    """The ranks of a run whose top docs are sorted anew by a model's grades."""
    ranks = np.zeros(units.rank.shape[1], dtype=np.int64)
    for topic in np.unique(units.topic):
        inside = np.flatnonzero((units.topic == topic) & (units.rank[run] > 0))
        inside = inside[np.argsort(units.rank[run, inside])][:TOP]
        again = inside[np.argsort(-graded[inside], kind="stable")]
        ranks[again] = np.arange(1, again.size + 1)
    return ranks


def said_of(trial: SamplingTrial, truth: np.ndarray) -> list[float]:
    """What held in one sample: of scores, of differences; widths, decisions, wrong ones."""
    score = trial.reach()
    a, b = np.triu_indices(truth.size, 1)
    true = truth[a] - truth[b]
    pairs = trial.pairs()
    decided = pairs.decided, np.abs(pairs.difference) > pairs.reach, trial.pairs(5).decided
    is_wrong = np.sign(pairs.difference) != np.sign(true)
    return [
        float((np.abs(trial.estimates.score - truth) <= score).mean()),
        float((np.abs(pairs.difference - true) <= pairs.reach).mean()),
        float(2 * score.mean()),
        float(decided[0].mean()),
        *(float((d & is_wrong).sum() / max(int(d.sum()), 1)) for d in decided),
    ]


def at_random(
    population: Population, level: np.ndarray, budget: int, rng: np.random.Generator
) -> SamplingTrial:
    """Docs drawn all alike."""
    chance = np.full(level.size, min(1.0, budget / level.size))
    return estimated_trial(
        population,
        level,
        chance,
        np.flatnonzero(systematic_draw(chance, rng.random(level.size), rng.random())),
    )


def of_topics(
    collection: Collection, by_topic: np.ndarray, budget: int, rng: np.random.Generator
) -> list[float]:
    """Topics judged whole until the budget is spent; t intervals over them, finite population."""
    topics = by_topic.shape[1]
    sizes = np.bincount(collection.units.topic, minlength=topics)
    turn = rng.permutation(topics)
    count = max(2, int((np.cumsum(sizes[turn]) <= budget).sum()))
    scores = by_topic[:, turn[:count]] * topics
    a, b = np.triu_indices(len(scores), 1)
    factor_t = stats.t.ppf(0.975, count - 1)
    factor = factor_t * np.sqrt((1 - count / topics) / count)
    reach, apart = (factor * s.std(axis=1, ddof=1) for s in (scores, scores[a] - scores[b]))
    truth, mean = by_topic.sum(axis=1), scores.mean(axis=1)
    said, true = mean[a] - mean[b], truth[a] - truth[b]
    decided = decide_pairs(said, apart / factor_t, np.full(said.size, count - 1.0), apart)
    wrong = decided & (np.sign(said) != np.sign(true))
    share = float(wrong.sum() / max(int(decided.sum()), 1))
    held = [
        float((np.abs(mean - truth) <= reach).mean()),
        float((np.abs(said - true) <= apart).mean()),
    ]
    return [*held, float(2 * reach.mean()), float(decided.mean()), share, share, share]


def tau(scores: np.ndarray, truth: np.ndarray) -> float:
    """Kendall's τ-b."""
    return float(stats.kendalltau(scores, truth).statistic)


def rng_of(draw: int, model: str) -> np.random.Generator:
    """The random numbers of a draw, the same for all budgets, measures and ways of a condition."""
    return np.random.default_rng([draw, crc32(model.encode())])


def dl2021(data: Path) -> Collection:
    """TREC 2021 Deep Learning, passages."""
    people = read_qrels(data / "qrels" / "nist.qrels")
    sets = {stem(path): read_qrels(path) for path in sorted((data / "qrels").glob("*.gz"))}
    return collected(sorted((data / "runs").glob("*.gz")), people, sets, Scale.parse("0..3"))


def cast(data: Path) -> Collection:
    """TREC CAsT 2019: people's labels alone."""
    people = read_qrels(data / "graded.qrels")
    return collected(sorted((data / "runs").iterdir()), people, {}, Scale.parse("0..4"))


def dl2023(data: Path) -> Collection:
    """LLMJudge's labels of TREC 2023 Deep Learning; its systems are made up.

    A system ranks the judged docs of a topic by skill · grade + noise.
    """
    people = read_qrels(data / "human.qrels")
    sets = {path.stem: read_qrels(path) for path in sorted((data / "llm").iterdir())[::4]}
    rng = np.random.default_rng(23)
    skills = np.linspace(0.2, 1.5, SYSTEMS)
    runs = [
        Run.from_dict(
            {
                topic: {doc: float(skill * max(g, 0) + rng.normal()) for doc, g in docs.items()}
                for topic, docs in people.to_dict().items()
            },
            name=f"made-up-{number}",
        )
        for number, skill in enumerate(skills)
    ]
    return collected(runs, people, sets, Scale.parse("0..3"))


def collected(runs: list, people: Qrels, sets: dict[str, Qrels], scale: Scale) -> Collection:
    """The arrays; what people did not judge is not relevant."""
    topics = list(people.to_dict())
    units = units_of(runs, {"people": people, **sets}, depth=TOP, topics=topics)
    level = np.nan_to_num(units.grades(people)).astype(np.int64)
    return Collection(units, level, {n: units.grades(q) for n, q in sets.items()}, scale)


COLLECTIONS = {"dl2021": dl2021, "dl2023": dl2023, "cast": cast}
QUESTIONS = {
    "coverage": coverage, "designs": designs, "order": order, "looks": looks, "reranked": reranked,
    "over-topics": over_topics, "spoiled": spoiled, "plans": plans,
}  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
