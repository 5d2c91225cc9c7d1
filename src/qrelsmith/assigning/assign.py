"""The command `assign`: who judges which topics of a campaign, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from qrelsmith.answers.answer_files import read_answers
from qrelsmith.assigning.assignment import (
    Assignment,
    GroupPlan,
    assign_hits,
    assign_to_creators,
    assign_topics,
)
from qrelsmith.assigning.assignment_groups import (
    GOLD,
    check_options,
    check_orders,
    comparing_groups,
    completed_group,
    creators_of,
    gold_members,
    policy_of,
)
from qrelsmith.assigning.repeats import SEED as REPEATS_SEED
from qrelsmith.assigning.repeats import repeats_of
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Option, Source
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import shuffle
from qrelsmith.base.tables import Cell, Table
from qrelsmith.campaign.campaign import Campaign, Group
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.io.given_values import describe
from qrelsmith.judgments.campaign_sources import CampaignLike, campaign_folder
from qrelsmith.judgments.label_options import OnlyTopics
from qrelsmith.judgments.rejudged_rounds import read_rejudged_rounds
from qrelsmith.judgments.topic_sources import topics_of

_SEED = "assignments"
_ALL = "all"


@dataclass(frozen=True, eq=False, kw_only=True)
class AssignedWork(Result):
    """The assignments of a campaign, with notes.

    Attributes
    ----------
    assignments : tuple of Assignment
        Sorted.
    plans : tuple of GroupPlan
        The groups that got assignments.
    sizes : mapping of str to int
        Number of docs in each topic's pool; empty if the campaign has no pools.
    shows_balance : bool
        Whether the table is the one returned by `balance`.
    """

    assignments: tuple[Assignment, ...]
    plans: tuple[GroupPlan, ...]
    sizes: Mapping[str, int]
    shows_balance: bool = False

    def table(self) -> Table:
        """Return topic, assessor, group, ordering, seed, or the columns of `balance` if requested.

        With HITs, there are also columns hit and docs; with repeats, docs and round.
        """
        if self.shows_balance:
            return self.balance()
        columns = ["topic", "assessor", "group", "ordering", "seed"]
        columns += [
            name for name in ("hit", "docs") if any(getattr(one, name) for one in self.assignments)
        ]
        columns += ["round"] if any(one.round > 1 for one in self.assignments) else []
        cells = ([_cell(getattr(one, name)) for name in columns] for one in self.assignments)
        return Table.of(columns, cells)

    def balance(self) -> Table:
        """Return the balance of the work by assessor, including assessors without work.

        Columns: group, assessor, ordering, topics, hits, docs (empty without pools). Rows with the
        ordering `all` are totals per assessor, and rows with the assessor `all` are totals per
        group.
        """
        rows: list[tuple[Cell, ...]] = []
        for plan in self.plans:
            mine = [one for one in self.assignments if one.group == plan.name]
            for who in sorted({*plan.assessors, *(one.assessor for one in mine)}):
                own = [one for one in mine if one.assessor == who]
                rows += self._counts(plan, who, own)
            rows += self._counts(plan, _ALL, mine)
        return Table.of(("group", "assessor", "ordering", "topics", "hits", "docs"), rows)

    def _counts(self, plan: GroupPlan, who: str, work: list[Assignment]) -> list[tuple[Cell, ...]]:
        rows: list[tuple[Cell, ...]] = []
        for ordering in (*plan.orderings, _ALL):
            chosen = [one for one in work if ordering in (one.ordering, _ALL)]
            docs = sum(len(one.docs) or self.sizes.get(one.topic, 0) for one in chosen)
            topics = len({one.topic for one in chosen})
            hits = sum(bool(one.hit) for one in chosen)
            known = bool(self.sizes) or bool(hits)
            rows.append((plan.name, who, ordering, topics, hits, docs if known else None))
        return rows


def _cell(value: str | int | tuple[str, ...]) -> Cell:
    return " ".join(value) if isinstance(value, tuple) else value


@question(
    "assign",
    heading="select",
    everyday=True,
    no_audit="it decides who judges, before there is anything to audit",
    example="qrelsmith assign my-campaign -o my-campaign/assignments.csv",
)
def assign(
    campaign: Annotated[CampaignLike, Source(
        "The campaign; its topics are those with a pool or, without pools, all.", "CAMPAIGN",
        many=False, required=True)],
    *,
    group: Annotated[Collection[str], Option("Use only this group; repeatable.", metavar="NAME"
    )] = (),
    per_doc: Annotated[int | None, Option(
        "Number of assessors per doc, for groups without a `per_doc` of their own; default: 1.",
        least=1)] = None,
    hit_size: Annotated[int | None, Option(
        "Maximum number of docs, or of answers, per HIT, all from one topic, for groups without"
        " a `hit_size` of their own.",
        least=1)] = None,
    topic_set: OnlyTopics = None,
    repeats: Annotated[float | None, Option(
        "Share of each assessor's docs, or answers, that are repeated unannounced in a later"
        " round.",
        metavar="SHARE", above=0, most=1)] = None,
    balance: Annotated[bool, Option("Print only the distribution of the work.")] = False,
    seed: Annotated[int | None, Option(
        "Random seed; default: `assignments` (and `repeats`) in the campaign's [seeds], or 0."
    )] = None,
) -> AssignedWork:  # fmt: skip
    """Assign topics to assessors, with an order of the docs.

    Assign the topics of CAMPAIGN to assessors, and choose the order of the docs.

    Columns: topic, assessor, group, ordering, seed. If docs are judged in HITs, there are also the
    columns hit and docs; with --repeats, there are the columns docs and round. In a group with the
    role `gold`, each topic is judged by its creator. The docs are prioritised in half of an
    assessor's topics, and randomised in the other half. In all other groups, topics are assigned at
    random and evenly, and their docs are prioritised unless campaign.toml sets another ordering.
    The docs of a HIT are shown in random order. Columns with --balance: group, assessor, ordering,
    topics, hits, docs. The same seed always gives the same assignments. Don't tell assessors their
    ordering or which docs are repeated.

    Raises
    ------
    UsageError
        If there are no topics or no assessors, an option applies to no group, a creator is in no
        gold group, an assessor is in two groups, or an ordering or a HIT needs missing pools.

    Examples
    --------
    >>> from qrelsmith import assign
    >>> assign("qrelsmith-demo", balance=True).table().columns  # doctest: +SKIP
    ('group', 'assessor', 'ordering', 'topics', 'hits', 'docs')
    """
    read = campaign_folder(campaign)
    if read is None:
        raise UsageError(
            f"expected a campaign: a folder with {SETTINGS}; found {describe(campaign)}"
        )
    used = read.seeds.get(_SEED, 0) if seed is None else seed
    work = _assign_groups(
        read, used, group, per_doc, hit_size, topics_of(topic_set), balance=balance
    )
    if repeats is None:
        return work
    used = read.seeds.get(REPEATS_SEED, 0) if seed is None else seed
    return _with_repeats(read, work, share=repeats, seed=used)


def _with_repeats(
    campaign: Campaign, work: AssignedWork, *, share: float, seed: int
) -> AssignedWork:
    """Return the assignments with repeats, in a new round after the campaign's last round."""
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    if pools is None and not campaign.answers:
        raise UsageError(f"repeats need pools or answers; expected pools/ in {campaign.folder}")
    runs = {} if pools else _runs(campaign)
    what = "docs" if pools else "answers"
    people = [row for row in work.assignments if campaign.groups[row.group].role != "llm"]
    rounds = read_rejudged_rounds(campaign.folder)
    again = repeats_of(
        people,
        lambda row: row.docs or (pools.docs(row.topic) if pools else runs.get(row.topic, ())),
        share=share,
        seed=seed,
        round_number=max([2, *(each.number + 1 for each in rounds)]),
    )
    total = sum(len(row.docs) for row in again)
    notes = (*work.notes, f"{what} to be judged again as hidden repeats: {total}")
    return replace(work, assignments=tuple(sorted([*work.assignments, *again])), notes=notes)


