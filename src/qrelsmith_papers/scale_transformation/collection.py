"""The simulated collection of the paper's size, with labels, experts and systems."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

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
from qrelsmith_papers.scale_transformation.methods import BY, Transformation, expert_of

MEASURE = "nDCG@10"
EXPERTS = (2, 4)
_FILLED = "_a"


def design(*, paper_size: bool) -> MultiscaleDesign:
    """The paper's sizes, or some that are quick."""
    if paper_size:
        return MultiscaleDesign()
    return MultiscaleDesign(topics=5, docs=240, systems=Systems(count=24, noise=(0.1, 0.6)))


class SimulatedScales:
    """Simulated labels that the cells of a sweep share; each process makes them once.

    Parameters
    ----------
    paper_size : bool
        Whether it has the paper's size.
    seed : int
        The seed.
    """

    def __init__(self, *, paper_size: bool, seed: int) -> None:
        self.design = design(paper_size=paper_size)
        self._simulated = simulate_multiscale(self.design, seed=seed)
        self._crowds: dict[int, Judgments] = {}
        self._sets: dict[tuple[int, int], CutSets] = {}

    @cached_property
    def runs(self) -> Sequence[Run]:
        """The systems."""
        return simulated_runs(self._simulated)

    @cached_property
    def references(self) -> dict[str, ScoreMatrix]:
        """Scores of the systems under each expert's judgments."""
        return {
            expert_of(levels): score_runs(self.expert(levels), self.runs, [MEASURE]).matrix(MEASURE)
            for levels in EXPERTS
        }

    def crowd(self, levels: int) -> Judgments:
        """The labels of the crowd with so many levels."""
        if levels not in self._crowds:
            self._crowds[levels] = crowd_judgments(self._simulated, levels)
        return self._crowds[levels]

    def expert(self, levels: int) -> Qrels:
        """The judgments of the expert with so many levels."""
        return expert_qrels(self._simulated, levels)

    def pairs(self) -> frozenset[tuple[str, str]]:
        """Topic and doc of everything that a crowd labelled."""
        labels = self.crowd(self.design.scales[0])
        return frozenset(
            (labels.topics[topic], labels.docs[doc])
            for topic, doc in zip(labels.topic.tolist(), labels.doc.tolist(), strict=True)
        )

    def topics(self, transformation: Transformation) -> CutTopics:
        """The labels of a transformation."""
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
        """All ways to cut the labels of a transformation."""
        key = transformation.source, transformation.levels
        if key not in self._sets:
            self._sets[key] = CutSets.of(
                range(transformation.source), targets=transformation.levels
            )
        options = CutOptions(transformation.method, by=BY, undefined=undefined)
        return LabelCuts(self.topics(transformation), self._sets[key], options)

    def rankings(self, search: LabelCuts) -> dict[str, CutRankings]:
        """The systems under these labels, compared with each expert's ranking."""
        options = search.options
        return {
            name: CutRankings(
                search.topics, search.sets, self.runs, scores, by=options.by, order=options.order
            )
            for name, scores in self.references.items()
        }


@lru_cache(maxsize=2)
def collection(*, paper_size: bool, seed: int) -> SimulatedScales:
    """The collection of a size and seed."""
    return SimulatedScales(paper_size=paper_size, seed=seed)
