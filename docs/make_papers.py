"""Write the tables of artefacts and of claims on the pages of the papers.

Run `python docs/make_papers.py` after an artefact was added or became of another kind; a test
compares. What the papers say beside what came out is in `docs/measured/claims-PAPER.csv`. To
measure it anew: `qrelsmith reproduce PAPER --data DATA -o DIR`, then
`python docs/make_papers.py PAPER=DIR`, which takes over the claims of DIR.
"""

from __future__ import annotations

import csv
import re
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
_SIGNS = {
    "above": ">", "at least": "≥", "below": "<", "at most": "≤",
    "not significant, and shown to be within": "equivalent within",
}  # fmt: skip
# Tables that some pages have besides, from `docs/measured/NAME-PAPER.csv`.
_MEASURED = ("moments",)


def artefacts_of(paper: Paper) -> str:
    """Return a row for each artefact: its name, its numbers, and why it differs."""
    nothing = StudyInputs(data=None, seed=0, paper_size=False, sweep=lambda _: [])
    heads = ("artefact", "content", "data; with the paper's own data", "why it differs")
    lines = []
    for entry in paper.artefacts.entries():
        kind = entry.about["kind"]
        without = kind_of(paper.artefacts.get(entry.name), nothing).value
        own = without if isinstance(kind, ClaimKind) else ClaimKind.RECOMPUTED.value
        kinds = without if own == without else f"{without}; {own}"
        summary = entry.summary.rstrip(".")
        lines.append([f"`{entry.name}`", summary, kinds, _plain(entry.about["deviation"])])
    return markdown(heads, lines, words=4)


def claims_of(paper: Paper) -> str:
    """Return a row for each claim and each kind of numbers, unless the result is as published.

    Errata have a table of their own; the csv file lists everything.
    """
    heads = ("artefact", "claim", "data", "result", "statistics")
    lines, said = [], ("", "")
    checked = [row for row in _claims(paper) if not _is_erratum(row)]
    rows = [row for row in checked if row["verdict"] != Verdict.HOLDS.value]
    for row in rows:
        claim, found = _parts(paper, row)
        share = f" [{short(row['low'], 2)}, {short(row['high'], 2)}]" if row["share"] else ""
        is_same = (row["artefact"], claim) == said
        said = row["artefact"], claim
        start = ["", "″"] if is_same else [f"`{row['artefact']}`", _plain(claim)]
        data = row["kind"]
        if data == ClaimKind.OTHER_DATA.value:
            name, _, found = found.removeprefix("On ").partition(": ")
            data = f"{data}: {name}"
        shown = _plain(found) if row["verdict"] == Verdict.DIFFERS.value else ""
        lines.append([*start, data, row["verdict"] + share, shown])
    file = _measured(paper, _CLAIMS).name
    tested = [row for row in checked if row["kind"]]
    note = f"{len(checked) - len(rows)} of {len(tested)} results are as published;\n"
    note += (
        f"[{file}](../measured/{file}) lists all results with statistics. The remaining results:"
    )
    return f"{note}\n\n{markdown(heads, lines, words=len(heads))}"


def errata_of(paper: Paper) -> str:
    """Return a row for each claim that the paper's own print does not bear out."""
    lines = []
    for row in filter(_is_erratum, _claims(paper)):
        claim, found = _parts(paper, row)
        known = [c.erratum for c in paper.claims(row["artefact"]) if c.says == claim]
        why = next(filter(None, known), found)
        lines.append([f"`{row['artefact']}`", row["print"], _plain(claim), _plain(why)])
    return markdown(("artefact", "status", "claim", "the paper's numbers"), lines, words=4)


def _is_erratum(row: dict[str, str]) -> bool:
    return row["kind"] == ClaimKind.FROM_PRINT.value and row["print"] != "holds"


def _parts(paper: Paper, row: dict[str, str]) -> tuple[str, str]:
    """Return the claim of a row, and what came out."""
    sentence = row[_SENTENCE].removeprefix("The paper: ")
    declared = (c.says for c in paper.claims(row["artefact"]) if sentence.startswith(c.says))
    # A claim that was reworded since ends where the numbers begin.
    claim = next(declared, re.split(r" (?:In print|On [^.]*?): ", sentence)[0])
    found = sentence.removeprefix(claim).strip()
    if row["kind"] != ClaimKind.OTHER_DATA.value:  # else the text before the colon names the data
        found = found.partition(": ")[2]
    for words, sign in _SIGNS.items():
        found = found.replace(f"(expected: {words} ", f"({sign} ")
    return claim, re.sub(r"\(expected: (from )?", "(", found)


def _claims(paper: Paper) -> list[dict[str, str]]:
    with _measured(paper, _CLAIMS).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def measured_of(paper: Paper, name: str) -> str:
    """Return the rows of moments that are two standard deviations or more from the print."""
    head, *rows = _rows(paper, name)
    far = [
        [*map(_plain, words), *(f"{float(number):.4g}" for number in numbers)]
        for *words, published, mean, sd in rows
        for numbers in [(published, mean, sd)]
        if abs(float(published) - float(mean)) >= 2 * float(sd)
    ]
    return markdown(head, far, words=2)


def pages() -> Pages:
    """Return the pages of the papers with their tables."""
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
    """Return words that Markdown leaves as they are."""
    return text.replace("|", "\\|").replace("_", "\\_").replace("*", "\\*")


def main(*given: str) -> None:
    """Write all of them; `given`: papers with the folders whose claims are taken over."""
    for key, _, folder in (one.partition("=") for one in given):
        paper = paper_named(key)
        shutil.copyfile(Path(folder) / "claims.csv", _measured(paper, _CLAIMS))
    write(pages())


if __name__ == "__main__":
    main(*sys.argv[1:])