def _runs(campaign: Campaign) -> dict[str, list[str]]:
    """Return the runs that answer each topic."""
    runs: dict[str, list[str]] = {}
    for answer in read_answers(*campaign.answers) if campaign.answers else ():
        runs.setdefault(answer.topic, []).append(answer.run)
    return runs


def _assign_groups(
    campaign: Campaign,
    seed: int,
    groups: Collection[str],
    per_doc: int | None,
    hit_size: int | None,
    topics: Collection[str] | None,
    *,
    balance: bool,
) -> AssignedWork:
    check_options(campaign, groups, per_doc, hit_size)
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    creators, notes = creators_of(campaign, pools, topics)
    assignments: list[Assignment] = []
    plans: list[GroupPlan] = []
    comparing = frozenset() if groups else comparing_groups(campaign)
    for name in sorted(groups or campaign.groups):
        if name in comparing:
            notes.append(
                f"the group {quoted(name)} only compares pairs; --group {name} assigns docs to it"
            )
            continue
        group = completed_group(campaign.groups[name], per_doc, hit_size)
        if group.role == GOLD:
            if group.hit_size is not None:
                raise UsageError(
                    f"the gold group {quoted(name)} has a hit_size; expected none, "
                    "because creators judge whole topics"
                )
            group = replace(group, assessors=gold_members(campaign, group, creators))
        why = ""
        if group.role == GOLD and not any(creators.values()):
            why = 'no topic names its creator. Add creators to the topics, or remove role = "gold"'
        elif not group.assessors and group.hit_size is None:
            why = "it has no assessors"
        if why:
            notes.append(f"the group {quoted(name)} gets no work: {why}")
            continue
        plan = GroupPlan(name, group.assessors, policy_of(group), group.per_doc or 1)
        check_orders(plan, pools, campaign)
        assignments += _assign_group(plan, group, creators, pools or campaign, seed)
        plans.append(plan)
    if not assignments:
        raise UsageError(f"nothing to assign in {campaign.folder}: {'; '.join(notes)}")
    sizes = {} if pools is None else {topic: len(pools.docs(topic)) for topic in pools.topics}
    return AssignedWork(
        assignments=tuple(sorted(assignments)),
        plans=tuple(plans),
        sizes=sizes,
        shows_balance=balance,
        notes=tuple(notes),
    )


