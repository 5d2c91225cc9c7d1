"""Actions that a scorecard advises next, each with its cost and its command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from qrelsmith.audit.inputs import TOP, AuditInputs
from qrelsmith.audit.progress import docs_to_judge, open_work
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.verdicts.undamaged import damages_of
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import Action, ScorecardCell
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.loose_files import LooseFiles
from qrelsmith.damages.damage_rows import DamageRow
from qrelsmith.damages.find_damages import find_damages
from qrelsmith.estimation.linear_measures import linear_measure

_MOST_DAMAGES, _NAMED = 4, 3
# Docs of a favoured team, and of a sample, that people are to judge.
_BLIND_DOCS, _SAMPLED_DOCS = 100, 300
_SMALL_DIFFERENCE = "0.05"  # a difference of means that matters, for the number of topics
_SUM_OVER_DOCS = "nDCG@10"  # what a sample estimates where none of the campaign's measures can be


def actions_of(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> tuple[Action, ...]:
    """Actions that are advised next, the most useful first.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    cells : sequence of ScorecardCell
        All verdicts; without a reference there are none, and choosing one is all that is advised.
    """
    if inputs.reference_notice:
        campaign = inputs.campaign
        words = (campaign.placeholder,) if campaign.is_folder else campaign.arguments
        command = _command("audit", *words, "--reference", inputs.reference)
        why = "Without a reference nothing can be compared, and there are no verdicts."
        return (
            Action("Choose the label set to compare with.", why, "no judging", command),
            *_create_folder(inputs),
        )
    by_place = {(cell.label_set, cell.question): cell for cell in cells}
    useless = _useless_sets(inputs, cells)
    open_docs = docs_to_judge(inputs)
    tops = by_place.get((inputs.reference, "complete"))
    return (
        *_create_folder(inputs),
        *_finish_judging(inputs, open_docs),
        *_mend_damages(inputs, useless),
        *_leave_out(inputs, useless),
        *(() if open_docs else _judge_tops(inputs, tops)),
        *_judge_contested(inputs, by_place.get((inputs.reference, "uncontested"))),
        *_sample_docs(inputs, cells),
        *_judge_topics(inputs, [cell for cell in cells if cell.label_set not in useless]),
    )


def command_in(action: Action, campaign: Campaign) -> str:
    """Return the command of an action as it is typed for a campaign."""
    if not campaign.is_folder:
        return action.command
    named = shlex.quote(str(campaign.folder))
    return re.sub(rf"(?<!\S){campaign.placeholder}(?=[/\s]|$)", lambda _: named, action.command)


def _create_folder(inputs: AuditInputs) -> Iterator[Action]:
    """The campaign folder of loose files, which all other commands read."""
    campaign = inputs.campaign
    if isinstance(campaign, LooseFiles):
        yield Action(
            "Create a campaign folder from these files.",
            f"All other commands of this report read the folder {campaign.placeholder}.",
            "no judging",
            shlex.join(campaign.init_command),
            is_setup=True,
        )


def _finish_judging(inputs: AuditInputs, docs: int) -> Iterator[Action]:
    if docs:
        yield Action(
            "Let the assessors finish.",
            open_work(inputs),
            f"{count(docs, 'doc', 'docs')} to judge",
            _command("audit", inputs.campaign.placeholder),
        )


def _mend_damages(inputs: AuditInputs, useless: Sequence[str]) -> Iterator[Action]:
    """An action for every kind of damage, those of the reference first.

    A team that a useless set favours is passed over: nobody judges again for such a set.
    """
    answer = inputs.ask(find_damages)
    rows: dict[tuple[str, str], list[DamageRow]] = {}
    for label_set in (inputs.reference, *inputs.others):
        favours = [row for row in answer.of(label_set) if row.is_shared]
        shown = [] if inputs.teams_guessed else [r for r in favours if r.damage == "favoured"]
        for row in (*damages_of(inputs, answer.of(label_set)), *shown):
            if not (row.team and label_set in useless):
                rows.setdefault((row.damage, row.culprit_kind), []).append(row)
    for of_kind in list(rows.values())[:_MOST_DAMAGES]:
        damage, kind = of_kind[0].damage, of_kind[0].culprit_kind
        sets = list(dict.fromkeys(row.label_set for row in of_kind))
        culprits = dict.fromkeys(row.assessor or row.topic or row.team for row in of_kind)
        named = _first_names([each for each in culprits if each])
        whose = f" ({kind} {named})" if named else ""
        action = of_kind[0].action or "look at the labels again"
        yield Action(
            f"Look at what is {damage} in {_first_names(sets)}{whose}: {action}.",
            f"{of_kind[0].sentence}.",
            _cost_of_damage(inputs, of_kind),
            _command("damages", inputs.campaign.placeholder, "--damage", damage),
        )


def _cost_of_damage(inputs: AuditInputs, rows: Sequence[DamageRow]) -> str:
    topics = {(row.label_set, topic) for row in rows for topic in row.topic.split()}
    if topics:
        docs = sum(
            (name, topic) in topics
            for name in {name for name, _ in topics}
            for topic, _, _ in inputs.label_sets[name].rows()
        )
        return f"at most {count(docs, 'doc', 'docs')} to judge again"
    if rows[0].team:
        return f"about {_BLIND_DOCS} docs to judge again, blind"
    return "a talk, and a sample to judge again" if rows[0].assessor else "no judging, at first"


def _judge_tops(inputs: AuditInputs, cell: ScorecardCell | None) -> Iterator[Action]:
    if cell is None or cell.verdict not in ("doubtful", "bad", "undecided"):
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
        yield Action(
            f"Judge what the runs return in their top {TOP} and nobody judged.",
            cell.sentence,
            f"{count(number, 'doc', 'docs')} to judge",
            _command("pool", inputs.campaign.placeholder, "--depth", str(TOP), "-o", "tops.pool"),
        )


def _judge_contested(inputs: AuditInputs, cell: ScorecardCell | None) -> Iterator[Action]:
    if cell is None or cell.verdict not in ("doubtful", "bad", "undecided"):
        return
    if number := cell.contested:
        yield Action(
            f"Judge again, blind, what {inputs.reference} calls not relevant and others contest.",
            cell.sentence,
            f"{count(number, 'doc', 'docs')} to judge again",
            _command("disagree", inputs.campaign.placeholder, "--show", "serious"),
        )


def _sample_docs(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> Iterator[Action]:
    """A sample that corrects the labels that rank best among those that may not rank yet."""
    ranked = [
        cell
        for cell in cells
        if cell.question == "ranks-all" and cell.verdict in ("doubtful", "bad", "undecided")
        if inputs.kind(cell.label_set) != "people"
    ]
    if not ranked:
        return
    best = max(ranked, key=lambda cell: cell.value)
    measure = _measure_of_samples(inputs)
    options = (inputs.campaign.placeholder, "--label-set", best.label_set, "-m", measure)
    why = (
        f"{best.sentence} A sample that is drawn where it tells systems apart gives differences"
        " with intervals that hold whatever the labels are worth."
    )
    if inputs.campaign.sample is not None:
        yield Action(
            f"See what the sample of docs that is drawn says, {best.label_set} corrected by it.",
            why,
            "what of it is not judged yet",
            _command("estimate", *options, "--pairs"),
        )
        return
    budget = ("--budget", str(_SAMPLED_DOCS), "-o", f"{inputs.campaign.placeholder}/sample.csv")
    yield Action(
        f"Let people judge a sample of docs, and correct {best.label_set} by it.",
        why,
        f"about {_SAMPLED_DOCS} docs to judge",
        _command("sample", *options, *budget),
    )


def _measure_of_samples(inputs: AuditInputs) -> str:
    """The first measure of the audit, else of the campaign, that a sample gives intervals of."""
    scale = inputs.campaign.scale or Scale((0.0, 1.0))
    for name in (*inputs.measures, *inputs.campaign.measures):
        try:
            return linear_measure(name, scale).label
        except UsageError:
            continue
    return _SUM_OVER_DOCS


def _judge_topics(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> Iterator[Action]:
    """More topics, where they would decide soonest whether a set may stand in."""
    purposes = {entry.name for entry in VERDICTS.entries() if entry.about["purpose"]}
    open_cells = [cell for cell in cells if cell.question in purposes and cell.more_topics]
    if not open_cells:
        return
    least = min(open_cells, key=lambda cell: cell.more_topics)
    reference = inputs.label_sets[inputs.reference]
    docs = round(len(reference) / max(len(reference.topics), 1)) * least.more_topics
    yield Action(
        f"Judge {count(least.more_topics, 'more topic', 'more topics')}, to decide what"
        f" {least.label_set} may be used for. The command answers another question: how many topics"
        f" a test needs to see a difference of {_SMALL_DIFFERENCE}.",
        least.sentence,
        f"about {count(docs, 'doc', 'docs')} to judge",
        _command(
            "plan", "topics", inputs.campaign.placeholder, "-m", inputs.measures[0],
            "--test", "paired-t", "--difference", _SMALL_DIFFERENCE,
        ),
    )  # fmt: skip


def _useless_sets(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> list[str]:
    """The label sets that are fit for nothing that they could stand in for.

    Also those whose grades are bad, in which something is broken, and that are shown to be good for
    nothing; and those with one grade almost everywhere.
    """
    purposes = {entry.name for entry in VERDICTS.entries() if entry.about["purpose"]}
    constant = {
        row.label_set
        for row in inputs.ask(find_damages).found
        if (row.damage, row.culprit_kind) == ("constant", "set")
    }
    useless = []
    for name in inputs.others:
        said = {cell.question: cell.verdict for cell in cells if cell.label_set == name}
        asked = {verdict for question, verdict in said.items() if question in purposes} - {"none"}
        broken = said["agrees"] == "bad" and said["undamaged"] == "bad" and "good" not in asked
        if asked == {"bad"} or broken or name in constant:
            useless.append(name)
    return useless


def _leave_out(inputs: AuditInputs, useless: Sequence[str]) -> Iterator[Action]:
    if not useless:
        return
    rest = [name for name in inputs.label_sets if name not in useless]
    options = [word for name in rest for word in ("--label-set", name)]
    yield Action(
        f"Leave out {_first_names(useless)}.",
        f"Shown to be good for nothing in the place of {inputs.reference}, and bad for some of it."
        " A baseline may stay, as what others have to beat.",
        "no judging",
        _command("compare", inputs.campaign.placeholder, *options) if len(rest) > 1 else "",
    )


def _first_names(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return name_list(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def _command(*words: str) -> str:
    return shlex.join(("qrelsmith", *words))
