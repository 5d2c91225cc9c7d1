"""Check, build and try a release: `python tools/release.py FOLDER [--tests] [EXTRA …]`.

The clone must be clean, its version must have a dated section in CHANGELOG.md, and its tag must not
exist. With --tests, `dev.py test` must pass. The sdist and wheel are built into FOLDER. The wheel
is installed into a new environment without extras and with each extra alone; with `[demo]` it runs
the demo. FOLDER also gets `sbom.json` (CycloneDX 1.5: the packages of `[all]`, with licences) and
`SHA256SUMS`. At the end the tag command is printed.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# Imports that prove that an extra is complete.
PROOFS = {
    "": "import qrelsmith; qrelsmith.MEASURES",
    "all": "import django, dask, matplotlib, pandas, psycopg",
    "cluster": "import distributed, qrelsmith.sweep",
    "demo": "from qrelsmith.demo import systems",
    "frames": "import pandas, polars",
    "ir_measures": "import ir_measures, pyndeval",
    "models": "import httpx; from qrelsmith.models import prompts",
    "openid": "import jwt, mozilla_django_oidc, requests",
    "postgres": "import psycopg",
    "report": "import jinja2, matplotlib; from qrelsmith.report import *",
    "web": "import django, icu4py, nh3, prometheus_client, waitress, warcio",
}


def main(arguments: list[str]) -> int:
    """Check the clone, build into a folder, and try the wheel with all extras or with some."""
    has_tests = "--tests" in arguments
    arguments = [argument for argument in arguments if argument != "--tests"]
    if not arguments:
        print(__doc__)
        return 2
    version = version_of(ROOT)
    if problems := problems_of(ROOT, version):
        print("\n".join(problems), file=sys.stderr)
        return 1
    if has_tests:
        run(sys.executable, str(ROOT / "dev.py"), "test")
    folder = Path(arguments[0]).resolve()
    folder.mkdir(parents=True)
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    for extra in arguments[1:] or ["", *extras_of(ROOT)]:
        with tempfile.TemporaryDirectory() as name:
            python = install(wheel, extra, Path(name))
            run(str(python), "-W", "error", "-c", PROOFS[extra])
            run(str(python.with_name("qrelsmith")), "--version")
            # Help is there without an extra; what lacks one says so in one line.
            run(str(python.with_name("qrelsmith")), "evaluate", "--help")
            if extra == "demo":
                run(
                    str(python.with_name("qrelsmith")),
                    "demo",
                    "--quiet",
                    str(Path(name, "demo-run")),
                )
            print(f"[{extra}] works alone", flush=True)
            if extra == "all":
                (folder / "sbom.json").write_text(sbom(python), encoding="utf-8")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(
        f"Tag it with: git tag -a v{version} -m 'qrelsmith {version}' && git push origin v{version}"
    )
    return 0


def version_of(root: Path) -> str:
    """Return the version of the package in a clone."""
    text = (root / "src" / "qrelsmith" / "__init__.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def extras_of(root: Path) -> list[str]:
    """Return the names of the extras that users install."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(set(project["optional-dependencies"]) - {"docs", "test"})


def problems_of(root: Path, version: str) -> list[str]:
    """Return the reasons why a clone cannot be released; empty if it can."""
    problems = []
    if changed := git(root, "status", "--porcelain"):
        problems.append(f"the clone has changed files; expected none: {changed.split()[-1]}")
    if git(root, "tag", "--list", f"v{version}"):
        problems.append(f"the tag v{version} already exists; expected a new version")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        problems.append(f"CHANGELOG.md has no section; expected ## [{version}] - YYYY-MM-DD")
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        problems.append(f"CITATION.cff has a different version; expected {version}")
    return problems


def git(root: Path, *words: str) -> str:
    """Return the output of git in a clone."""
    done = subprocess.run(  # noqa: S603 - git itself
        ["git", "-C", str(root), *words],  # noqa: S607 - the git on the path
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def install(wheel: Path, extra: str, folder: Path) -> Path:
    """Create an environment with the wheel and one extra; return its Python."""
    venv.EnvBuilder(with_pip=True).create(folder)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, "--upgrade", "pip")
    named = f"{wheel}[{extra}]" if extra else str(wheel)
    run(*pip, "--constraint", str(ROOT / "constraints.txt"), named)
    return python


def sbom(python: Path) -> str:
    """Return the packages of an environment as a CycloneDX document."""
    listed = subprocess.run(  # noqa: S603 - our own environment
        [str(python), "-m", "pip", "inspect"], check=True, capture_output=True, text=True
    )
    packages = [each["metadata"] for each in json.loads(listed.stdout)["installed"]]
    (own,) = (each for each in packages if each["name"] == "qrelsmith")
    others = [each for each in packages if each["name"] not in ("qrelsmith", "pip", "setuptools")]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(own, "application")},
        "components": [
            component(each, "library") for each in sorted(others, key=lambda each: each["name"])
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def component(metadata: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return a package as CycloneDX names it."""
    name, version = metadata["name"], metadata["version"]
    named = name.lower().replace("_", "-")
    found: dict[str, Any] = {
        "type": kind,
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{named}@{version}",
    }
    words = metadata.get("license_expression") or metadata.get("license") or ""
    classified = [
        each.rpartition(" :: ")[2]
        for each in metadata.get("classifier", [])
        if each.startswith("License ::")
    ]
    if metadata.get("license_expression"):
        found["licenses"] = [{"expression": words}]
    elif classified or (words and "\n" not in words):
        found["licenses"] = [{"license": {"name": each}} for each in classified or [words]]
    return found


def run(*command: str) -> None:
    """Run a program; show its output if it fails."""
    done = subprocess.run(  # noqa: S603 - what this file says
        command, check=False, capture_output=True, text=True, cwd=tempfile.gettempdir()
    )
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
        raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
