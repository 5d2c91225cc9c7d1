"""Build a release and prove it: `python tools/release.py FOLDER [EXTRA …]`.

In FOLDER are then the sdist and the wheel, `sbom.json` (CycloneDX 1.5: what `[all]` brings, with
licences) and `SHA256SUMS` of all of them. Before that the wheel is installed into a new environment
with no extra and with each extra alone, and does there what the extra is for.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# What shows that an extra brought all that it is for.
PROOFS = {
    "": "import qrelsmith; qrelsmith.MEASURES",
    "all": "import django, dask, matplotlib, pandas, psycopg",
    "cluster": "import distributed, qrelsmith.sweep",
    "demo": "from qrelsmith.demo import systems",
    "frames": "import pandas, polars",
    "models": "import httpx; from qrelsmith.models import prompts",
    "postgres": "import psycopg",
    "report": "import jinja2, matplotlib; from qrelsmith.report import *",
    "web": "import django, icu4py, nh3, prometheus_client, waitress, warcio",
}


def main(arguments: list[str]) -> int:
    """Build into a folder, and prove the wheel with all extras or with some."""
    if not arguments:
        print(__doc__)
        return 2
    folder = Path(arguments[0]).resolve()
    folder.mkdir(parents=True)
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    (wheel,) = folder.glob("*.whl")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = sorted(set(project["optional-dependencies"]) - {"docs", "test"})
    if set(PROOFS) != {"", *extras}:
        print(f"tools/release.py has no proof of {sorted({*extras} ^ ({*PROOFS} - {''}))}")
        return 1
    for extra in arguments[1:] or ["", *extras]:
        with tempfile.TemporaryDirectory() as name:
            python = install(wheel, extra, Path(name))
            run(str(python), "-W", "error", "-c", PROOFS[extra])
            run(str(python.with_name("qrelsmith")), "--version")
            # Help is there without an extra; what lacks one says so in one line.
            run(str(python.with_name("qrelsmith")), "evaluate", "--help")
            print(f"[{extra}] works alone", flush=True)
            if extra == "all":
                (folder / "sbom.json").write_text(sbom(python), encoding="utf-8")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return 0


def install(wheel: Path, extra: str, folder: Path) -> Path:
    """A new environment's Python, with the wheel and one extra."""
    venv.EnvBuilder(with_pip=True).create(folder)
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    run(*pip, "--upgrade", "pip")
    named = f"{wheel}[{extra}]" if extra else str(wheel)
    run(*pip, "--constraint", str(ROOT / "constraints.txt"), named)
    return python


def sbom(python: Path) -> str:
    """The packages of an environment as a CycloneDX document."""
    told = subprocess.run(  # noqa: S603 - our own environment
        [str(python), "-m", "pip", "inspect"], check=True, capture_output=True, text=True
    )
    packages = [each["metadata"] for each in json.loads(told.stdout)["installed"]]
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
    """A package as CycloneDX names it."""
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
    """Run a program; what it prints is shown where it fails."""
    done = subprocess.run(  # noqa: S603 - what this file says
        command, check=False, capture_output=True, text=True, cwd=tempfile.gettempdir()
    )
    if done.returncode:
        print(done.stdout, done.stderr, file=sys.stderr)
        raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
