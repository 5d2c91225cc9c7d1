"""How often a gate fails judges that are as good, and finds those that are worse.

    nice python benchmarks/gate.py labels --data ../shared/data
    nice python benchmarks/gate.py runs --data ../shared/data
    nice python benchmarks/gate.py open
    nice python benchmarks/gate.py leaning

Each writes a file of docs/measured. Baseline and new judge are independent draws from the
grades that a real judge gives where people give theirs; a share of the new judge's grades is then
replaced by random levels. Topics, and docs of each, are drawn without replacement.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from qrelsmith import (
    Qrels,
    damages,  # noqa: F401 - fills the registry
    read_qrels,
)
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.leans_on import LEAST_EFFECT, lean_of
from qrelsmith.damages.registry import tests_for
from qrelsmith.damages.whose import ALPHA, level_of
from qrelsmith.evaluation.loaded_runs import read_runs
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.gates.gate import gate_rows
from qrelsmith.gates.gate_rows import GateRow
from qrelsmith.gates.paired_judges import PairedJudges

MEASURED = Path(__file__).parents[1] / "docs/measured"
SHARES = (0.0, 0.1, 0.25, 0.5)
SIZES = ((8, 20), (10, 50), (25, 20), (25, 80), (50, 100))
FIGURES = ("alpha", "agreement", "bias", "tau", "top", "loss")
LEVELS = 4


def confusion(people: FloatArray, judge: FloatArray) -> FloatArray:
    """How often a judge gives each level where people give theirs, [people, judge]."""
    counts = np.full((LEVELS, LEVELS), 0.5)
    np.add.at(counts, (people.astype(int), judge.astype(int)), 1)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def draw_judge(people: FloatArray, shares: FloatArray, rng: np.random.Generator) -> FloatArray:
    """A fresh pass of a judge over people's grades."""
    bounds = shares.cumsum(axis=1)[people.astype(int)]
    return np.asarray((rng.random(people.size)[:, None] > bounds[:, :-1]).sum(axis=1), dtype=float)


def randomised(grades: FloatArray, share: float, rng: np.random.Generator) -> FloatArray:
    """The grades with a share of them replaced by random levels."""
    hit = rng.random(grades.size) < share
    return np.where(hit, rng.integers(0, LEVELS, grades.size), grades)


def judges_of(topic: IntArray, people: FloatArray, grades: FloatArray) -> PairedJudges:
    """Two judges beside people, without names."""
    names = tuple(f"t{number:03}" for number in range(int(topic.max()) + 1))
    docs = tuple(map(str, range(topic.size)))
    return PairedJudges(topics=names, topic=topic, docs=docs, people=people, grades=grades)


