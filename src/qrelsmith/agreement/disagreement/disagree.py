"""Disagreement of Gold and Bronze, and the docs that should be judged again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

from qrelsmith.agreement.disagreement.disagreement_result import Disagreements, Show
from qrelsmith.agreement.disagreement.disagreements import disagreement_counts, orderings_compared
from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze, gold_and_bronze
from qrelsmith.agreement.disagreement.rejudging import (
    Rejudged,
    rejudged_labels,
    round_docs,
    serious,
)
from qrelsmith.agreement.disagreement.rules import SERIOUS, Rule
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.options import Option, OutputFile, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.pools.pool_files import Pools, pools_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_options import (
    AspectFile,
    ErrorCode,
    LabelFiles,
    LabelScope,
    LowestHigh,
    LowestRelevant,
    OnlyAspect,
)
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.one_aspect import of_aspect
from qrelsmith.judgments.ratings import Errors
from qrelsmith.judgments.sources import check_any, judgments_of
from qrelsmith.judgments.topic_sources import TopicSet, of_topics


def _write_round(result: Disagreements, path: str, _: Sequence[str]) -> list[str]:
    if result.depth is None:
        raise UsageError(
            "--write-round needs --depth, which is written to the header of the pool file"
        )
    listed = result.serious
    ordering, docs = round_docs(listed)
    # The recorded order is kept, so the pools have no common seed.
    write_round(Pools(ordering, result.depth, None, docs), path)
    count = sum(map(len, docs.values()))
    notes = [f"docs to be judged again: {count}, in {path} (topics: {len(docs)})"]
    if ordering != listed.orderings[0]:
        notes.append(
            f"{listed.gold_name}'s judgments do not record the order: {path} is in docno order"
        )
    return notes


@question(
    command="disagree",
    heading="labels",
    audit=("disagreements",),
    example="qrelsmith disagree judgments.csv --gold gold --ordering prioritised --write-round"
    " round-2.pool --depth 30",
    writes={
        "write_round": OutputFile(
            "Write the docs with serious disagreements as a new round, in Gold's order.",
            _write_round,
            metavar="POOL",
        )
    },
)
def disagree(
    labels: LabelFiles,
    *,
    gold: Annotated[str | None, Option(
        "Gold group, or an assessor without a group; default: the campaign's reference.",
        metavar="NAME")] = None,
    bronze: Annotated[Sequence[str], Option(
        "Bronze group, or an assessor without a group; repeatable. Default: all other groups.",
        metavar="NAME")] = (),
    reference: Annotated[str | None, Option("The same as --gold.", metavar="NAME")] = None,
    orderings: Annotated[Sequence[str], Option(
        "Use only docs shown to Gold in this ordering; repeatable.", ("--ordering",),
        metavar="NAME")] = (),
    show: Annotated[Show, Option("Table to print.")] = "disagreements",
    rules: Annotated[Sequence[str | Rule], Option(
        "Rule for serious disagreements; repeatable.", ("--rule",),
        metavar="RULE")] = (SERIOUS,),
    depth: Annotated[int | None, Option(
        "With --write-round: depth of the pools.", least=1)] = None,
    rejudged: Annotated[Any, Option(
        "With --show rejudged: judgments of the new round.", metavar="JUDGMENTS", file=True,
        many=False)] = None,
    relevant: LowestRelevant = 1.0,
    high: LowestHigh = None,
    errors: ErrorCode = "missing",
    aspect: OnlyAspect = None,
    aspects: AspectFile = None,
    **scope: Unpack[LabelScope],
) -> Disagreements:  # fmt: skip
    """Count disagreements between Gold and Bronze, and write rejudging rounds.

    Take a judgments FILE, a campaign, or qrels with one FILE per assessor.

    A group's grade is the lower median of its assessors' grades. Only docs judged by Gold and every
    Bronze group are counted. Select a table with --show. The table `disagreements` counts docs that
    Gold, but not every Bronze group, judged relevant. The table `disagreements` also counts docs
    that every Bronze group, but not Gold, judged relevant. Columns: gold_says, ordering, gold,
    bronze, docs, of (docs with this Gold grade). The table `grades` counts every combination of
    grades, and `tests` compares the shares between two orderings. The table `serious` lists the
    docs to which a --rule applies, and `rejudged` lists the labels of these docs in the second
    round.

    A rule consists of conditions joined by `and` or `or`. A condition consists of three parts:
    `gold`, `all` or `any` (all or any of the Bronze grades); an operator (< <= > >= == !=); and a
    grade, `relevant` or `high`. Files of earlier rounds are never overwritten.

    Raises
    ------
    UsageError
        If a name is unknown, a rule cannot be parsed, or Gold is not named.
    UndefinedError
        If no doc was judged by Gold and every Bronze voice.

    Examples
    --------
    >>> from qrelsmith import Qrels, disagree
    >>> gold = Qrels.from_dict({"t1": {"d1": 2, "d2": 0, "d3": 0}})
    >>> crowd = Qrels.from_dict({"t1": {"d1": 2, "d2": 2, "d3": 0}})
    >>> result = disagree({"gold": gold, "crowd": crowd}, gold="gold")
    >>> result.serious.docs
    (('t1', 'd2'),)
    """
    parsed = [rule if isinstance(rule, Rule) else Rule.parse(rule) for rule in rules]
    if (show == "rejudged") != (rejudged is not None):
        raise UsageError("--show rejudged and --rejudged JUDGMENTS must be given together")
    named = gold or reference
    labels = of_aspect(labels, aspect, aspects)
    campaign = campaign_of(labels)
    scale, off_scale, topic_set = scope["scale"], scope["off_scale"], scope["topic_set"]
    judgments: Judgments | None = None
    top = None if scale is None else scale.top
    if campaign is None:
        check_scale(scope)
        if named is None:
            raise UsageError("Missing option '--gold'.")
        judgments = judgments_of(labels, scale=scale, off_scale=off_scale)
        check_any(judgments, labels)
        judgments = of_topics(judgments, topic_set)
        grades = gold_and_bronze(judgments, named, bronze, errors=errors)
    else:
        scale = scale or campaign.campaign.scale
        top = campaign.top(named or campaign.reference) if top is None else top
        grades = _of_campaign(campaign, named or campaign.reference, bronze, errors, topic_set)
    notes = []
    if grades.unmatched:
        notes.append(
            f"docs of {grades.gold_name} left out because not all other assessors judged them: "
            f"{grades.unmatched}"
        )
    if grades.of_two:
        notes.append(
            f"a doc with two grades of {' or '.join(grades.of_two)} counts with the lower one, the"
            " lower median"
        )
    if orderings:
        grades = grades.of_orderings(orderings)
    if high is None:
        seen = max(float(grades.gold.max()), float(grades.bronze.max()))
        high = max(seen if top is None else top, relevant)
        notes.append(f"docs are assumed to be highly relevant from grade {grade_text(high)}")
    listed = serious(grades, parsed, relevant=relevant, high=high)
    again = None
    if rejudged is not None:
        second = judgments_of(rejudged, scale=scale, off_scale=off_scale)
        if topic_set is not None:
            second = second.restricted_to(topics={topic for topic, _ in grades.docs})
        again = rejudged_labels(listed, second)
        notes += _second_notes(again)
    return Disagreements(
        labels=grades,
        counts=tuple(disagreement_counts(grades, relevant=relevant, high=high)),
        tests=tuple(orderings_compared(grades, relevant=relevant)),
        serious=listed,
        relevant=relevant,
        high=high,
        rejudged=again,
        show=show,
        depth=depth,
        notes=tuple(notes),
    )


def _of_campaign(
    campaign: CampaignLabels,
    gold: str,
    bronze: Sequence[str],
    errors: Errors,
    topic_set: TopicSet | None,
) -> GoldBronze:
    """Return Gold and Bronze from judgments, or from label sets if Gold is a label set."""
    judgments = campaign.judgments
    others = list(bronze)
    if not others and gold in campaign.label_sets:
        scale = campaign.scale_text(gold)
        declared = campaign.declared_scale(gold)
        others = [
            name
            for name in campaign.label_sets
            if name != gold and campaign.declared_scale(name) == declared
        ]
        if not others:
            raise UndefinedError(
                f"no other label set has the scale {scale} of {gold}; expected at least one"
            )
    if judgments is not None:
        groups = set(judgments.group or ())
        in_groups = [name for name in others if name in groups]
        is_given = bool(bronze) and len(in_groups) < len(others)
        if gold not in campaign.label_sets:
            return gold_and_bronze(of_topics(judgments, topic_set), gold, bronze, errors=errors)
        if gold in groups and in_groups and not is_given:
            own = of_topics(judgments, topic_set)
            return gold_and_bronze(own, gold, in_groups, errors=errors)
    for name in (gold, *others):
        campaign.check(name)
    sets = {name: campaign.label_sets[name] for name in (gold, *others)}
    own = of_topics(Judgments.from_qrels(sets), topic_set)
    return gold_and_bronze(own, gold, others, errors=errors)


def _second_notes(found: Rejudged) -> list[str]:
    notes = []
    if found.waiting:
        notes.append(f"listed docs that have not been judged again: {found.waiting}")
    if found.strangers:
        notes.append(f"judgments of docs that are not listed (ignored): {found.strangers}")
    return notes


def write_round(pools: Pools, path: FilePath) -> None:
    """Write a round as a pool file.

    Raises
    ------
    UsageError
        If the file exists with different content.
    InputError
        If a topic or doc id cannot be written in the format, or the file cannot be written.
    """
    text = pools_text(pools, path=path)
    if Path(path).exists() and read_bytes(path) != text.encode("utf-8"):
        raise UsageError(
            f"{path} already exists with different content; expected a new file, because earlier"
            " rounds are never overwritten"
        )
    write_text(path, text)
