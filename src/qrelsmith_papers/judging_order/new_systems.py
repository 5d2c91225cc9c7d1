"""Tables 17 and 18: rankings without the unique docs of one team."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.content import NamedTable
from qrelsmith.base.scipy_parts import special
from qrelsmith.rankings.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, GROUPS, HASTY, MEASURES, PRI, RND
from qrelsmith_papers.judging_order.judged import (
    judged_collection,
    of_label_sets,
    of_labels,
    on_every_set,
)
from qrelsmith_papers.judging_order.printed_tables import TABLE_17, TABLE_18, TEAMS, LeftOut

_ALL = "all"
_MARGIN = 0.1  # of τ


class Robust(NamedTuple):
    """τ to the full ranking by environment, measure and left-out team."""

    taus: Mapping[tuple[str, str, str], float]

    def of(self, group: str, measure: str, team: str) -> float:
        """Return the τ of a group."""
        return next(
            tau
            for (name, at, left), tau in self.taus.items()
            if name.endswith(group) and (at, left) == (measure, team)
        )

    def best_is(self, group: str, measure: str, team: str) -> bool:
        """Return whether no environment has a higher τ than the given environment."""
        every = [tau for key, tau in self.taus.items() if key[1:] == (measure, team)]
        return self.of(group, measure, team) == max(every)

    def clearest(self) -> c.Difference:
        """Return the largest difference between two environments' mean τ, with its tests.

        The p value is from a χ² test of how often each environment alone has the highest τ. The
        equivalence test is paired over measures and teams.
        """
        names = list(dict.fromkeys(name for name, *_ in self.taus))
        cells = list(dict.fromkeys(key[1:] for key in self.taus))
        values = np.array([[self.taus[name, *cell] for cell in cells] for name in names])
        best = values == values.max(axis=0)
        wins = (best & (best.sum(axis=0) == 1)).sum(axis=1)
        expected = wins.sum() / len(names)
        chi2 = float(((wins - expected) ** 2).sum() / expected) if expected else 0.0
        order = values.mean(axis=1)
        apart = values[order.argmax()] - values[order.argmin()]
        p = float(special.chdtrc(len(names) - 1, chi2))
        return c.paired_difference_test(apart, margin=_MARGIN, p=p)


def _print_taus(table: LeftOut) -> Robust:
    return Robust({key: tau.tau for key, tau in table.items()})


def _own_taus(found: Sequence[TeamLeftOut]) -> Robust:
    return Robust({(*_environment(row), row.team): row.comparison.tau_b for row in found})


def leave_out_teams(
    collection: JudgedCollection,
    groups: Sequence[str],
    topic_sets: Mapping[str, Sequence[str]],
    measures: Sequence[str] = tuple(MEASURES),
) -> list[TeamLeftOut]:
    """Leave out each team under the given label sets and sets of topics."""
    contributors = Contributors.of(collection.runs, collection.teams, depth=collection.depth)
    return list(
        leave_teams_out(
            [(name, collection.label_sets[name]) for name in groups],
            collection.runs,
            contributors,
            [MEASURES[measure] for measure in measures],
            topic_sets=list(topic_sets.items()),
            gmax=collection.scale.top,
            jobs=1,
        )
    )


def _environment(row: TeamLeftOut) -> tuple[str, str]:
    """Return environment and measure of a row, with the paper's names."""
    measure = next(short for short, name in MEASURES.items() if row.measure.startswith(short))
    return row.qrels if row.topic_set == _ALL else f"{row.topic_set}-{row.qrels}", measure


def _print_table(key: str, table: LeftOut) -> NamedTable:
    rows = [(*left_out, *tau) for left_out, tau in table.items()]
    columns = "environment|measure|team left out|tau_b|low|high"
    return table_of(f"{key}-published", "As published", columns, rows)


def _table(key: str, collection: JudgedCollection, found: Sequence[TeamLeftOut]) -> NamedTable:
    rows = [
        (*_environment(row), row.team, row.dropped, one.tau_b, one.low, one.high, row.fall)
        for row in found
        for one in [row.comparison]
    ]
    columns = "environment|measure|team left out|docs dropped|tau_b|low|high|fall"
    return table_of(key, f"On {collection.name}", columns, rows)


