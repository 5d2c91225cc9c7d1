from __future__ import annotations

import json
from pathlib import Path

import pytest

COMMAND = "efficiency"

COLUMNS = [
    "assessor", "group", "ordering", "topic", "docs", "tj1d", "tf1rh", "tf1h", "atbj", "nrej",
]  # fmt: skip
HEADER = "topic,doc,assessor,grade,group,ordering,position,shown_at,judged_at,active_ms,revision\n"


def line(topic: int, doc: str, who: str, grade: int, ordering: str, place: int, at: str) -> str:
    """Return a judgment shown and made at minute:second, such as `0:10-0:40`."""
    shown, judged = (
        f"2024-01-08T09:{int(m):02d}:{s}Z" for m, s in (t.split(":") for t in at.split("-"))
    )
    group = "gold" if who.startswith("g") else "bronze"
    return f"{topic},{doc},{who},{grade},{group},{ordering},{place},{shown},{judged},5000,1\n"


JUDGMENTS = HEADER + "".join(
    [
        line(1, "a", "g1", 0, "prioritised", 1, "00:00-00:30"),
        line(1, "b", "g1", 1, "prioritised", 2, "00:30-00:50"),
        line(1, "c", "g1", 2, "prioritised", 3, "00:50-01:20"),
        line(2, "a", "g1", 2, "randomised", 1, "10:00-14:00"),
        line(2, "b", "g1", 0, "randomised", 2, "14:00-14:30"),
        line(1, "a", "w1", 1, "prioritised", 1, "20:00-20:10"),
        line(1, "b", "w1", 0, "prioritised", 2, "20:10-20:15"),
        line(1, "c", "w1", 0, "prioritised", 3, "20:15-20:25"),
    ]
)
FILES = {"judgments.csv": JUDGMENTS}


@pytest.fixture
def timed(answered):
    return lambda *arguments: answered("judgments.csv", *arguments)


def test_times_of_each_assessor_and_topic_are_as_computed_by_hand(timed) -> None:
    rows, notes = timed()
    assert list(rows[0]) == COLUMNS
    assert [[row[name] for name in COLUMNS] for row in rows] == [
        ["g1", "gold", "prioritised", "1", "3", "30.0", "50.0", "80.0", "25.0", "0.0"],
        # Four minutes to the first judgment: above the cap of TJ1D, but not above that of TF1H.
        ["g1", "gold", "randomised", "2", "2", "nan", "240.0", "240.0", "30.0", "0.0"],
        ["w1", "bronze", "prioritised", "1", "3", "10.0", "10.0", "nan", "7.5", "0.0"],
    ]
    assert "TJ1D of gold: values above 180 s are dropped (1 of 2)" in notes
    assert "docs are assumed to be highly relevant from grade 2" in notes


def test_caps_and_levels_are_options(timed) -> None:
    rows, _ = timed("--judgment-cap", "300", "--found-cap", "60", "--high", "1")
    assert [row["tj1d"] for row in rows] == ["30.0", "240.0", "10.0"]
    assert [row["tf1h"] for row in rows] == ["50.0", "nan", "10.0"]
    rows, notes = timed("--scale", "0..3")
    assert {row["tf1h"] for row in rows} == {"nan"}
    assert "docs are assumed to be highly relevant from grade 3" in notes


def test_active_time_has_no_caps(timed) -> None:
    rows, _ = timed("--clock", "active")
    assert [row["tj1d"] for row in rows] == ["5.0"] * 3
    assert [row["atbj"] for row in rows] == ["5.0"] * 3
    assert [row["tf1h"] for row in rows] == ["15.0", "5.0", "nan"]


def test_groups_and_orderings_can_be_selected(timed) -> None:
    rows, _ = timed("--group", "gold", "--ordering", "prioritised")
    assert [(row["assessor"], row["topic"]) for row in rows] == [("g1", "1")]
    rows, _ = timed("--ordering", "prioritised", "--ordering", "randomised")
    assert len(rows) == 3


def test_groups_are_compared(timed) -> None:
    rows, _ = timed("--ordering", "prioritised", "--compare", "group")
    atbj = next(row for row in rows if row["criterion"] == "ATBJ")
    assert (atbj["a"], atbj["b"], atbj["n_a"], atbj["n_b"]) == ("bronze", "gold", "1", "1")
    assert float(atbj["difference"]) == 7.5 - 25
    # Two groups with one assessor each: there is no variance for a test.
    assert (atbj["test"], atbj["p"]) == ("over-assessors", "nan")
    rows, _ = timed("--compare", "environment", "--test", "unpaired-tukey")
    names = {(row["a"], row["b"]) for row in rows if row["criterion"] == "NREJ"}
    assert names == {
        ("bronze/prioritised", "gold/prioritised"),
        ("bronze/prioritised", "gold/randomised"),
        ("gold/prioritised", "gold/randomised"),
    }
    rows, _ = timed("--compare", "group", "--control", "bronze", "--test", "welch-t")
    assert {(row["a"], row["b"], row["test"]) for row in rows} == {("gold", "bronze", "welch-t")}


