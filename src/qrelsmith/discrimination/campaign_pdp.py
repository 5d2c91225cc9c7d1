"""Pairwise discriminative power (PDP) of a campaign's label sets, computed once for all callers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination.common_docs import on_common_docs
from qrelsmith.discrimination.label_set_pdp import Reading, Sampling, pdp_of_label_sets
from qrelsmith.discrimination.pdp_inputs import (
    check_depths,
    chosen_sets,
    common_topics,
    own_preferences,
    preferences_on_topics,
    runs_to_depth,
)
from qrelsmith.discrimination.pdp_notes import campaign_notes
from qrelsmith.discrimination.pdp_options import PdpOptions
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.discrimination.preferences.options import Mode, Smoothing, Weighting
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.given_labels import on_scale
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.run_sources import RunsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.pairs.preferences import Preferences

# The depth of a run from which the docs in a campaign's lists are taken.
WITHIN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PdpChoices:
    """Options of a command about several label sets; see `pdp`."""

    mode: Mode | None
    reading: Reading
    sampling: Sampling
    depth: int
    within: int | None
    order: str
    sign: Sign
    outcomes: Way | None
    label_set: Sequence[str]
    reference: str | None
    errors: Literal["missing", "nonrelevant"]
    scale: Scale | None
    off_scale: OffScale
    seed: int

    @classmethod
    def of(
        cls,
        options: PdpOptions,
        *,
        smoothing: Smoothing | None,
        resamples: int,
        label_set: Sequence[str],
        reference: str | None,
        scale: Scale | None,
        weighting: Weighting = "none",
    ) -> PdpChoices:
        """Convert the options of a command into choices.

        Raises
        ------
        UsageError
            If a depth or a number of samples is not above 0.
        """
        check_depths(depth=options["depth"], within=options["within"], resamples=max(resamples, 1))
        return cls(
            mode=options["mode"],
            reading=Reading(
                smoothing or "jeffreys", options["untested"], options["strength"],
                options["batches"], weighting,
            ),
            sampling=Sampling(options["exact_docs"], options["sampled_rankings"], resamples),
            depth=options["depth"],
            within=options["within"],
            order=options["order"],
            sign=options["sign"],
            outcomes=options["outcomes"],
            label_set=label_set,
            reference=reference,
            errors=options["errors"],
            scale=scale,
            off_scale=options["off_scale"],
            seed=options["seed"],
        )  # fmt: skip


def pdp_of_campaign(
    campaign: CampaignLabels,
    preferences: PreferencesLike,
    runs: RunsLike,
    choices: PdpChoices,
    *,
    topic_set: TopicSet | None,
    jobs: int | None,
) -> PdpOfLabels:
    """Return the PDP of a campaign's label sets, and their differences from the reference."""

    def make() -> PdpOfLabels:
        chosen = chosen_sets(campaign, choices.label_set, choices.scale)
        tests = preferences_on_topics(
            own_preferences(campaign, preferences, sign=choices.sign, outcomes=choices.outcomes),
            topic_set,
        )
        result = pdp_on_common_docs(
            {
                name: on_scale(
                    campaign.judgments_of(name), choices.scale, off_scale=choices.off_scale
                )
                for name in chosen.scales
            },
            tests,
            choices,
            topics=common_topics(campaign, chosen.all, topic_set),
            runs=runs_to_depth(campaign, runs, choices.within or WITHIN, choices.order, jobs),
            within=choices.within or WITHIN,
            reference=campaign.reference if choices.reference is None else choices.reference,
            scales={name: levels for name, levels in chosen.scales.items() if levels is not None},
        )
        lacking = dict(sorted({**result.lacking, **chosen.lacking}.items()))
        result = replace(result, lacking=lacking)
        return replace(result, notes=campaign_notes(result, tests))

    if preferences is not None or runs is not None or topic_set is not None:
        return make()
    choices = replace(choices, label_set=tuple(choices.label_set))
    return campaign.once(("pdp", choices), make)


def pdp_on_common_docs(
    judgments: Mapping[str, Judgments],
    tests: Preferences,
    choices: PdpChoices,
    *,
    topics: Sequence[str],
    runs: Sequence[Run],
    within: int | None,
    reference: str,
    scales: Mapping[str, Scale],
) -> PdpOfLabels:
    """Return the PDP of label sets on the docs that all sets grade, compared with the reference."""
    common = on_common_docs(
        judgments, tests, topics=topics, runs=runs, depth=choices.depth, within=within,
        seed=choices.seed, errors=choices.errors,
    )  # fmt: skip
    return pdp_of_label_sets(
        common,
        reference=reference,
        scales=scales,
        seed=choices.seed,
        modes=("aggregate", "individual") if choices.mode is None else (choices.mode,),
        reading=choices.reading,
        sampling=choices.sampling,
    )
