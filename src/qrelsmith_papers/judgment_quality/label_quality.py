"""The quality of labels in Table 2 and Figure 7: agreement, discriminative power and PDP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import DocLists, Setting, collection_pdp, untested_pairs
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.pooled_docs import pool_judgments
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.stats.power import discriminative_power
from qrelsmith.stats.significance import TESTS

# The measures whose discriminative power the paper shows. Its text calls the stopping probability
# of nERR exponential, and does not state p of RBP.
MEASURES = {
    "linear nDCG": "nDCG",
    "exponential nDCG": "nDCG(dcg='exp-log2')",
    "Q": "Q",
    "nERR": "nERR(gain='exp')",
    "RBP": "RBP(p=0.8)",
}
COEFFICIENTS = {"alpha": "alpha-ordinal", "phi": "phi"}


@dataclass(frozen=True, slots=True)
class MeasuredQuality:
    """A value, its interval, and the number of pairs of grades that were not compared.

    Attributes
    ----------
    value, low, high : float
        nan where undefined.
    untested, pairs : int
        0 without preferences.
    """

    value: float
    low: float = float("nan")
    high: float = float("nan")
    untested: int = 0
    pairs: int = 0


@dataclass(frozen=True)
class LabelQuality:
    """Labels with the data for measuring their quality.

    Attributes
    ----------
    judgments : Judgments
        The labels.
    scale : Scale
        The scale of the labels.
    runs : sequence of Run
        The runs whose first graded docs are used.
    depth : int
        Number of graded docs per run.
    seed : int
        Seed of bootstrap samples.
    """

    judgments: Judgments
    scale: Scale
    runs: Sequence[Run]
    depth: int
    seed: int

    @cached_property
    def graded(self) -> GradedDocs:
        """The grades as an array."""
        return GradedDocs.of(self.judgments)

    @cached_property
    def lists(self) -> DocLists:
        """The first graded docs of each run."""
        return self.graded.lists(self.runs, depth=self.depth).lists

    def agreement(self, coefficient: str) -> MeasuredQuality:
        """Return a coefficient's mean over topics, on the docs of all lists (Eq. 2)."""
        labels = pool_judgments(self.judgments, self.graded, self.lists)
        options = AgreementOptions(coefficient, scale=self.scale, seed=self.seed)
        found = next(LabelAgreement(labels, options).by_topic())
        return MeasuredQuality(found.value, found.low, found.high)

    def power(self, *, trials: int = 1000) -> dict[str, MeasuredQuality]:
        """Return the share of pairs of runs that differ significantly, by name of measure.

        The test is Sakai's bootstrap with α = .05, on the lower medians of several grades.
        """
        qrels = aggregated_qrels(self.judgments, "median", scale=self.scale).qrels
        names = {what: f"{measure}@{self.depth}" for what, measure in MEASURES.items()}
        scored = score_runs(qrels, self.runs, list(names.values()), gmax=self.scale.top, jobs=1)
        powers = {}
        for what, measure in names.items():
            scores = scored.matrix(measure).scores.T
            rng = rng_for(self.seed, "label quality", "power", measure)
            test = TESTS.get("bootstrap")(scores, rng=rng, trials=trials, alpha=0.05)
            powers[what] = MeasuredQuality(discriminative_power(test).power)
        return powers

    def setting(self, preferences: Preferences, mode: Mode) -> Setting:
        """Return the labels as PDP input, in paper mode; pairs without preferences count as ½."""
        return Setting(
            grades=self.graded.grades,
            evidence=self.graded.tests(preferences).tests,
            levels=self.scale.levels,
            mode=mode,
            smoothing="paper",
            untested="half",
            lists=self.lists,
        )

    def pdp(self, preferences: Preferences, mode: Mode, *, resamples: int) -> MeasuredQuality:
        """Return the mean PDP over runs and topics; nan if no pair of grades was compared."""
        rng = rng_for(self.seed, "label quality", "pdp", self.depth, mode)
        found = collection_pdp(self.setting(preferences, mode), rng=rng, resamples=resamples)
        untested, pairs = untested_pairs(found.matrix, self.graded.grades)
        if untested == pairs:
            return MeasuredQuality(float("nan"), untested=untested, pairs=pairs)
        return MeasuredQuality(found.mean, found.low, found.high, untested, pairs)
