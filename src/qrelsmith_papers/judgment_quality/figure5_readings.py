"""Figure 5 under the other readings of ε1, which the paper leaves open."""

from __future__ import annotations

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.planning.simulation.design import BIASES
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.figure5 import NAMES, consistencies
from qrelsmith_papers.judgment_quality.synthetic import batch_qualities

_KEY = "fig5-readings"
_LEVELS = (2, 4, 7, 16, 30)
_READINGS = {
    "assessor": "once for each assessor of a batch",
    "assessor-topic": "anew for each topic",
    "annotation": "anew for each annotation",
}


@PDP.add(
    "fig5-readings",
    kind=ClaimKind.SIMULATED,
    sized=True,
    deviation=(
        "What the paper leaves open (for what ε1 is drawn) decides which figure follows "
        "quality best, by less than .01."
    ),
)
def figure5_readings(inputs: StudyInputs) -> Section:
    """Figure 5 on some scales, under each reading of ε1 in Eq. 15."""
    rows: list[tuple[Cell, ...]] = []
    for bias in BIASES:
        # Figure 5 has the first one on all scales.
        found = batch_qualities(inputs, bias=bias, levels=None if bias == BIASES[0] else _LEVELS)
        rho = consistencies(found)
        for levels in _LEVELS:
            place = found.levels.tolist().index(levels)
            values = {name: float(of_scale[place]) for name, of_scale in rho.items()}
            best = max(values, key=lambda name: values[name])
            rows.append((_READINGS[bias], levels, NAMES[best], *values.values()))
    columns = ("epsilon 1 is drawn", "grades", "highest", *NAMES.values())
    return Section(
        key=_KEY,
        title="Figure 5: other readings of ε1",
        paragraphs=(
            "Eq. 15 adds σ ε1 to what an assessor perceives, and the paper does not say for what ε1"
            " is drawn. Which figure follows quality best depends on it.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="Spearman's ρ with quality, by what ε1 is drawn for",
                table=Table.of(columns, rows),
                note="As in Figure 5, over the means of all batches; 1 is perfect.",
            ),
        ),
        findings=(_finding(rows),),
    )


def _finding(rows: list[tuple[Cell, ...]]) -> Finding:
    """Under which readings individual PDP is highest throughout."""
    best = NAMES["individual"]
    fitting = [
        reading
        for reading in _READINGS.values()
        if all(row[2] == best for row in rows if row[0] == reading)
    ]
    return claim(
        fitting == [_READINGS["assessor"]],
        "The paper: individual PDP follows quality best on every scale. Here it does so "
        + (f"if ε1 is drawn {' or '.join(fitting)}." if fitting else "under no reading of ε1."),
        section=_KEY,
    )
