"""Table 16: the unique docs of each team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qrelsmith.base.tables import Cell
from qrelsmith.rankings.leave_team_out import TeamLeftOut
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.dl2021 import note_of
from qrelsmith_papers.judging_order.groups import GOLD, PRI, RND
from qrelsmith_papers.judging_order.judged import collections, of_label_sets
from qrelsmith_papers.judging_order.new_systems import leave_out_teams
from qrelsmith_papers.judging_order.printed_tables import LEVELS, TABLE_16, Contributed

_ALL = "all"


def _wrong_sums(teams: Sequence[Contributed]) -> float:
    """Count the teams whose numbers in Table 16 do not add up to the numbers in Table 2."""
    total, pri, rnd = (LEVELS[name][-1] for name in (GOLD, f"{PRI}-{GOLD}", f"{RND}-{GOLD}"))
    return sum(
        one.left != total - one.unique
        or one.unique != sum(one.unique_apart)
        or one.left_apart != (pri - one.unique_apart[0], rnd - one.unique_apart[1])
        for one in teams
    )


_TABLE_16: tuple[c.Claim[Any], ...] = (
    c.claim(
        "The remaining pairs in Table 16 are those of Table 2 minus the unique ones, over all"
        " topics and for PRI and RND separately.",
        ("teams with other numbers", _wrong_sums, c.equal_to(0)),
        of="sums",
    ),
    c.claim(
        "SLWWW contributed 2,932 docs that no other team did, THUIR 1,793, KASYS 185 and ORG 24.",
        (
            "sum of the differences from the printed numbers",
            lambda unique: sum(abs(unique.get(one.team, 0) - one.unique) for one in TABLE_16),
            c.equal_to(0),
        ),
    ),
)


@of_label_sets(
    "table16",
    title="Table 16: unique contributions",
    claims=_TABLE_16,
    deviation="All pairs of simulated teams are equally different.",
)
def table16(inputs: StudyInputs) -> Made:
    """Count each team's unique contributions, and the remaining pairs in the qrels."""
    campaign, *others = collections(inputs)
    topics = {_ALL: campaign.label_sets[GOLD].topics, **campaign.topic_sets}
    by_team: dict[str, dict[str, TeamLeftOut]] = {}
    for row in leave_out_teams(campaign, [GOLD], topics, ["nDCG"]):
        by_team.setdefault(row.team, {})[row.topic_set] = row
    sets = (_ALL, PRI, RND)
    rows: list[tuple[Cell, ...]] = [
        (
            team,
            numbers[_ALL].runs,
            *(numbers[s].unique for s in sets),
            *(numbers[s].left for s in sets),
        )
        for team, numbers in by_team.items()
    ]
    published = [
        (entry.team, entry.runs, entry.unique, *entry.unique_apart, entry.left, *entry.left_apart)
        for entry in TABLE_16
    ]
    columns = f"team|runs|unique|unique, {PRI}|unique, {RND}|left|left, {PRI}|left, {RND}"
    note = "PRI and RND count the topics that have relevant docs under every label set."
    tables = [
        table_of("table16-published", "As published", columns, published),
        table_of("table16", f"On {campaign.name}", columns, rows, note),
    ]
    for each in others:
        result = leave_out_teams(each, [GOLD], {_ALL: each.topics}, ["nDCG"])
        tables.append(
            table_of(
                f"table16-{each.key}",
                f"On {each.name}",
                "team|runs|unique|of these judged|of these above grade 0|left",
                [(r.team, r.runs, r.unique, r.dropped, r.dropped_relevant, r.left) for r in result],
                "NIST judged some other docs, and not all of these. Teams come from the names of"
                " runs; names that begin with uogTr, watp or WLUPassage have no mark after the"
                " team.",
            )
        )
    unique = {team: numbers[_ALL].unique for team, numbers in by_team.items()}
    real = campaign.kind is c.ClaimKind.RECOMPUTED
    return Made(
        held=[
            c.on_print(TABLE_16, "sums"),
            c.on_print({entry.team: entry.unique for entry in TABLE_16}),
            *([campaign.hold(unique)] if real else []),
        ],
        paragraphs=[
            f"Docs that only one team's runs have in their top {campaign.depth} (10 on TREC DL"
            " 2021), and the topic-doc pairs that Gold's qrels hold without them.",
            note_of(inputs),
        ],
        tables=tables,
    )
