"""`qrelsmith reproduce`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Jobs, Option, Seed, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Quiet
from qrelsmith.cli.sweeping import DaskAddress, Sweeper
from qrelsmith.studies.registry import PAPERS, Paper, StudyInputs, paper_named

if TYPE_CHECKING:
    from qrelsmith.base.content import Report

_ALL, _PAGE, _INDEX, _WANTED = "all", "reproduction.html", "index.html", "wanted.md"
_CLAIMS = "claims.csv"
_DRAWS, _FEW_DRAWS = 20, 2


@action(
    "reproduce",
    "show",
    example="qrelsmith reproduce pdp --artefact fig4 --data data -o pdp",
    renamed={"--list": "--list-artefacts"},
)
def command(
    paper: Annotated[str, Source(
        "The paper.", "", many=False, required=True, choices=(*PAPERS.names(), _ALL))],
    artefacts: Annotated[tuple[str, ...], Option(
        "Table or figure to reproduce, such as fig4; repeatable. Default: all of the paper.",
        ("--artefact",))] = (),
    data: Annotated[str | None, Option(
        "Folder with a subfolder per data set, or the folder of one data set; wanted.md in the"
        " output folder lists the required data.", file=True)] = None,
    size: Annotated[Literal["paper", "small"], Option(
        "Size of simulations. `small` only checks that everything runs; results that differ from"
        " the paper's are then called not comparable.")] = "paper",
    draws: Annotated[int | None, Option(
        "Number of simulated collections per simulated claim; default: 20, or 2 with --size"
        " small.", metavar="N", least=0)] = None,
    output: Annotated[str | None, Option(
        "Folder to write; default: PAPER.", ("-o", "--output"), file=True)] = None,
    cells: Annotated[str | None, Option(
        "Folder for computed cells, from which an interrupted command resumes; default: the"
        " output folder with the suffix .cells.", file=True)] = None,
    listed: Annotated[bool, Option(
        "List the artefacts without computing them.", ("--list-artefacts",))] = False,
    pdf: Annotated[bool, Option("Also write the figures as PDF.")] = False,
    seed: Seed = 0,
    dask: DaskAddress = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Reproduce a paper's tables and figures.

    Reproduced results are compared with the published results of a PAPER, or of all papers with
    `all`. The output folder contains reproduction.html (which opens offline in any browser), tables
    as csv, Markdown and LaTeX, figures as SVG, a manifest, claims.csv (published and reproduced
    results) and wanted.md (required data and their availability). For every claim, the kind of its
    numbers is shown: recomputed from the paper's own data, taken from the printed paper, other real
    data, or simulated. For a claim about simulated data, the share of draws in which it holds is
    shown with an interval. The verdict is `as published` if the whole interval is above one half.
    With `all`, each paper has a separate subfolder, and index.html summarises the results and the
    differences.
    """
    from qrelsmith.report import check_dependencies, check_folder, write_report
    from qrelsmith.studies.findings import claims_table
    from qrelsmith.studies.overview import overview
    from qrelsmith.studies.reproduction import reproduce
    from qrelsmith.studies.wanted_page import data_files_text
    from qrelsmith.sweep import Parts

    studies = [paper_named(key) for key in (PAPERS.names() if paper == _ALL else (paper,))]
    if paper == _ALL and artefacts:
        raise click.UsageError("--artefact needs one paper; expected PAPER, found 'all'")
    if listed:
        for study in studies:
            _list(study, named=paper == _ALL)
        return
    if data is not None and not Path(data).is_dir():
        raise UsageError(f"--data {quoted(data)} is not a folder; expected a folder of data sets")
    folder = Path(output or paper)
    beside = folder.resolve()
    parts = Parts(cells or beside.parent / f"{beside.name}.cells")
    check_dependencies()
    check_folder(folder)
    sweep = Sweeper(parts, jobs, dask, quiet)
    inputs = StudyInputs(
        # The workers of a cluster have different working folders.
        data=None if data is None else Path(data) if dask is None else Path(data).resolve(),
        seed=seed,
        paper_size=size == "paper",
        sweep=sweep,
        draws=(_DRAWS if size == "paper" else _FEW_DRAWS) if draws is None else draws,
    )
    reports = {
        study: reproduce(
            study, inputs, artefacts=artefacts, started=_telling(study, sweep, quiet=quiet)
        )
        for study in studies
    }
    findings = {study.key: report.findings() for study, report in reports.items()}
    beside_page = {
        _WANTED: data_files_text(studies, inputs),
        _CLAIMS: claims_table(findings).text("csv"),
    }
    page = _PAGE
    if paper == _ALL:
        page, inside = _INDEX, {study.key: (_PAGE, report) for study, report in reports.items()}
        write_report(
            overview(reports, inputs, page=_PAGE), folder, page=_INDEX, inside=inside,
            beside=beside_page, pdf=pdf,
        )  # fmt: skip
    else:
        (report,) = reports.values()
        write_report(report, folder, page=_PAGE, beside=beside_page, pdf=pdf)
    for study, report in reports.items():
        _tell(report, f"{study.key}  " if paper == _ALL else "")
    if not quiet:
        click.echo(f"qrelsmith: note: the artefacts are in {folder / page}", err=True)


def _list(study: Paper, *, named: bool) -> None:
    """List the artefacts of a paper."""
    for entry in study.artefacts.entries():
        click.echo(f"{f'{study.key:<10}' if named else ''}{entry.name:<16}{entry.summary}")


def _telling(study: Paper, sweep: Sweeper, *, quiet: bool) -> Callable[[str], None]:
    """Return a function that reports the current artefact."""

    def tell_start(name: str) -> None:
        sweep.doing = f"{study.key} {name}"
        if not quiet:
            click.echo(f"qrelsmith: note: making {sweep.doing}", err=True)

    return tell_start


def _tell(report: Report, before: str) -> None:
    """Print the findings of a paper."""
    from qrelsmith.studies.findings import COMPARED, totals

    for finding in report.findings():
        kind = f"{finding.kind}: " if finding.kind else ""
        click.echo(f"{before}{finding.verdict.value:>14}  {kind}{finding.sentence}")
    for name, *counts in totals(report.findings()).rows:
        if any(counts):
            told = (
                f"{count} {verdict.value}"
                for verdict, count in zip(COMPARED, counts, strict=True)
                if count
            )
            click.echo(f"{before}{name}: {', '.join(told)}")