def chosen(
    of: IntArray, topics: int, docs: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Rows of some topics with some docs each, and the new numbers of the topics."""
    rows, numbers = [], []
    for number, topic in enumerate(rng.permutation(int(of.max()) + 1)[:topics]):
        own = rng.permutation(np.flatnonzero(of == topic))[:docs]
        rows.append(own)
        numbers.append(np.full(own.size, number))
    return np.concatenate(rows), np.concatenate(numbers)


def collections(data: Path) -> Iterator[tuple[str, IntArray, FloatArray, FloatArray]]:
    """Name, topic and people's grade of each doc, and a judge's shares."""
    dl = data / "trec-dl-2021-passage/qrels"
    yield "DL-2021, gpt-4o", *aligned(read_qrels(dl / "nist.qrels"),
                                      read_qrels(dl / "umbrela.gpt-4o.qrels.gz"))  # fmt: skip
    llm = data / "llmjudge-dl23"
    for name in ("willia-umbrela1", "TREMA-direct"):
        yield f"LLMJudge, {name}", *aligned(read_qrels(llm / "human.qrels"),
                                            read_qrels(llm / f"llm/{name}.qrels"))  # fmt: skip
    topic, people, shares = simulated(np.random.default_rng(0), 60, 120)
    yield "simulated", topic, people, shares


def aligned(people: Qrels, judge: Qrels) -> tuple[IntArray, FloatArray, FloatArray]:
    """Topic and people's grade of the docs that a judge graded, and its shares."""
    both = PairedJudges.of(people, judge, judge)
    top = np.clip(both.grades[0].round(), 0, LEVELS - 1)
    return both.topic, both.people, confusion(both.people, top)


def simulated(
    rng: np.random.Generator, topics: int, docs: int
) -> tuple[IntArray, FloatArray, FloatArray]:
    """People's grades whose shares vary by topic, and a judge that slips in two of five."""
    grades = [rng.choice(LEVELS, docs, p=rng.dirichlet([4, 2.5, 1.5, 0.7])) for _ in range(topics)]
    shares = np.full((LEVELS, LEVELS), 0.4 / (LEVELS - 1)) + np.eye(LEVELS) * (0.6 - 0.4 / 3)
    return np.repeat(np.arange(topics), docs), np.concatenate(grades).astype(float), shares


def counted(rows: list[tuple[GateRow, ...]]) -> dict[str, str]:
    """The shares of draws in which each figure, and any, fails or is open."""
    told = {}
    for figure in FIGURES:
        verdicts = [row.verdict for each in rows for row in each if row.figure == figure]
        for verdict in ("fail", "open"):
            share = np.mean([one == verdict for one in verdicts]) if verdicts else None
            told[f"{figure}_{verdict}"] = "" if share is None else f"{share:.4f}"
    any_fail = np.mean([any(row.verdict == "fail" for row in each) for each in rows])
    return {"any_fail": f"{any_fail:.4f}", **told}


def write(name: str, rows: list[dict[str, object]]) -> None:
    """Write rows as a csv file of docs/measured."""
    with (MEASURED / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def labels(data: Path, draws: int) -> None:
    """Gates without runs, by size."""
    out: list[dict[str, object]] = []
    for name, of, people, shares in collections(data):
        for topics, docs in SIZES:
            if topics > of.max() + 1:
                continue
            for share in SHARES:
                found = []
                count = draws if share == 0 else draws // 2
                for draw in range(count):
                    rng = np.random.default_rng([draw, topics, docs, int(100 * share)])
                    rows, topic = chosen(of, topics, docs, rng)
                    own = people[rows]
                    old, new = draw_judge(own, shares, rng), draw_judge(own, shares, rng)
                    grades = np.stack([old, randomised(new, share, rng)])
                    found.append(gate_rows(judges_of(topic, own, grades), {}, {}))
                out.append({"data": name, "topics": topics, "docs": docs, "share": share,
                            "draws": count, **counted(found)})  # fmt: skip
        write("gate-labels", out)


def runs(data: Path, draws: int) -> None:
    """Gates with the runs of DL-2021, and with simulated ones."""
    folder = data / "trec-dl-2021-passage"
    people = read_qrels(folder / "qrels/nist.qrels")
    both = PairedJudges.of(people, people, people)
    of = both.topic
    shares = aligned(people, read_qrels(folder / "qrels/umbrela.gpt-4o.qrels.gz"))[2]
    place = {pair: row for row, pair in enumerate(zip(of.tolist(), both.docs, strict=True))}
    read = read_runs(sorted((folder / "runs").iterdir()))
    top = np.full((len(both.topics), len(read), 10), -1)
    for number, run in enumerate(read):
        for at, topic in enumerate(both.topics):
            for rank, doc in enumerate(run.docs.get(topic, ())[:10]):
                top[at, number, rank] = place.get((at, doc), -1)
    worlds = [("DL-2021, gpt-4o, 63 runs", of, both.people, shares, top)]
    rng = np.random.default_rng(5)
    topic, grades, noise = simulated(rng, 60, 120)
    worlds.append(("simulated, 15 runs", topic, grades, noise, simulated_tops(rng, topic, grades)))
    out: list[dict[str, object]] = []
    for name, own_topic, own, world_shares, tops in worlds:
        for topics in (10, 25, 50):
            for share in SHARES:
                found = []
                count = draws if share == 0 else draws // 4
                for draw in range(count):
                    rng = np.random.default_rng([draw, topics, int(100 * share)])
                    old, new = (draw_judge(own, world_shares, rng) for _ in range(2))
                    sets = np.stack([own, old, randomised(new, share, rng)])
                    picked = rng.permutation(len(tops))[:topics]
                    scores = np.stack([ndcg(each, own_topic, tops)[picked] for each in sets])
                    inside = np.isin(own_topic, picked)
                    number = np.argsort(np.argsort(picked))[
                        np.searchsorted(np.sort(picked), own_topic[inside])
                    ]
                    judges = judges_of(number, own[inside], sets[1:, inside])
                    named = tuple(f"t{at:03}" for at in range(topics))
                    object.__setattr__(judges, "scored_topics", named)
                    object.__setattr__(judges, "scores", scores)
                    found.append(gate_rows(judges, {}, {}))
                out.append({"data": name, "topics": topics, "docs": int(inside.sum() / topics),
                            "share": share, "draws": count, **counted(found)})  # fmt: skip
                write("gate-runs", out)


def simulated_tops(rng: np.random.Generator, topic: IntArray, people: FloatArray) -> IntArray:
    """The top tens of fifteen systems that rank by people's grades with ever more noise."""
    tops = []
    for at in range(int(topic.max()) + 1):
        rows = np.flatnonzero(topic == at)
        noise = rng.normal(size=(15, rows.size)) * (0.6 + 0.08 * np.arange(15))[:, None]
        tops.append(rows[np.argsort(-(people[rows] + noise), axis=1)[:, :10]])
    return np.array(tops)


def ndcg(grades: FloatArray, topic: IntArray, tops: IntArray) -> FloatArray:
    """nDCG@10 of every system on every topic, [topic, system]."""
    measure = MEASURES.get("nDCG@10")
    filled = np.append(grades, 0.0)
    scores = []
    for at, rows in enumerate(tops):
        ideal = np.sort(grades[topic == at])[::-1]
        scores.append(measure(filled[rows], np.broadcast_to(ideal, (len(rows), ideal.size))))
    return np.array(scores)


def alpha_row(topic: IntArray, people: FloatArray, grades: FloatArray, count: int) -> GateRow:
    """The row of α on the first topics."""
    inside = topic < count
    rows = gate_rows(judges_of(topic[inside], people[inside], grades[:, inside]), {}, {})
    return next(row for row in rows if row.figure == "alpha")


def open_numbers(draws: int) -> None:
    """How often an open α is settled with so many times the number that its note names.

    The share of random grades is normal around 0; where it is below 0, the old judge has them, so
    that judges that follow each other are as often better as worse, as the note assumes.
    """
    factors = (0.5, 0.6, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
    out: list[dict[str, object]] = []
    for topics, docs in ((8, 20), (12, 40), (25, 20)):
        settled, found, seed = np.zeros(len(factors)), 0, 0
        while found < draws:
            rng = np.random.default_rng([seed, topics, docs])
            seed += 1
            share = rng.normal(0, 0.08)
            topic, people, shares = simulated(rng, 40 * topics, docs)
            worse = randomised(draw_judge(people, shares, rng), abs(share), rng)
            judges = [draw_judge(people, shares, rng), worse]
            row = partial(alpha_row, topic, people, np.stack(judges[:: 1 if share > 0 else -1]))
            first = row(topics)
            if first.verdict != "open":
                continue
            found += 1
            numbers = [min(round(factor * first.units), 40 * topics) for factor in factors]
            settled += [row(number).verdict != "open" for number in numbers]
        share_settled = dict(zip(factors, settled / draws, strict=True))
        half = float(np.interp(0.5, np.maximum.accumulate(settled / draws), factors))
        out.append({"topics": topics, "docs": docs, "draws": draws,
                    **{f"settled_{factor}": f"{share_settled[factor]:.3f}"
                       for factor in (0.75, 1.0, 1.25)},
                    "half_at": f"{half:.2f}"})  # fmt: skip
        write("gate-open", out)


def leaning(data: Path, draws: int) -> None:
    """How often a leaning on length is found at 1,000 docs, alone and among all damages."""
    alone, among = (level_of(tests_for(kinds), 1, ALPHA) / 2 for kinds in (("leans-on",), ()))
    out: list[dict[str, object]] = []
    topics, docs = 20, 50
    for name, _, people, shares in collections(data):
        for planted in (0.0, 0.1, 0.2):
            slopes, errors = [], []
            for draw in range(draws):
                rng = np.random.default_rng([draw, topics, int(100 * planted)])
                own = rng.choice(people, (topics, docs))
                length = rng.lognormal(4, 0.6, own.shape)
                z = (length - length.mean()) / length.std()
                seen = draw_judge(own.ravel(), shares, rng).reshape(own.shape)
                slope, error = lean_of(np.floor(seen + planted * z + rng.random(own.shape)), own, z)
                slopes.append(abs(slope))
                errors.append(error)
            p = 2 * special.ndtr(-np.array(slopes) / np.array(errors))
            is_large = np.array(slopes) >= LEAST_EFFECT
            out.append({"data": name, "topics": topics, "docs": docs, "planted": planted,
                        "draws": draws, "alone": f"{np.mean((p < alone) & is_large):.4f}",
                        "among_all": f"{np.mean((p < among) & is_large):.4f}",
                        "error": f"{np.mean(errors):.4f}"})  # fmt: skip
    write("gate-leaning", out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["labels", "runs", "open", "leaning"])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--draws", type=int, default=400)
    told = parser.parse_args()
    if told.part == "open":
        open_numbers(told.draws)
    else:
        {"labels": labels, "runs": runs, "leaning": leaning}[told.part](told.data, told.draws)
