"""Functions in a notebook give the same results as the commands with the same names."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qrelsmith import (
    Judgments,
    Qrels,
    Run,
    Scale,
    Table,
    aggregate,
    agree,
    compare,
    evaluate,
    read_judgments,
    read_qrels,
    significance,
    write_qrels,
    write_run,
)
from qrelsmith.base.errors import (
    InputError,
    InputWarning,
    UndefinedError,
    UnknownNameError,
    UsageError,
)
from qrelsmith.base.rng import rng_for
from qrelsmith.cli import run

TOPICS = [f"t{n}" for n in range(6)]
DOCS = [f"d{n}" for n in range(12)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two label sets, six runs, and the judgments of three assessors in two groups."""
    rng = rng_for(0, "notebook-tables")
    for name in ("gold", "crowd"):
        grades = rng.integers(0, 3, (len(TOPICS), len(DOCS)))
        topics = TOPICS if name == "gold" else TOPICS[:-1]
        write_qrels(
            Qrels.from_dict({t: dict(zip(DOCS, grades[n], strict=True)) for n, t in
                             enumerate(topics)}),
            tmp_path / f"{name}.qrels",
        )  # fmt: skip
    for name in "abcdef":
        scores = rng.random((len(TOPICS), len(DOCS)))
        ranking = {
            t: dict(zip(DOCS, scores[n].tolist(), strict=True)) for n, t in enumerate(TOPICS)
        }
        write_run(Run.from_dict(ranking, name=name), tmp_path / f"{name}.run")
    rows = ["topic,doc,assessor,grade,group"]
    for assessor, group in (("anne", "x"), ("ben", "x"), ("carl", "y")):
        rows += [f"{t},{d},{assessor},{rng.integers(0, 3)},{group}" for t in TOPICS for d in DOCS]
    (tmp_path / "judgments.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, list[str]]:
    """Return the output of a command, and its notes."""
    assert run([*arguments, "--format", "csv"]) == 0
    captured = capsys.readouterr()
    notes = [line.removeprefix("qrelsmith: note: ") for line in captured.err.splitlines()]
    return captured.out, notes


def rows_of(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.text("csv"))))


RUNS = [f"{name}.run" for name in "abcdef"]


@pytest.mark.parametrize("by", [None, "topic", "pair", "assessor", "group", "group-pair"])
def test_agree_equals_the_command(folder: Path, capsys, by: str | None) -> None:
    asked = [] if by is None else ["--by", by]
    text, notes = printed(
        capsys, "agree", "judgments.csv", "--coefficient", "alpha-ordinal ac1", "-B", "50",
        "--seed", "3", *asked,
    )  # fmt: skip
    result = agree(
        read_judgments("judgments.csv"), ["alpha-ordinal", "ac1"], by=by, resamples=50, seed=3
    )
    assert result.table().text("csv") == text
    # In place of the command's option, Python names the keyword.
    assert list(result.notes) == [note.replace("--by", "by") for note in notes]


def test_agree_accepts_the_qrels_of_each_assessor(folder: Path, capsys) -> None:
    text, _ = printed(capsys, "agree", "gold.qrels", "crowd.qrels", "-B", "0", "--scale", "0..2")
    sets = {name: read_qrels(f"{name}.qrels") for name in ("gold", "crowd")}
    result = agree(sets, resamples=0, scale=Scale.parse("0..2"))
    assert result.table().text("csv") == text
    assert result.notes == ()


def test_agree_refuses_missing_names(folder: Path) -> None:
    labels = read_judgments("judgments.csv")
    with pytest.raises(UnknownNameError, match="unknown value of by 'person'"):
        agree(labels, by="person")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown coefficient 'beta'"):
        agree(labels, "beta")
    with pytest.raises(UsageError, match="no entry"):
        agree({})


def test_compare_equals_the_command(folder: Path, capsys) -> None:
    text, notes = printed(
        capsys, "compare", "--qrels", "gold.qrels", "--qrels", "crowd.qrels", "-m", "nDCG@5",
        "-m", "AP", *RUNS,
    )  # fmt: skip
    sets = {name: read_qrels(f"{name}.qrels") for name in ("gold", "crowd")}
    table = compare(sets, RUNS, ["nDCG@5", "AP"]).table()
    assert table.text("csv") == text
    assert list(table.notes) == notes
    # Runs cut to their top give the same result as whole runs.
    top = compare(sets, RUNS, "nDCG@5").table()
    assert top.text("csv").splitlines()[1:] == [
        line for line in text.splitlines() if line.startswith("nDCG@5,")
    ]


