"""Errors that depend on a property of the docs are found in `damages` and in `gate`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qrelsmith import find_damages, gate
from qrelsmith.cli import run

TOPICS, DOCS = 20, 50


def world(lean: float, seed: int = 0) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return labels of people and of a judge that prefers long docs, and the docs."""
    rng = np.random.default_rng(seed)
    docs, people, judge = {}, {}, {}
    lengths = rng.lognormal(4, 0.6, (TOPICS, DOCS)).round()
    z = (lengths - lengths.mean()) / lengths.std()
    true = rng.choice(4, (TOPICS, DOCS), p=[0.3, 0.3, 0.25, 0.15])
    seen = true + rng.choice([-1, 0, 0, 0, 1], true.shape) + lean * z + rng.random(true.shape)
    for t in range(TOPICS):
        people[f"t{t}"] = {f"d{t}-{d}": int(true[t, d]) for d in range(DOCS)}
        judge[f"t{t}"] = {f"d{t}-{d}": int(np.clip(np.floor(seen[t, d]), 0, 3))
                          for d in range(DOCS)}  # fmt: skip
        for d in range(DOCS):
            text = " ".join(["word"] * int(lengths[t, d]))
            fields = {"text": text, "age": int(rng.integers(9)), "kind": "ab"[int(rng.integers(2))]}
            docs[f"d{t}-{d}"] = fields
    return {"people": people, "judge": judge}, docs


def leanings(lean: float, seed: int = 0, **options: Any) -> dict[str, Any]:
    labels, docs = world(lean, seed)
    found = find_damages(labels, kinds="leans-on", documents=docs, **options)
    return {row.damage: row for row in found.examined}


def test_only_a_planted_dependence_is_found_with_its_size() -> None:
    rows = leanings(0.2, properties=("age", "kind"))
    assert {name for name, row in rows.items() if row.found} == {"leans-on:length"}
    assert rows.keys() == {"leans-on:length", "leans-on:age", "leans-on:kind"}
    # Smaller than planted, since the ends of the scale cut it off.
    assert 0.08 < rows["leans-on:length"].value < 0.2
    assert rows["leans-on:length"].label_set == "judge"


def test_a_judge_without_such_errors_is_clean() -> None:
    assert not [row for seed in range(5) for row in leanings(0.0, seed).values() if row.found]


def test_the_picture_shows_errors_against_the_property() -> None:
    labels, docs = world(0.3)
    figure = find_damages(labels, kinds="leans-on", documents=docs).figure()
    assert figure is not None
    (line,) = figure.drawing.lines
    assert len(line.x) == 10
    assert line.y[-1] > 0.2 > line.y[0]


def test_a_gate_has_a_row_for_each_dependence() -> None:
    labels, docs = world(0.4)
    old, _ = world(0.0)
    result = gate(labels["judge"], baseline=old["judge"], reference=labels["people"],
                  documents=docs, lean={"length": 0.1}, properties="age")  # fmt: skip
    rows = {row.figure: row for row in result.rows}
    assert rows["leans-on:length"].verdict == "fail"
    assert (rows["leans-on:age"].verdict, rows["leans-on:age"].margin) == ("pass", 0.1)
    assert rows["leans-on:length"].difference == pytest.approx(
        abs(rows["leans-on:length"].baseline) - abs(rows["leans-on:length"].new)
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [(["--property", "age"], "needs the docs"),
     (["--documents", "docs.jsonl", "--property", "absent"], "no doc has the property 'absent'"),
     (["--documents", "docs.jsonl", "--property", "many"], "expected numbers or two")],
)  # fmt: skip
def test_invalid_input_is_refused(
    options: list[str], says: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    labels, docs = world(0.0)
    lines = [{"doc_id": doc, "text": of["text"], "many": f"v{at}"}
             for at, (doc, of) in enumerate(docs.items())]  # fmt: skip
    Path("docs.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    for name, grades in labels.items():
        rows = [f"{t} 0 {d} {g}" for t, of in grades.items() for d, g in of.items()]
        Path(f"{name}.qrels").write_text("\n".join(rows), "utf-8")
    Path("a.run").write_text("t0 Q0 d0-0 1 1 a\n", "utf-8")
    words = ["damages", "a.run", "--qrels", "people.qrels", "--qrels", "judge.qrels", *options]
    assert run([*words, "--quiet"]) == 2
    assert says in capsys.readouterr().err