def _assign_group(
    plan: GroupPlan,
    group: Group,
    creators: Mapping[str, str],
    source: PoolSet | Campaign,
    seed: int,
) -> list[Assignment]:
    if group.hit_size is not None:
        if isinstance(source, PoolSet):
            docs = {topic: source.docs(topic) for topic in creators}
            hits = assign_hits(docs, plan, size=group.hit_size, seed=seed)
            return [replace(hit, docs=_in_order(hit, source)) for hit in hits]
        runs = _runs(source)
        if not runs:
            raise UsageError(
                f"HITs of the group {quoted(plan.name)} need pools or answers; expected pools/"
            )
        answers = {topic: runs.get(topic, ()) for topic in creators}
        hits = assign_hits(answers, plan, size=group.hit_size, seed=seed)
        return [replace(hit, docs=tuple(shuffle(hit.docs, seed=hit.seed))) for hit in hits]
    if group.role == GOLD:
        own = {topic: who if who in plan.assessors else "" for topic, who in creators.items()}
        return assign_to_creators(own, plan, seed=seed)
    return assign_topics(list(creators), plan, seed=seed)


def _in_order(hit: Assignment, pools: PoolSet) -> tuple[str, ...]:
    """Return a HIT's docs in display order, computed as for a separate pool of these docs."""
    return pools.order_docs(
        hit.topic, ordering=hit.ordering, seed=hit.seed, among=frozenset(hit.docs)
    )
