"""The result of `gate`: rows with verdicts, as a table, a step summary and JUnit's XML."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from xml.etree import ElementTree

from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.gates.gate_rows import GateRow, Verdict
from qrelsmith.io.writing import replacing

_COLUMNS = ("figure", "baseline", "new", "difference", "low", "high", "margin", "verdict")


@dataclass(frozen=True, eq=False, kw_only=True)
class Gate(Result):
    """The result of a gate: whether a new judge can replace the baseline.

    Attributes
    ----------
    rows : tuple of GateRow
        One row per figure, then one row per bound.
    fail_open : bool
        Whether an open verdict also fails the gate.
    """

    rows: tuple[GateRow, ...]
    fail_open: bool = False

    @property
    def verdict(self) -> Verdict:
        """`fail` if any row fails, else `open` if any is open, else `pass`."""
        verdicts = {row.verdict for row in self.rows}
        return "fail" if "fail" in verdicts else "open" if "open" in verdicts else "pass"

    def exit_status(self) -> int:
        """Return 1 for a failed gate, else 0."""
        failing = ("fail", "open") if self.fail_open else ("fail",)
        return int(self.verdict in failing)

    def table(self) -> Table:
        """Return one row per figure, with difference, interval, margin and verdict."""
        rows = [
            (
                row.figure, row.baseline, row.new, row.difference, row.low, row.high, row.margin,
                row.verdict,
            )
            for row in self.rows
        ]  # fmt: skip
        return Table.of(_COLUMNS, rows, notes=self.notes)

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:
        """Return a step summary for Markdown (verdict, table and notes), else the usual content."""
        if form != "markdown":
            return super().file_content(form, output)
        names = [row.figure for row in self.rows if row.verdict == self.verdict]
        title = f"### Gate: {self.verdict}"
        if self.verdict != "pass":
            title += f" ({', '.join(names)})"
        parts = [title, self.table().text("markdown").strip()]
        if self.notes:
            parts.append("\n".join(f"- {note}" for note in self.notes))
        return ("\n\n".join(parts) + "\n").encode("utf-8")

    def figure(self) -> Figure:
        """Return a chart of the differences with intervals, in units of the margins."""
        rows = [row for row in self.rows if row.difference is not None and row.margin > 0]
        return Figure(
            "gate",
            "Difference between the new judge and the baseline, in margins",
            Intervals(
                names=[row.figure for row in rows],
                values=[(row.difference or 0.0) / row.margin for row in rows],
                lows=[row.low / row.margin for row in rows],
                highs=[row.high / row.margin for row in rows],
                label="difference / margin, 95% interval",
            ),
            "A figure fails if the whole interval is below −1.",
        )


def write_junit(gate: Gate, path: str, _: Sequence[str]) -> None:
    """Write a gate as JUnit XML, with one test case per row; open rows are skipped or fail."""
    failing = ("fail", "open") if gate.fail_open else ("fail",)
    verdicts = [row.verdict for row in gate.rows]
    failures = sum(verdict in failing for verdict in verdicts)
    suite = ElementTree.Element(
        "testsuite",
        name="qrelsmith gate", tests=str(len(verdicts)), failures=str(failures), errors="0",
        skipped=str(sum(verdict == "open" for verdict in verdicts) if not gate.fail_open else 0),
    )  # fmt: skip
    for row in gate.rows:
        case = ElementTree.SubElement(
            suite, "testcase", classname="qrelsmith.gate", name=row.figure
        )
        text = row.sentence() or _numbers(row)
        if row.verdict in failing:
            ElementTree.SubElement(case, "failure", message=text, type=row.verdict).text = _numbers(
                row
            )
        elif row.verdict == "open":
            ElementTree.SubElement(case, "skipped", message=text)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    with replacing(path) as out:
        out.write(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _numbers(row: GateRow) -> str:
    """Return a sentence with the numbers that a verdict is based on."""
    interval = "" if math.isnan(row.low) else f" [{row.low:.4f}, {row.high:.4f}]"
    if row.difference is None:
        return f"{row.figure} {row.new:.4f}{interval}, expected {row.margin:g} or more"
    return (
        f"{row.figure}: baseline {row.baseline:.4f}, new {row.new:.4f}, difference"
        f" {row.difference:.4f}{interval}, margin {row.margin:g}"
    )
