"""`qrelsmith audit`."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import click

from qrelsmith.base.options import Jobs, Option, Seed, Source
from qrelsmith.base.registry import split_names
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.actions import action
from qrelsmith.cli.colours import paint_verdicts
from qrelsmith.cli.declared_options import Quiet
from qrelsmith.cli.options import Common
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
def command(
    files: Annotated[tuple[str, ...], Source("Files.", "CAMPAIGN | RUN...")] = (),
    qrels: Annotated[tuple[str, ...], Option(
        "Without a campaign: label set; repeatable. The arguments are then runs.",
        file=True)] = (),
    scale_text: Annotated[str | None, Option(
        "Without a campaign: levels of the scale, such as 0..3; default: inferred from the grades.",
        ("--scale",), metavar="SCALE")] = None,
    output: Annotated[str | None, Option(
        "Folder to write; default: CAMPAIGN/audit, or audit if there is no campaign.",
        ("-o", "--output"), file=True)] = None,
    measures: Annotated[tuple[str, ...], Option(
        "Measure that ranks the systems; repeatable. Default: the measures in campaign.toml.",
        ("-m", "--measure"))] = (),
    reference: Annotated[str | None, Option(
        "Label set with which the other sets are compared; default: gold, or the only set by"
        " people.")] = None,
    order: Annotated[str, Option(
        "Order of the docs in a run.", choices=RUN_ORDERS.names)] = "trec",
    required: Annotated[tuple[str, ...], Option(
        "Exit with status 1 unless the scorecard meets this requirement: agrees=good:gpt,"
        " 'agrees=good,probably good:gpt', 'agrees!=bad:gpt' or 'agrees.value>=.6:gpt' (value,"
        " low, high, p_good, p_bad, topics); repeatable.",
        ("--require",), metavar="QUESTION=VERDICT:LABEL_SET")] = (),
    calibrated: Annotated[bool, Option(
        "Show the smallest data problem that each verdict detects in this campaign, and whether"
        " intervals are wide enough; takes minutes.", ("--calibrate",))] = False,
    properties: Annotated[tuple[str, ...], Option(
        "Field of the docs to test for an effect on errors, in addition to length, overlap and"
        " language; repeatable.",
        ("--property",), metavar="NAME")] = (),
    answers: Annotated[tuple[str, ...], Option(
        "File with systems' answers; pass the labels by aspect as FILE; repeatable.",
        file=True)] = (),
    aspects: Annotated[tuple[str, ...], Option(
        "File with the aspects by which the answers are judged; repeatable.", file=True)] = (),
    pdf: Annotated[bool, Option("Also write the figures as PDF.")] = False,
    spreadsheet: Annotated[bool, Option(
        "Add a copy of each table that is safe to open in a spreadsheet.")] = False,
    seed: Seed = 0,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Find out which labels can replace human labels, and which rankings to trust.

    The output folder contains audit.html (which opens offline in any browser), tables as csv,
    Markdown and LaTeX, figures as SVG, and a manifest. The verdicts are also printed.

    If you have no campaign folder, pass the runs, and each label set with --qrels. Runs and label
    sets are named after their files.

    To audit labels of answers, pass the file of labels with --aspects and --answers, or MTRAG's
    JSON alone. For labels of answers, a campaign is created next to the output folder.
    """
    from qrelsmith.audit.inputs import AuditInputs
    from qrelsmith.audit.requirements import requirement_of
    from qrelsmith.campaign.loose_files import LooseFiles
    from qrelsmith.report import check_dependencies, check_folder

    common = Common(seed=seed, jobs=jobs, quiet=quiet)
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
    # These imports are only needed for an existing campaign.
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
    """Return the given folder."""
    from qrelsmith.collection.qrels import stem

    if len(files) != 1:
        hint = ""
        if files:
            named = [word for path in files for word in ("--qrels", path)]
            words = ("qrelsmith", "audit", *named, "--reference", stem(files[0]))
            hint = f". If the files are label sets: {shlex.join(words)}"
        raise click.UsageError(
            f"expected one CAMPAIGN, or the runs and --qrels for each label set{hint}"
        )
    if scale is not None:
        raise click.UsageError("--scale needs --qrels; a campaign sets its scale in campaign.toml")
    return files[0]


def _campaign_of_answers(
    files: Sequence[str],
    answers: Sequence[str],
    aspects: Sequence[str],
    folder: str,
    common: Common,
) -> str:
    """Create the campaign of loose answers next to the report, unless it exists."""
    from qrelsmith.answers.mtrag import is_mtrag_file
    from qrelsmith.formats.answer_campaign import init_answers

    if (Path(folder) / SETTINGS).exists():
        common.say([f"{folder} already exists and is audited; to read the files again, delete it"])
    elif is_mtrag_file(files[0]):
        init_answers(folder, [*files, *answers], aspects=aspects)
    else:
        init_answers(folder, answers, labels=files, aspects=aspects)
    common.say([f"the campaign with the answers is in {folder}"])
    return folder


def _loose_files(qrels: Sequence[str], runs: Sequence[str], scale: str | None) -> LooseFiles:
    """Return the given files as a campaign without a folder."""
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
    """Audit a campaign into a folder, and print the summary and the report's path."""
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
