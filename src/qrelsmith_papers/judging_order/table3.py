"""Table 3: how fast Gold judges prioritised and randomised pools."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judgments.environments import in_environments
from qrelsmith.stats.effects import glass_delta
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import GOLD, JudgedCollection
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_log
from qrelsmith_papers.judging_order.published_judging import TABLE_3
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table3"
_ALPHA = 0.05


@ORDERING.add(
    _KEY,
    kind=kind_of_log,
    reads=labels_read,
    sized=True,
    deviation=(
        "The printed inputs are rounded. No effect of the ordering is in the simulated "
        "campaign but where relevant docs stand."
    ),
)
def table3(inputs: StudyInputs) -> Section:
    """Efficiency of Gold under PRI and RND: t test and Glass's Δ."""
    campaign = judged_collection(inputs, log=True)
    efficiency = judging_efficiency(
        in_environments(campaign.judgments, groups=[GOLD]),
        relevant=campaign.relevant,
        high=campaign.scale.top,
    )
    compared = {
        row.criterion: row
        for row in compared_groups(
            efficiency, by="ordering", test="two-sample-t", control="randomised"
        )
    }
    recomputed = _recomputed_table()
    return Section(
        key=_KEY,
        title="Table 3: efficiency of Gold",
        paragraphs=(
            "Student's t test of the topics that Gold was shown prioritised (PRI) and randomised"
            " (RND). Glass's Δ is the difference in standard deviations of RND, printed without its"
            " sign. Seconds; NREJ is a count.",
        ),
        tables=(
            NamedTable(
                _KEY,
                f"In the paper and in {campaign.name}",
                _comparison_table(compared, campaign.short),
            ),
            NamedTable(
                f"{_KEY}-recomputed",
                "Glass's Δ from the printed means and deviations",
                recomputed,
                "What is printed is rounded, and so is what follows from it.",
            ),
        ),
        findings=(_follows(recomputed), *_claims(compared, campaign)),
    )


def _comparison_table(compared: dict[str, GroupComparison], short: str) -> Table:
    columns = (
        "criterion", "source", "mean PRI", "n PRI", "mean RND", "n RND", "p", "sd RND",
        "Glass's delta",
    )  # fmt: skip
    rows = []
    for criterion, printed in TABLE_3.items():
        rows.append((criterion, "published", *printed))
        if criterion in compared:
            found = compared[criterion]
            (pri, rnd), (pri_size, rnd_size) = found.means, found.sizes
            cells = (pri, pri_size, rnd, rnd_size, found.p, found.deviations[1])
            rows.append((criterion, short, *cells, abs(found.glass_delta)))
    return Table.of(columns, rows)


def _recomputed_table() -> Table:
    rows = []
    for criterion, printed in TABLE_3.items():
        value = abs(float(glass_delta(printed.pri, printed.rnd, printed.deviation)))
        rows.append((criterion, printed.delta, value, value - printed.delta))
    return Table.of(("criterion", "published", "recomputed", "difference"), rows)


def _follows(recomputed: Table) -> Finding:
    worst = max(abs(float(row[3] or 0)) for row in recomputed.rows)
    return claim(
        worst <= 0.005,
        "Glass's Δ of Table 3 follows from its means and deviations: the largest difference is"
        f" {worst:.4f}.",
        section=_KEY,
        kind=ClaimKind.FROM_PRINT,
        any_size=True,
    )


def _claims(
    compared: dict[str, GroupComparison], campaign: JudgedCollection
) -> tuple[Finding, ...]:
    """The paper's claims about the table, beside what came out."""
    if not {"ATBJ", "TF1RH", "TF1H"} <= compared.keys():
        return ()
    pace = compared["ATBJ"]
    found = [compared[name] for name in ("TF1RH", "TF1H")]
    quicker = all(row.p < _ALPHA and row.difference < 0 for row in found)
    shown = " and ".join(
        f"{row.criterion} {row.means[0]:.0f} and {row.means[1]:.0f} s (p = {row.p:.2g})"
        for row in found
    )
    return (
        campaign.claim(
            pace.p >= _ALPHA,
            "The paper: PRI and RND do not differ in the time between judgments (p = .664). On"
            f" {campaign.name}: {pace.means[0]:.1f} and {pace.means[1]:.1f} s (p ="
            f" {pace.p:.2g}).",
            section=_KEY,
        ),
        campaign.claim(
            quicker,
            "The paper: the first relevant, and the first highly relevant doc are found"
            f" significantly sooner under PRI. On {campaign.name}, PRI and RND: {shown}.",
            section=_KEY,
        ),
    )
