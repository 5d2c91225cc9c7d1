"""Commands that are ended by a signal: no traceback, and no unfinished file."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

_PLENTY = 150_000


@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        (signal.SIGINT, 130, "qrelsmith: error: interrupted; no file is left half-written"),
        (signal.SIGTERM, 143, ""),
    ],
)
def test_a_signal_during_the_writing_leaves_the_earlier_file(
    tmp_path: Path, sent: signal.Signals, status: int, said: str
) -> None:
    run = tmp_path / "a.run"
    run.write_text("".join(f"q{n // 100} Q0 d{n} 1 {-n} a\n" for n in range(_PLENTY)))
    (out := tmp_path / "out").mkdir()
    earlier = out / "a.jsonl"
    earlier.write_text("earlier")
    words = ["convert", str(run), str(earlier), "--kind", "runs", "--to", "jsonl"]
    process = _started("-m", "qrelsmith", *words)
    while not list(out.glob(".*.part")):
        assert process.poll() is None
        time.sleep(0.002)
    process.send_signal(sent)
    shown, problem = process.communicate()
    assert (shown, problem.strip(), process.returncode) == ("", said, status)
    assert [path.name for path in out.iterdir()] == ["a.jsonl"]
    assert earlier.read_text() == "earlier"


def test_an_interrupt_during_the_imports_prints_no_traceback() -> None:
    process = _started("-X", "importtime", "-m", "qrelsmith", "measures")
    assert process.stderr is not None
    for line in process.stderr:
        if line.split()[-1] == "click.parser":
            break
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate()[1]
    assert process.returncode == 130


def _started(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - no thread runs now
    )  # fmt: skip


def _hear_interrupts() -> None:
    """Undo that a job in the background ignores interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
