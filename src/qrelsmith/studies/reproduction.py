"""The reproduction of a paper's artefacts in one report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from qrelsmith.base.content import Finding, Report, Section, Verdict
from qrelsmith.base.registry_entries import Named
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.studies.claims import ClaimKind, JudgedClaim
from qrelsmith.studies.draws import claims_in_draws
from qrelsmith.studies.findings import findings_of
from qrelsmith.studies.registry import (
    ArtefactFunction,
    FilesRead,
    KindOfInputs,
    Made,
    Paper,
    StudyInputs,
)

SMALL = (
    "These results were computed at a small size, to check that everything runs. They use fewer"
    " simulations than the paper, so differences from the paper are not comparable."
)


def reproduce(
    paper: Paper,
    inputs: StudyInputs,
    *,
    artefacts: Sequence[str] = (),
    started: Callable[[str], None] | None = None,
) -> Report:
    """Reproduce artefacts of a paper, and judge the paper's claims about these artefacts.

    The manifest names every file that an artefact declares as input.

    Parameters
    ----------
    inputs : StudyInputs
        The inputs of the artefacts.
    artefacts : sequence of str
        The artefacts; by default all.
    started : callable, optional
        Called with the name of each artefact before it is computed, and with `draws`.

    Raises
    ------
    UnknownNameError
        If the artefact does not exist.
    """
    entries = [(name, paper.artefacts.get(name)) for name in artefacts or paper.artefacts.names()]
    made: dict[str, Made] = {}
    for name, artefact in entries:
        if started is not None:
            started(name)
        made[name] = artefact(inputs)
    simulated = [
        name
        for name, one in made.items()
        if paper.claims(name) and any(held.kind is ClaimKind.SIMULATED for held in one.held)
    ]
    if simulated and inputs.draws and started is not None:
        started("draws")
    drawn = claims_in_draws(paper, simulated, inputs)
    sections = [
        _section(paper, artefact, made[name], inputs, drawn[name]) for name, artefact in entries
    ]
    manifest = manifest_for(
        ("qrelsmith", "reproduce", paper.key),
        parameters={
            "artefacts": [name for name, _ in entries],
            "size": "paper" if inputs.paper_size else "small",
            **({"draws": inputs.draws} if simulated else {}),
        },
        seed=inputs.seed,
        inputs=[path for _, artefact in entries for path in _files(artefact, inputs)],
        folder=inputs.data,
    )
    return Report(
        title=paper.title,
        subtitle=f"{paper.citation}: reproduced and published results",
        notices=() if inputs.paper_size else (SMALL,),
        sections=tuple(sections),
        manifest=manifest_text(manifest),
        kind="A paper's artefacts",
    )


def _section(
    paper: Paper,
    artefact: Named[ArtefactFunction],
    made: Made,
    inputs: StudyInputs,
    drawn: Sequence[Sequence[JudgedClaim]],
) -> Section:
    """Return the section of an artefact, with its claims and the reason for differences."""
    about, key = artefact.entry.about, artefact.entry.name
    if made.missing:
        return Section(key=key, title=about["title"], missing=made.missing)
    claims = paper.claims(key)
    findings = findings_of(key, claims, made.held, drawn, paper_size=inputs.paper_size)
    paragraphs = tuple(made.paragraphs)
    # If the artefact can use real data, the reason applies only to its substitute.
    kind = kind_of(artefact, inputs)
    own_data = kind is ClaimKind.RECOMPUTED and about["kind"] is not kind
    if about["deviation"] and not own_data:
        why = f"Reason for differences from the paper: {about['deviation']}"
        paragraphs = (*paragraphs, why)
    facts = (Finding("published", Verdict.FACT, text, key) for text in made.facts)
    return Section(
        key=key,
        title=about["title"],
        paragraphs=paragraphs,
        tables=tuple(made.tables),
        figures=tuple(made.figures),
        findings=(*findings, *facts),
    )


def kind_of(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> ClaimKind:
    """Return the kind of numbers with which an artefact's claims are checked."""
    kind: ClaimKind | KindOfInputs = artefact.entry.about["kind"]
    return kind if isinstance(kind, ClaimKind) else kind(inputs)


def _files(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> Sequence[Path]:
    """Return the files of data sets that an artefact reads."""
    reads: FilesRead | None = artefact.entry.about["reads"]
    return () if reads is None else reads(inputs)
