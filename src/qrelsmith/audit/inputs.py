"""What the sections of an audit work on, read or computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from qrelsmith.aggregation import AGGREGATIONS
from qrelsmith.analyses.common_docs import on_common_docs
from qrelsmith.analyses.label_set_pdp import LabelSetPdps, pdp_of_label_sets
from qrelsmith.audit.rules import RESAMPLES
from qrelsmith.data.campaign import Campaign, read_campaign
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.preferences import Preferences, read_preferences
from qrelsmith.data.qrels import Qrels, read_qrels, stem
from qrelsmith.data.runs import Run, read_run
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.evaluation import Evaluation, ScoreMatrix, evaluate
from qrelsmith.measures import MEASURES
from qrelsmith.scales import levels_seen

# The docs at the top of a run that the audit looks at.
TOP = 10
# Of these, so many with a grade make a list whose PDP is computed; K in the paper.
LIST = 5
# The measure, cut off at the length of such a list, whose discriminative power is set beside PDP.
LIST_MEASURE = f"nDCG@{LIST}"
_DEFAULT_MEASURES = ("nDCG@10",)


class AuditInputs:
    """A campaign as the audit sees it.

    A label set is a qrels file of the campaign, or what a group of assessors in the judgments says,
    several grades of a doc made one by their lower median.

    Parameters
    ----------
    folder : path
        The campaign.
    measures : sequence of str
        Measures that rank the systems; those of campaign.toml, or nDCG@10, if there are none here.
        The first one is the one that the summary speaks of.
    reference : str, optional
        The label set that the others are compared with; by default the one of a group with the
        role gold, else the first by name.
    order : str
        How the docs of a run are ranked: one of `RUN_ORDERS`.
    seed : int
        Seed of whatever is random.
    jobs : int, optional
        Threads that read runs.

    Raises
    ------
    InputError
        If a file of the campaign is not as it should be, or there are no labels at all.
    """

    def __init__(
        self,
        folder: FilePath,
        *,
        measures: Sequence[str] = (),
        reference: str | None = None,
        order: str = "trec",
        seed: int = 0,
        jobs: int | None = None,
    ) -> None:
        self.campaign: Campaign = read_campaign(folder)
        self.measures = tuple(
            MEASURES.label(name)
            for name in (measures or self.campaign.measures or _DEFAULT_MEASURES)
        )
        self.order = order
        self.seed = seed
        self._jobs = jobs
        if not self.label_sets:
            raise InputError(
                "the campaign has neither qrels/ nor judgments.*; expected labels", path=folder
            )
        if not self.topics:
            raise InputError(
                "the label sets have no topic in common; expected at least one", path=folder
            )
        if reference is not None and reference not in self.label_sets:
            raise UsageError(
                f"there is no label set {quoted(reference)} (there are:"
                f" {', '.join(self.label_sets)})"
            )
        self.reference = reference or self._default_reference()

    @cached_property
    def judgments(self) -> Judgments | None:
        """The judgments of the assessors, if the campaign has them."""
        path = self.campaign.judgments
        return None if path is None else read_judgments(path, scale=self.campaign.scale)

    @cached_property
    def preferences(self) -> Preferences | None:
        """The preferences of the campaign, if it has any."""
        path = self.campaign.preferences
        return None if path is None else read_preferences(path)

    @cached_property
    def label_sets(self) -> Mapping[str, Qrels]:
        """The label sets by name, sorted."""
        sets = {}
        for path in self.campaign.qrels:
            qrels = read_qrels(path)
            if qrels.name in sets:
                raise InputError(f"two qrels files are called {quoted(qrels.name)}", path=path)
            sets[qrels.name] = qrels
        for name, judgments in self.groups.items():
            if name in sets:
                raise InputError(
                    f"the group {quoted(name)} of the judgments is called like a qrels file",
                    path=self.campaign.judgments,
                )
            sets[name] = _aggregated(judgments, name)
        return dict(sorted(sets.items()))

    @cached_property
    def groups(self) -> Mapping[str, Judgments]:
        """The judgments of every group of assessors; those without a group are of `assessors`."""
        found = self.judgments.by_group() if self.judgments is not None else {}
        return {group or "assessors": judgments for group, judgments in found.items()}

    def judgments_of(self, name: str) -> Judgments:
        """Who gave the grades of a label set: the assessors of a group, or one for a file."""
        if name in self.groups:
            return self.groups[name]
        return Judgments.from_qrels({name: self.label_sets[name]})

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics that every label set has."""
        first, *others = (set(qrels.topics) for qrels in self.label_sets.values())
        return tuple(sorted(first.intersection(*others)))

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs, as deep as the measures and the inventory look."""
        cutoffs = [MEASURES.get(name).cutoff for name in self.measures]
        ranks = [cutoff for cutoff in cutoffs if isinstance(cutoff, int)]
        depth = max(*ranks, TOP) if ranks and len(ranks) == len(cutoffs) else None
        return tuple(read_run(path, order=self.order, depth=depth) for path in self.campaign.runs)

    @cached_property
    def evaluations(self) -> Mapping[str, Evaluation]:
        """Every run under every label set, on the topics that all label sets have."""
        beside_pdp = () if self.campaign.preferences is None else (LIST_MEASURE,)
        measures = dict.fromkeys((*self.measures, *beside_pdp))
        scored = {}
        for name, qrels in self.label_sets.items():
            common = qrels.restricted_to(self.topics)
            scale = self.campaign.scale
            gmax = scale.top if scale is not None and self.on_campaign_scale(name) else None
            scored[name] = evaluate(common, self.runs, list(measures), gmax=gmax, jobs=self._jobs)
        return scored

    def scores(self, name: str, measure: str) -> ScoreMatrix:
        """The scores of the runs under a label set."""
        return self.evaluations[name].matrix(measure)

    @cached_property
    def pdp(self) -> LabelSetPdps | None:
        """The PDP of the label sets whose grades are whole numbers; None without preferences.

        Raises
        ------
        UndefinedError
            If the preferences say nothing of these label sets.
        """
        if self.preferences is None:
            return None
        scale = self.campaign.scale
        names = [name for name in self.label_sets if self.scale_text(name) != "real"]
        if not names:
            raise UndefinedError("the grades of all label sets are on a continuum")
        common = on_common_docs(
            {name: self.judgments_of(name) for name in names},
            self.preferences,
            topics=self.topics,
            runs=self.runs,
            depth=LIST,
            within=TOP,
            seed=self.seed,
        )
        on_scale = (name for name in names if self.on_campaign_scale(name))
        return pdp_of_label_sets(
            common,
            reference=self.reference,
            scales={name: scale for name in on_scale if scale is not None},
            seed=self.seed,
            resamples=RESAMPLES,
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The label sets besides the reference."""
        return tuple(name for name in self.label_sets if name != self.reference)

    def scale_text(self, name: str) -> str:
        """The scale of a label set as its grades show it: `0..3`, or `real`."""
        levels = levels_seen(self.label_sets[name].grade)
        if not levels or any(level != int(level) for level in levels):
            return "real"
        return f"0..{int(levels[-1])}"

    def on_campaign_scale(self, name: str) -> bool:
        """Whether every grade of a label set is a level of the campaign's scale."""
        scale = self.campaign.scale
        grades = self.label_sets[name].grade
        return scale is not None and bool(scale.holds(grades[grades >= 0]).all())

    def inputs(self) -> tuple[Path, ...]:
        """Every file that the audit has read."""
        campaign = self.campaign
        single = (
            campaign.settings, campaign.topics, campaign.judgments, campaign.preferences,
        )  # fmt: skip
        return (*(path for path in single if path is not None), *campaign.qrels, *campaign.runs)

    def _default_reference(self) -> str:
        gold = {name for name, group in self.campaign.groups.items() if group.role == "gold"}
        for path in self.campaign.qrels:
            source = self.campaign.qrels_of.get(path.name)
            if source is not None and source.group in gold:
                return stem(path)
        for name in self.label_sets:
            if name in gold:
                return name
        return next(iter(self.label_sets))


def _aggregated(judgments: Judgments, name: str) -> Qrels:
    """One grade a doc: the lower median of the assessors' current grades; codes are left out."""
    ratings = judgments.ratings()
    grades = AGGREGATIONS.get("median")(ratings.values)
    rows = zip(ratings.units, grades.tolist(), strict=True)
    return Qrels.from_rows(
        ((topic, doc, grade) for (topic, doc), grade in rows if not np.isnan(grade)), name=name
    )
