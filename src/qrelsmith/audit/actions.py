"""Next steps that follow from a scorecard, each with its cost and a command to paste."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from qrelsmith.audit.damage_steps import leave_out, mend_damages, useless_sets
from qrelsmith.audit.inputs import TOP, AuditInputs
from qrelsmith.audit.progress import docs_to_judge, open_work, unjudged_pooled_docs
from qrelsmith.audit.steps import Step, command, first_names
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import CLEAR, Action, ScorecardCell
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.campaign_folder import RECORDS_FOLDER
from qrelsmith.campaign.loose_files import LooseFiles
from qrelsmith.estimation.linear_measures import linear_measure

_SAMPLED_DOCS = 300  # size of the suggested sample for human judging
_SUM_OVER_DOCS = "nDCG@10"  # used if a sample can estimate no measure of the campaign
_USEFUL = ("good", "probably good", "none")


def actions_of(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> tuple[Action, ...]:
    """Return the next steps, ordered by the number of docs to judge per decided verdict.

    The first steps are to create the folder and to finish the judging.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    cells : sequence of ScorecardCell
        All verdicts. Without a reference, there are no verdicts, and the only step is to choose a
        reference.
    """
    if inputs.reference_notice:
        campaign = inputs.campaign
        words = (campaign.placeholder,) if campaign.is_folder else campaign.arguments
        named = command("audit", *words, "--reference", inputs.reference)
        why = "Verdicts compare label sets with a reference."
        return (Action("Choose a reference.", why, "no judging", named), *_create_folder(inputs))
    by_place = {(cell.label_set, cell.question): cell for cell in cells}
    useless = useless_sets(inputs, cells)
    open_docs = docs_to_judge(inputs)
    tops = by_place.get((inputs.reference, "complete"))
    steps = [
        *mend_damages(inputs, useless),
        *leave_out(inputs, useless),
        *(() if open_docs else _judge_tops(inputs, tops)),
        *_judge_contested(inputs, by_place.get((inputs.reference, "uncontested"))),
        *_sample_docs(inputs, cells),
        *_judge_topics(inputs, [cell for cell in cells if cell.label_set not in useless]),
    ]
    ordered = sorted(steps, key=lambda step: step.price)
    return (
        *_create_folder(inputs),
        *_finish_judging(inputs, open_docs),
        *(step.action for step in ordered),
    )


def command_in(action: Action, campaign: Campaign) -> str:
    """Return the command of an action, with the campaign's folder filled in."""
    if not campaign.is_folder:
        return action.command
    named = shlex.quote(str(campaign.folder))
    return re.sub(rf"(?<!\S){campaign.placeholder}(?=[/\s]|$)", lambda _: named, action.command)


def _create_folder(inputs: AuditInputs) -> Iterator[Action]:
    """Return the step that creates a campaign folder from loose files."""
    campaign = inputs.campaign
    if isinstance(campaign, LooseFiles):
        yield Action(
            "Create a campaign folder from these files.",
            "The other commands in this report need a campaign folder.",
            "no judging",
            shlex.join(campaign.init_command),
            is_setup=True,
        )


def _finish_judging(inputs: AuditInputs, docs: int) -> Iterator[Action]:
    if docs:
        yield Action(
            "Let the assessors finish judging.",
            open_work(inputs),
            f"{count(docs, 'doc', 'docs')} to judge",
            _audit_again(inputs.campaign),
        )


def _audit_again(campaign: Campaign | LooseFiles) -> str:
    """Return the command for the next audit; for an exported campaign, it exports first."""
    if campaign.is_folder and (campaign.folder / RECORDS_FOLDER).exists():
        export = command("app", "export", "APP-CAMPAIGN", "-o", "new-export")
        return f"{export} && {command('audit', 'new-export')}"
    return command("audit", campaign.placeholder)


def _judge_tops(inputs: AuditInputs, cell: ScorecardCell | None) -> Iterator[Step]:
    if cell is None or cell.verdict in _USEFUL:
        return
    judged = {(topic, doc) for topic, doc, _ in inputs.label_sets[inputs.reference].rows()}
    topics = {topic for topic, _ in judged}
    tops = {
        (topic, doc)
        for run in inputs.runs
        for topic in topics
        for doc in run.docs.get(topic, ())[:TOP]
    }
    number = len(tops - judged)
    if number:
        pool = ("--topics", "judged", "--depth", str(TOP), "-o", "tops.pool")
        yield Step(
            Action(
                f"Judge the unjudged docs in the top {TOP} of the runs.",
                cell.detail,
                f"{count(number, 'doc', 'docs')} to judge",
                command("pool", inputs.campaign.placeholder, *pool),
            ),
            number,
        )