_UNCLEAR = (
    "largest difference in mean τ between environments",
    Robust.clearest,
    c.alike(f"{_MARGIN} of τ"),
)
_TABLE_17: tuple[c.Claim[Robust], ...] = (
    c.claim(
        "It is not clear whether the ordering has an impact on the robustness to new systems.",
        _UNCLEAR,
        not_simulated="The simulated Gold does not depend on the ordering, so a difference is"
        " chance.",
    ),
    c.claim(
        "PRI-Gold appears more robust than RND-Gold without THUIR by nDCG, Q and nERR; the opposite"
        " is true without SLWWW.",
        (
            "smallest lead of PRI without THUIR",
            lambda of: min(
                of.of(f"{PRI}-{GOLD}", m, "THUIR") - of.of(f"{RND}-{GOLD}", m, "THUIR")
                for m in ("nDCG", "Q", "nERR")
            ),
            c.over(0),
        ),
        (
            "smallest lead of RND without SLWWW",
            lambda of: min(
                of.of(f"{RND}-{GOLD}", m, "SLWWW") - of.of(f"{PRI}-{GOLD}", m, "SLWWW")
                for m in MEASURES
            ),
            c.over(0),
        ),
        of="teams",
    ),
)
_BEST = (
    (HASTY, "SLWWW", ("nDCG", "Q")),
    (GOLD, "SLWWW", ("nERR", "iRBU")),
    (GOLD, "THUIR", ("nDCG", "nERR")),
    (CAREFUL, "THUIR", ("Q", "iRBU")),
)
_TABLE_18: tuple[c.Claim[Robust], ...] = (
    c.claim(
        "It is not clear whether the assessor type has an impact on the robustness to new systems.",
        _UNCLEAR,
    ),
    c.claim(
        "Without SLWWW, BronzeW is the most robust by nDCG and Q and Gold by nERR and iRBU; without"
        " THUIR, Gold by nDCG and nERR and BronzeT by Q and iRBU.",
        (
            "statements that hold, of eight",
            lambda of: sum(of.best_is(group, m, team) for group, team, ms in _BEST for m in ms),
            c.equal_to(8),
        ),
        of="teams",
    ),
)


def _claims_about(robust: Robust) -> dict[str, Robust]:
    """Return the evidence by claim; claims on single teams concern the teams of WWW-4."""
    teams = {team for *_, team in robust.taus}
    return dict.fromkeys(("", "teams") if set(TEAMS) <= teams else ("",), robust)


@of_labels("table17", title="Table 17: new systems under Gold", claims=_TABLE_17)
def table17(inputs: StudyInputs) -> Made:
    """Compute τ to the full ranking without each team's docs, over PRI and RND topics."""
    campaign, printed = judged_collection(inputs), _print_taus(TABLE_17)
    result = leave_out_teams(campaign, [GOLD], campaign.topic_sets)
    return Made(
        held=[
            *(c.on_print(printed, of) for of in ("", "teams")),
            *(campaign.hold(one, of) for of, one in _claims_about(_own_taus(result)).items()),
        ],
        paragraphs=["τ-b with Fieller's 95% interval; where τ is 1 there is none."],
        tables=[_print_table("table17", TABLE_17), _table("table17", campaign, result)],
    )


@of_label_sets(
    "table18",
    title="Table 18: new systems by label set",
    claims=_TABLE_18,
    deviation="TREC DL 2021 has more teams, and labels by LLMs.",
)
def table18(inputs: StudyInputs) -> Made:
    """Compute τ to the full ranking without each team's docs, under every label set."""

    def of(item: JudgedCollection, key: str) -> tuple[Mapping[str, Robust], list[NamedTable]]:
        rows = leave_out_teams(item, GROUPS, dict([item.first_topics]))
        return _claims_about(_own_taus(rows)), [_table(key, item, rows)]

    about = (
        "Over the PRI-Gold topics, and over all topics of TREC DL 2021. τ-b with Fieller's 95%"
        " interval; where τ is 1 there is none."
    )
    printed = [c.on_print(_print_taus(TABLE_18), of) for of in ("", "teams")]
    first = [_print_table("table18", TABLE_18)]
    return on_every_set(inputs, "table18", of, printed=printed, first=first, words=[about])
