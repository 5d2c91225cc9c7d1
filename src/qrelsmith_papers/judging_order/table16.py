"""Table 16: what each team alone contributed."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.rankings.leave_team_out import TeamLeftOut
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import GOLD, PRI, RND, JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import MISSING, dl2021
from qrelsmith_papers.judging_order.judged import files_read, judged_collection, kind_of_labels
from qrelsmith_papers.judging_order.new_systems import compare_without_teams
from qrelsmith_papers.judging_order.published_judging import LEVELS
from qrelsmith_papers.judging_order.published_rankings import TABLE_16

_KEY = "table16"
_ALL = "all"


@ORDERING.add(
    _KEY,
    kind=kind_of_labels,
    reads=files_read,
    sized=True,
    deviation="The simulated teams are as unlike each other as any two of them.",
)
def table16(inputs: StudyInputs) -> Section:
    """Unique contributions of each team, and the size of the qrels without them."""
    campaign, llms = judged_collection(inputs), dl2021(inputs)
    every = campaign.label_sets[GOLD].topics
    comparisons = compare_without_teams(
        campaign, [GOLD], {_ALL: every, **campaign.topic_sets}, measures=["nDCG"]
    )
    published = [
        (one.team, one.runs, one.unique, *one.unique_apart, one.left, *one.left_apart)
        for one in TABLE_16
    ]
    columns = (
        "team", "runs", "unique", f"unique, {PRI}", f"unique, {RND}", "left", f"left, {PRI}",
        f"left, {RND}",
    )  # fmt: skip
    tables = [
        NamedTable(f"{_KEY}-published", "As published", Table.of(columns, published)),
        NamedTable(
            _KEY,
            f"On {campaign.name}",
            Table.of(columns, _team_rows(comparisons)),
            "PRI and RND count the topics that have relevant docs under every label set.",
        ),
    ]
    if llms is not None:
        tables.append(_all_topics(llms.collection))
    return Section(
        key=_KEY,
        title="Table 16: unique contributions",
        paragraphs=(
            f"Docs that only one team's runs have in their top {campaign.depth}"
            + (f" ({llms.collection.depth} on TREC DL 2021)" if llms is not None else "")
            + ", and the topic-doc pairs that Gold's qrels hold without them.",
            "On TREC DL 2021 the teams are what the runs' names begin with; names that begin with"
            " uogTr, watp or WLUPassage have no mark after the team and are taken together."
            if llms is not None
            else MISSING,
        ),
        tables=tuple(tables),
        findings=(
            _sums(),
            *([_unique(campaign, comparisons)] if campaign.kind is ClaimKind.RECOMPUTED else []),
        ),
    )


def _team_rows(found: Sequence[TeamLeftOut]) -> list[tuple[Cell, ...]]:
    by_team: dict[str, dict[str, TeamLeftOut]] = {}
    for row in found:
        by_team.setdefault(row.team, {})[row.topic_set] = row
    return [
        (
            team, of[_ALL].runs, of[_ALL].unique, of[PRI].unique, of[RND].unique, of[_ALL].left,
            of[PRI].left, of[RND].left,
        )
        for team, of in by_team.items()
    ]  # fmt: skip


def _all_topics(collection: JudgedCollection) -> NamedTable:
    found = compare_without_teams(collection, [GOLD], {_ALL: collection.topics}, measures=["nDCG"])
    rows = [
        (row.team, row.runs, row.unique, row.dropped, row.dropped_relevant, row.left)
        for row in found
    ]
    columns = ("team", "runs", "unique", "of these judged", "of these above grade 0", "left")
    return NamedTable(
        f"{_KEY}-{collection.key}",
        f"On {collection.name}",
        Table.of(columns, rows),
        "NIST judged docs that no run has in its top ten as well, and not every doc that one has.",
    )


def _unique(campaign: JudgedCollection, comparisons: Sequence[TeamLeftOut]) -> Finding:
    """Whether the docs that each team alone brought are those of the paper."""
    printed = {one.team: one.unique for one in TABLE_16}
    here = {row.team: row.unique for row in comparisons if row.topic_set == _ALL}
    return campaign.claim(
        here == printed,
        "The paper: docs that only a team's runs brought:"
        f" {', '.join(f'{team} {count:,}' for team, count in printed.items())}. On {campaign.name}:"
        f" {', '.join(f'{team} {count:,}' for team, count in here.items())}.",
        section=_KEY,
    )


def _sums() -> Finding:
    """Whether the printed numbers add up."""
    total, pri, rnd = (LEVELS[name][-1] for name in (GOLD, f"{PRI}-{GOLD}", f"{RND}-{GOLD}"))
    right = [
        one.left == total - one.unique
        and one.unique == sum(one.unique_apart)
        and one.left_apart == (pri - one.unique_apart[0], rnd - one.unique_apart[1])
        for one in TABLE_16
    ]
    return claim(
        all(right),
        f"The pairs that are left in Table 16 are those of Table 2 less the unique ones, over all"
        f" topics and over PRI and RND apart, for {sum(right)} of {len(right)} teams.",
        section=_KEY,
        kind=ClaimKind.FROM_PRINT,
        any_size=True,
    )
