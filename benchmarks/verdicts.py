"""How often each verdict of the scorecard is right on labels of known damage, made from DL-2021.

    python benchmarks/verdicts.py SHARED verdicts.jsonl --draws 200 --sizes 10x10,25x20,53x63
    python benchmarks/verdicts.py SHARED verdicts.jsonl --table

The first makes draws until each damage and size has so many, a line each, and goes on where it
stopped; `--questions` asks some only, and the table puts the lines of a draw together. A draw is a
campaign of three label sets in memory: NIST's, the damaged copy, and a copy with 10 % slips that
may say whose fault it is. The verdicts are those of the audit's own functions.

The table counts a verdict as wrong if it is good where the damage changes the answer (the mean of
the question's figure over all draws lies in another band; for `fair-to-teams`: the places that a
run gains by the planted favour; for `undamaged`: where another damage is planted), or bad where
nothing is wrong. Either may be said of `undamaged` where a team is favoured or all is shuffled.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from qrelsmith import read_qrels, read_runs
from qrelsmith.audit.held_inputs import HeldInputs
from qrelsmith.audit.verdicts import bounds, registry
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.damages import planting
from qrelsmith.damages.favoured import team_docs
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.layout import Layout, Origins, lay_out
from qrelsmith.damages.places_gained import places_by_ndcg
from qrelsmith.stats.proportions import wilson_interval

TOP, LEVELS, LETTERS = (
    3.0,
    4,
    4,
)  # the scale's top and size; letters of a run's name that tell its team
# The questions on which a damage is planted, and the damages that they should see.
QUESTIONS = (
    "agrees", "ranks-all", "ranks-top", "finds-differences", "fair-to-teams", "undamaged",
)  # fmt: skip
BROKEN = ("shift", "swap", "favour", "drift", "tail", "constant", "reversed")
DAMAGES = (
    "identical", "slips:.05", "slips:.1", "slips:.2", "lenient", "shuffled", "favour:.1",
    "favour:.2", "favour:.4", "favour:1", "shift:1", "shift:2", "swap", "drift:1", "tail:30",
    "constant", "reversed",
)  # fmt: skip


def whole(shared: Path) -> tuple[Layout, tuple[Run, ...]]:
    """NIST's labels as arrays, and all runs."""
    folder = shared / "data" / "trec-dl-2021-passage"
    runs = tuple(read_runs(folder / "runs", depth=100))
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in runs}
    sets = {"gold": read_qrels(folder / "qrels" / "nist.qrels")}
    return lay_out(sets, runs, teams, None, Origins({}, frozenset(), {}, {}, 0.0, {})), runs


def draw(
    full: Layout,
    all_runs: tuple[Run, ...],
    damage: str,
    size: str,
    seed: int,
    questions: tuple[str, ...] = QUESTIONS,
) -> dict[str, object]:
    """The verdicts on one damaged set, and the figures behind them."""
    rng = np.random.default_rng(seed)
    most = (len(full.topics), len(full.runs))
    topics, runs = (
        np.sort(rng.choice(there, int(wanted), replace=False))
        for wanted, there in zip(size.split("x"), most, strict=True)
    )
    truth = full.arrays.grades[0][topics]
    places = full.arrays.orders[-1][topics]  # by docnos
    owners = _owners(full.arrays, topics, runs)
    tested = damaged(damage, truth, places, owners, np.random.default_rng([seed, 1]))
    gained = 0
    if damage.startswith("favour"):
        ranks = full.arrays.ranks[runs][:, topics]
        before = damaged("slips:.1", truth, places, owners, np.random.default_rng([seed, 1]))
        gained = int((places_by_ndcg(ranks, before) - places_by_ndcg(ranks, tested)).max())
    sets = {
        "gold": truth,
        "tested": tested,
        "witness": planting.with_slips(truth, 0.1, top=TOP, rng=rng),
    }
    named = {name: _qrels(full, topics, grades, name) for name, grades in sets.items()}
    chosen = [all_runs[run] for run in runs]
    teams = {run.name: team_in_name(run.name)[:LETTERS] for run in chosen}
    inputs = HeldInputs(named, chosen, levels=range(LEVELS), teams=teams, seed=seed)
    began = time.process_time()
    cells = [registry.VERDICTS.get(asked)(inputs, "tested") for asked in questions]
    return {
        "damage": damage, "size": size, "seed": seed, "gained": gained,
        "verdicts": {cell.question: cell.verdict for cell in cells},
        "values": {cell.question: cell.value for cell in cells if cell.value == cell.value},
        "seconds": round(time.process_time() - began, 2),
    }  # fmt: skip


