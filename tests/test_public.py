"""The public surface, and that importing it costs next to nothing."""

from __future__ import annotations

import subprocess
import sys

import qrelsmith


def test_the_public_names_are_these() -> None:
    assert sorted(qrelsmith.__all__) == sorted(
        [
            "__version__", "Evaluation", "Gains", "InputError", "InputWarning", "MEASURES", "Qrels",
            "QrelsmithError", "RUN_ORDERS", "Run", "Scale", "ScoreMatrix", "UsageError", "evaluate",
            "read_qrels", "read_run", "write_qrels", "write_run",
        ]
    )  # fmt: skip


def test_every_public_name_can_be_had_and_says_what_it_is() -> None:
    for name in qrelsmith.__all__:
        value = getattr(qrelsmith, name)
        assert name == "__version__" or value.__doc__


def test_a_public_name_is_no_module_after_its_module_was_imported() -> None:
    code = (
        "import qrelsmith.cli.evaluate, qrelsmith.measures;"
        "from qrelsmith import evaluate; print(callable(evaluate))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, qrelsmith; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
