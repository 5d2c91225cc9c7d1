"""Time and memory of the Plackett–Luce fit and its entropy, against the budgets.

    python benchmarks/plackett_luce.py [--repeat 7]

Preferences are drawn from Beta(½, ½) and clipped to [0.01, 0.99], which is harder than what grades
give. Times are medians; memory is the most that the whole process held.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination import DocLists, Setting, collection_pdp, topic_pdp
from qrelsmith.discrimination.plackett_luce import (
    PlackettLuce,
    entropy,
    fit_scores,
    sample_rankings,
)
from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.grade_matrix import grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=7)
    repeat = parser.parse_args().repeat
    rng = np.random.default_rng(0)
    print(f"{'what':<66}{'median s':>10}{'budget s':>10}")
    for topics, docs, budget in ((10_000, 5, 1.0), (2_000, 10, 1.0), (1, 20, 0.2)):
        p = preferences(rng, topics, docs)
        model = fit_scores(p)
        what = f"{topics:,} topics, K = {docs}"
        report(f"{what}: fit + entropy", repeat, lambda p=p: topic_pdp(p), budget)
        report("  fit", repeat, lambda p=p: fit_scores(p))
        report("  entropy", repeat, lambda model=model: entropy(model))
    p = preferences(rng, 1, 100)
    report("one topic, K = 100, 10,000 sampled rankings", repeat, lambda: topic_pdp(p, rng=rng))
    model = PlackettLuce.from_scores(rng.normal(size=(1_000, 10)))
    report(
        "1,000 topics, K = 10, 100 rankings each",
        repeat,
        lambda: sample_rankings(model, samples=100, rng=rng),
    )
    simulated(rng, repeat)
    collected(rng)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory held: {peak:.0f} MB (budget 500 MB)")


def simulated(rng: np.random.Generator, repeat: int) -> None:
    """One scale of the paper's simulation: every doc pair is a test, 15 assessors, 100 batches."""
    topics, docs, assessors, levels = 10_000, 5, 15, 7
    relevance = rng.beta(3.0, 3.0, size=(topics, docs))
    noisy = relevance[..., None] + 0.1 * rng.normal(size=(topics, docs, assessors))
    grades = np.clip(np.floor(noisy * levels), 0, levels - 1)
    left, right = np.triu_indices(docs, 1)
    tests = PreferenceTests(
        topics=np.repeat(np.arange(topics), left.size),
        left=np.tile(left, topics),
        right=np.tile(right, topics),
        outcomes=np.where(relevance[:, left] > relevance[:, right], -1.0, 1.0).ravel(),
    )
    batches = np.arange(topics) // 100
    for mode in ("individual", "aggregate"):
        report(
            f"10,000 topics, K = 5, 15 assessors, 100,000 tests, {mode}: all",
            repeat,
            lambda mode=mode: topic_pdp(
                doc_matrix(
                    grade_matrix(tests, grades, mode=mode, smoothing="paper", batches=batches),
                    grades,
                    batches=batches,
                )
            ),
        )


def collected(rng: np.random.Generator) -> None:
    """A collection: 80 topics, pools of 64 docs, 3 assessors, 100 tests for each pair of grades."""
    relevance = rng.beta(1.2, 2.5, size=(80, 64))
    noisy = relevance[..., None] + 0.1 * rng.normal(size=(80, 64, 3))
    grades = np.clip(np.floor(noisy * 4), 0, 3)
    started = time.perf_counter()
    drawn = draw_tests([np.median(grades, axis=2)], per_pair=100, seed=0)
    row("draw 100 tests for each pair of 4 grades", time.perf_counter() - started)
    better = relevance[drawn.topics, drawn.left] - relevance[drawn.topics, drawn.right]
    tests = PreferenceTests(drawn.topics, drawn.left, drawn.right, -np.sign(better))
    for docs in (5, 10):
        lists = DocLists(np.arange(80), np.tile(np.arange(docs), (80, 1)))
        setting = Setting(grades, tests, levels=range(4), lists=lists)
        started = time.perf_counter()
        collection_pdp(setting, rng=rng, resamples=1000)
        row(f"80 topics, K = {docs}: mean with 1,000 resamples", time.perf_counter() - started)


def preferences(rng: np.random.Generator, topics: int, docs: int) -> FloatArray:
    upper = np.triu(np.clip(rng.beta(0.5, 0.5, size=(topics, docs, docs)), 0.01, 0.99), 1)
    lower = np.tril(1.0 - upper.swapaxes(1, 2), -1)
    return upper + lower + 0.5 * np.eye(docs)


def report(what: str, repeat: int, work: Callable[[], object], budget: float | None = None) -> None:
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    row(what, statistics.median(times), budget)


def row(what: str, seconds: float, budget: float | None = None) -> None:
    print(f"{what:<66}{seconds:>10.3f}{'' if budget is None else f'{budget:>10.1f}'}", flush=True)


if __name__ == "__main__":
    main()
