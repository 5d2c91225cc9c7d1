from __future__ import annotations

import csv
import io
import time
from pathlib import Path

import pytest

from qrelsmith.collection.pools.pool_files import read_pools

A = "1 Q0 d1 1 9 a\n1 Q0 d2 2 8 a\n1 Q0 d3 3 7 a\n2 Q0 e1 1 9 a\n"
B = "1 Q0 d3 1 9 b\n1 Q0 d4 2 8 b\n1 Q0 d1 3 7 b\n"
C = "1 Q0 d9 1 5 c\n1 Q0 d8 2 5 c\n1 Q0 d7 3 5 c\n"
COMMAND = "pool"
FILES = {
    "a.run": A,
    "b.run": B,
    "c.run": C,
    "found": "1 d4\n1 x\n3 y\n",
    "teams": "a one\nc one\nb two\n",
    "q": "1 0 d2 1\n1 0 d9 0\n1 0 d8 -1\n1 0 d4 2\n7 0 d2 1\n",
}
RUNS = ("a.run", "b.run", "c.run", "--depth", "2")


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_a_prioritised_pool_and_its_notes_are_printed(printed) -> None:
    # Depth 2: d3 once at rank 1, d1 once at rank 1, d2 and d4 once at rank 2; in run c, d9, d8 and
    # d7 tie.
    out, err = printed(*RUNS)
    assert out == (
        "# pool format=1 ordering=prioritised depth=2 seed=0\n"
        "1 d1 1\n1 d3 2\n1 d9 3\n1 d2 4\n1 d4 5\n1 d8 6\n2 e1 1\n"
    )
    assert err == (
        "qrelsmith: note: 7 docs of 2 topics from 3 runs\n"
        "qrelsmith: note: in 1 rankings of a run and a topic, docs with equal scores are on both"
        " sides of the depth; the order of the run decided\n"
    )
    assert printed(*RUNS, "--quiet")[1] == ""


def test_the_run_order_determines_the_pooled_docs(printed) -> None:
    out, _ = printed("c.run --depth 1 --order docno-ascending")
    assert out.splitlines()[1:] == ["1 d7 1"]


def test_a_random_order_is_named_with_its_seed(printed, folder: Path) -> None:
    orders = {
        printed(*RUNS, "--ordering", "randomised", "--seed", str(seed))[0] for seed in range(9)
    }
    assert len(orders) > 5
    for name in ("first", "second"):
        printed(*RUNS, "--ordering", "randomised", "--seed", "4", "-o", name)
    assert (folder / "first").read_bytes() == (folder / "second").read_bytes()
    assert read_pools(folder / "first").seed == 4


def test_the_file_in_a_folder_is_named_after_its_order(printed, folder: Path) -> None:
    printed(*RUNS, "-o", "pools/")
    printed(*RUNS, "-o", "pools", "--ordering", "randomised", "--seed", "7")
    names = sorted(path.name for path in (folder / "pools").iterdir())
    assert names == ["prioritised-2.pool", "randomised-2-7.pool"]


def test_pool_sizes_are_printed(printed) -> None:
    out, _ = printed(*RUNS, "--show", "sizes", "--found", "found")
    assert rows(out) == [
        ["topic", "runs", "docs", "one_run", "found"],
        ["1", "3", "7", "6", "1"],
        ["2", "1", "1", "1", "0"],
        ["3", "0", "1", "0", "1"],
        ["all", "3", "9", "7", "2"],
    ]


def test_two_runs_of_one_team_contribute_together(printed) -> None:
    # d4 is contributed by team two alone, until it turns out that another source has it.
    out, _ = printed(*RUNS, "--show", "contributions", "--teams", "teams", "--qrels", "q")
    assert rows(out) == [
        ["team", "runs", "docs", "unique", "unique_relevant"],
        ["one", "2", "5", "5", "1"],
        ["two", "1", "2", "2", "1"],
    ]
    out, _ = printed(*RUNS, "--show", "contributions", "--teams", "teams", "--found", "found")
    assert rows(out)[1:] == [["one", "2", "5", "5"], ["two", "1", "2", "1"]]
    out, _ = printed("a.run b.run --depth 3 --show contributions")
    assert rows(out)[1:] == [["a", "1", "4", "2"], ["b", "1", "3", "1"]]


