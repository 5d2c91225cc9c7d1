"""The registry of artefacts: the tables and figures of the papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.content import Section
from qrelsmith.registry import Registry
from qrelsmith.sweep import Cell
from qrelsmith.tables import Table


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """What an artefact is made from.

    Attributes
    ----------
    data : Path or None
        The folder with the public data sets, each in a folder of its own.
    seed : int
        Seed of whatever is random.
    paper_size : bool
        Whether simulations have the paper's size; otherwise one at which a laptop is done within a
        minute, whose numbers are not the paper's.
    sweep : callable
        Computes cells, resumed and in parallel, and returns their rows in the order of the cells.
    """

    data: Path | None
    seed: int
    paper_size: bool
    sweep: Callable[[Sequence[Cell]], list[Table]]

    def folder(self, name: str) -> Path | None:
        """The folder of a data set, None if it is not there."""
        if self.data is None or not (self.data / name).is_dir():
            return None
        return self.data / name


ArtefactFunction = Callable[[StudyInputs], Section]
"""Makes an artefact.

What `@PDP.add("table2", …)` says of it besides: `reads`, which files of data sets it reads;
`sized`, that its findings hang on the size; `deviation`, why it comes out otherwise.
"""

FilesRead = Callable[[StudyInputs], Sequence[Path]]
"""The files that an artefact reads, none where its data set is not there."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its artefacts.

    Attributes
    ----------
    key : str
        What it is called on the command line.
    title, citation : str
        As published.
    package : str
        The package of `studies` whose import fills the registry.
    artefacts : Registry
        The functions that make its tables and figures, in the order of the paper.
    """

    key: str
    title: str
    citation: str
    package: str
    artefacts: Registry[ArtefactFunction]


def _artefacts(paper: str) -> Registry[ArtefactFunction]:
    facts = {"reads": None, "sized": False, "deviation": "", "printed": False}
    return Registry(f"artefact of {paper}", arguments=("inputs",), facts=facts)


PDP = _artefacts("pdp")
TOPK = _artefacts("topk")
SCALES = _artefacts("scales")
ORDERING = _artefacts("ordering")

PAPERS: Mapping[str, Paper] = {
    paper.key: paper
    for paper in (
        Paper(
            "pdp",
            "Evaluating Relevance Judgments with Pairwise Discriminative Power",
            "Chu, Mao, Zhang, Liu, Sakai, Zhang and Ma, CIKM 2021",
            "judgment_quality",
            PDP,
        ),
        Paper(
            "topk",
            "Assessing top-k preferences",
            "Clarke, Vtyurina and Smucker, ACM TOIS",
            "topk_preferences",
            TOPK,
        ),
        Paper(
            "scales",
            "On Transforming Relevance Scales",
            "Han, Roitero, Maddalena, Mizzaro and Demartini, CIKM 2019",
            "scale_transformation",
            SCALES,
        ),
        Paper(
            "ordering",
            "On the Ordering of Pooled Web Pages, Gold Assessments, and Bronze Assessments",
            "Sakai, Tao, Chen, Li, Maistro, Chu and Ferro, ACM TOIS",
            "judging_order",
            ORDERING,
        ),
    )
}
