"""`evaluate --wide`: systems × measures, the best in bold, marks as in `significance`."""

from __future__ import annotations

import copy
import random
from pathlib import Path

import numpy as np
import pytest

from qrelsmith import evaluate, significance
from qrelsmith.base.emphasis import Emphasised
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.cli import run
from qrelsmith.evaluation import Evaluation

MEASURES = ["nDCG@10", "P@5"]


@pytest.fixture(scope="module")
def asked() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    draw = random.Random(2)
    qrels = {f"t{t}": {f"d{d}": draw.choice([0, 0, 1, 2]) for d in range(20)} for t in range(12)}
    runs = {
        f"s{place}": {
            topic: {doc: grade * place / 3 + draw.random() * 3 for doc, grade in docs.items()}
            for topic, docs in qrels.items()
        }
        for place in range(5)
    }
    return qrels, runs


@pytest.mark.parametrize("against", [None, "s1"])
def test_marks_equal_those_of_significance_against_the_run(asked, against: str | None) -> None:
    qrels, runs = asked
    result = evaluate(qrels, runs, MEASURES, wide=True, against=against)
    table = result.table()
    plain = evaluate(qrels, runs, MEASURES)
    assert table.columns == ("run", *MEASURES)
    later = evaluate(qrels, runs, MEASURES, per_topic=True).to_wide(against=against)
    assert later.asked.options == result.asked.options
    assert [row[0] for row in table.rows] == [row[0] for row in plain.by_run().rows]
    assert table.text("csv") == plain.by_run().text("csv")
    several = 0
    for place, measure in enumerate(MEASURES, start=1):
        means = {row[0]: row[place] for row in table.rows}
        best = max(means, key=means.__getitem__)
        assert [name for name, mean in means.items() if mean.is_best] == [best]
        found = significance(
            plain.matrix(measure), test="paired-t", adjust="holm", against=against or best
        ).table()
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        differs = {
            name
            for row in rows
            if row["p_adjusted"] < 0.05
            for name in (row["run_a"], row["run_b"])
        }
        marked = {name for name, mean in means.items() if mean.mark == "*"}
        assert marked == differs - {against or best}
        several += len(marked)
    assert several > 2
    assert f"differs from {against or 'the best'}, p < 0.05" in result.notes[-1]


def test_each_format_shows_the_best_value_and_the_marks(asked) -> None:
    qrels, runs = asked
    table = evaluate(qrels, runs, MEASURES, wide=True).table()
    first = table.rows[0]
    assert f"| {first[0]} | **{first[1]:.4f}** |" in table.text("markdown")
    assert f"{first[0]} & \\textbf{{{first[1]:.4f}}} &" in table.text("latex")
    assert f"<b>{first[1]:.4f}</b>" in table.text("html")
    assert r"\* |" in table.text("markdown")
    for form in ("csv", "jsonl"):
        assert "*" not in table.text(form)


def test_one_run_or_one_topic_has_no_test(asked) -> None:
    qrels, runs = asked
    for held in ({"t1": qrels["t1"]}, qrels):
        some = runs if len(held) == 1 else {"s1": runs["s1"]}
        assert evaluate(held, some, MEASURES, wide=True).notes[-1].startswith("no test")
    empty = Evaluation(
        measures=("AP",), systems=("a", "b"), topics=("t1", "t2"), cutoffs=(),
        scores=np.full((1, 2, 2), np.nan), ties=np.zeros((0, 2), dtype=np.int64),
    )  # fmt: skip
    assert "not defined" in str(empty.to_wide())


def test_incompatible_options_are_refused(asked, tmp_path: Path, capsys) -> None:
    qrels, runs = asked
    for options in ({"against": "s1"}, {"wide": True, "per_topic": True}):
        with pytest.raises(UsageError, match="wide"):
            evaluate(qrels, runs, MEASURES, **options)
    with pytest.raises(UnknownNameError, match="unknown run 'x'"):
        evaluate(qrels, runs, MEASURES, wide=True, against="x")
    (tmp_path / "q").write_text("t1 0 d1 1\n")
    (tmp_path / "r").write_text("t1 Q0 d1 1 1 me\n")
    words = ["evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "P@1", "--wide"]
    assert run([*words, "--format", "html"]) == 0
    assert "<b>1.0000</b>" in capsys.readouterr().out


def test_an_emphasised_number_can_be_copied() -> None:
    again = copy.deepcopy(Emphasised(0.5, is_best=True, mark="*"))
    assert (again, again.is_best, again.mark) == (0.5, True, "*")
