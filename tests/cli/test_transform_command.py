from __future__ import annotations

import csv
import hashlib
import io
import math
import subprocess
import sys
from pathlib import Path

import pytest

from qrelsmith.cli import run
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments, write_judgments

QRELS = "1 0 a 0\n1 0 b 1\n1 0 c 2\n1 0 d 3\n2 0 a -1\n2 0 b -2\n"
EVENTS = """\
topic,doc,assessor,grade,group,judged_at,active_ms,revision,note
1,a,anne,0,gold,2024-05-01T12:00:09.500Z,9000,0,
1,a,anne,3,gold,2024-05-01T12:05:00Z,,1,"on ""second"" thoughts, better"
1,a,ben,2,bronze,,,,
1,b,ben,-2,bronze,,,,not shown
2,a,carl,1,,,,,
"""
COMMAND = "transform"
FILES = {"q": QRELS, "j.csv": EVENTS}


def grades(text: str) -> str:
    return " ".join(line.split()[-1] for line in text.splitlines())


@pytest.mark.parametrize(
    ("operation", "expected", "label", "target"),
    [
        (["--reduce", ">=2"], "0 0 1 1 -1 -2", "4to2(>=2)", "0,1"),
        (["--cuts", "relaxed"], "0 1 1 1 -1 -2", "4to2(0)", "0,1"),
        (["--cuts", "middle"], "0 0 1 1 -1 -2", "4to2(1)", "0,1"),
        (["--cuts", "rigid"], "0 0 0 1 -1 -2", "4to2(2)", "0,1"),
        (["--cuts", "0:2"], "0 1 1 2 -1 -2", "4to3(0:2)", "0..2"),
        (["--extend", "7", "--w", "inf"], "0 2 4 6 -1 -2", "4to7(inf)", "0..6"),
        (["--relabel", "-2=0"], "0 1 2 3 -1 0", "relabelled -2=0", "0..3"),
        (["--logsum"], "0 1 1 2 -1 -2", "4to3(logsum)", "0..2"),
    ],
)
def test_qrels_are_transformed_as_by_hand(
    printed, operation: list[str], expected: str, label: str, target: str
) -> None:
    out, err = printed("q", *operation)
    assert grades(out) == expected
    assert [line.split()[:3] for line in out.splitlines()] == [
        line.split()[:3] for line in QRELS.splitlines()
    ]
    assert err.splitlines() == [
        "qrelsmith: note: no scale given: the levels are assumed to be 0..3",
        f"qrelsmith: note: {label}: the grades are now on the scale {target}",
    ]
    assert printed("q", *operation, "--scale", "0..3")[1].splitlines() == err.splitlines()[1:]


def test_a_relabelling_must_name_all_grades(refused, printed) -> None:
    out, err = printed("q --relabel 0=0,1=1,2=1,3=5")
    assert grades(out) == "0 1 1 5 -1 -2"
    assert err.splitlines() == [
        "qrelsmith: note: relabelled 0=0,1=1,2=1,3=5: the grades are now on the scale 0,1,5"
    ]
    err = refused("q --relabel 0=0,1=1,2=1")
    assert err == "q: the relabelling 0=0,1=1,2=1 lacks 3; expected all grades"
    err = refused("q --relabel 0=0,1=1,2=1 --scale 0..3")
    assert "q: the grade 3 is not in the relabelling 0=0,1=1,2=1" in err
    assert "guessed" not in err


def test_a_hundred_and_one_levels_can_be_cut_into_four(printed, folder: Path) -> None:
    given = [0, 28, 29, 58, 59, 82, 83, 100]
    (folder / "s100").write_text("".join(f"1 0 d{n} {g}\n" for n, g in enumerate(given)))
    out, err = printed("s100 --cuts 28:58:82 --scale 0..100")
    assert grades(out) == "0 0 1 1 2 2 3 3"
    assert err == "qrelsmith: note: 101to4(28:58:82): the grades are now on the scale 0..3\n"


def test_log_sums_of_eight_assessors_are_three_to_five(printed, folder: Path) -> None:
    # Paper on PDP, 5.1.2: S = 0, 1, 3, 7, 16 gives 0 … 4.
    given = {"a": "00000000", "b": "10000000", "c": "11100000", "d": "22210000", "e": "22222222"}
    files = []
    for place in range(8):
        files.append(f"p{place}")
        lines = [f"1 0 {doc} {text[place]}\n" for doc, text in given.items()]
        (folder / files[-1]).write_text("".join(lines))
    out, err = printed(*files, "--logsum")
    assert out == "1 0 a 0\n1 0 b 1\n1 0 c 2\n1 0 d 3\n1 0 e 4\n"
    assert "3to5(logsum): the grades are now on the scale 0..4" in err
    write_judgments(read_judgments(*files), folder / "all.jsonl")
    assert printed("all.jsonl --logsum")[0] == out
    run(["aggregate", *files, "--by", "logsum", "-o", "same.qrels"])
    assert (folder / "same.qrels").read_text() == out


