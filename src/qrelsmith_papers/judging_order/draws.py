"""How much the claims about the simulated campaign hang on the draw."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import DRAWS, THE_PAPER, ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.moments import moments_of, printed_moments
from qrelsmith_papers.judging_order.simulated import simulated_campaign

_KEY = DRAWS
_MODULE = "qrelsmith_papers.judging_order.draws"
_HERE = " On the simulated campaign"
_DRAWS = 20


@ORDERING.add(
    _KEY,
    kind=ClaimKind.SIMULATED,
    sized=True,
    deviation="What a single simulated campaign shows may be chance.",
)
def draws(inputs: StudyInputs) -> Section:
    """In how many simulated campaigns each claim of the paper comes out."""
    count = _DRAWS if inputs.paper_size else 2
    cells = [
        Cell(
            f"{_MODULE}:claims_of_draw",
            {"paper_size": inputs.paper_size, "number": number},
            inputs.seed,
        )
        for number in range(count)
    ]
    made = [Cell(f"{_MODULE}:moments_of_draw", dict(one.parameters), inputs.seed) for one in cells]
    tables = inputs.sweep([*cells, *made])
    held: dict[tuple[str, str], list[bool]] = {}
    for table in tables[:count]:
        for artefact, sentence, holds in table.rows:
            held.setdefault((str(artefact), str(sentence)), []).append(bool(holds))
    rows = [(*key, sum(of), len(of)) for key, of in held.items()]
    always = sum(all(of) for of in held.values())
    never = sum(not any(of) for of in held.values())
    return Section(
        key=_KEY,
        title="How much hangs on the draw",
        paragraphs=(
            "The tables above show one simulated campaign. Here the same claims are looked at in"
            f" {count} campaigns of other seeds, which have the same design and other topics, docs,"
            " systems and assessors.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "In how many simulated campaigns a claim comes out",
                Table.of(("artefact", "claim", "campaigns", "of"), rows),
            ),
            _moments(tables[count:]),
        ),
        findings=(
            Finding(
                "published",
                Verdict.FACT,
                f"Of {len(rows)} claims about the simulated campaign {always} come out in every one"
                f" of {count} draws, {never} in none, and the rest hang on the draw.",
                _KEY,
            ),
        ),
    )


def _moments(draws: Sequence[Table]) -> NamedTable:
    """The moments that are printed, beside those of the campaigns."""
    drawn = [{row[:2]: float(row[2] or 0) for row in table.rows} for table in draws]
    rows: list[tuple[TableCell, ...]] = []
    for moment, printed in printed_moments().items():
        values = np.array([of[moment] for of in drawn])
        rows.append((*moment, printed, float(values.mean()), float(values.std(ddof=1))))
    return NamedTable(
        f"{_KEY}-moments",
        "What the paper prints, and the campaigns have of it",
        Table.of(("from", "moment", "published", "mean", "sd"), rows),
        "The parameters of the simulator are fitted to these; mean and standard deviation over the"
        " campaigns.",
    )


def moments_of_draw(*, paper_size: bool, number: int, seed: int) -> Table:
    """The moments of one simulated campaign: the paper's table, the moment, its value."""
    inputs = StudyInputs(
        data=None, seed=seed + 1 + number, paper_size=paper_size, sweep=lambda _: []
    )
    found = moments_of(simulated_campaign(inputs).collection)
    return Table.of(("from", "moment", "value"), [(*one, value) for one, value in found.items()])


def claims_of_draw(*, paper_size: bool, number: int, seed: int) -> Table:
    """The claims about one simulated campaign: artefact, what the paper says, whether it is so."""
    inputs = StudyInputs(
        data=None, seed=seed + 1 + number, paper_size=paper_size, sweep=lambda _: []
    )
    rows = []
    for entry in ORDERING.entries():
        if entry.name == _KEY or entry.about["kind"] is ClaimKind.FROM_PRINT:
            continue
        for finding in entry.function(inputs).findings:
            said, here, _ = finding.sentence.partition(_HERE)
            if here and finding.verdict is not Verdict.NOT_COMPARABLE:
                said = said.removeprefix(THE_PAPER)
                rows.append((entry.name, said, finding.verdict is Verdict.HOLDS))
    return Table.of(("artefact", "claim", "holds"), rows)
