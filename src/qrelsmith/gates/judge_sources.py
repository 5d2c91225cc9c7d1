"""Sources of labels of the new judge, the baseline and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from qrelsmith.base.errors import InputError, UnknownNameError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.frames import columns_of
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.evaluation.answer_options import are_of_answers
from qrelsmith.evaluation.answer_scope import default_measures
from qrelsmith.evaluation.compared_sets import DEFAULT_MEASURE, compared_sets
from qrelsmith.evaluation.scored_sets import scored_sets
from qrelsmith.evaluation.scoring import Scoring
from qrelsmith.gates.paired_judges import PairedJudges
from qrelsmith.io.given_values import is_frame
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import labels_form, read_judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.run_sources import measures_of
from qrelsmith.judgments.sources import qrels_of
from qrelsmith.judgments.topic_sources import of_topics


@dataclass(frozen=True, eq=False)
class JudgeSources:
    """Sources of labels.

    Attributes
    ----------
    campaign : CampaignLabels or None
        The campaign with the chosen reference.
    scope : mapping
        The options of scoring: scale, topics, and so on.
    """

    campaign: CampaignLabels | None
    scope: Mapping[str, Any]

    @classmethod
    def of(cls, labels: Any, reference: Any, scope: Mapping[str, Any]) -> JudgeSources:
        """Return the sources of labels for the arguments of a command."""
        campaign = campaign_of(labels)
        if campaign is not None and isinstance(reference, str) and reference in campaign.label_sets:
            campaign = CampaignLabels(campaign.campaign, reference=reference)
        return cls(campaign, scope)

    @property
    def scale(self) -> Scale | None:
        """The declared scale; None to infer it from the grades."""
        levels = Scoring.of(self.scope).levels
        if levels is None and self.campaign is not None:
            return self.campaign.declared_scale(self.campaign.reference)
        return levels

    def people(self, reference: Any) -> Qrels:
        """Return the given human labels, or else the campaign's reference.

        Raises
        ------
        UsageError
            If there are none.
        """
        if reference is not None:
            return self.read(reference)
        if self.campaign is None:
            raise UsageError("expected --reference with human labels")
        return self.read(self.campaign.reference)

    def means_of_people(self, reference: Any) -> Qrels | None:
        """Return the mean of each doc's human labels, or None if the assessors are unnamed."""
        campaign, scoring = self.campaign, Scoring.of(self.scope)
        is_file = isinstance(reference, str | PathLike)
        labels: Judgments | None = None
        if campaign is not None and (
            reference is None or (is_file and reference in campaign.label_sets)
        ):
            labels = campaign.groups.get(reference or campaign.reference)
        elif (
            isinstance(reference, Judgments)
            or (is_file and labels_form(reference) != "qrels")
            or (is_frame(reference) and "assessor" in columns_of(reference))
        ):
            labels = read_judgments(reference, scale=scoring.levels, off_scale=scoring.off_scale)
        return None if labels is None else label_set_of(labels.current(), "", aggregation="mean")

    def read(self, source: Any) -> Qrels:
        """Return the labels of a judge: the named label set of the campaign, or the given labels.

        Raises
        ------
        UnknownNameError
            If the name is neither a label set nor a file.
        InputError
            If there are no labels.
        """
        sets = {} if self.campaign is None else self.campaign.label_sets
        if isinstance(source, str) and source in sets:
            qrels = sets[source]
        elif isinstance(source, str) and sets and not Path(source).exists():
            raise UnknownNameError("label set", source, sets)
        else:
            scoring = Scoring.of(self.scope)
            levels, off_scale = scoring.levels, scoring.off_scale
            qrels = qrels_of(source, scale=levels, off_scale=off_scale)
        qrels = of_topics(qrels, self.scope["topic_set"])
        if not len(qrels):
            path = source if isinstance(source, str | PathLike) else None
            raise InputError("no judgments found; expected at least one", path=path)
        return qrels

    def docs_and_topics(self) -> tuple[Any, Any]:
        """Return the given docs and topics, or else the docs and topics of the campaign."""
        given = self.scope["documents"], self.scope["topics"]
        if self.campaign is None:
            return given
        own = self.campaign.campaign.documents, self.campaign.campaign.topics
        return (own[0] if given[0] is None else given[0], own[1] if given[1] is None else given[1])

    def path_of(self, labels: Any, label_set: str | None) -> Any:
        """Return the file of the new labels, or None if they are not a file."""
        if self.campaign is None:
            return labels if isinstance(labels, str | PathLike) else None
        files = {stem(path): path for path in self.campaign.campaign.qrels}
        return files.get(label_set or "")

    def pair(
        self,
        people: Qrels,
        baseline: Qrels,
        new: Qrels,
        *,
        means: Qrels | None,
        runs: Any,
        measures: Any,
        seed: int,
    ) -> tuple[PairedJudges, list[str]]:
        """Return two judges aligned with human labels, with scores if there are runs, and notes."""
        judges = replace(PairedJudges.of(people, baseline, new, means=means), seed=seed)
        notes = judges.notes()
        if self.scale is not None:
            levels = np.array(self.scale.levels, dtype=float)
            seen = np.append(judges.people, judges.grades)
            judges = replace(judges, levels=np.union1d(levels, seen))
        if measures is None and self.campaign is not None and self.campaign.is_of_answers:
            measures = default_measures(self.campaign)[:1] or None
        of_answers = measures is not None and are_of_answers(measures_of(measures))
        has_runs = runs is not None or (self.campaign is not None and self.campaign.campaign.runs)
        if not (has_runs or of_answers):
            if measures is not None:
                raise UsageError("-m needs runs; expected RUN... after the labels")
            return judges, notes
        return self._add_scores(judges, (people, baseline, new), runs, measures, notes), notes

    def _add_scores(
        self, judges: PairedJudges, sets: tuple[Qrels, ...], runs: Any, measures: Any,
        notes: list[str],
    ) -> PairedJudges:  # fmt: skip
        """Return the judges with the scores of the runs under all three label sets."""
        campaign = None if self.campaign is None else self.campaign.campaign
        if measures is None and campaign is not None:
            measures = [*campaign.measures, DEFAULT_MEASURE][0]
        asked = [DEFAULT_MEASURE] if measures is None else measures_of(measures)
        if len(asked) > 1:
            raise UsageError(f"{len(asked)} measures given; expected one for a gate")
        shared = set.intersection(*(set(each.topics) for each in sets))
        named = {
            name: each.restricted_to(shared)
            for name, each in zip(("reference", "baseline", "new"), sets, strict=True)
        }
        scope = {**self.scope, "topic_set": None, "scale": self.scale, "off_scale": "missing"}
        if self.scale is None:
            scope["off_scale"] = "error"
        if runs is None and campaign is not None:
            runs = campaign.runs or None
        if are_of_answers(asked):
            scope |= {"scale": self.scope["scale"], "off_scale": "error"}
            if self.campaign is not None:
                scope["aspects"] = scope["aspects"] or self.campaign.aspects
                scope["answers"] = scope["answers"] or self.campaign.system_answers
        compared = compared_sets(named, runs, asked, **scope)
        scored = scored_sets(compared, jobs=scope["jobs"], advance=scope["advance"])
        matrices = [scored.matrices[name][scored.measures[0]] for name in named]
        common = set.intersection(*(set(matrix.topics) for matrix in matrices))
        matrices = [matrix.restricted_to(common) for matrix in matrices]
        told = (note.removeprefix(f"{name}: ") for note in scored.notes for name in named)
        notes += dict.fromkeys(note for note in told if not note.startswith(tuple(named)))
        return replace(
            judges,
            scored_topics=matrices[0].topics,
            scores=np.stack([matrix.scores.T for matrix in matrices]),
            systems=matrices[0].systems,
        )
