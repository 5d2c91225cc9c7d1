"""`qrelsmith reproduce`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

import click

from qrelsmith.cli.progress import progress
from qrelsmith.errors import QrelsmithError, UsageError, quoted
from qrelsmith.report import check_dependencies, check_folder, write_report
from qrelsmith.studies.registry import PAPERS, StudyInputs
from qrelsmith.studies.reproduction import paper_named, reproduced
from qrelsmith.sweep import Cell, Parts, run_cells
from qrelsmith.tables import Table

_PAGE = "reproduction.html"


@click.command(
    name="reproduce", epilog="Example: qrelsmith reproduce pdp --artefact fig4 --data data -o pdp"
)
@click.argument("paper", type=click.Choice(list(PAPERS)))
@click.option(
    "--artefact", "artefacts", multiple=True,
    help="A table or figure, such as fig4; repeat for more. Default: all of the paper.",
)  # fmt: skip
@click.option(
    "--data", type=click.Path(),
    help="The folder with the public data sets, each in its own folder; what needs one that is not"
    " there says so.",
)  # fmt: skip
@click.option(
    "--size", type=click.Choice(["paper", "small"]), default="paper", show_default=True,
    help="The size of simulations; small is to see that everything runs: its numbers are not the"
    " paper's. Some papers take minutes at the small size and half an hour at the paper's.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(), help="The folder to write; default: PAPER.")
@click.option(
    "--cells", type=click.Path(),
    help="Where what is computed is kept, so that a run that was stopped does only the rest;"
    " default: the folder to write, with .cells at its end.",
)  # fmt: skip
@click.option("--list", "listed", is_flag=True, help="Name the artefacts and make none.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of whatever is random.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes; default: one a processor.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    paper: str,
    artefacts: tuple[str, ...],
    data: str | None,
    size: str,
    output: str | None,
    cells: str | None,
    listed: bool,
    seed: int,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Make the tables and figures of PAPER anew, beside what was published.

    The folder gets reproduction.html, which opens offline in any browser, the tables as csv,
    Markdown and LaTeX, the figures as SVG and PDF, and the manifest.
    """
    study = paper_named(paper)
    if listed:
        for entry in study.artefacts.entries():
            click.echo(f"{entry.name:<16}{entry.summary}")
        return
    if data is not None and not Path(data).is_dir():
        raise UsageError(f"--data {quoted(data)} is no folder; expected one that holds data sets")
    folder = Path(output or paper)
    beside = folder.resolve()
    parts = Parts(cells or beside.parent / f"{beside.name}.cells")
    check_dependencies()
    check_folder(folder)
    doing = [paper]

    def started(name: str) -> None:
        doing[0] = f"{paper} {name}"
        if not quiet:
            click.echo(f"qrelsmith: note: making {name}", err=True)

    def sweep(wanted: Sequence[Cell]) -> list[Table]:
        with progress(doing[0], len(wanted), quiet=quiet) as advance, _if_one_dies():
            return run_cells(wanted, parts=parts, jobs=jobs, advance=advance)

    inputs = StudyInputs(
        data=None if data is None else Path(data),
        seed=seed,
        paper_size=size == "paper",
        sweep=sweep,
    )
    report = reproduced(study, inputs, artefacts=artefacts, started=started)
    write_report(report, folder, page=_PAGE)
    for finding in report.findings():
        click.echo(f"{finding.verdict.value:>12}  {finding.sentence}")
    if not quiet:
        click.echo(f"qrelsmith: note: the artefacts are in {folder / _PAGE}", err=True)


@contextmanager
def _if_one_dies() -> Iterator[None]:
    """Say in a line that a process of the sweep was ended, and what can be done."""
    try:
        yield
    except BrokenProcessPool:
        raise QrelsmithError(
            "a process was ended from outside, as where memory runs out; what was computed is kept:"
            " run the command again for the rest, with fewer --jobs if memory is short"
        ) from None