def damaged(
    damage: str,
    grades: FloatArray,
    places: IntArray,
    owners: list[FloatArray],
    rng: np.random.Generator,
) -> FloatArray:
    """Grades with a damage, at a place that the generator chooses."""
    kind, _, extent = damage.partition(":")
    topics = len(grades)
    if kind == "identical":
        return grades.copy()
    if kind == "slips":
        return planting.with_slips(grades, float(extent), top=TOP, rng=rng)
    # Labels of somebody else never are the reference's but for the damage.
    grades = planting.with_slips(grades, 0.1, top=TOP, rng=rng)
    if kind == "lenient":
        return np.minimum(grades + 1, TOP)
    if kind == "shuffled":
        return planting.randomise(grades, np.ones(topics, dtype=bool), rng=rng)
    if kind == "favour":
        docs = owners[rng.integers(len(owners))].astype(bool)
        return planting.favour(grades, docs, float(extent), top=TOP, rng=rng)
    if kind == "drift":
        sequence = np.arange(topics, dtype=float)
        return planting.drift(grades, float(extent), sequence=sequence, top=TOP, rng=rng)
    if kind == "tail":
        return planting.lazy_tail(grades, int(extent), places=places)
    first, second = rng.choice(topics, 2, replace=False).tolist()
    if kind == "swap":
        return planting.swap(grades, first, second, places=places)
    if kind == "constant":
        return planting.make_constant(grades, first, float(rng.integers(4)))
    if kind == "reversed":
        return planting.reverse(grades, first, top=TOP)
    for topic in (first, second)[: int(extent)]:  # shift
        grades = planting.shift(grades, topic, int(rng.choice([-2, -1, 1, 2])), places=places)
    return grades


def _owners(labels: LabelArrays, topics: IntArray, runs: IntArray) -> list[FloatArray]:
    """The docs in the top ten of each team with two to six runs, else of every team."""
    sizes = np.bincount(labels.team[runs], minlength=int(labels.team.max()) + 1)
    chosen = np.flatnonzero((sizes >= 2) & (sizes <= 6))
    chosen = chosen if len(chosen) else np.flatnonzero(sizes)
    return [team_docs(labels, team)[topics].astype(float) for team in chosen.tolist()]


def _qrels(full: Layout, topics: IntArray, grades: FloatArray, name: str) -> Qrels:
    known = [
        (full.topics[topic], full.docs[topic][doc], at, doc)
        for at, topic in enumerate(topics.tolist())
        for doc in np.flatnonzero(~np.isnan(grades[at])).tolist()
    ]
    names, docs, rows, columns = zip(*known, strict=True)
    return Qrels.from_columns(list(names), list(docs), grades[list(rows), list(columns)], name=name)


def table(lines: list[dict[str, object]]) -> None:
    """How often right, undecided and wrong, by damage and size, and whether wrong is ≤ 5 %."""
    cells: dict[tuple[str, str, str], list[tuple[str, float]]] = defaultdict(list)
    for line in lines:
        for asked, verdict in line["verdicts"].items():  # type: ignore[attr-defined]
            value = line["values"].get(asked, float("nan"))  # type: ignore[attr-defined]
            if asked == "fair-to-teams":
                value = float(line["gained"])  # type: ignore[arg-type]
            cells[str(line["damage"]), str(line["size"]), asked].append((verdict, value))
    print(f"{'damage':10} {'size':6} {'question':18} draws  good doubt.  bad  und. none  wrong")
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for (damage, size, asked), drawn in sorted(cells.items()):
        found = Counter(verdict for verdict, _ in drawn)
        values = [value for _, value in drawn if value == value]
        mean = float(np.mean(values)) if values else float("nan")
        changed = _is_changed(damage, asked, mean, runs=int(size.partition("x")[2]))
        count = found["good"] if changed else found["bad"]
        wrong = 0 if changed is None else count
        said = len(drawn) - found["none"]
        low = wilson_interval(wrong, said)[0] if said else float("nan")
        rows[f"{damage} {size}"].update(wrong=wrong, said=said)
        rows[f"{asked} {size}"].update(wrong=wrong, said=said)
        shares = " ".join(
            f"{found[verdict] / len(drawn):5.2f}"
            for verdict in ("good", "doubtful", "bad", "undecided", "none")
        )
        mark = " !" if low > 0.05 else ""
        print(f"{damage:10} {size:6} {asked:18} {len(drawn):5} {shares}  {wrong:3}{mark}")
    for name, counts in rows.items():
        share = counts["wrong"] / max(counts["said"], 1)
        print(f"{name:26} wrong {share:.3f} of {counts['said']}{' !' if share > 0.05 else ''}")


def _is_changed(damage: str, asked: str, mean: float, *, runs: int) -> bool | None:
    """Whether a damage changes the answer to a question; None: either may be said."""
    kind = damage.partition(":")[0]
    if asked == "undamaged":
        return None if kind in ("shuffled", "favour") else kind in BROKEN
    if asked == "fair-to-teams":
        return mean > bounds.MOST_UNSEEN * runs
    return bool(mean < bounds.RULES[asked].good)


def main() -> None:
    """Make draws, or print the table of those that were made."""
    parser = argparse.ArgumentParser()
    parser.add_argument("shared", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--sizes", default="10x10,25x20,53x63")
    parser.add_argument("--damages", default=",".join(DAMAGES))
    parser.add_argument("--questions", default=",".join(QUESTIONS))
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.file.open()] if given.file.exists() else []
    if given.table:
        table(lines)
        return
    made = {
        (line["damage"], line["size"], line["seed"], asked)
        for line in lines
        for asked in line["verdicts"]
    }
    full, runs = whole(given.shared)
    with given.file.open("a") as out:
        for seed in range(given.draws):
            for size in given.sizes.split(","):
                for damage in given.damages.split(","):
                    questions = tuple(
                        asked
                        for asked in given.questions.split(",")
                        if (damage, size, seed, asked) not in made
                    )
                    if questions:
                        line = draw(full, runs, damage, size, seed, questions)
                        out.write(json.dumps(line) + "\n")
                        out.flush()


if __name__ == "__main__":
    main()