def test_an_assessor_without_judgments_and_missing_times_are_reported(timed, folder: Path) -> None:
    (folder / "judgments.csv").write_text(
        JUDGMENTS + line(3, "a", "w2", -1, "prioritised", 1, "30:00-30:10")
        + line(3, "a", "w3", 1, "prioritised", 1, "30:10-30:00")
        + "3,a,w4,1,bronze,prioritised,1,,,,1\n"
    )  # fmt: skip
    rows, notes = timed()
    by_name = {row["assessor"]: row for row in rows}
    assert [by_name["w2"][name] for name in COLUMNS[4:]] == ["0", *["nan"] * 5]
    for name in ("w3", "w4"):
        assert [by_name[name][c] for c in COLUMNS[4:]] == ["1", *["nan"] * 4, "0.0"]
    assert "1 of 6 (assessor, topic) pairs have no judgment; first: w2, 3" in notes
    assert (
        "have timestamps that go backwards, so no times are shown for them; first: w3, 3" in notes
    )
    assert (
        "have a judgment without a timestamp, so no times are shown for them; first: w4, 3" in notes
    )


def test_labels_without_any_time_have_no_efficiency(timed, folder: Path) -> None:
    (folder / "judgments.csv").write_text("topic,doc,assessor,grade\n1,a,x,0\n")
    (row,), notes = timed()
    assert [row[name] for name in COLUMNS] == ["x", "", "", "1", "1", *["nan"] * 5]
    assert "the judgments have no revision column" in notes


def test_figures_are_written_as_a_page(timed, folder: Path) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("jinja2")
    rows, notes = timed("--figures", "times")
    assert len(rows) == 3
    assert "the figures are in times" in notes
    names = {path.name for path in (folder / "times" / "figures").iterdir()}
    assert {"efficiency-atbj.svg", "efficiency-positions-1.svg"} <= names
    page = (folder / "times" / "efficiency.html").read_text()
    assert "Efficiency of the assessors" in page
    manifest = json.loads((folder / "times" / "manifest.json").read_text())
    assert manifest["parameters"]["caps"] == [180.0, 600.0]
    before = {path: path.read_bytes() for path in (folder / "times").rglob("*") if path.is_file()}
    timed("--figures", "times")
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "Missing argument 'JUDGMENTS|CAMPAIGN'"),
        ("nosuch", "nosuch: no such file"),
        ("empty.csv", "empty.csv: no judgments found; expected at least one"),
        ("judgments.csv --test welch-t", "--test and --control need --compare"),
        ("judgments.csv --control gold", "--test and --control need --compare"),
        ("judgments.csv --group silver", "unknown group 'silver' (choices: bronze, gold)"),
        ("judgments.csv --ordering x", "unknown ordering 'x' (choices: prioritised, r"),
        (
            "judgments.csv --group bronze --ordering randomised",
            (
                "no assessor of these groups has judged a topic in these orderings; "
                "expected at least one"
            ),
        ),
        (
            "judgments.csv --group bronze --compare group",
            "a comparison by group needs at least two values; the only group is 'bronze'",
        ),
        (
            "judgments.csv --compare group --control x",
            "the control is 'x'; expected one of bronze, gold",
        ),
        ("judgments.csv --judgment-cap 0", "Invalid value for '--judgment-cap'"),
        ("judgments.csv --high 0", "the lowest highly relevant grade is 0"),
        ("judgments.csv --figures full", "the folder 'full' contains 'thesis.txt'"),
    ],
)
def test_invalid_input_is_refused(refused, folder: Path, arguments: str, expected: str) -> None:
    (folder / "empty.csv").write_text(HEADER)
    (folder / "full").mkdir()
    (folder / "full" / "thesis.txt").write_text("precious")
    (folder / "out.csv").write_text("precious\n")
    assert refused(arguments, "--quiet", "-o", "out.csv").startswith(expected)


def test_topics_of_a_topic_set_have_the_same_values_as_among_all_topics(
    timed, folder: Path
) -> None:
    (folder / "topics").write_text("2\n")
    rows, _ = timed("--topic-set", "topics", "--high", "2")
    assert rows == [row for row in timed("--high", "2")[0] if row["topic"] == "2"] != []