def test_without_a_team_file_teams_are_read_from_the_names(printed, folder: Path) -> None:
    for name in ("b", "c"):
        text = (folder / f"{name}.run").read_text()
        renamed = [[*line.split()[:5], f"x-{name}"] for line in text.splitlines()]
        lines = "".join(" ".join(fields) + "\n" for fields in renamed)
        (folder / f"{name}.run").write_text(lines)
    out, err = printed(*RUNS, "--show", "contributions")
    assert [row[:2] for row in rows(out)[1:]] == [["a", "1"], ["x", "2"]]
    assert "without --teams, teams are read from the names of the runs (2: a, x)" in err


def test_a_table_can_replace_the_pool_file(printed) -> None:
    out, _ = printed("b.run --depth 1 --format csv")
    assert rows(out) == [["topic", "doc", "position"], ["1", "d3", "1"]]


def test_topics_can_be_selected(printed, folder: Path) -> None:
    (folder / "topics").write_text("2\n8\n9\n")
    out, err = printed(*RUNS, "--topic-set", "topics")
    assert out.splitlines()[1:] == ["2 e1 1"]
    assert "note: topics without docs in any run: 2 (first: 8)" in err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("a.run", "no depth given"),
        ("a.run --depth 0", "--depth"),
        ("a.run --depth 1 --ordering random", "'random' is not one of"),
        ("no.run --depth 1", "no.run: no such file"),
        (
            "a.run --depth 1 --teams teams",
            "the option teams can be used only if show is 'contributions'",
        ),
        ("a.run --depth 1 --topic-set found --order x", "'x' is not one of"),
        ("b.run --depth 1 --topic-set e", "expected docs to pool"),
    ],
)
def test_wrong_input_is_a_one_line_error_and_nothing_is_written(
    refused, folder: Path, arguments: str, problem: str
) -> None:
    (folder / "e").write_text("77\n")
    assert problem in refused(arguments, "-o", "new")


@pytest.mark.parametrize(("depth", "docs"), [(5, 4137), (10, 7447), (20, 13504), (30, 19047)])
def test_the_pools_of_dl_2021_have_the_expected_sizes(
    shared: Path, printed, depth: int, docs: int
) -> None:
    data = shared / "data" / "trec-dl-2021-passage"
    runs = [str(path) for path in sorted((data / "runs").iterdir())]
    assert len(runs) == 63
    nist = str(data / "qrels" / "nist.qrels")
    started = time.monotonic()
    out, _ = printed(*runs, "--depth", str(depth), "--topic-set", nist)
    assert time.monotonic() - started < 15
    lines = out.splitlines()[1:]
    assert len(lines) == docs
    assert len({line.split()[0] for line in lines}) == 53


def test_a_run_named_twice_is_an_error(refused) -> None:
    assert refused("a.run b.run a.run --depth 2 --quiet") == (
        "two runs have the name 'a.run'; expected different names"
    )


def test_for_a_malformed_team_file_only_the_error_is_printed(refused, folder: Path) -> None:
    (folder / "teams").write_text("a\n")
    assert refused(*RUNS, "--show", "contributions", "--teams", "teams") == (
        "teams:1: found 1 fields in 'a'; expected 2: run team"
    )


def test_a_campaign_can_be_pooled_before_judging(refused, printed, folder: Path) -> None:
    (folder / "c" / "runs").mkdir(parents=True)
    (folder / "c" / "campaign.toml").write_text('format = 1\n[teams]\na = "one"\nb = "one"\n')
    for name in ("a", "b"):
        (folder / f"{name}.run").rename(folder / "c" / "runs" / f"{name}.run")
    out, _ = printed("c --depth 2 --show contributions --format csv")
    assert rows(out) == [["team", "runs", "docs", "unique"], ["one", "2", "5", "5"]]
    assert "needs qrels, or a campaign with labels" in refused("c --depth 2 --pooled-topics judged")
    printed("c --depth 3 -o c/pools/")
    assert printed("c")[0] == printed("c --depth 3")[0]
