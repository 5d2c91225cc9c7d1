"""The templates of docs/plugins.md run from the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs/plugins.md"
COMMANDS = [
    ("evaluate q1 r.run -m First", "all,First,1.5"),
    ("agree q1 q2 --coefficient same-share", "all,same-share,0.5"),
    ("aggregate q1 q2 --by midrange", "u 0 e 1.5"),
    ("damages --qrels q1 --qrels q2 r.run --damage generous", "100% of the docs of topic u"),
    ("pool r.run --depth 2 --ordering backwards", "t e 1\nt d 2"),
    ("topk pairs q1 --method ladder -k 1", "u,1,d,e"),
    ("convert q1 /dev/stdout --kind qrels --to bars", "t|d|2"),
    ("evaluate q1 r.run -m First --format lines", "r\nall\nFirst\n1.5"),
    ("audit --qrels q1 --qrels q2 r.run -o out", "label_set,labels\nq1,4"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugins")
    templates = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (folder / "my_plugin.py").write_text("\n".join(templates), encoding="utf-8")
    (folder / "q1").write_text("t 0 d 2\nt 0 e 0\nu 0 d 1\nu 0 e 1\n")
    (folder / "q2").write_text("t 0 d 2\nt 0 e 0\nu 0 d 2\nu 0 e 2\n")
    (folder / "r.run").write_text("t Q0 d 1 2 r\nt Q0 e 2 1 r\nu Q0 d 1 2 r\n")
    return folder


@pytest.mark.parametrize(("command", "expected"), COMMANDS)
def test_the_template_of_every_kind_of_plugin_works(
    folder: Path, command: str, expected: str
) -> None:
    program = [sys.executable, "-m", "qrelsmith", "--plugin", "my_plugin.py", *command.split()]
    done = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    written = [path.read_text("utf-8") for path in folder.glob("out/tables/sizes.csv")]
    assert expected in "".join([done.stdout, *written])
