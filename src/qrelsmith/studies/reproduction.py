"""The artefacts of a paper, made one after the other into one report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from qrelsmith.content import Report
from qrelsmith.data.manifest import manifest_for, manifest_text
from qrelsmith.errors import UnknownNameError, UsageError
from qrelsmith.registry import Named
from qrelsmith.studies.registry import PAPERS, ArtefactFunction, FilesRead, Paper, StudyInputs

# The package that fills the registry of each paper.
_PACKAGES = {"pdp": "judgment_quality", "scales": "scale_transformation"}
_SMALL = (
    "Made at a small size, to see that everything runs: the numbers of simulations are not those of"
    " the paper's size."
)


def paper_named(key: str) -> Paper:
    """A paper with its artefacts.

    Raises
    ------
    UnknownNameError
        If there is no such paper.
    UsageError
        If this version makes none of its artefacts.
    """
    if key not in PAPERS:
        raise UnknownNameError("paper", key, PAPERS)
    package = f"qrelsmith.studies.{_PACKAGES[key]}"
    if find_spec(package) is None:
        raise UsageError(f"this version of qrelsmith makes no artefact of the paper {key}")
    import_module(package)
    return PAPERS[key]


def reproduced(
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
        sections.append(artefact(inputs))
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
        notices=() if inputs.paper_size else (_SMALL,),
        sections=tuple(sections),
        manifest=manifest_text(manifest),
        kind="A paper's artefacts",
    )


def _files(artefact: Named[ArtefactFunction], inputs: StudyInputs) -> Sequence[Path]:
    """The files of data sets that an artefact reads."""
    reads: FilesRead | None = artefact.entry.about.get("reads")
    return () if reads is None else reads(inputs)
