from __future__ import annotations

import csv
import gzip
import io
from importlib import import_module
from pathlib import Path

import pytest

from qrelsmith.judgments.aggregation import dawid_skene

ANNE = "1 0 a 0\n1 0 b 1\n1 0 c 2\n2 0 a -1\n"
BEN = "1 0 a 2\n1 0 b 1\n1 0 c -2\n2 0 a -2\n"
CARL = "1 0 a 3\n1 0 d 3\n"
EVENTS = (
    "topic,doc,assessor,grade,group,revision\n"
    "1,a,anne,0,gold,0\n1,a,anne,3,gold,1\n1,a,ben,1,bronze,\n1,b,ben,2,bronze,\n"
)
COMMAND = "aggregate"
FILES = {"anne.qrels": ANNE, "ben.qrels": BEN, "carl.qrels": CARL, "j.csv": EVENTS}
TAKEN = "qrelsmith: note: no scale given: the levels are assumed to be "
PEOPLE = ("anne.qrels", "ben.qrels", "carl.qrels")


@pytest.mark.parametrize(
    ("by", "grades"),
    [
        # a: 0 2 3; b: 1 1; c: 2; d: 3; topic 2: codes only
        ("median", "2 1 2 3"),
        ("majority", "0 1 2 3"),
        ("mean", "1.6666666666666667 1 2 3"),
        ("sum", "5 2 2 3"),
        ("logsum", "2 1 1 2"),
        ("max", "3 1 2 3"),
    ],
)
def test_aggregates_are_as_computed_by_hand(printed, by: str, grades: str) -> None:
    out, err = printed(*PEOPLE, "--aggregation", by)
    expected = [f"1 0 {d} {g}\n" for d, g in zip("abcd", grades.split(), strict=True)]
    assert out == "".join(expected)
    notes = [f"{TAKEN}0..3", "qrelsmith: note: docs without any grade, which are left out: 1"]
    if by in ("sum", "logsum"):
        notes.append(
            f"qrelsmith: note: docs have from 1 to 3 grades: {by} is higher for docs with more"
            " grades"
        )
    assert err.splitlines() == notes


def test_an_even_number_of_grades_has_a_lower_median_an_upper_median_and_a_mean(printed) -> None:
    two = ("anne.qrels", "carl.qrels", "--quiet", "--aggregation")
    tops = [printed(*two, by)[0].splitlines()[0] for by in ("median", "median-upper", "mean")]
    assert tops == ["1 0 a 0", "1 0 a 3", "1 0 a 1.5"]


def test_errors_can_count_as_not_relevant(printed) -> None:
    out, err = printed(*PEOPLE, "--aggregation", "min", "--errors", "nonrelevant")
    assert out == "1 0 a 0\n1 0 b 1\n1 0 c 0\n1 0 d 3\n2 0 a 0\n"
    assert err == f"{TAKEN}0..3\n"


def test_revisions_and_groups_of_a_judgments_file_are_used(printed) -> None:
    assert printed("j.csv --aggregation median-upper")[0] == "1 0 a 3\n1 0 b 2\n"
    assert printed("j.csv --aggregation max --group bronze")[0] == "1 0 a 1\n1 0 b 2\n"


def test_the_aggregate_of_one_file_is_byte_identical(printed, folder: Path) -> None:
    qrels = "".join(f"{t} 0 {d} {g}\n" for t in "12" for d, g in (("x", "0"), ("y", "2.5")))
    (folder / "one.qrels").write_text(qrels)
    for by in ("median", "majority", "mean", "dawid-skene", "min"):
        assert printed("one.qrels", "--aggregation", by) == (qrels, f"{TAKEN}0,2.5\n")


def test_an_output_file_is_the_same_and_is_replaced_atomically(
    refused, printed, folder: Path
) -> None:
    (folder / "out.qrels").write_text("precious\n")
    refused(*PEOPLE, "--aggregation", "nosuch", "-o", "out.qrels")
    shown = printed(*PEOPLE, "--aggregation", "mean")[0]
    assert printed(*PEOPLE, "--aggregation", "mean", "-o", "out.qrels", "--quiet") == ("", "")
    assert (folder / "out.qrels").read_bytes() == shown.encode()
    assert len(list(folder.iterdir())) == 5


def test_compression_and_the_order_of_files_do_not_matter(printed, folder: Path) -> None:
    plain = printed(*PEOPLE, "--aggregation", "median")
    (folder / "z").mkdir()
    (folder / "z/ben.qrels.gz").write_bytes(gzip.compress(BEN.encode()))
    assert printed("carl.qrels z/ben.qrels.gz anne.qrels --aggregation median") == plain


def test_a_format_can_be_chosen_for_a_table(printed) -> None:
    out, _ = printed(*PEOPLE, "--aggregation", "mean", "--format", "csv")
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[:3] == [
        ["topic", "doc", "grade"],
        ["1", "a", "1.6666666666666667"],
        ["1", "b", "1"],
    ]
    assert printed(*PEOPLE, "--aggregation", "max", "--format", "jsonl")[0].splitlines()[0] == (
        '{"topic": "1", "doc": "a", "grade": 3}'
    )
    assert printed(*PEOPLE, "--aggregation", "mean", "--format", "markdown")[0].startswith(
        "| topic | doc | grade |"
    )


def test_dawid_and_skenes_model_accepts_parameters(printed, folder: Path) -> None:
    # Two assessors who agree, and one who swaps the names of all levels.
    truth = "0110100101"
    for name, given in (("a", truth), ("b", truth), ("c", "1001011010")):
        lines = [f"t 0 d{n} {grade}\n" for n, grade in enumerate(given)]
        (folder / name).write_text("".join(lines))
    for by in ("dawid-skene", "Dawid-Skene(smoothing=0.01, start='majority')"):
        out, err = printed("a", "b", "c", "--aggregation", by, "--scale", "0..1")
        assert "".join(line[-1] for line in out.splitlines()) == truth
        assert err == ""


