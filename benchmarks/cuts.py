"""Time and memory of α under every way to cut 101 levels into 4, against the budgets and a peer.

    python benchmarks/cuts.py [--repeat 3] [--sample 20]

The collection is the simulated one of the paper's size: 18 topics, 237 docs each, 10 labels a doc,
HITs of 8; 161,700 sets of cuts. Times are medians of whole methods over all topics; beside them the
largest difference to the direct computation at random sets of cuts. The peer is a loop over
evalica.alpha (pip install evalica) that cuts the labels and calls it once for each topic (each HIT)
and set of cuts: a sample of sets on one topic is timed, and what all of them would take follows by
multiplication. evalica takes 0/0 for 1; so do we beside it. Memory is the most that the process
held before the peer was imported.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np

from qrelsmith.cuts import CUT_METHODS, CutSets, TopicLabels, direct_alpha
from qrelsmith.cuts.cut_topics import CutTopics, Filling
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels
from qrelsmith.planning.simulation import MultiscaleDesign, simulate_multiscale

CASES = (
    ("topicwide", "median", 0.5),
    ("doc-at", "median", 0.5),
    ("doc-at", "median-mean", 0.5),
    ("doc-ta", "median-mean", 5.0),
    ("hit-at", "median", 10.0),
    ("hit-ta", "median", 10.0),
    ("hit2", "median", 10.0),
    ("doc-ta", "majority", None),
    ("hit-ta", "majority", None),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--level", default="ordinal")
    options = parser.parse_args()
    collection = simulate_multiscale(MultiscaleDesign(scales=(101,)), seed=0)
    labels = CutTopics.of(
        crowd_judgments(collection, 101), target=expert_qrels(collection, 4), filling=Filling()
    ).labels
    sets = CutSets.of(range(101), targets=4)
    print(f"{len(labels)} topics, {len(sets):,} sets of cuts, α {options.level}")
    print(f"{'method':<24}{'median s':>10}{'CPU s':>10}{'budget s':>10}{'direct':>10}")
    for method, by, budget in CASES:
        measured(method, by, budget, labels, sets, options.level, options.repeat)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory held: {peak:.0f} MB (budget 1,024 MB)")
    peer(labels, sets, options.level, options.sample)


def measured(
    method: str,
    by: str,
    budget: float | None,
    labels: tuple[TopicLabels, ...],
    sets: CutSets,
    level: str,
    repeat: int,
) -> None:
    function = CUT_METHODS.get(method)
    walls, cpus = [], []
    for _ in range(repeat):
        started, cpu = time.perf_counter(), time.process_time()
        found = [function(topic, sets, by=by, level=level) for topic in labels]
        walls.append(time.perf_counter() - started)
        cpus.append(time.process_time() - cpu)
    rng = np.random.default_rng(0)
    worst = 0.0
    for topic in rng.choice(len(labels), 3, replace=False).tolist():
        for place in rng.choice(len(sets), 3, replace=False).tolist():
            direct = direct_alpha(method, labels[topic], sets.cuts(place), by=by, level=level)
            worst = max(worst, abs(direct - found[topic].alpha[place]))
    shown = "" if budget is None else f"{budget:.1f}"
    wall, spent = statistics.median(walls), statistics.median(cpus)
    print(
        f"{method + ', ' + by:<24}{wall:>10.2f}{spent:>10.2f}{shown:>10}{worst:>10.0e}", flush=True
    )


def peer(labels: tuple[TopicLabels, ...], sets: CutSets, level: str, sample: int) -> None:
    """What a loop over evalica.alpha would take, from a sample of sets of cuts on one topic."""
    try:
        import evalica
        import pandas
    except ImportError:
        print("evalica or pandas is not installed: no peer")
        return
    topic = labels[0]
    workers, row = np.unique(topic.unit, return_inverse=True)
    matrix = np.full((workers.size, topic.docs), np.nan)
    matrix[row, topic.doc] = topic.grade
    both = np.stack([AGGREGATIONS.get("median-mean")(topic.ratings), topic.target])
    hits = [
        np.stack([topic.grade[topic.unit == unit], topic.target[topic.doc[topic.unit == unit]]])
        for unit in workers
    ]

    def alpha(cut: np.ndarray) -> float:
        return float(evalica.alpha(pandas.DataFrame(cut), distance=level).alpha)

    def topicwide(place: int) -> float:
        return alpha(sets.cuts(place).apply(matrix))

    def doc_at(place: int) -> float:
        return alpha(np.stack([sets.cuts(place).apply(both[0]), both[1]]))

    def hit2(place: int) -> float:
        cuts = sets.cuts(place)
        found = [alpha(np.stack([cuts.apply(own), target])) for own, target in hits]
        return float(np.mean(found))

    print(f"evalica {evalica.__version__}, {sample} random sets on topic 1 of {len(labels)}:")
    places = np.random.default_rng(1).choice(len(sets), sample, replace=False).tolist()
    cases: tuple[tuple[str, str, Callable[[int], float], int], ...] = (
        ("topicwide", "median", topicwide, sample),
        ("doc-at", "median-mean", doc_at, sample),
        ("hit2", "median", hit2, max(1, sample // 10)),
    )
    for method, by, function, count in cases:
        ours = CUT_METHODS.get(method)(topic, sets, by=by, level=level, undefined="one")
        started = time.perf_counter()
        found = [function(place) for place in places[:count]]
        each = (time.perf_counter() - started) / count
        hours = each * len(sets) * len(labels) / 3600
        pairs = zip(found, places, strict=False)
        off = max(abs(value - ours.alpha[place]) for value, place in pairs)
        print(
            f"{method:<12}{each * 1000:>9.2f} ms a set and topic: {hours:,.1f} hours for all,"
            f" extrapolated; largest difference {off:.0e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
