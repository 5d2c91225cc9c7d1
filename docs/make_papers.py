"""Write the tables of artefacts and of claims on the pages of the papers.

Run `python docs/make_papers.py` after an artefact was added or became of another kind; a test
compares. What the papers say beside what came out is in `docs/measured/claims-PAPER.csv`. To
measure it anew: `qrelsmith reproduce PAPER --data DATA -o DIR`, then
`python docs/make_papers.py PAPER=DIR`, which takes over the claims of DIR.
"""

from __future__ import annotations

import csv
import shutil
import sys
from pathlib import Path

from page_tables import DOCS, MEASURED, Pages, has_place, markdown, short, write

from qrelsmith.base.content import Verdict
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import PAPERS, Paper, StudyInputs, paper_named
from qrelsmith.studies.reproduction import kind_of

_ARTEFACTS, _CLAIMS, _ERRATA = "artefacts", "claims", "errata"
_SENTENCE = "published, and obtained"
# Tables that some pages have besides, from `docs/measured/NAME-PAPER.csv`.
_MEASURED = ("moments",)


def artefacts_of(paper: Paper) -> str:
    """A row for each artefact: its command, and what its claims rest on without and with data."""
    nothing = StudyInputs(data=None, seed=0, paper_size=False, sweep=lambda _: [])
    heads = (
        "artefact", "command, after `reproduce`", "claims rest on", "with the paper's own data",
    )  # fmt: skip
    lines = []
    for entry in paper.artefacts.entries():
        kind = entry.about["kind"]
        without = kind_of(paper.artefacts.get(entry.name), nothing).value
        own = without if isinstance(kind, ClaimKind) else ClaimKind.RECOMPUTED.value
        summary = entry.summary.rstrip(".")
        lines.append([summary, f"`{paper.key} --artefact {entry.name}`", without, own])
    return markdown(heads, lines, words=4)


def claims_of(paper: Paper) -> str:
    """Return a row for each claim, with its share of draws and why it differs."""
    about = {entry.name: entry.about for entry in paper.artefacts.entries()}
    heads = ("artefact", "came out", "kind", "share of draws", "print", "the paper, and here")
    lines = []
    for row in _claims(paper):
        said = _plain(row[_SENTENCE].removeprefix("The paper: "))
        artefact = row["artefact"]
        own = row["kind"] == ClaimKind.FROM_PRINT.value
        if row["verdict"] == Verdict.DIFFERS.value and about[artefact]["deviation"] and not own:
            said += f" *Why:* {about[artefact]['deviation']}"
        share = ""
        if row["share"]:
            share = f"{short(row['share'], 2)} [{short(row['low'], 2)}, {short(row['high'], 2)}]"
        lines.append([f"`{artefact}`", row["verdict"], row["kind"], share, row["print"], said])
    return markdown(heads, lines, words=len(heads))


def errata_of(paper: Paper) -> str:
    """A row for each claim that the paper's own print does not bear out."""
    lines = [
        [f"`{row['artefact']}`", row["print"], _plain(row[_SENTENCE].removeprefix("The paper: "))]
        for row in _claims(paper)
        if row["kind"] == ClaimKind.FROM_PRINT.value and row["print"] != "holds"
    ]
    return markdown(("artefact", "print", "the paper, and its numbers"), lines, words=3)


def _claims(paper: Paper) -> list[dict[str, str]]:
    with _measured(paper, _CLAIMS).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured_of(paper: Paper, name: str) -> str:
    """A table as it was measured."""
    head, *rows = _rows(paper, name)
    lines = [[*map(_plain, line)] for line in (head, *rows)]
    return markdown(lines[0], lines[1:], words=len(head))


def pages() -> Pages:
    """The pages of the papers with their tables."""
    found = {}
    for key in PAPERS.names():
        paper, page = paper_named(key), DOCS / "papers" / f"{key}.md"
        found[page] = {
            _ARTEFACTS: artefacts_of(paper),
            _CLAIMS: claims_of(paper),
            _ERRATA: errata_of(paper),
        } | {name: measured_of(paper, name) for name in _MEASURED if has_place(page, name)}
    return found


def _measured(paper: Paper, name: str) -> Path:
    return MEASURED / f"{name}-{paper.key}.csv"


def _rows(paper: Paper, name: str) -> list[list[str]]:
    with _measured(paper, name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def _plain(text: str) -> str:
    """Words that Markdown leaves as they are."""
    return text.replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")


def main(*given: str) -> None:
    """Write all of them; `given`: papers with the folders whose claims are taken over."""
    for key, _, folder in (one.partition("=") for one in given):
        paper = paper_named(key)
        shutil.copyfile(Path(folder) / "claims.csv", _measured(paper, _CLAIMS))
    write(pages())


if __name__ == "__main__":
    main(*sys.argv[1:])