def test_log_sums_of_judgments_exclude_codes(printed) -> None:
    out, err = printed("j.csv --logsum")
    assert out == "1 0 a 2\n2 0 a 1\n"
    assert "docs without any grade, which are left out: 1" in err
    assert "docs have from 1 to 2 grades" in err


def test_judgments_keep_all_columns_except_grades(printed, folder: Path) -> None:
    out, _ = printed("j.csv --reduce >=2")
    rows, before = (list(csv.DictReader(io.StringIO(text))) for text in (out, EVENTS))
    assert [row.pop("grade") for row in rows] == ["0", "1", "1", "-2", "0"]
    for row in before:
        del row["grade"]
    assert rows == before


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_the_output_has_the_format_of_the_input(printed, folder: Path, form: str) -> None:
    events = read_judgments("j.csv")
    write_judgments(events, f"in.{form}")
    (folder / "unnamed").write_bytes((folder / f"in.{form}").read_bytes())
    printed("unnamed", "--relabel", "0=0,1=1,2=2,3=3", "-o", f"out.{form}")
    assert (folder / f"out.{form}").read_bytes() == (folder / f"in.{form}").read_bytes()
    printed("unnamed --cuts 0:1:2 -o out.unnamed --quiet")
    assert (folder / "out.unnamed").read_bytes() == (folder / f"in.{form}").read_bytes()


def test_an_identity_leaves_qrels_byte_identical(printed, folder: Path) -> None:
    assert printed("q --relabel 0=0,1=1,2=2,3=3 --quiet") == (QRELS, "")
    assert printed("q --cuts 0:1:2 --quiet") == (QRELS, "")
    assert printed("q --extend 4 --w inf --quiet") == (QRELS, "")


@pytest.mark.parametrize("text", ["1 a L0\n1 b L1\n", "1 a 0\n1 b 1\n", "1 0 a 0\n1 0 b 1\n"])
def test_qrels_keep_the_format_of_their_file(printed, folder: Path, text: str) -> None:
    (folder / "l").write_text("# of NTCIR\n\n" + text)
    assert printed("l --cuts 0 --quiet")[0] == text
    table = printed("l --cuts 0 --quiet --format csv")[0]
    assert table == "topic,doc,grade\n1,a,0\n1,b,1\n"


def test_a_named_format_changes_the_format(printed) -> None:
    assert printed("q --reduce >=1 --format csv")[0].splitlines()[:2] == [
        "topic,doc,grade",
        "1,a,0",
    ]
    assert printed("j.csv --reduce >=1 --format jsonl")[0].startswith('{"topic": "1"')
    assert printed("j.csv --reduce >=1 --format markdown")[0].startswith("| topic |")


def test_parquet_is_written_to_stdout_unchanged(folder: Path) -> None:
    write_judgments(read_judgments("j.csv"), "in.parquet")
    command = [sys.executable, "-m", "qrelsmith", "transform", "in.parquet", "--cuts", "0:1:2"]
    done = subprocess.run(command, capture_output=True, check=True)
    assert done.stdout == (folder / "in.parquet").read_bytes()


def test_draws_depend_on_seed_topic_doc_and_assessor(printed, folder: Path) -> None:
    qrels = "".join(f"1 0 d{n} {n % 4}\n" for n in range(60))
    (folder / "anne.qrels").write_text(qrels)
    (folder / "ben.qrels").write_text(qrels)
    extend = ("--extend", "7", "--w", "0.5", "--scale", "0..3", "--quiet")
    anne = printed("anne.qrels", *extend)[0]
    ids = sorted((f"d{n}", n % 4) for n in range(60))
    assert grades(anne).split() == [drawn(grade, doc, "anne") for doc, grade in ids]
    assert printed("anne.qrels", *extend)[0] == anne
    assert printed("anne.qrels", *extend, "--seed", "1")[0] != anne
    assert printed("ben.qrels", *extend)[0] != anne
    (folder / "more").mkdir()
    lines = qrels.splitlines(keepends=True)
    (folder / "more/anne.qrels").write_text("2 0 d1 3\n" + "".join(reversed(lines)))
    assert printed("more/anne.qrels", *extend)[0].startswith(anne)
    write_judgments(read_judgments("anne.qrels", "ben.qrels"), "both.csv")
    printed("both.csv", *extend, "-o", "drawn.csv")
    (folder / "anne.drawn").write_text(anne)
    both = read_judgments("drawn.csv").to_qrels(assessor="anne")
    assert both.to_dict() == read_qrels("anne.drawn").to_dict()


