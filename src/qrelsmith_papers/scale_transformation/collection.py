"""Labels of crowds and experts, with systems: published, or simulated at the paper's size."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_topics import CutTopics, Filling, aggregated_target
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.evaluation import ScoreMatrix, score_runs
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels, simulated_runs
from qrelsmith.planning.simulation import MultiscaleDesign, Systems, simulate_multiscale
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith.sweep.cells import Parameter
from qrelsmith_papers.scale_transformation.methods import BY, Transformation, expert_of
from qrelsmith_papers.scale_transformation.published_scales import (
    CROWDS,
    PublishedLabelFiles,
    system_files,
)

MEASURE = "nDCG@10"
EXPERTS = (2, 4)
_FILLED = "_a"
SIZES = ("paper", "small")


def design(*, paper_size: bool) -> MultiscaleDesign:
    """Return the paper's sizes, or small sizes for quick results."""
    if paper_size:
        return MultiscaleDesign()
    return MultiscaleDesign(topics=5, docs=240, systems=Systems(count=24, noise=(0.1, 0.6)))


class CrowdScales(ABC):
    """Labels shared by the cells of a sweep; each process creates or reads them once."""

    def __init__(self) -> None:
        self._sets: dict[tuple[int, int], CutSets] = {}

    @property
    @abstractmethod
    def runs(self) -> Sequence[Run]:
        """The runs of the systems; the list may be empty."""

    @abstractmethod
    def crowd(self, levels: int) -> Judgments:
        """Return the labels of the crowd with this number of levels."""

    @abstractmethod
    def expert(self, levels: int) -> Qrels:
        """Return the judgments of the expert with this number of levels."""

    @cached_property
    def references(self) -> dict[str, ScoreMatrix]:
        """Scores of the systems under each expert's judgments."""
        if not self.runs:
            return {}
        return {
            expert_of(levels): score_runs(self.expert(levels), self.runs, [MEASURE]).matrix(MEASURE)
            for levels in EXPERTS
        }

    def pairs(self) -> frozenset[tuple[str, str]]:
        """Return the topic and doc of each label of a crowd."""
        labels = self.crowd(EXPERTS[0])
        return frozenset(
            (labels.topics[topic], labels.docs[doc])
            for topic, doc in zip(labels.topic.tolist(), labels.doc.tolist(), strict=True)
        )

    def topics(self, transformation: Transformation) -> CutTopics:
        """Return the labels that a transformation cuts, with their target if there is one."""
        if not transformation.target:
            return CutTopics.of(self.crowd(transformation.source))
        if transformation.target.startswith("S") and not transformation.target.startswith("So"):
            crowd = self.crowd(transformation.levels)
            aim = aggregated_target(crowd, by=BY, name=transformation.target)
            return CutTopics.of(self.crowd(transformation.source), target=aim)
        filling = Filling() if transformation.target.endswith(_FILLED) else None
        return CutTopics.of(
            self.crowd(transformation.source),
            target=self.expert(transformation.levels),
            filling=filling,
        )

    def search(self, transformation: Transformation, *, undefined: str = "nan") -> LabelCuts:
        """Return all ways to cut the labels of a transformation."""
        key = transformation.source, transformation.levels
        if key not in self._sets:
            self._sets[key] = CutSets.of(
                range(transformation.source), targets=transformation.levels
            )
        options = CutOptions(transformation.method, by=BY, undefined=undefined)
        return LabelCuts(self.topics(transformation), self._sets[key], options)

    def rankings(self, search: LabelCuts) -> dict[str, CutRankings]:
        """Return the systems under these labels, compared with each expert's ranking."""
        options = search.options
        return {
            name: CutRankings(
                search.topics, search.sets, self.runs, scores, by=options.by, order=options.order
            )
            for name, scores in self.references.items()
        }


class SimulatedScales(CrowdScales):
    """Simulated labels, at the paper's size or a small size."""

    def __init__(self, *, paper_size: bool, seed: int) -> None:
        super().__init__()
        self._simulated = simulate_multiscale(design(paper_size=paper_size), seed=seed)
        self._crowds: dict[int, Judgments] = {}

    @cached_property
    def runs(self) -> Sequence[Run]:
        """The systems."""
        return simulated_runs(self._simulated)

    def crowd(self, levels: int) -> Judgments:
        """Return the labels of the crowd with this number of levels."""
        if levels not in self._crowds:
            self._crowds[levels] = crowd_judgments(self._simulated, levels)
        return self._crowds[levels]

    def expert(self, levels: int) -> Qrels:
        """Return the judgments of the expert with this number of levels."""
        return expert_qrels(self._simulated, levels)


class PublishedScales(PublishedLabelFiles, CrowdScales):
    """The paper's own labels."""


@lru_cache(maxsize=2)
def collection(*, labels: str, seed: int) -> CrowdScales:
    """Return the labels identified by `labels_of`; simulated labels depend on the seed."""
    if labels in SIZES:
        return SimulatedScales(paper_size=labels == SIZES[0], seed=seed)
    digest, _, folder = labels.partition(":")
    return PublishedScales(Path(folder), digest)


def labels_of(inputs: StudyInputs) -> str:
    """Return the id of a cell's labels: a simulated size, or digest and folder of files."""
    folder = CROWDS.folder(inputs)
    return SIZES[not inputs.paper_size] if folder is None else f"{CROWDS.digest(folder)}:{folder}"


def cell_of(
    inputs: StudyInputs,
    work: Callable[..., Table],
    one: Transformation | None = None,
    **more: Parameter,
) -> Cell:
    """Return a sweep cell that uses the available labels, optionally for a transformation."""
    about = {} if one is None else one.parameters
    return inputs.cell(work, **about, **more, labels=labels_of(inputs))


def system_count(inputs: StudyInputs) -> int:
    """Return the number of ranked systems."""
    folder = CROWDS.folder(inputs)
    if folder is None:
        return design(paper_size=inputs.paper_size).systems.count
    return len(system_files(folder))