def test_compare_needs_two_label_sets_with_a_common_topic(folder: Path) -> None:
    gold = read_qrels("gold.qrels")
    with pytest.raises(UsageError, match="expected at least two label sets"):
        compare({"gold": gold}, RUNS, ["AP"])
    other = Qrels.from_dict({"elsewhere": {"d1": 1}})
    strange = pytest.warns(InputWarning, match="are the columns swapped")
    with strange, pytest.raises(InputError, match="no topic is in all label sets"):
        compare({"gold": gold, "other": other}, RUNS, ["AP"])


def test_one_system_has_no_tau_and_the_table_gives_the_reason(folder: Path) -> None:
    sets = {name: read_qrels(f"{name}.qrels") for name in ("gold", "crowd")}
    table = compare(sets, RUNS[:1], ["AP"]).table()
    assert {row["tau_b"] for row in rows_of(table)} == {"nan"}
    assert "AP: there is only one system, so there is no ranking" in table.notes


@pytest.mark.parametrize(
    ("test", "adjust", "trials"),
    [("randomised-tukey", None, 200), ("paired-t", "holm", None), ("permutation", "bh", 100)],
)
def test_significance_equals_the_command(
    folder: Path, capsys, test: str, adjust: str | None, trials: int | None
) -> None:
    options = [*(["--adjust", adjust] if adjust else []), *(["-B", str(trials)] if trials else [])]
    text, _ = printed(
        capsys, "significance", "gold.qrels", *RUNS, "-m", "AP", "--test", test, "--seed", "7",
        *options,
    )  # fmt: skip
    scores = evaluate(read_qrels("gold.qrels"), RUNS, ["AP"]).matrix("AP")
    table = significance(scores, test=test, adjust=adjust, trials=trials, seed=7).table()
    assert table.text("csv") == text
    assert table.notes == ()


def test_significance_of_one_topic_or_an_unknown_test_is_an_error(folder: Path) -> None:
    scores = evaluate(read_qrels("gold.qrels"), RUNS, ["AP"]).matrix("AP")
    with pytest.raises(UndefinedError):
        significance(scores.restricted_to(["t0"]))
    with pytest.raises(UnknownNameError, match="unknown value of test 'welch'"):
        significance(scores, test="welch")


def test_aggregate_equals_the_command(folder: Path, capsys) -> None:
    out = folder / "out.qrels"
    assert run(["aggregate", "judgments.csv", "--aggregation", "majority", "-o", str(out)]) == 0
    made = aggregate(read_judgments("judgments.csv"), "majority")
    assert list(made.qrels.rows()) == list(read_qrels(out).rows())
    of_group = aggregate("judgments.csv", "max", group="y", name="carl").qrels
    assert (of_group.name, len(of_group)) == ("carl", len(TOPICS) * len(DOCS))


def test_aggregate_notes_docs_without_a_grade_and_its_result_can_be_used_as_labels() -> None:
    one, two = Qrels.from_dict({"t": {"a": 1, "b": -1}}), Qrels.from_dict({"t": {"a": 0}})
    made = aggregate({"one": one, "two": two}, "mean")
    assert made.notes[-1] == "docs without any grade, which are left out: 1"
    with pytest.warns(DeprecationWarning, match=r"use \.qrels\.to_dict"):
        assert made.to_dict() == {"t": {"a": 0.5}}
    assert agree({"one": one, "both": made}, "agreement", resamples=0).parts[0].units == 1


def test_data_frames_are_accepted_and_tables_returned() -> None:
    columns = {
        "topic": ["t"] * 4, "doc": ["a", "a", "b", "b"], "assessor": ["x", "y"] * 2,
        "grade": [1, 1, 0, 1],
    }  # fmt: skip
    frame = agree(Judgments.from_frame(columns), "agreement", resamples=0).to_pandas()
    assert np.isclose(frame["value"][0], 0.5)
    qrels = Qrels.from_frame(Qrels.from_dict({"001": {"a": 1}}).to_polars(names="pyterrier"))
    assert qrels.to_dict() == {"001": {"a": 1}}
    ranked = Run.from_frame(Run.from_dict({"001": {"a": 1.0, "b": 2.0}}).to_pandas())
    assert ranked.docs == {"001": ("b", "a")}
    assert list(ranked.to_polars()["doc_id"]) == ["b", "a"]
    assert list(qrels.to_pandas()["relevance"]) == [1]
