"""The command line as a whole: exit status, one line on stderr, no partial output."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qrelsmith.cli import run
from qrelsmith.cli.stored_commands import command_facts

QRELS = "1 0 a 1\n1 0 b 2\n1 0 c 0\n2 0 a 1\n2 0 x 0\n"
RUN = "1 Q0 b 1 3 r\n1 Q0 a 2 2 r\n1 Q0 c 3 1 r\n2 Q0 x 1 2 r\n2 Q0 a 2 1 r\n"
QRELSMITH = [sys.executable, "-m", "qrelsmith"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r").write_text(RUN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def test_help_lists_the_common_commands_and_all_commands_with_an_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def listed(*words: str) -> list[str]:
        assert run([*words]) == 0
        return re.findall(r"^  (\w[\w-]*)  +\S", capsys.readouterr().out, re.MULTILINE)

    every = {words.partition(" ")[0] for words in command_facts()}
    assert set(listed("--help", "--all")) == every
    assert {"evaluate", "audit", "agree", "app", "plan"} <= set(listed("--help")) < every
    assert listed("pdp", "--help")[-1] == "compare"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["evaluate", "q", "r"], "no measure given"),
        (["evaluate", "q", "r", "-m", "nDGC@10"], "did you mean nDCG@10?"),
        (["evaluate", "q", "r", "-m", "nDCG@0"], "expected a whole number of ranks"),
        (["evaluate", "q", "r", "-m", "nDCG(dcg=__import__('os'))@5"], "cannot be read"),
        (["evaluate", "q", "nosuch", "-m", "AP"], "nosuch: no such file"),
        (
            ["evaluate", "q", "r", "--plugin", "f.py"],
            "put --plugin before the command: qrelsmith --p",
        ),
        (["evaluate", ".", "r", "-m", "AP"], "is a folder"),
        (["evaluate", "r", "q", "-m", "AP"], "r:1: found 6 fields"),
        (["evaluate", "q", "q", "-m", "AP"], "q:1: found 4 fields"),
        (["evaluate", "q", "r", "-m", "AP", "--scale", "0..1"], "q:2: the grade is 2"),
        (["evaluate", "q", "r", "-m", "AP", "--gains", "1"], "q:2: the grade is 2"),
        (["evaluate", "q", "r", "-m", "AP", "--topic-set", "r", "-o", "x/y"], "x/y"),
        (["nosuch"], "no such command 'nosuch' (see qrelsmith --help)"),
        (["evaluate", "q", "r", "--format", "cvs"], "Did you mean 'csv'?"),
        (
            ["plan", "preference", "q"],
            "no such command 'plan preference'; did you mean preferences?",
        ),
        (["evaluat"], "no such command 'evaluat'; did you mean evaluate?"),
    ],
)
def test_bad_input_is_a_one_line_error_with_status_2(
    files: Path, arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(files.iterdir())
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    errors = [line for line in lines(captured.err) if ": note: " not in line]
    assert len(errors) == 1
    assert errors[0].startswith("qrelsmith: error: ")
    assert expected in errors[0]
    assert sorted(files.iterdir()) == before


def test_an_error_in_the_second_run_leaves_an_existing_output_unchanged(files: Path) -> None:
    (files / "bad").write_text(RUN + "3 Q0 z 1 nan r\n")
    (files / "out.csv").write_text("precious\n")
    assert run(["evaluate", "q", "r", "bad", "-m", "AP", "-o", "out.csv"]) == 2
    assert (files / "out.csv").read_text() == "precious\n"
    assert sorted(path.name for path in files.iterdir()) == ["bad", "out.csv", "q", "r"]


def test_the_version_and_the_command_group_import_no_slow_modules() -> None:
    code = (
        "import sys; from qrelsmith.cli import run; run(['--version']);"
        "print(sorted({'numpy','scipy','pyarrow','rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_evaluate_imports_no_slow_modules_for_small_files(files: Path) -> None:
    code = (
        "import sys; from qrelsmith.cli import run;"
        "run(['evaluate', 'q', 'r', '-m', 'nDCG@10 Compat']);"
        "heavy = {'scipy','joblib','pyarrow','rich','pandas','subprocess','concurrent.futures',"
        "'qrelsmith.base.content'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=files
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_one_line_error_with_status_2(files: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*QRELSMITH, "evaluate", "q", "r", "-m", "AP"],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=files,
        )  # fmt: skip
    assert done.returncode == 2
    assert lines(done.stderr) == [
        "qrelsmith: error: cannot write the output: No space left on device"
    ]


def test_a_file_that_exceeds_its_size_limit_is_not_left_partial(files: Path) -> None:
    resource = pytest.importorskip("resource")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    done = subprocess.run(
        [*QRELSMITH, "evaluate", "q", "r", "-m", "AP", "-o", "out.csv"],
        capture_output=True, text=True, cwd=files, preexec_fn=limit,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "out.csv: cannot be written" in done.stderr
    assert sorted(path.name for path in files.iterdir()) == ["q", "r"]


def test_a_closed_output_pipe_is_not_an_error(files: Path) -> None:
    pipe = f"{' '.join(QRELSMITH)} measures --format csv | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipe], capture_output=True, text=True, cwd=files
    )
    assert done.stderr == ""
    assert done.stdout.startswith("measure,parameters")


def opened_by_reader(pipe: Path, process: subprocess.Popen[str]) -> int:
    """Return the pipe, opened for writing as soon as the process reads it."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"nobody reads the pipe; the command ended with {process.poll()}")


def test_an_interrupt_is_a_one_line_error_and_leaves_no_output(files: Path) -> None:
    os.mkfifo(files / "pipe")
    process = subprocess.Popen(
        [*QRELSMITH, "evaluate", "q", "pipe", "-m", "AP", "-o", "out.csv"],
        stderr=subprocess.PIPE, text=True, cwd=files,
    )  # fmt: skip
    try:
        writer = opened_by_reader(files / "pipe", process)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        os.close(writer)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130
    assert lines(errors) == ["qrelsmith: error: interrupted; no file is left half-written"]
    assert sorted(path.name for path in files.iterdir()) == ["pipe", "q", "r"]


TWO_TAGS = "1 Q0 b 1 3 r\n1 Q0 a 2 2 s\n"
TWO_RUNS = ["evaluate", "q", "r", "tags", "-m", "nERR@5"]


def test_an_error_is_printed_without_earlier_notes(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "tags").write_text(TWO_TAGS)
    assert run([*TWO_RUNS, "-o", "no/such/folder"]) == 2
    assert len(lines(capsys.readouterr().err)) == 1
    assert run(TWO_RUNS) == 0
    said = lines(capsys.readouterr().err)
    assert [line.split(":")[1] for line in said] == [" warning", " warning", " note", " note"]


def test_quiet_hides_the_warnings_of_runs_read_in_parallel(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "tags").write_text(TWO_TAGS)
    assert run([*TWO_RUNS, "--quiet", "--jobs", "2"]) == 0
    assert capsys.readouterr().err == ""
