"""The command `damages`: data problems in labels, and their source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Unpack

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Advance, FigureFile, Jobs, Option, check_scale
from qrelsmith.base.questions import question
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.damages.damage_report import report_damages
from qrelsmith.damages.damage_rows import Damages
from qrelsmith.damages.layout import lay_out
from qrelsmith.damages.origins import origins_of
from qrelsmith.damages.property_options import PropertyOptions, with_properties
from qrelsmith.damages.registry import DAMAGES, tests_for
from qrelsmith.damages.whose import ALPHA
from qrelsmith.evaluation.held_runs import campaign_runs
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.evaluation.ranking_options import QRELS, ranking_source
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.label_options import AspectFile, LabelScope, OnlyAspect
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.one_aspect import of_aspect
from qrelsmith.judgments.run_options import LabelSetChoice, Reference, RunOrder, Runs, Teams
from qrelsmith.judgments.run_sources import RunsLike, runs_of
from qrelsmith.judgments.sources import label_sets_of
from qrelsmith.judgments.topic_sources import TopicSet, of_topics
from qrelsmith.pooling.run_teams import run_teams

DEPTH = 100
"""The depth to which runs are read: enough for the order of any pool."""


class DamageScope(LabelScope, PropertyOptions, total=False):
    """The labels to examine, and the doc properties on which errors may depend."""


@question(
    "damages",
    heading="trust",
    everyday=True,
    audit=("damages",),
    example="qrelsmith damages www4",
    doing="looking for damage",
    writes={
        "figure": FigureFile(
            "Draw errors against the property with the largest effect to this file (.svg or .pdf).",
            "Errors are for the same topic and reference grade.",
        )
    },
)
def find_damages(
    labels: Annotated[Any, ranking_source("[QRELS] RUN...|CAMPAIGN", qrels=QRELS)],
    runs: Runs = None,
    *,
    kinds: Annotated[
        str | Sequence[str],
        Option(
            f"Test only for this data problem (repeatable): {', '.join(DAMAGES.names())}.",
            ("--damage",),
            metavar="NAME",
            split=True,
        ),
    ] = (),
    label_set: LabelSetChoice = None,
    reference: Reference = None,
    teams: Teams = None,
    alpha: Annotated[float, Option(
        "False-alarm rate: share of campaigns without problems in which a problem is reported.",
        above=0,
        below=1)] = ALPHA,
    order: RunOrder = "trec",
    jobs: Jobs = None,
    advance: Advance = lambda: None,
    aspect: OnlyAspect = None,
    aspects: AspectFile = None,
    **scope: Unpack[DamageScope],
) -> Damages:  # fmt: skip
    """Find copied, swapped or hurried labels and other problems, and their source.

    Every label set is compared with the reference, and the reference with the majority of the other
    sets. If either of two sets could have the problem, a third set decides. Columns: damage,
    label_set, group, assessor, topic, team, value, low and high (limits of the value's 95%
    interval), p (after Holm's adjustment within a label set), found, sentence. There is one row per
    test and possible source. On a terminal, only problems that were found are shown.

    If there are docs, the test `leans-on:PROPERTY` checks whether a label set's errors, for a given
    topic and reference grade, depend on a doc property. The properties are length (in words),
    overlap (share of the topic's words in the doc), language (whether it is the most frequent one),
    and each --property. The column `value` is in grades per standard deviation of the property.

    Returns
    -------
    Damages
        A row for every test of every possible source.

    Raises
    ------
    UsageError
        If there is no such damage or label set, or alpha is not a share.
    InputError
        If a file is malformed.

    Examples
    --------
    >>> from qrelsmith import find_damages
    >>> gold = {f"t{t}": {f"d{d:02}": d * d % 23 % 4 for d in range(t, t + 40)} for t in range(9)}
    >>> bronze = {topic: dict(grades) for topic, grades in gold.items()}
    >>> bronze["t4"] = {f"d{d:02}": gold["t4"][f"d{max(d - 1, 4):02}"] for d in range(4, 44)}
    >>> [(row.damage, row.topic) for row in find_damages({"gold": gold, "bronze": bronze}).found]
    [('shifted', 't4'), ('shifted', 't4')]
    """
    check_scale(scope)
    entries = tests_for(_name_list(kinds))
    labels = of_aspect(labels, aspect, aspects)
    campaign = campaign_of(labels)
    if campaign is not None and reference not in (None, campaign.reference):
        campaign = CampaignLabels(campaign.campaign, reference=reference, aspect=aspect or "")
    named = label_sets_of(
        labels if campaign is None else campaign, scale=scope["scale"], off_scale=scope["off_scale"]
    )
    sets = _choose_sets(named, label_set, reference, scope["topic_set"])
    read = _runs(campaign, runs, order, jobs)
    table = None if campaign is None else campaign.campaign.teams
    owners, guessed = run_teams([run.name for run in read], teams, table=table)
    layout = lay_out(
        sets, read, owners, None if campaign is None else campaign.pools,
        origins_of(labels, campaign, sets, scope["scale"], scope["off_scale"]),
    )  # fmt: skip
    layout, property_notes = with_properties(
        layout, None if campaign is None else campaign.campaign, scope
    )
    if not layout.arrays.properties:
        entries = [entry for entry in entries if entry.about["culprit"] != "property"]
    return report_damages(
        layout, entries, alpha=alpha, advance=advance,
        groups=() if campaign is None else campaign.groups,
        notes=[*_notes(campaign, sets, read, guessed), *property_notes],
    )  # fmt: skip


def _choose_sets(
    named: Mapping[str, Qrels],
    label_set: str | Sequence[str] | None,
    reference: str | None,
    topic_set: TopicSet | None,
) -> dict[str, Qrels]:
    """Return the label sets to examine, the reference first."""
    wanted = _name_list(() if label_set is None else label_set)
    for name in (*wanted, *(() if reference is None else (reference,))):
        if name not in named:
            raise UsageError(f"unknown label set {quoted(name)} (choices: {', '.join(named)})")
    first = reference or next(iter(named))
    names = dict.fromkeys([first, *(wanted or named)])
    return {name: of_topics(named[name], topic_set) for name in names}


def _runs(
    campaign: CampaignLabels | None, runs: RunsLike | None, order: str, jobs: int | None
) -> Sequence[Run]:
    if runs is not None:
        return load_runs(runs_of(runs, order=order), depth=DEPTH, order=order, jobs=jobs)
    if campaign is None or not campaign.campaign.runs:
        return ()
    read = campaign_runs(campaign, depth=DEPTH, order=order, jobs=jobs)
    return [run.to_depth(DEPTH) for run in read]


def _name_list(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _notes(
    campaign: CampaignLabels | None,
    sets: Mapping[str, Qrels],
    runs: Sequence[Run],
    guessed: Sequence[str],
) -> list[str]:
    notes = [campaign.reference_notice] if campaign is not None else []
    if len(sets) == 1:
        notes.append("there is only one label set, so tests that compare label sets are skipped")
    if not runs:
        notes.append("there are no runs, so bias toward teams is not tested")
    notes += guessed if runs else []
    return [note for note in notes if note]
