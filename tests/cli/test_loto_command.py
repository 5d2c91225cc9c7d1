from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "loto"

COLUMNS = [
    "measure", "qrels", "topic_set", "team", "runs", "unique", "dropped", "dropped_relevant",
    "left", "fall", "systems", "tau_a", "tau_b", "tau_low", "tau_high",
    "interval", "over",
]  # fmt: skip
RANKINGS = {"A-1": ("abcx", "ab"), "A-2": ("abdx", "ac"), "B-1": ("aefx", "ad")}
RUNS = tuple(f"{name}.run" for name in RANKINGS)
QRELS = "".join(
    f"{topic} 0 {doc} {grade}\n"
    for topic, grades in (("t", "a1b2c0d1e1f0x0"), ("u", "a0b1d0z1"))
    for doc, grade in zip(grades[::2], grades[1::2], strict=True)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, rankings in RANKINGS.items():
        lines = [
            f"{topic} Q0 {doc} {rank} {-rank} {name}\n"
            for topic, docs in zip("tu", rankings, strict=True)
            for rank, doc in enumerate(docs, 1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "gold.qrels").write_text(QRELS)
    (tmp_path / "other.qrels").write_text(QRELS.replace("b 2", "b 0"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


PLAIN = ("gold.qrels", *RUNS, "--depth", "3", "-m", "P@3")


def test_teams_are_read_from_the_names_of_runs(answered) -> None:
    rows, notes = answered(*PLAIN)
    assert list(rows[0]) == COLUMNS
    assert "without --teams, teams are read from the names of the runs (2: A, B)" in notes
    a, b = rows
    assert [a[name] for name in COLUMNS[:12]] == [
        "P@3", "gold", "all", "A", "2", "5", "4", "3", "7", "1", "3", str(-2 / 3),
    ]  # fmt: skip
    assert (a["tau_b"], a["tau_low"], b["tau_b"]) == ("-1.0", "nan", "1.0")


def test_teams_are_read_from_a_file(answered, folder: Path) -> None:
    (folder / "teams").write_text("A-1 x\nA-2 y\nB-1 x\n")
    rows, notes = answered(*PLAIN, "--teams", "teams")
    assert [(row["team"], row["runs"], row["unique"]) for row in rows] == [
        ("x", "2", "5"),
        ("y", "1", "2"),
    ]
    assert "without --teams" not in notes
    # A run that the file lacks is a separate team.
    (folder / "teams").write_text("A-1 x\nA-9 z\n")
    rows, notes = answered(*PLAIN, "--teams", "teams")
    assert [row["team"] for row in rows] == ["A-2", "B-1", "x"]
    assert "the teams include the unknown run 'A-9'" in notes


def test_loto_equals_compare_on_qrels_without_the_teams_docs(
    answered, folder: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = shared / "data" / "trec-dl-2021-passage"
    runs = sorted(map(str, (data / "runs").glob("p*.run.gz")))
    labels = str(data / "qrels" / "nist.qrels")
    rows, _ = answered(labels, *runs, "--depth", "10", "-m", "nDCG@10", "--quiet")
    row = next(row for row in rows if row["team"] == "p")
    # The docs that only runs of p have in their top ten, found by simple loops over the files.
    brought: dict[tuple[str, str], set[str]] = {}
    for path in runs:
        ranked: dict[str, list[tuple[float, str]]] = {}
        with gzip.open(path, "rt") as lines:
            for line in lines:
                topic, _, doc, _, score, tag = line.split()
                ranked.setdefault(topic, []).append((float(score), doc))
        for topic, docs in ranked.items():
            for _, doc in sorted(docs, reverse=True)[:10]:
                brought.setdefault((topic, doc), set()).add(tag.partition("_")[0])
    kept = [
        line
        for line in Path(labels).read_text().splitlines()
        if brought.get((line.split()[0], line.split()[2])) != {"p"}
    ]
    assert len(kept) == int(row["left"])
    (folder / "without-p.qrels").write_text("\n".join(kept) + "\n")
    both = ["--qrels", labels, "--qrels", "without-p.qrels"]
    assert run(["compare", *both, *runs, "-m", "nDCG@10", "--quiet"]) == 0
    compared = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for name in ("tau_a", "tau_b", "tau_low", "tau_high"):
        assert float(compared[name]) == pytest.approx(float(row[name])), name


def test_label_sets_and_topic_sets_are_compared(answered, folder: Path) -> None:
    (folder / "pri").write_text("t\n")
    (folder / "rnd").write_text("u\n")
    rows, _ = answered(
        "--qrels gold.qrels --qrels other.qrels --topic-set pri --topic-set rnd -m P@3 "
"-m AP --depth 3", *RUNS,
    )  # fmt: skip
    assert len(rows) == 2 * 2 * 2 * 2
    keys = [[row[name] for name in ("measure", "qrels", "topic_set", "team")] for row in rows]
    assert keys == sorted(keys)
    unique = {(row["topic_set"], row["team"]): int(row["unique"]) for row in rows}
    assert unique == {("pri", "A"): 3, ("pri", "B"): 2, ("rnd", "A"): 2, ("rnd", "B"): 1}


def test_a_measure_without_cutoff_uses_whole_runs(answered) -> None:
    deep, _ = answered("gold.qrels", *RUNS, "--depth", "1", "-m", "AP")
    assert [row["unique"] for row in deep] == ["0", "0"]
    assert [row["tau_b"] for row in deep] == ["1.0", "1.0"]
    assert [row["fall"] for row in deep] == ["0", "0"]


def test_docs_found_by_other_means_belong_to_no_team(answered, folder: Path) -> None:
    (folder / "found").write_text("t b\nt c\nu d\n")
    rows, _ = answered(*PLAIN, "--found", "found")
    # From b, c, d of t and b, c of u for A, and from e, f of t and d of u for B.
    assert [(row["team"], row["unique"]) for row in rows] == [("A", "3"), ("B", "2")]


def test_the_other_interval_and_undefined_values_are_shown(answered, folder: Path) -> None:
    rows, _ = answered(*PLAIN, "--interval", "consistent")
    assert rows[0]["tau_a"] == str(-2 / 3)
    (folder / "flat.qrels").write_text("t 0 a 1\nu 0 a 1\n")
    rows, notes = answered("flat.qrels", *PLAIN[1:])
    assert {row["tau_b"] for row in rows} == {"nan"}
    assert "P@3 flat all without A: one ranking ties all systems; tau_b is undefined" in notes


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (PLAIN[:4], "no measure given"),
        (("gold.qrels", *RUNS, "-m", "P@3", "--depth", "0"), "Invalid value for '--depth'"),
        ((*PLAIN, "--teams", "nosuch"), "nosuch: no such file"),
        ((*PLAIN, "--teams", "bad"), "bad:1: found 3 fields in 'A-1 x y'; expected 2: run team"),
        (("gold.qrels", *RUNS[:2], "--depth", "3", "-m", "P@3"), "all runs are from the team A;"),
        (("--depth", "3", "-m", "P@3", "gold.qrels"), "expected QRELS RUN..."),
        ((*PLAIN, "-m", "nosuch"), "unknown measure 'nosuch'"),
    ],
)
def test_invalid_input_is_refused(
    refused, folder: Path, arguments: tuple[str, ...], expected: str
) -> None:
    (folder / "bad").write_text("A-1 x y\n")
    (folder / "out.csv").write_text("precious\n")
    assert refused(*arguments, "--quiet", "-o", "out.csv").startswith(expected)
