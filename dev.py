"""Set up qrelsmith for work on it: one verb for people and for CI. Needs Python 3.11 or newer.

python3 dev.py demo    install everything into .venv and build and evaluate the demo collection
python3 dev.py quick   the tests to run while at work: kernels, contracts, the app, ten journeys
python3 dev.py test    the checks, and every test that guards users
python3 dev.py full    the same, and load, killed servers, PostgreSQL, fast paths on small files
python3 dev.py check   only the checks: format, lint, layers, types
python3 dev.py docs    build the documentation site into build/docs
python3 dev.py words   collect the words of the app into its translations, and compile them
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / os.environ.get("QRELSMITH_VENV", ".venv")
BIN = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

# No test takes a minute on an idle machine: one that takes five hangs, and fails (seconds).
HANGS = 300


def main(arguments: list[str]) -> int:
    if sys.version_info < (3, 11):
        return fail(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    verbs = {
        "demo": demo,
        "quick": quick,
        "test": test,
        "full": full,
        "check": check,
        "docs": docs,
        "words": words,
    }
    if not arguments or arguments[0] not in verbs:
        print(__doc__.strip())
        return 2
    os.chdir(ROOT)
    # Every worker and every command that a test starts would compile the sources anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return verbs[arguments[0]](arguments[1:])


def demo(arguments: list[str]) -> int:
    install("all")
    return run("qrelsmith", "demo", *(arguments or ["qrelsmith-demo"]))


def quick(arguments: list[str]) -> int:
    install("all,test")
    return look() or tests("quick and not full", arguments)


def test(arguments: list[str]) -> int:
    install("all,test")
    if status := look():
        return status
    # One core checks the types while the others begin with the tests.
    print("$ mypy &", flush=True)
    with subprocess.Popen([str(BIN / "mypy")], text=True, stdout=subprocess.PIPE) as types:
        status = tests("not full", arguments)
        said, _ = types.communicate()
    print("$ mypy", said, sep="\n", end="", flush=True)
    return types.returncode or status


def full(arguments: list[str]) -> int:
    os.environ["QRELSMITH_EXAMPLES"] = "40"
    status = test(arguments) or tests("full", arguments)
    if status or arguments:
        return status
    # Once more with every size threshold at 1 kB: small files take the fast paths of large ones.
    os.environ["QRELSMITH_SIZES"] = "1000"
    readers = ("io", "collection", "judgments", "pairs", "formats", "forms", "evaluation")
    return tests("not full", [f"tests/{room}" for room in readers])


def check(_: list[str]) -> int:
    install("all,test")
    return look() or run("mypy")


def docs(_: list[str]) -> int:
    install("all,test,docs")
    return run("sphinx-build", "-q", "-W", "--keep-going", "docs", "build/docs")


def words(arguments: list[str]) -> int:
    install("all,test")
    return run("python", "tools/words.py", *arguments)


def look() -> int:
    """The checks that take a second: format, lint, layers."""
    steps = (("ruff", "format", "--check", "."), ("ruff", "check", "."), ("lint-imports",))
    return next((status for step in steps if (status := run(*step))), 0)


def tests(marked: str, arguments: list[str]) -> int:
    """Run the tests with such marks, of which `pyproject.toml` tells, or some of them."""
    # A file stays together: its tests share what they start, servers for instance.
    # One worker more than cores, because browsers and servers are waited for.
    workers = min((os.cpu_count() or 1) + 1, 5)
    spread = ["-n", str(workers), "--dist", "loadfile", "--no-loadscope-reorder"]
    spread = [] if arguments else spread
    slowest = [] if arguments else ["--durations", "40", "--durations-min", "4"]
    limited = ["--timeout", str(HANGS), "--timeout-method", "signal"]
    status = run("pytest", "-m", marked, *limited, *spread, *slowest, *arguments)
    if status == 1 and spread:
        # Browsers on busy cores miss their time; what fails alone as well has failed.
        print("once more, one after the other: what failed", flush=True)
        again = ["--last-failed", "--last-failed-no-failures", "none"]
        status = run("pytest", "-m", marked, *limited, *again)
    return status


def install(extras: str) -> None:
    """Install the project and its extras into the environment, unless that was done already."""
    wanted = hashlib.sha256(extras.encode())
    for name in ("pyproject.toml", "constraints.txt"):
        wanted.update((ROOT / name).read_bytes())
    mark = ENVIRONMENT / f".installed-{extras.replace(',', '-')}"
    if mark.exists() and mark.read_text(encoding="utf-8") == wanted.hexdigest():
        return
    if not PYTHON.exists():
        print(f"creating {ENVIRONMENT.name}", flush=True)
        venv.EnvBuilder(with_pip=True, clear=ENVIRONMENT.exists()).create(ENVIRONMENT)
    print(f"installing qrelsmith[{extras}] into {ENVIRONMENT.name}", flush=True)
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--upgrade", "pip"], check=True)
    subprocess.run([*pip, "-c", "constraints.txt", "-e", f".[{extras}]"], check=True)
    mark.write_text(wanted.hexdigest(), encoding="utf-8")


def run(program: str, *arguments: str) -> int:
    """Run a program of the environment; its exit status."""
    print("$", program, *arguments, flush=True)
    return subprocess.run([str(BIN / program), *arguments], check=False).returncode


def fail(message: str) -> int:
    print(f"dev.py: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as error:
        sys.exit(fail(f"{' '.join(error.cmd)} ended with status {error.returncode}"))
    except KeyboardInterrupt:
        sys.exit(130)
