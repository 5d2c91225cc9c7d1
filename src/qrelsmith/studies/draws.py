"""Claims about simulated collections in several random draws; each draw is a cell of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.rng import digest_key
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import (
    ClaimKind,
    ClaimOutcome,
    Difference,
    JudgedClaim,
    Statistic,
    judge,
)
from qrelsmith.studies.registry import Paper, StudyInputs, paper_named
from qrelsmith.sweep import Cell

_WORK = "qrelsmith.studies.draws:claims_of_draw"
_COLUMNS = ("artefact", "claim", "part", "outcome", "value", "p", "p_alike")

# The outcome in every draw, by claim, by artefact.
Drawn = Mapping[str, Sequence[Sequence[JudgedClaim]]]


def claims_in_draws(paper: Paper, artefacts: Sequence[str], inputs: StudyInputs) -> Drawn:
    """Judge the claims of artefacts in as many draws as the inputs specify.

    The draws use different seeds from the collection in the report: seed + 1, seed + 2, …
    """
    names = tuple(artefacts)
    words = [repr(_words(paper, name)) for name in names]
    cells = [
        Cell(
            _WORK,
            {
                "paper": paper.key,
                "artefacts": names,
                "paper_size": inputs.paper_size,
                "number": number,
                # Changed claims are judged again.
                "claims": digest_key(0, *words).hex()[:16],
            },
            inputs.seed,
        )
        for number in range(inputs.draws if names else 0)
    ]
    result: dict[str, list[list[JudgedClaim]]] = {
        name: [[] for _ in paper.claims(name)] for name in paper.artefacts.names()
    }
    for table in inputs.sweep(cells):
        parts: dict[tuple[str, int], list[tuple[ClaimOutcome, Statistic]]] = {}
        for name, place, _, outcome, value, p, p_alike in table.rows:
            number = float(str(value))
            statistic: Statistic = number
            if p is not None:
                statistic = Difference(number, float(str(p)), float(str(p_alike)))
            key = str(name), int(str(place))
            parts.setdefault(key, []).append((ClaimOutcome(outcome), statistic))
        for (name, place), judged in parts.items():
            outcomes, values = zip(*judged, strict=True)
            result[name][place].append(JudgedClaim(outcomes, values))
    return result


def _words(paper: Paper, artefact: str) -> list[tuple[str, ...]]:
    return [
        (each.says, *(f"{part.what} {part.wanted.text}" for part in each.parts))
        for each in paper.claims(artefact)
    ]


def claims_of_draw(
    *,
    paper: str,
    artefacts: Sequence[str],
    paper_size: bool,
    number: int,
    claims: str,  # noqa: ARG001 - part of the name of the cell
    seed: int,
) -> Table:
    """Return the statistics of the artefacts' claims in one draw, with a row for each part."""
    study = paper_named(paper)
    tables: dict[str, Table] = {}

    def sweep(cells: Sequence[Cell]) -> list[Table]:
        for cell in cells:
            if cell.key not in tables:
                tables[cell.key] = cell.compute()
        return [tables[cell.key] for cell in cells]

    inputs = StudyInputs(
        data=None, seed=seed + 1 + number, paper_size=paper_size, sweep=sweep, is_draw=True
    )
    rows = []
    for name in artefacts:
        made = study.artefacts.get(name)(inputs)
        for place, one in enumerate(study.claims(name)):
            for held in made.held:
                if held.kind is not ClaimKind.SIMULATED or held.of != one.of:
                    continue
                judged = judge(one, held.evidence)
                for part, (outcome, value) in enumerate(
                    zip(judged.outcomes, judged.values, strict=True)
                ):
                    number_, p, p_alike = (
                        value if isinstance(value, Difference) else (value, None, None)
                    )
                    rows.append((name, place, part, outcome.value, float(number_), p, p_alike))
    return Table.of(_COLUMNS, rows)