@pytest.mark.filterwarnings("default::qrelsmith.base.errors.NotConvergedWarning")
def test_a_model_that_has_not_converged_gives_a_warning(
    printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hasty(*args, **options):
        return dawid_skene(*args, **options, iterations=1)

    # The package's name for the module is that of its function.
    module = import_module("qrelsmith.judgments.aggregation.dawid_skene")
    monkeypatch.setattr(module, "dawid_skene", hasty)
    out, err = printed(*PEOPLE, "--aggregation", "dawid-skene")
    assert out.count("\n") == 4
    assert "qrelsmith: warning: Dawid–Skene did not converge in 1 steps" in err


def test_grades_outside_the_scale_are_refused_or_missing(refused, printed) -> None:
    err = refused(*PEOPLE, "--aggregation", "max", "--scale", "0..2")
    assert err.startswith("carl.qrels:1: the grade is 3; expected a level")
    out, err = printed(*PEOPLE, "--aggregation", "max", "--scale", "0..2", "--off-scale", "missing")
    assert out == "1 0 a 2\n1 0 b 1\n1 0 c 2\n"
    assert "2 such grades are treated as missing" in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("", "Missing argument 'FILE...'"),
        ("anne.qrels --aggregation medain", "unknown aggregation 'medain'; did you mean median?"),
        ("nosuch --aggregation medain", "unknown aggregation 'medain'"),
        ("anne.qrels --aggregation \"median(middle='up')\"", "has no parameter 'middle'"),
        ("anne.qrels --aggregation dawid-skene(smoothing=-1)", "smoothing=-1; expected a finite"),
        ("anne.qrels --aggregation median@3", "takes no cutoff"),
        ("nosuch --aggregation median", "nosuch: no such file"),
        ("anne.qrels anne.qrels --aggregation median", "'anne' already has the file"),
        (
            "j.csv anne.qrels --aggregation median",
            "the assessor 'anne' also labels topic '1' doc 'a' in j.csv",
        ),
        ("anne.qrels --aggregation median --group gold", "the judgments have no groups"),
        ("j.csv --aggregation median --group silver", "unknown group 'silver'"),
        ("empty --aggregation median", "empty: the file is empty"),
        ("empty.jsonl --aggregation median", "empty.jsonl: no judgments"),
        ("codes --aggregation median", "none of 2 docs has a grade"),
        ("blank.csv --aggregation median", "the doc 'two words' cannot be written"),
        ("anne.qrels --aggregation median -o no/where", "no/where"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    refused, folder: Path, arguments: str, expected: str
) -> None:
    for name in ("empty", "empty.jsonl"):
        (folder / name).write_text("")
    (folder / "codes").write_text("1 0 a -1\n1 0 b -2\n")
    (folder / "blank.csv").write_text("topic,doc,assessor,grade\n1,two words,a,1\n")
    assert expected in refused(arguments)


def test_the_aggregate_of_the_nist_file_of_dl_2021_is_the_file_itself(
    printed, folder: Path, shared: Path
) -> None:
    source = shared / "data/trec-dl-2021-passage/qrels/nist.qrels"
    lines = sorted(source.read_text().splitlines(), key=lambda line: line.split()[::2])
    (folder / "nist.qrels").write_text("".join(line + "\n" for line in lines))
    out, err = printed("nist.qrels --aggregation majority")
    assert (out, err) == ((folder / "nist.qrels").read_text(), f"{TAKEN}0..3\n")


def test_four_passes_of_dl_2021_are_aggregated_by_majority(printed, shared: Path) -> None:
    folder = shared / "data/trec-dl-2021-passage/qrels"
    files = [str(folder / f"umbrela.llama3.2.run{n}.qrels.gz") for n in range(1, 5)]
    votes: dict[tuple[str, str], list[int]] = {}
    for file in files:
        for line in gzip.decompress(Path(file).read_bytes()).decode().splitlines():
            topic, _, doc, grade = line.split()
            votes.setdefault((topic, doc), []).append(int(grade))
    expected = {key: min(set(v), key=lambda g: (-v.count(g), g)) for key, v in votes.items()}
    out, _ = printed(*files, "--aggregation", "majority")
    rows = [line.split() for line in out.splitlines()]
    assert {(topic, doc): int(grade) for topic, _, doc, grade in rows} == expected


def test_judgments_label_sets_and_scale_of_a_campaign_are_used(printed, folder: Path) -> None:
    (folder / "c" / "qrels").mkdir(parents=True)
    (folder / "c" / "campaign.toml").write_text(
        "format = 1\n[scale]\n"
        "levels = [{ grade = 0 }, { grade = 1 }, { grade = 2 }, { grade = 3 }]\n"
    )
    for name in ("anne", "ben"):
        (folder / f"{name}.qrels").rename(folder / "c" / "qrels" / f"{name}.qrels")
    # Without judgments every label set counts as an assessor.
    out, err = printed("c --aggregation max")
    assert out == "1 0 a 2\n1 0 b 1\n1 0 c 2\n"
    assert err == "qrelsmith: note: docs without any grade, which are left out: 1\n"
    (folder / "j.csv").rename(folder / "c" / "judgments.csv")
    assert printed("c --group bronze")[0] == "1 0 a 1\n1 0 b 2\n"
    chosen = ("--label-set", "ben", "--label-set", "gold")
    assert printed("c --aggregation max", *chosen)[0] == "1 0 a 3\n1 0 b 1\n"
