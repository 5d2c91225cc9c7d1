"""Which of several ways of labelling tells docs apart better, by PDP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from qrelsmith.base.errors import UndefinedError, UnknownNameError, UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination.campaign_pdp import (
    WITHIN,
    PdpChoices,
    pdp_of_campaign,
    pdp_on_common_docs,
)
from qrelsmith.discrimination.compared_settings import compared_settings
from qrelsmith.discrimination.label_set_pdp import Reading, Sampling
from qrelsmith.discrimination.missing_tests import GradePairCounts, count_grade_pairs
from qrelsmith.discrimination.pdp_compared import PdpCompared
from qrelsmith.discrimination.pdp_inputs import (
    check_depths,
    own_preferences,
    preferences_on_topics,
)
from qrelsmith.discrimination.pdp_notes import campaign_notes
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.options import Mode, Smoothing, Strength, Untested
from qrelsmith.discrimination.tests_too_far import note_tests_too_far
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.run_sources import RunsLike, runs_of
from qrelsmith.judgments.sources import JudgmentsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.contradictions import contradicted_pairs
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.pairs.preferences import Preferences


@question(
    command="pdp compare",
    audit=("pdp",),
    flags={"preferences": "--preferences", "runs": "--runs"},
)
def pdp_compare(
    labels: JudgmentsLike,
    preferences: PreferencesLike = None,
    runs: RunsLike = None,
    *,
    reference: str | None = None,
    per_pair: int = 100,
    mode: Mode | None = None,
    smoothing: Smoothing = "jeffreys",
    untested: Untested = "error",
    strength: Strength = "sign",
    batches: Literal["assessors", "all"] | None = None,
    depth: int = 5,
    within: int | None = None,
    order: str = "trec",
    sign: Sign = "negative-left",
    outcomes: Way | None = None,
    resamples: int = 1000,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
    label_set: Sequence[str] = (),
    errors: Literal["missing", "nonrelevant"] = "missing",
    topic_set: TopicSet | None = None,
    scale: Scale | Sequence[Scale] | None = None,
    off_scale: OffScale = "error",
    seed: int = 0,
    jobs: int | None = None,
) -> PdpCompared:
    """Compare ways of labelling by pairwise discriminative power (PDP), also across scales.

    Each is held against the first, or the reference, on the docs that all of them grade and with
    the same preferences: how much better or worse it tells docs apart, in nats, with an interval
    over topics like these and a paired p value, and the tests that are missing.

    Parameters
    ----------
    labels : campaign, {name: labels}, or a list of labels, paths and campaigns
        The settings: each judgments of several assessors, qrels, a folder of the qrels of each
        assessor, or a campaign's judgments. Of one campaign they are its label sets.
    preferences : Preferences, path, data frame, mapping, or a list of these
        What tells how docs compare; those of a log that stand. By default those of the campaigns.
    runs : runs, paths, a folder, or data frames
        Whose first docs it is about. By default those of the first campaign that has runs; without
        any, lists of docs are drawn at random.
    reference : str, optional
        The setting that the others are held against; by default a campaign's reference, else the
        first.
    per_pair : int
        How many tests each pair of grades should have; what lacks is missing.
    mode : {'individual', 'aggregate'}, optional
        Compare docs assessor by assessor, or by their median grades; by default both.
    smoothing, untested, strength, batches, depth, within, order, sign, outcomes
        As of `pdp`.
    exact_docs, samples
        As of `pdp`.
    resamples : int
        Bootstrap samples behind intervals and p.
    label_set : sequence of str
        Only these label sets of a campaign.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    topic_set : path or collection of str, optional
        Only these topics, and their preferences.
    scale : Scale or sequence of Scale, optional
        The levels, of all settings or of each in their order; by default those of a campaign, else
        0 to the highest grade of the setting.
    off_scale : {'error', 'missing'}
        What a grade off the scale is.
    seed : int
        The seed. What is drawn follows from it and from the topics alone.
    jobs : int, optional
        Threads that read runs.

    Returns
    -------
    PdpCompared
        With fewer than 8 topics there is no interval, and nan stands there.

    Raises
    ------
    InputError
        If a file is not as it should be, or there are no preferences.
    UsageError
        If there is only one setting, or options do not fit together.
    UndefinedError
        If no doc has a grade in every setting, or no preference compares two such docs.

    References
    ----------
    Chu et al. (2021), sections 3.2 and 5.2.1, which compares settings without saying how.

    Examples
    --------
    >>> two = {"t1": {"d1": 1, "d2": 0, "d3": 1}, "t2": {"d1": 0, "d2": 1, "d3": 0}}
    >>> three = {"t1": {"d1": 2, "d2": 0, "d3": 1}, "t2": {"d1": 0, "d2": 2, "d3": 1}}
    >>> answers = {"t1": [("d1", "d2"), ("d3", "d2"), ("d1", "d3")], "t2": [("d2", "d1")]}
    >>> answers["t2"] += [("d2", "d3"), ("d3", "d1")]
    >>> compared = pdp_compare({"two": two, "three": three}, answers)
    >>> [round(row.comparison.difference, 3) for row in compared.answer.sets[1:]]
    [0.051]
    """
    check_depths(depth=depth, within=within, resamples=max(resamples, 1))
    levels = scale if isinstance(scale, Scale) else None
    choices = PdpChoices(
        mode=mode, reading=Reading(smoothing, untested, strength, batches), depth=depth,
        sampling=Sampling(exact_docs, samples, resamples), within=within, order=order, sign=sign,
        outcomes=outcomes, label_set=label_set, reference=reference, errors=errors, scale=levels,
        off_scale=off_scale, seed=seed,
    )  # fmt: skip
    campaign = None if isinstance(labels, list | tuple) else campaign_of(labels)
    if campaign is not None:
        if scale is not None and levels is None:
            raise UsageError("a campaign's label sets have one scale or those that it declares")
        answer = pdp_of_campaign(
            campaign, preferences, runs, choices, topic_set=topic_set, jobs=jobs
        )
        scales = {name: levels or campaign.declared_scale(name) for name in campaign.label_sets}
        tests = preferences_on_topics(
            own_preferences(campaign, preferences, sign=sign, outcomes=outcomes), topic_set
        )
        return _with_missing_tests(answer, scales, per_pair, tests)
    if label_set:
        raise UsageError("label_set goes with a campaign")
    settings = compared_settings(labels, scale, off_scale=off_scale)
    names = list(settings.judgments)
    if reference is not None and reference not in names:
        raise UnknownNameError("setting", reference, names)
    tests = preferences_on_topics(
        preferences_of(
            settings.preferences() if preferences is None else preferences, way=outcomes, sign=sign
        ),
        topic_set,
    )
    if not len(tests):
        raise UndefinedError("there are no preferences; expected at least one")
    loaded: Sequence[Run]
    if runs is not None:
        loaded = load_runs(runs_of(runs, order=order), depth=within, order=order, jobs=jobs)
    else:
        within = within or WITHIN
        loaded = settings.runs(depth=within, order=order, jobs=jobs)
    answer = pdp_on_common_docs(
        settings.judgments,
        tests,
        choices,
        topics=settings.topics(topic_set),
        runs=loaded,
        within=within,
        reference=names[0] if reference is None else reference,
        scales=settings.scales,
    )
    answer = replace(answer, notes=campaign_notes(answer, tests))
    return _with_missing_tests(answer, settings.scales, per_pair, tests)


def _with_missing_tests(
    answer: PdpOfLabels,
    scales: Mapping[str, Scale | None],
    per_pair: int,
    preferences: Preferences,
) -> PdpCompared:
    """The answer with what it lacks and what it says."""
    common = answer.common
    counts: dict[str, GradePairCounts] = {}
    far: list[str] = []
    if common is not None:
        far = note_tests_too_far(
            common.tests, {name: graded.grades for name, graded in common.graded.items()}
        )
        for name, graded in common.graded.items():
            scale = scales.get(name)
            levels = graded.levels() if scale is None else scale.levels
            counts[name] = count_grade_pairs(common.tests, graded.grades, levels)
    result = PdpCompared(
        answer=answer,
        counts=counts,
        per_pair=per_pair,
        contradicted=contradicted_pairs(preferences),
    )
    notes = (*answer.notes, *result.sentences(), *result.missing_notes(), *far)
    return replace(result, notes=notes)
