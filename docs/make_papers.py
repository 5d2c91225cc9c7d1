"""Write the tables of artefacts on the pages of the papers from their registries.

Run `python docs/make_papers.py` after an artefact was added or became of another kind; a test
compares.
"""

from __future__ import annotations

from pathlib import Path

from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import PAPERS, Paper, StudyInputs, paper_named
from qrelsmith.studies.reproduction import kind_of

FOLDER = Path(__file__).parent / "papers"
_START, _END = "<!-- artefacts: written by docs/make_papers.py -->\n", "<!-- end of artefacts -->\n"


def table_of(paper: Paper) -> str:
    """A row for each artefact: its command, and what its claims rest on without and with data."""
    nothing = StudyInputs(data=None, seed=0, paper_size=False, sweep=lambda _: [])
    lines = [
        "| artefact | command, after `reproduce` | claims rest on | with the paper's own data |",
        "| --- | --- | --- | --- |",
    ]
    for entry in paper.artefacts.entries():
        kind = entry.about["kind"]
        without = kind_of(paper.artefacts.get(entry.name), nothing).value
        own = without if isinstance(kind, ClaimKind) else ClaimKind.RECOMPUTED.value
        summary = entry.summary.rstrip(".")
        lines.append(f"| {summary} | `{paper.key} --artefact {entry.name}` | {without} | {own} |")
    return "\n".join(lines) + "\n"


def page_with_table(text: str, paper: Paper) -> str:
    """The text of a page with its table as it should be."""
    before, start, rest = text.partition(_START)
    _, end, after = rest.partition(_END)
    return f"{before}{start}\n{table_of(paper)}\n{end}{after}"


def main() -> None:
    """Write all of them."""
    for key in PAPERS.names():
        path = FOLDER / f"{key}.md"
        path.write_text(page_with_table(path.read_text("utf-8"), paper_named(key)), "utf-8")


if __name__ == "__main__":
    main()