def _judge_contested(inputs: AuditInputs, cell: ScorecardCell | None) -> Iterator[Step]:
    if cell is None or cell.verdict in _USEFUL:
        return
    if number := cell.contested:
        yield Step(
            Action(
                f"Judge the disputed non-relevant docs of {inputs.reference} again, blind.",
                cell.detail,
                f"{count(number, 'doc', 'docs')} to judge again",
                command("disagree", inputs.campaign.placeholder, "--show", "serious"),
            ),
            number,
        )


def _sample_docs(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> Iterator[Step]:
    """Yield the step of judging a sample to correct the best model's labels if these are poor."""
    if inputs.is_of_answers:
        return
    ranked = [
        cell
        for cell in cells
        if cell.question == "ranks-all" and cell.verdict != "none"
        if inputs.kind(cell.label_set) == "model" or cell.label_set not in inputs.groups
        if inputs.kind(cell.label_set) != "people"
    ]
    best = max(ranked, key=lambda cell: cell.value, default=None)
    if best is None or best.verdict in _USEFUL:
        return
    rankings = ("picks-the-best", "ranks-all", "ranks-top", "finds-differences")
    decides = sum(
        cell.label_set == best.label_set and cell.verdict not in _USEFUL
        for cell in cells
        if cell.question in rankings
    )
    measure = _measure_of_samples(inputs)
    options = (inputs.campaign.placeholder, "--label-set", best.label_set, "-m", measure)
    why = (
        "Because the sample is random, the corrected estimates have valid intervals even if the"
        f" labels of {best.label_set} are poor."
    )
    if inputs.campaign.sample is not None:
        action = Action(
            "Estimate the differences between systems from the labels of"
            f" {best.label_set}, corrected with the campaign's sample of human labels.",
            why,
            "judging the rest of the sample",
            command("estimate", *options, "--pairs"),
            label_sets=(best.label_set,),
        )
        yield Step(action, 0, decides)
        return
    unjudged = unjudged_pooled_docs(inputs)
    docs = _SAMPLED_DOCS if unjudged is None else min(_SAMPLED_DOCS, unjudged)
    if not docs:
        return
    budget = ("--budget", str(docs), "-o", f"{inputs.campaign.placeholder}/sample.csv")
    action = Action(
        f"Have people judge a sample of docs, to correct the labels of {best.label_set}.",
        why,
        f"about {count(docs, 'doc', 'docs')} to judge",
        command("sample", *options, *budget),
        label_sets=(best.label_set,),
    )
    yield Step(action, docs, decides)


def _measure_of_samples(inputs: AuditInputs) -> str:
    """Return the first measure of the audit or the campaign that a sample can estimate."""
    scale = inputs.campaign.scale or Scale((0.0, 1.0))
    for name in (*inputs.measures, *inputs.campaign.measures):
        try:
            return linear_measure(name, scale).label
        except UsageError:
            continue
    return _SUM_OVER_DOCS


def _judge_topics(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> Iterator[Step]:
    """Yield the step of judging more topics: as many as decide the most verdicts per topic."""
    purposes = {entry.name for entry in VERDICTS.entries() if entry.about["purpose"]}
    waiting = [
        cell
        for cell in cells
        if cell.question in purposes and cell.verdict not in CLEAR and cell.more_topics
    ]
    if not waiting:
        return
    decided = {
        more: [cell for cell in waiting if cell.more_topics <= more]
        for more in {cell.more_topics for cell in waiting}
    }
    more = max(decided, key=lambda more: (len(decided[more]) / more, -more))
    reference = inputs.label_sets[inputs.reference]
    docs = round(len(reference) / max(len(reference.topics), 1) * more)
    asks = {entry.name: entry.about["asks"] for entry in VERDICTS.entries()}
    named = [f"{cell.label_set} ({asks[cell.question]})" for cell in decided[more]]
    new = {topic for run in inputs.runs for topic in run.docs} - set(reference.topics)
    pool = ("--depth", str(inputs.pool_depth), "-o", "more-topics.pool")
    yield Step(
        Action(
            f"Judge {count(more, 'more topic', 'more topics')}, to make"
            f" {count(len(named), 'verdict', 'verdicts')} clear.",
            f"Verdicts that become clear if the values stay the same: {first_names(named)}."
            + (
                ""
                if len(new) >= more
                else " Before judging, add the topics to the campaign and run the systems on them."
            ),
            f"about {count(docs, 'doc', 'docs')} to judge",
            command("pool", inputs.campaign.placeholder, *pool) if len(new) >= more else "",
            label_sets=tuple({cell.label_set: None for cell in decided[more]}),
        ),
        docs,
        len(named),
    )
