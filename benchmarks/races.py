"""Run the races of closing, handing in, excluding and undoing against an answer in flight, often.

    python benchmarks/races.py [--tries 200] [-k WHAT]

The tests of `dev.py` run each race a few times on each database; this runs the same tests as often
as `--tries` says, all schedules of two operations in the simulator, as many of three, and the load
of 50 clients. A race that accepts something late, or a judgment that is lost, fails its test.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RACES = (
    "tests/web/judging/test_races.py",
    "tests/web/crowd/test_races.py",
    "tests/web/crowd/test_graded_schedules.py",
    "tests/web/crowd/test_kind_schedules.py",
    "tests/web/crowd/test_restorations.py",
    "tests/web/crowd/test_crashes.py",
    "tests/web/judging/test_load.py",
    "tests/web/crowd/test_load_of_all.py",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument(
        "-k", default="", metavar="WHAT", help="Races whose name has this, as pytest."
    )
    options = parser.parse_args()
    command = [sys.executable, "-m", "pytest", *RACES, "-m", "full or not full", "-k", options.k]
    environment = os.environ | {"QRELSMITH_TRIES": str(options.tries)}
    return subprocess.run(
        [*command, "--durations", "0"], check=False, cwd=ROOT, env=environment
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
