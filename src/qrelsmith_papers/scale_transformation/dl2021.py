"""TREC DL 2021: labels of LLMs on finer scales, cut to NIST's scale, and their run rankings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_topics import CutTopics, candidate_cuts
from qrelsmith.evaluation import ScoreMatrix, score_runs
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import Judgments, read_judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels, assumed_scale, transform_labels
from qrelsmith.judgments.scale_operations import Reduction
from qrelsmith.stats.correlation import kendall_tau_b
from qrelsmith_papers.data_files import passages_of_2021, qrels_file, run_files
from qrelsmith_papers.scale_transformation.collection import MEASURE
from qrelsmith_papers.scale_transformation.methods import BY

_RELEVANT = 2  # TREC's threshold for two levels: grade 1 is on the topic, but no answer
_CANDIDATES = 30  # of real numbers: 4,060 ways to make four levels


@dataclass(frozen=True, slots=True)
class ScaleLabels:
    """Labels to cut.

    Attributes
    ----------
    files : tuple of str
        A qrels file per pass, without its last suffixes.
    scale : str
        The scale as text.
    levels : tuple of int
        The numbers of target levels.
    """

    files: tuple[str, ...]
    scale: str
    levels: tuple[int, ...] = (2, 4)


LABEL_SETS: Mapping[str, ScaleLabels] = {
    "exam, GPT-4": ScaleLabels(("exam-graded-max.gpt-4",), "0 to 5"),
    "exam, GPT-4o": ScaleLabels(("exam-graded-max.gpt-4o",), "0 to 5"),
    "exam mean, GPT-4o": ScaleLabels(("exam-graded-mean.gpt-4o",), "real, 0 to 5"),
    "exam share, GPT-4o": ScaleLabels(("exam-binary-mean.gpt-4o",), "real, 0 to 1"),
    "nuggets, GPT-4o": ScaleLabels(("nuggets-all.gpt-4o",), "real, 0 to 1"),
    "UMBRELA, GPT-4o": ScaleLabels(("umbrela.gpt-4o",), "0 to 3", levels=(2,)),
    "UMBRELA, llama3.2 four times": ScaleLabels(
        tuple(f"umbrela.llama3.2.run{number}" for number in range(1, 5)), "0 to 3", levels=(2,)
    ),
}


PASSAGES = passages_of_2021(
    "labels of LLMs on finer scales than NIST's.",
    {
        "nist": "TREC's qrels",
        **{n: f"TREC's qrels, {one.scale}" for one in LABEL_SETS.values() for n in one.files},
    },
)


class CutData:
    """The labels of a label set, NIST's labels on the target scale, and the runs.

    Parameters
    ----------
    folder : Path
        The folder of the data set.
    digest : str
        The digest of its content when the work was planned.
    name : str
        A name of `LABEL_SETS`.
    levels : int
        The number of target levels.
    every : int
        Only every n-th run is used.

    Raises
    ------
    InputError
        If the files have changed.
    """

    def __init__(self, folder: Path, digest: str, name: str, levels: int, every: int) -> None:
        PASSAGES.check(folder, digest)
        files = (qrels_file(folder, one) for one in LABEL_SETS[name].files)
        self.judgments: Judgments = read_judgments(*files)
        self.levels = levels
        self.target = _nist(folder, levels)
        self.runs = _runs(folder, digest, every)
        self.reference: ScoreMatrix = score_runs(self.target, self.runs, [MEASURE]).matrix(MEASURE)
        self.topics = CutTopics.of(self.judgments, target=self.target)

    def sets(self) -> CutSets:
        """Return all ways to cut; for many real values, only some are candidates."""
        scale = assumed_scale(self.judgments)
        if scale is None:
            raise UsageError("there are no labels")
        candidates = None
        if len(scale.levels) - 1 > _CANDIDATES:
            candidates = candidate_cuts(self.judgments.grade, _CANDIDATES)
        return CutSets.of(scale.levels, targets=self.levels, candidates=candidates)

    def even_slices(self) -> CutSets:
        """Return the cuts that divide the scale into slices of equal width, as a guess."""
        scale = assumed_scale(self.judgments)
        if scale is None:
            raise UsageError("there are no labels")
        ends = np.linspace(scale.levels[0], scale.levels[-1], self.levels + 1)
        return CutSets.of(scale.levels, targets=self.levels, candidates=ends[1:-1])

    def rankings(self, sets: CutSets) -> CutRankings:
        """Return the run rankings under these labels, compared with NIST."""
        return CutRankings(self.topics, sets, self.runs, self.reference, by=BY)

    def uncut_tau(self) -> float:
        """Return τ of the run ranking under the uncut labels."""
        known = [topic for topic in self.reference.topics if topic in self.topics.topics]
        qrels = aggregated_qrels(self.judgments, BY).qrels.restricted_to(known)
        means = score_runs(qrels, self.runs, [MEASURE]).matrix(MEASURE).means()
        return float(kendall_tau_b(means, self.reference.means()))


def _nist(folder: Path, levels: int) -> Qrels:
    """Return NIST's labels, with four levels or two."""
    labels = read_qrels(qrels_file(folder, "nist"))
    return labels if levels == 4 else transform_labels(labels, Reduction(_RELEVANT), source=None)


@lru_cache(maxsize=2)
def _runs(folder: Path, digest: str, every: int) -> Sequence[Run]:  # noqa: ARG001 - a key
    """Return the runs, or every n-th run."""
    return [read_run(path, depth=10) for path in run_files(folder)[::every]]