def drawn(grade: int, doc: str, assessor: str) -> str:
    """Equation 16 of the paper on PDP for 4to7(0.5), at the fixed number given by SHA-256."""
    keys = f"i:1:0\ns:6:extend\ns:1:1\ns:{len(doc)}:{doc}\ns:{len(assessor)}:{assessor}"
    digest = hashlib.sha256(keys.encode()).digest()
    uniform = (int.from_bytes(digest[:8], "big") >> 11) / 2**53
    weights = [math.exp(-0.5 * abs(2 * grade - level)) for level in range(7)]
    upto = [sum(weights[: level + 1]) / sum(weights) for level in range(6)]
    return str(sum(uniform >= bound for bound in upto))


def test_real_valued_grades_can_be_cut_but_not_extended(refused, printed, folder: Path) -> None:
    (folder / "real").write_text("1 0 a 0.5\n1 0 b 1.5\n1 0 c 2.25\n1 0 d -1\n")
    out, err = printed("real --cuts 1:2")
    assert grades(out) == "0 1 2 -1"
    assert "the levels are assumed to be 0.5,1.5,2.25" in err
    assert grades(printed("real --cuts rigid")[0]) == "0 0 1 -1"
    assert grades(printed("real --reduce >=1.5")[0]) == "0 1 1 -1"
    err = refused("real --extend 7 --w 2")
    assert err == (
        "real: topic '1' doc 'a' has the grade 0.5; expected a whole number"
        " up to 100000; --scale names the levels, which were guessed"
    )
    listed = printed("real --extend 3 --w inf --scale 0.5,1.5,2.25")
    assert grades(listed[0]) == "0 1 2 -1"


def test_the_note_counts_many_levels(printed, folder: Path) -> None:
    (folder / "real").write_text("".join(f"1 0 d{n} {n / 8}\n" for n in range(20)))
    _, err = printed("real --cuts 1")
    assert "assumed to be the 20 distinct grades from 0 to 2.375" in err


def test_labels_with_only_codes_keep_their_codes(printed, folder: Path) -> None:
    (folder / "codes").write_text("1 0 a -1\n1 0 b -2\n")
    for operation in (["--reduce", ">=2"], ["--cuts", "1"], ["--logsum"]):
        out, err = printed("codes", *operation)
        assert (grades(out), err) == (
            "-1 -2",
            "qrelsmith: note: there are no grades, only codes below 0\n",
        )
    assert grades(printed("codes --relabel -2=0")[0]) == "-1 0"
    assert grades(printed("codes --extend 7 --w 1 --scale 0..3")[0]) == "-1 -2"


def test_columns_that_refer_to_the_old_grades_are_named(printed, folder: Path) -> None:
    (folder / "k.csv").write_text("topic,doc,assessor,grade,label,scale\n1,a,x,1,low,0..3\n")
    out, err = printed("k.csv --reduce >=1 --scale 0..3")
    assert out.endswith("1,a,x,1,low,0..3\n")
    assert "unchanged columns, which refer to the old grades: label, scale" in err


