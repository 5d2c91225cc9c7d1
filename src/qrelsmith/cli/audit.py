"""`qrelsmith audit`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.actions import action
from qrelsmith.cli.colours import paint_verdicts
from qrelsmith.cli.options import Common, split_names
from qrelsmith.cli.progress import progress
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_options import check_named_once, run_words

if TYPE_CHECKING:
    from qrelsmith.audit.inputs import AuditInputs
    from qrelsmith.base.content import Report, Scorecard
    from qrelsmith.campaign.campaign import Campaign
    from qrelsmith.campaign.loose_files import LooseFiles


@action(
    "audit",
    "trust",
    everyday=True,
    example="qrelsmith audit qrelsmith-demo -o qrelsmith-demo/audit",
)
@click.argument("files", metavar="CAMPAIGN | RUN...", nargs=-1, type=click.Path())
@click.option(
    "--qrels", multiple=True, type=click.Path(),
    help="Without a campaign: a label set; repeat for each. The arguments are runs then.",
)  # fmt: skip
@click.option(
    "--scale", "scale_text", metavar="SCALE",
    help="Without a campaign: levels of the scale, such as 0..3; default: as the grades show it.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(),
    help="The folder to write; default: CAMPAIGN/audit, without a campaign audit.",
)  # fmt: skip
@click.option(
    "-m", "--measure", "measures", multiple=True,
    help="A measure that ranks the systems; repeat for more. Default: those of campaign.toml.",
)  # fmt: skip
@click.option(
    "--reference", help="The label set to compare with; default: gold, else the only set by people."
)
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@click.option(
    "--require", "required", multiple=True, metavar="QUESTION=VERDICT:LABEL_SET",
    help="Exit with status 1 unless the scorecard meets this: agrees=good:gpt,"
    " 'agrees=good,probably good:gpt', 'agrees!=bad:gpt' or 'agrees.value>=.6:gpt' (value, low,"
    " high, p_good, p_bad, topics); repeat for more.",
)  # fmt: skip
@click.option(
    "--calibrate", "calibrated", is_flag=True,
    help="Show the smallest damage that each verdict sees here, and whether intervals are wide"
    " enough; takes minutes.",
)  # fmt: skip
@click.option(
    "--property", "properties", multiple=True, metavar="NAME",
    help="A field of the docs that errors may follow, beside length, overlap and language; repeat.",
)  # fmt: skip
@click.option(
    "--answers", multiple=True, type=click.Path(),
    help="Answers of systems, of which FILE has labels by aspect; repeat for more.",
)  # fmt: skip
@click.option(
    "--aspects", multiple=True, type=click.Path(),
    help="What the answers are judged for; repeat for more files.",
)  # fmt: skip
@click.option("--pdf", is_flag=True, help="Write the figures as PDF, too.")
@click.option(
    "--spreadsheet", is_flag=True,
    help="Add a copy of each table that is safe to open in a spreadsheet.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of whatever is random.")
@click.option("--jobs", type=click.IntRange(min=1), help="Threads; default: one a processor.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    files: tuple[str, ...],
    qrels: tuple[str, ...],
    scale_text: str | None,
    output: str | None,
    measures: tuple[str, ...],
    reference: str | None,
    order: str,
    required: tuple[str, ...],
    calibrated: bool,
    properties: tuple[str, ...],
    answers: tuple[str, ...],
    aspects: tuple[str, ...],
    pdf: bool,
    spreadsheet: bool,
    seed: int,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Audit of a campaign: which labels and rankings to trust.

    The folder gets audit.html, which opens offline in any browser, the tables as csv, Markdown and
    LaTeX, the figures as SVG, and the manifest. The verdicts are printed as well.

    Without a campaign name the label sets by --qrels and the runs: they go by their files' names.

    A file of labels of answers, with --aspects and --answers, or MTRAG's JSON, which has all of it,
    is audited as a campaign that is created beside the folder.
    """
    from qrelsmith.audit.inputs import AuditInputs
    from qrelsmith.audit.requirements import requirement_of
    from qrelsmith.campaign.loose_files import LooseFiles
    from qrelsmith.report import check_dependencies, check_folder

    common = Common(form=None, output=None, seed=seed, jobs=jobs, quiet=quiet)
    source = _loose_files(qrels, files, scale_text) if qrels else _campaign(files, scale_text)
    beside = Path() if isinstance(source, LooseFiles) else Path(source)
    loose_answers = not qrels and (bool(answers or aspects) or Path(files[0]).is_file())
    if loose_answers:
        beside = Path()
    folder = Path(output) if output is not None else beside / "audit"
    check_folder(folder)
    if loose_answers:
        source = _campaign_of_answers(files, answers, aspects, f"{folder}-campaign", common)
    wanted = [requirement_of(text) for text in required]
    inputs = AuditInputs(
        source,
        measures=split_names(measures),
        reference=reference,
        order=order,
        seed=seed,
        jobs=jobs,
        calibrated=calibrated,
        properties=split_names(properties),
    )
    # What follows is imported for a campaign that there is.
    from qrelsmith.audit.verdicts.registry import VERDICTS

    check_dependencies()
    for requirement in wanted:
        VERDICTS.get(requirement.question)
        inputs.check(requirement.label_set)
    card = write_audit(inputs, folder, common, pdf=pdf, spreadsheet=spreadsheet).scorecard
    if card is None:
        return
    if failed := [why for each in wanted if (why := each.failure(card))]:
        common.end(f"required {'; '.join(failed)}", status=1)


