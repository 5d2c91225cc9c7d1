"""How often planted damages are found in DL-2021, and how often clean labels are called damaged.

    python benchmarks/damages.py run SHARED work/damages.jsonl --draws 50 --clean 200 --minutes 15
    python benchmarks/damages.py summary docs/measured/damages.csv work/damages.jsonl
    python docs/make_damages.py

The first makes draws until each case has so many, a line each, and goes on where it stopped; the
second counts them; the third writes the tables of docs/damages.md. `--cases REGEX` chooses.

A case is DAMAGE[:SIZE],LABELS,TOPICS. LABELS are the label sets beside NIST's, of which the first
is damaged: a number is the share of grades of two sets that are a level off NIST's; `lenient`: .1,
and half of all grades below the top are one higher; `gpt`: umbrela.gpt-4o's own, and a set with
10 % slips; `gold`: NIST's itself is the damaged one, beside a set with 10 % slips and gpt-4o's;
`llm`: two of the 19 sets by language models. Damage of people (and `people`: none) is that of
three in a random order, who share the topics, or for `copied` all judge all; `pool`: in prioritised
order; `two`: two people judge all docs, each with 20 % slips after the fault.
TOPICS is 53 (all the topics and runs), 25 (25 topics and 20 runs, drawn anew) or 10 (10 and 10);
`none,simulated` are simulated campaigns, written and read.

What real labels show before anything is planted is their own and left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
from collections import Counter
from itertools import count, takewhile
from pathlib import Path
from typing import TypeAlias

import numpy as np

from damage_worlds import Whole, simulated_campaign, whole, world
from qrelsmith.damages import DAMAGES
from qrelsmith.damages.examined import Examined
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.whose import examine

PLANTED = (
    *("shift:1", "shift:2", "shift:10", "swap", "reverse", "constant", "drift:1", "tail:30"),
    *("favour:.1", "favour:.2", "favour:.4", "misread", "interleave", "lost:.5"),
    *("swap+constant", "shift:1+reverse", "reverse+drift:1"),
)
BY_PEOPLE = (
    *("position:1", "position:.5", "anchoring:.4", "anchoring:.2"),
    *("copied:1", "copied:.5", "outlying", "hurried", "capped"),
)
CLEAN = ("0", ".1", ".2", ".3", "lenient", "people", "pool", "two", "llm")
CASES = [
    *(f"{damage},{labels},{size}" for size in ("53", "25", "10")
      for labels in (".1", ".2", "gpt", "gold", "two") for damage in (*PLANTED, *BY_PEOPLE)
      if damage not in BY_PEOPLE or labels in (".1", ".2")
      if labels != "two" or ("constant" not in damage and damage != "tail:30")),
    *(f"none,{labels},{size}" for size in ("25", "53", "10") for labels in CLEAN),
    "none,simulated,24",
]  # fmt: skip
BLOCK = 25  # draws of a case before the next one
COLUMNS = ("case", "draws", "found_in", "planted", "hits", "others_in", "others", "seconds")


Key: TypeAlias = tuple[str, int, tuple[int, ...]]
Shown: TypeAlias = dict[tuple[str, str, int], set[Key]]


def draw(full: Whole, case: str, seed: int, folder: Path, shown: Shown) -> dict[str, object]:
    """How many of the planted culprits are found, and what else is.

    `shown` keeps what real labels show before anything is planted: cases share a seed's labels.
    """
    damage, noise, size = case.split(",")
    rng = np.random.default_rng(seed)
    began = time.process_time()
    if noise == "simulated":
        hits, planted, rest = 0, 0, simulated_campaign(rng, folder)
    else:
        drawn = world(full, damage, noise, size, rng)
        labels = (noise, size, seed)
        if drawn.before is not None and labels not in shown:
            shown[labels] = {_key(row) for row in found(drawn.before)}
        seen = {_key(row) for row in found(drawn.labels)}
        right = {(name, drawn.target, culprit) for name, culprit in drawn.culprits}
        hits, planted = len(seen & right), len(right)
        rest = [
            f"{name}@{label_set}"
            for name, label_set, _ in sorted(seen - right - shown.get(labels, set()))
        ]
    seconds = round(time.process_time() - began, 3)
    return {
        "case": case, "seed": seed, "planted": planted, "hits": hits, "others": rest,
        "seconds": seconds,
    }  # fmt: skip


def found(labels: LabelArrays) -> list[Examined]:
    """What is found that counts as damage."""
    counted = [entry for entry in DAMAGES.entries() if entry.about["counts"]]
    return [row for row in examine(labels, counted, reference=0) if row.found]


def _key(row: Examined) -> Key:
    return row.damage, row.label_set, row.culprit


def run(given: argparse.Namespace) -> None:
    """Add a line for each draw that is not there."""
    file = Path(given.results)
    made = {(line["case"], line["seed"]) for line in _lines(file)}
    cases = [case for case in CASES if re.search(given.cases, case)]
    ends = time.monotonic() + 60 * given.minutes
    full, shown = whole(Path(given.shared)), Shown()
    with file.open("a", encoding="utf-8") as out:
        for first in range(0, max(given.draws, given.clean), BLOCK):
            for case in cases:
                last = min(first + BLOCK, given.clean if case.startswith("none") else given.draws)
                for seed in range(first, last):
                    if (case, seed) in made:
                        continue
                    if time.monotonic() > ends:
                        return
                    out.write(json.dumps(draw(full, case, seed, file.parent, shown)) + "\n")
                    out.flush()


def summary(given: argparse.Namespace) -> None:
    """Write the counts of each case."""
    cases: dict[str, dict[object, dict[str, object]]] = {case: {} for case in CASES}
    for line in (line for file in given.results for line in _lines(Path(file))):
        cases[str(line["case"])][line["seed"]] = line
    with Path(given.table).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for case, by_seed in cases.items():
            # Up to the first seed that is missing, so that none is left out for what it showed.
            lines = [by_seed[seed] for seed in takewhile(by_seed.__contains__, count())]
            if not lines:
                continue
            others = Counter(name for line in lines for name in line["others"])  # type: ignore[attr-defined]
            writer.writerow([
                case,
                len(lines),
                sum(bool(line["hits"]) for line in lines),
                sum(int(line["planted"]) for line in lines),  # type: ignore[call-overload]
                sum(int(line["hits"]) for line in lines),  # type: ignore[call-overload]
                sum(bool(line["others"]) for line in lines),
                " ".join(f"{name}:{times}" for name, times in sorted(others.items())),
                f"{np.mean([float(str(line['seconds'])) for line in lines]):.2f}",
            ])  # fmt: skip


def _lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.open()] if file.exists() else []


def main() -> None:
    """Draw, or count."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("run")
    drawing.add_argument("shared")
    drawing.add_argument("results")
    drawing.add_argument("--draws", type=int, default=50)
    drawing.add_argument("--clean", type=int, default=200)
    drawing.add_argument("--cases", default="")
    drawing.add_argument("--minutes", type=float, default=1e6)
    drawing.set_defaults(function=run)
    counting = commands.add_parser("summary")
    counting.add_argument("table")
    counting.add_argument("results", nargs="+")
    counting.set_defaults(function=summary)
    given = parser.parse_args()
    given.function(given)


if __name__ == "__main__":
    main()