def test_a_grade_outside_the_scale_is_refused(refused, printed) -> None:
    for file, line in (("q", 4), ("j.csv", 3)):
        err = refused(file, "--reduce", ">=1", "--scale", "0..2")
        assert err == (f"{file}:{line}: the grade is 3; expected a level of the scale 0..2")
    out, err = printed("q --reduce >=1 --scale 0..2 --off-scale missing")
    assert grades(out) == "0 1 1 -1 -2"
    assert "1 such grades are treated as missing" in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("q", "expected one of reduce, extend, cuts, relabel and logsum; found none"),
        ("q --reduce >=1 --logsum", "found reduce and logsum"),
        ("q --cuts 1 --relabel 0=1", "found cuts and relabel"),
        ("q --extend 7", "extend needs the option w"),
        ("q --reduce >=1 --w 2", "w can be used only with the option extend"),
        ("q --w 2", "found none"),
        ("q q --reduce >=1", "found 2 files; expected one"),
        ("q q --logsum", "'q' already has the file"),
        ("q --reduce >1", "the reduction '>1' cannot be read; expected '>=1'"),
        (
            "q --reduce >=4",
            (
                "q: the reduction >=4 merges all levels of the scale 0..3; expected at "
                "least two levels"
            ),
        ),
        ("q --cuts 0:1:2:3", "q: with the cuts 0:1:2:3, some level gets no grade"),
        ("q --cuts 28:58:82", "--scale names the levels, which were guessed"),
        ("q --cuts 2:1", "the cuts 2:1 must be strictly ascending"),
        ("q --cuts strict", "the cuts 'strict' cannot be read"),
        ("q --extend x --w 2", "an extension has 'x' levels"),
        ("q --extend 7 --w nan", "the extension has w = nan"),
        ("q --extend 7 --w -1", "the extension has w = -1"),
        ("q --relabel 0", "the relabelling '0' cannot be read"),
        ("nosuch --relabel 0", "the relabelling '0' cannot be read"),
        ("q --relabel 0=-1,1=-1,2=-1,3=-1", "has only codes; expected at least one grade"),
        ("flat --extend 7 --w 1", "has one level; expected at least two levels"),
        ("codes --extend 7 --w 1", "extending grades needs the scale"),
        ("codes --cuts rigid", "the cut 'rigid' needs the scale"),
        ("nosuch --logsum", "nosuch: no such file"),
        ("empty --reduce >=1", "empty: the file is empty"),
        ("header.csv --reduce >=1", "header.csv: no judgments"),
        (". --reduce >=1", "is a folder"),
        ("j.csv --reduce >=1 -o o.jsonl", "'o.jsonl' has the suffix of a different format"),
        ("q --reduce >=1 -o no/where", "no/where"),
    ],
)
def test_bad_input_is_a_one_line_error_with_status_2(
    refused, folder: Path, arguments: str, expected: str
) -> None:
    (folder / "empty").write_text("# nothing\n")
    (folder / "header.csv").write_text("topic,doc,assessor,grade\n")
    (folder / "codes").write_text("1 0 a -1\n")
    (folder / "flat").write_text("1 0 a 0\n")
    assert expected in refused(arguments)


def test_a_file_can_be_replaced_by_its_transformation_or_stays_unchanged(
    refused, printed, folder: Path
) -> None:
    refused("q --reduce >=9 -o q")
    printed("q --reduce >=1 -o q")
    assert grades((folder / "q").read_text()) == "0 1 1 1 -1 -2"
    assert sorted(path.name for path in folder.iterdir()) == ["j.csv", "q"]


def scores(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[float]:
    assert run(["evaluate", *arguments, "--quiet", "--per-topic"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return [float(row["score"]) for row in rows]


def test_dl_2021_has_equal_scores_by_transform_and_by_measure(
    folder: Path, capsys: pytest.CaptureFixture[str], shared: Path
) -> None:
    data = shared / "data/trec-dl-2021-passage"
    nist, one = str(data / "qrels/nist.qrels"), str(data / "runs/p_bm25.run.gz")
    for operation in (["--reduce", ">=2"], ["--cuts", "middle"], ["--relabel", "0=0,1=0,2=1,3=1"]):
        assert run(["transform", nist, *operation, "-o", "b.qrels", "--quiet"]) == 0
        assert scores(capsys, "b.qrels", one, "-m", "AP") == (
            scores(capsys, nist, one, "-m", "AP(rel=2)")
        )
    assert run(["transform", nist, "--relabel", "0=0,1=1,2=3,3=7", "-o", "g.qrels"]) == 0
    assert scores(capsys, "g.qrels", one, "-m", "nDCG@10") == (
        scores(capsys, nist, one, "-m", "nDCG@10", "--gains", "1:3:7")
    )


def test_a_file_of_cuts_is_distinguished_from_cuts(refused, printed, folder: Path) -> None:
    (folder / "best.csv").write_text("topic,cuts\n1,1\nall,0\n")
    out, err = printed("q --cuts best.csv --scale 0..3")
    assert grades(out) == "0 0 1 1 -1 -2"
    assert err == "qrelsmith: note: 4to2(cuts of each topic): the grades are now on the scale 0,1\n"
    out, _ = printed("j.csv --cuts best.csv --scale 0..3")
    assert len(out.splitlines()) == len(EVENTS.splitlines())
    err = refused("q --cuts missing.csv")
    assert "'missing.csv' cannot be read; expected the form '28:58:82'" in err
    assert "or a file written by `cut`" in err
    (folder / "bad.csv").write_text("topic,cuts\n1,1:0\n")
    err = refused("q --cuts bad.csv")
    assert err.startswith("bad.csv:2: the cuts 1:0 must be strictly ascending")
