"""The command `pdp compare`: which of several methods of labelling discriminates better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Unpack

from qrelsmith.base.errors import UndefinedError, UnknownNameError, UsageError
from qrelsmith.base.options import Option, OutputFile, Source, check_scale
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
from qrelsmith.discrimination.missing_tests import GradePairCounts, count_grade_pairs
from qrelsmith.discrimination.pdp_compared import PdpCompared
from qrelsmith.discrimination.pdp_inputs import own_preferences, preferences_on_topics
from qrelsmith.discrimination.pdp_notes import campaign_notes
from qrelsmith.discrimination.pdp_options import (
    BootstrapSamples,
    PdpOptions,
    RankedDocs,
    SettingReference,
    Tests,
)
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.discrimination.preferences.options import Smoothing, Weighting
from qrelsmith.discrimination.tests_too_far import note_tests_too_far
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.label_options import LabelSetNames, is_campaign, label_files
from qrelsmith.judgments.preference_sources import preferences_of
from qrelsmith.judgments.run_sources import runs_of
from qrelsmith.pairs.contradictions import contradicted_pairs
from qrelsmith.pairs.preferences import Preferences


def _settings(words: Sequence[str], given: dict[str, Any]) -> dict[str, Any]:
    """Take one campaign, whose label sets are the settings, or one setting per argument."""
    if len(words) == 1 and is_campaign(words[0]):
        return label_files(words, given)
    label_set = given.pop("label_set", ())
    return {"labels": [*words, *label_set]}


def _scales(texts: Sequence[str]) -> Scale | list[Scale]:
    scales = [Scale.parse(text) for text in texts]
    return scales[0] if len(scales) == 1 else scales


@question(
    command="pdp compare",
    heading="labels",
    audit=("pdp",),
    example="qrelsmith pdp compare four.csv seven.csv --preferences preferences.csv",
    writes={
        "write_contradicted": OutputFile(
            "Write the pairs with contradictory answers to this file.",
            lambda result, path, _: write_text(path, result.contradicted.text("csv")),
        ),
        "write_missing": OutputFile(
            "Write the missing tests to this file.",
            lambda result, path, _: write_text(path, result.missing().text("csv")),
        ),
    },
)
def pdp_compare(
    labels: Annotated[Any, Source(
        "The settings, as a list or by name: judgments, qrels, folders with the qrels of each"
        " assessor, or campaigns. With one campaign, its label sets are the"
        " settings.", "CAMPAIGN|SETTING...", _settings)],
    preferences: Tests = None,
    runs: RankedDocs = None,
    *,
    label_set: LabelSetNames = (),
    reference: SettingReference = None,
    per_pair: Annotated[int, Option(
        "Intended number of tests per grade pair.", least=1)] = 100,
    smoothing: Annotated[Smoothing, Option(
        "Smoothing of the counts in the grade matrix.")] = "jeffreys",
    weighting: Annotated[Weighting, Option(
        "Weight of a test: `none` (all tests are equal), or `kinds` (the number of doc pairs with"
        " the same median grades). Use `kinds` if tests were drawn evenly.")
    ] = "none",
    resamples: Annotated[int, Option(
        "Number of bootstrap samples for intervals and p.", BootstrapSamples, least=0)] = 1000,
    scale: Annotated[Scale | Sequence[Scale] | None, Option(
        "Levels such as 0..3, either once for all settings or once per setting, in order;"
        " default: the campaign's levels, or 0 to the setting's highest grade.", metavar="SCALE",
        gather=_scales)] = None,
    **options: Unpack[PdpOptions],
) -> PdpCompared:  # fmt: skip
    """Compare ways of labelling by PDP.

    Each SETTING is a judgments file, qrels, a folder with the qrels of each assessor, or a
    campaign. The scales can differ. Each setting is compared with the first setting or with
    --reference, on the docs that all settings grade. If there is only one CAMPAIGN, its label sets
    are compared. Columns: setting, mode, levels, topics, pdp, low, high, difference,
    difference_low, difference_high, p, p_topics, tests, missing, to_decide, over.

    `difference` is the setting's PDP minus the reference's PDP, in nats. A negative difference
    means that the setting discriminates better. The interval and p come from a paired bootstrap
    over topics and preferences; `p_topics` comes from a paired t-test over topics. `tests` is the
    number of tests between docs with different grades. `missing` is the number of further tests
    needed for --per-pair tests of each pair of grades. `to_decide` is the estimated number of
    further tests that would decide the difference (inf: more topics are needed).

    Returns
    -------
    PdpCompared
        With fewer than 8 topics, the interval is nan.

    Raises
    ------
    InputError
        If a file is malformed, or there are no preferences.
    UsageError
        If there is only one setting, or options do not fit together.
    UndefinedError
        If no doc has a grade in every setting, or no preference compares two such docs.

    References
    ----------
    Chu et al. (2021), sections 3.2 and 5.2.1, which compares settings but does not name a test.

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
    levels = scale if isinstance(scale, Scale) else None
    check_scale({"scale": scale, "off_scale": options["off_scale"]})
    choices = PdpChoices.of(
        options, smoothing=smoothing, resamples=resamples, label_set=label_set,
        reference=reference, scale=levels, weighting=weighting,
    )  # fmt: skip
    topic_set, jobs = options["topic_set"], options["jobs"]
    sign, outcomes = choices.sign, choices.outcomes
    within, order = choices.within, choices.order
    campaign = None if isinstance(labels, list | tuple) else campaign_of(labels)
    if campaign is not None:
        if scale is not None and levels is None:
            raise UsageError(
                "found several scales; expected one, or the scales that the campaign declares"
            )
        answer = pdp_of_campaign(
            campaign, preferences, runs, choices, topic_set=topic_set, jobs=jobs
        )
        scales = {name: levels or campaign.declared_scale(name) for name in campaign.label_sets}
        tests = preferences_on_topics(
            own_preferences(campaign, preferences, sign=sign, outcomes=outcomes), topic_set
        )
        return _with_missing_tests(answer, scales, per_pair, tests)
    if label_set:
        raise UsageError("--label-set needs a campaign")
    settings = compared_settings(labels, scale, off_scale=choices.off_scale)
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
        raise UndefinedError("no preferences found; expected at least one")
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
    answer: PdpOfLabels, scales: Mapping[str, Scale | None], per_pair: int, preferences: Preferences
) -> PdpCompared:
    """Return the answer with its missing tests and contradictory pairs."""
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
