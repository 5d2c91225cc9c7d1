"""No command overwrites its input, or writes two results into one file."""

from pathlib import Path

import pytest

from qrelsmith.cli import run

QRELS = "t1 0 a 2\nt1 0 b 1\nt1 0 c 1\nt1 0 d 0\n"
PREFERENCES = "topic,left,right,outcome,assessor\nt1,a,b,-1,x\nt1,b,d,-1,x\nt1,a,d,-1,x\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "p.csv").write_text(PREFERENCES)
    (tmp_path / "r.run").write_text("t1 Q0 a 1 2.0 r\nt1 Q0 b 2 1.0 r\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "evaluate q r.run -m AP -o q",
        "evaluate q r.run -m AP -o ./r.run",
        "pdp q --preferences p.csv -o p.csv",
        "pdp q --preferences p.csv --write-grade-matrix q",
        "pdp q --preferences p.csv --write-grade-matrix new -o new",
        "topk result q p.csv --write-combined q",
        "topk result q p.csv --write-top new --write-best new",
        "topk pairs q p.csv -o p.csv",
        "plan preferences q -o q",
        "pool r.run --depth 2 --ordering docno -o r.run",
        "cut q --levels 2 --method topicwide --write q",
    ],
)
def test_input_files_are_never_overwritten(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(command.split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "; expected " in err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("record", ["campaign.toml", "topics.jsonl", "judgments.csv", "runs/a.run"])
def test_the_records_of_a_campaign_are_never_overwritten(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "campaign"
    assert run(["simulate", "campaign", "small", "--topic-count", "2", "-o", str(folder)]) == 0
    (folder / "runs" / "a.run").write_text("t0001 Q0 x 1 1.0 a\n")
    before = (folder / record).read_bytes()
    assert run(["assign", str(folder), "-o", str(folder / record)]) == 2
    assert "is a record of the campaign" in capsys.readouterr().err
    assert (folder / record).read_bytes() == before
    assert run(["assign", str(folder), "-o", str(folder / "assignments.csv")]) == 0


def test_a_link_to_an_input_file_is_recognised_as_the_same_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link").symlink_to("q")
    assert run(["evaluate", "q", "r.run", "-m", "AP", "-o", "link"]) == 2
    assert (folder / "q").read_text() == QRELS


@pytest.mark.parametrize("device", ["/dev/stdout", "/dev/null"])
def test_devices_may_be_written(device: str, folder: Path) -> None:
    assert run(["evaluate", "q", "r.run", "-m", "AP", "-o", device]) == 0


def test_labels_can_be_moved_to_another_scale_in_place(folder: Path) -> None:
    assert run(["transform", "q", "--reduce", ">=1", "-o", "q"]) == 0
    assert (folder / "q").read_text().splitlines()[0].split()[-1] == "1"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("disagree p.csv --gold g --relevant nan", "expected a finite number"),
        ("disagree p.csv --gold g --high inf", "expected a finite number"),
        ("topk plan q --scheduler tournament --wage nan", "expected a finite number"),
        ("topk plan q --scheduler tournament --seconds inf", "expected a finite number"),
        ("consistency q r.run -m AP --alpha nan", "expected a finite number"),
        ("plan preferences q --delta 1e-300", "inf tests per pair; expected a larger delta"),
    ],
)
def test_malformed_numbers_are_refused(
    command: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("file", ["campaign.toml", "topics.jsonl", "runs/r.run"])
@pytest.mark.parametrize("command", ["assign", "compare", "loto"])
def test_a_campaign_is_never_overwritten(
    command: str, file: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (
        ("campaign.toml", 'format = 1\n\n[groups.g]\nassessors = ["w"]\n'),
        ("topics.jsonl", '{"topic": "t1"}\n'),
        ("runs/r.run", "t1 Q0 a 1 2.0 r\n"),
        ("qrels/q.qrels", QRELS),
    ):
        (folder / "c" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "c" / name).write_text(text)
    before = (folder / "c" / file).read_bytes()
    more = [] if command == "assign" else ["-m", "AP"]
    assert run([command, "c", *more, "-o", f"./c/{file}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "; expected " in line
    assert (folder / "c" / file).read_bytes() == before


def test_assignments_of_a_campaign_can_be_rewritten(folder: Path) -> None:
    (folder / "c").mkdir()
    (folder / "c/campaign.toml").write_text('format = 1\n\n[groups.g]\nassessors = ["w"]\n')
    (folder / "c/topics.jsonl").write_text('{"topic": "t1"}\n')
    for _ in range(2):
        assert run(["assign", "c", "-o", "c/assignments.csv"]) == 0
