"""The artefacts of a paper, made one after the other into one report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from qrelsmith.base.content import Report, Section
from qrelsmith.base.registry_entries import Named
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.studies.claims import ClaimKind, at_small_size, of_kind, with_draws
from qrelsmith.studies.registry import ArtefactFunction, FilesRead, KindOfInputs, Paper, StudyInputs

SMALL = (
    "Made at a small size, to see that everything runs: the numbers of simulations are not those of"
    " the paper's size, and what differs from the paper is not comparable."
)


def reproduce(
    paper: Paper,
    inputs: StudyInputs,
    *,
    artefacts: Sequence[str] = (),
    started: Callable[[str], None] | None = None,
) -> Report:
    """Make artefacts of a paper.

    The manifest names every file that an artefact says it reads.

    Parameters
    ----------
    paper : Paper
        The paper.
    inputs : StudyInputs
        What they are made from.
    artefacts : sequence of str
        Which ones; all of them by default.
    started : callable, optional
        Called with the name of each artefact before it is made.

    Raises
    ------
    UnknownNameError
        If there is no such artefact.
    """
    named = [(name, paper.artefacts.get(name)) for name in artefacts or paper.artefacts.names()]
    sections = []
    for name, artefact in named:
        if started is not None:
            started(name)
        sections.append(_make(artefact, inputs))
    sections = with_draws(sections)
    manifest = manifest_for(
        ("qrelsmith", "reproduce", paper.key),
        parameters={
            "artefacts": [name for name, _ in named],
            "size": "paper" if inputs.paper_size else "small",
        },
        seed=inputs.seed,
        inputs=[path for _, artefact in named for path in _files(artefact, inputs)],
        folder=inputs.data,
    )
    return Report(
        title=paper.title,
        subtitle=f"{paper.citation}: what came out here beside what was published",
        notices=() if inputs.paper_size else (SMALL,),
        sections=tuple(sections),
        manifest=manifest_text(manifest),
        kind="A paper's artefacts",
    )


def _make(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> Section:
    """An artefact, with the reason why it differs."""
    section: Section = artefact(inputs)
    about = artefact.entry.about
    kind = kind_of(artefact, inputs)
    section = of_kind(section, kind)
    # The size and the reason are those of a stand-in, where the artefact can do without one.
    own_data = kind is ClaimKind.RECOMPUTED and about["kind"] is not kind
    if about["sized"] and not inputs.paper_size and not own_data:
        section = at_small_size(section)
    if section.missing or own_data or not about["deviation"]:
        return section
    why = f"Why it comes out otherwise, where it does: {about['deviation']}"
    return replace(section, paragraphs=(*section.paragraphs, why))


def kind_of(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> ClaimKind:
    """The kind of an artefact's claims, where they say no other."""
    kind: ClaimKind | KindOfInputs = artefact.entry.about["kind"]
    return kind if isinstance(kind, ClaimKind) else kind(inputs)


def _files(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> Sequence[Path]:
    """The files of data sets that an artefact reads."""
    reads: FilesRead | None = artefact.entry.about["reads"]
    return () if reads is None else reads(inputs)
