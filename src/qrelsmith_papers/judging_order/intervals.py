"""The intervals of τ that Tables 9, 10, 17 and 18 print."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.stats.tau_intervals import fieller_limits
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.published_rankings import SYSTEMS, printed_intervals

_ROUNDED = 0.0005 + 1e-9  # three decimals are printed


@ORDERING.add(
    "intervals",
    kind=ClaimKind.FROM_PRINT,
    deviation=(
        "One of the printed intervals is a misprint: the same τ has another interval in Table 18."
    ),
)
def intervals(inputs: StudyInputs) -> Section:  # noqa: ARG001 - every artefact takes them
    """Fieller's interval of every printed τ beside the printed one."""
    rows: list[tuple[Cell, ...]] = []
    strangers: list[str] = []
    for printed in printed_intervals():
        tau, low, high = printed.value
        ends = [float(end) for end in fieller_limits(tau, SYSTEMS)]
        follows = abs(ends[0] - low) <= _ROUNDED and abs(ends[1] - high) <= _ROUNDED
        rows.append((printed.table, printed.row, printed.column, tau, low, high, *ends, follows))
        if not follows:
            strangers.append(
                f"Table {printed.table}, {printed.row}, {printed.column}: τ = {tau:.3f} has"
                f" [{ends[0]:.3f}, {ends[1]:.3f}], and [{low:.3f}, {high:.3f}] is printed"
            )
    columns = (
        "table", "row", "column", "tau", "low, published", "high, published", "low", "high",
        "follows",
    )  # fmt: skip
    return Section(
        key="intervals",
        title="Printed intervals of τ",
        paragraphs=(
            f"Fieller's interval tanh(atanh τ ± 1.96·√(.437/(n−4))) for n = {SYSTEMS} systems, from"
            " each printed τ. Rows that Tables 17 and 18 share count in both. The fourth row of"
            " Table 17 is printed as RND-Gold-nDCG; it is Q.",
        ),
        tables=(
            NamedTable("intervals", "Printed and recomputed intervals", Table.of(columns, rows)),
        ),
        findings=(
            claim(
                len(strangers) == 0,
                f"{len(rows) - len(strangers)} of the {len(rows)} printed intervals follow from the"
                f" printed τ. {'; '.join(strangers)}".rstrip()
                + ("." if strangers else ""),
                section="intervals",
            ),
        ),
    )