def _campaign(files: Sequence[str], scale: str | None) -> str:
    """Return the folder that was named."""
    if len(files) != 1:
        raise click.UsageError("expected one CAMPAIGN, or --qrels for each label set and the runs")
    if scale is not None:
        raise click.UsageError("--scale is for --qrels; a campaign says its scale in campaign.toml")
    return files[0]


def _campaign_of_answers(
    files: Sequence[str],
    answers: Sequence[str],
    aspects: Sequence[str],
    folder: str,
    common: Common,
) -> str:
    """Create the campaign of loose answers beside the report, unless it is there."""
    from qrelsmith.answers.mtrag import is_mtrag_file
    from qrelsmith.formats.answer_campaign import init_answers

    if (Path(folder) / SETTINGS).exists():
        common.say([f"{folder} exists and is audited as it is; delete it to read the files again"])
    elif is_mtrag_file(files[0]):
        init_answers(folder, [*files, *answers], aspects=aspects)
    else:
        init_answers(folder, answers, labels=files, aspects=aspects)
    common.say([f"the campaign of the answers is in {folder}"])
    return folder


def _loose_files(qrels: Sequence[str], runs: Sequence[str], scale: str | None) -> LooseFiles:
    """Files that were named, as a campaign without a folder."""
    from qrelsmith.campaign.loose_files import LooseFiles
    from qrelsmith.campaign.scale_settings import Level
    from qrelsmith.collection.qrels import stem

    if any((Path(path) / SETTINGS).exists() for path in runs):
        raise click.UsageError("expected a CAMPAIGN or --qrels, not both")
    paths = run_words(runs)
    check_named_once(paths)
    levels = () if scale is None else tuple(Level(grade) for grade in Scale.parse(scale).levels)
    return LooseFiles(
        Path(),
        title=f"Audit of {stem(qrels[0])}" if len(qrels) == 1 else "Audit of label sets",
        levels=levels,
        qrels_files=tuple(map(Path, qrels)),
        run_files=tuple(map(Path, paths)),
    )


def write_audit(
    inputs: AuditInputs,
    folder: FilePath,
    common: Common,
    *,
    pdf: bool = False,
    spreadsheet: bool = False,
) -> Report:
    """Audit a campaign into a folder, print the summary, and say where the report is."""
    from qrelsmith.audit.campaign_audit import compute_audit
    from qrelsmith.audit.registry import section_names
    from qrelsmith.report import write_report

    names = section_names(inputs.about)
    with progress("auditing", len(names), quiet=common.quiet) as advance:
        audit = compute_audit(inputs, advance=advance)
    write_report(audit, Path(folder), pdf=pdf, spreadsheet=spreadsheet)
    for finding in audit.summary():
        if finding.opens:
            click.echo(f"{finding.verdict.value}  {finding.sentence}")
    if audit.scorecard is not None:
        _tell(audit.scorecard, inputs.campaign)
    if inputs.calibrated:
        for section in audit.sections[len(names) :]:
            click.echo("\n\n".join(f"{each.title}\n{each.table}" for each in section.tables))
    common.say(inputs.notes)
    common.say([f"the report is in {Path(folder) / 'audit.html'}"])
    return audit


def _tell(card: Scorecard, campaign: Campaign) -> None:
    """Print a line for each label set, and the next steps."""
    from qrelsmith.audit.actions import command_in
    from qrelsmith.base.content import CellVerdict

    width = max(map(len, card.label_sets))
    for name in card.label_sets:
        counts = Counter(cell.verdict for cell in card.of(name))
        verdicts = ", ".join(
            f"{counts[word]} {word}"
            for word in get_args(CellVerdict)
            if counts[word] and word != "none"
        )
        said = f"{card.uses.get(name, '')} ({paint_verdicts(verdicts) or 'no verdict'})"
        click.echo(f"{name:<{width}}  {said.lstrip()}")
    for step in card.actions:
        click.echo(f"{'next':<{width}}  {step.what} ({step.cost})")
        if step.command:
            click.echo(f"{'':<{width}}  {command_in(step, campaign)}")
