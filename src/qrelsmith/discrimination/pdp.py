"""Pairwise discriminative power (PDP) of relevance labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Unpack

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, OutputFile, ScaleOption, check_scale
from qrelsmith.base.questions import question
from qrelsmith.discrimination.campaign_pdp import PdpChoices, pdp_of_campaign
from qrelsmith.discrimination.grade_matrices import write_matrix
from qrelsmith.discrimination.judgments_pdp import pdp_of_judgments
from qrelsmith.discrimination.pdp_options import (
    BootstrapSamples,
    PdpOptions,
    RankedDocs,
    SettingReference,
    Tests,
)
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.discrimination.preferences.options import Smoothing
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.label_options import GroupName, LabelFiles, LabelSetNames
from qrelsmith.judgments.preference_sources import preferences_of
from qrelsmith.judgments.run_sources import runs_of

# The options for counting preferences, with their defaults.
_OF_PREFERENCES: Mapping[str, str | None] = {
    "smoothing": None, "untested": "error", "sign": "negative-left", "outcomes": None,
    "strength": "sign", "batches": None,
}  # fmt: skip


def _write_matrix(result: PdpOfLabels, path: str, _: Sequence[str]) -> None:
    if result.asked is not None and "grade_matrix" in result.asked.options:
        raise UsageError("--write-grade-matrix needs --preferences, not --grade-matrix")
    matrices = [each for of_set in result.sets for each in of_set.pdp.matrix.p]
    if len(matrices) > 1:
        raise UsageError(
            f"--write-grade-matrix writes one matrix, but there are {len(matrices)} (one per "
            "label set, mode and batch of topics). Choose one with --label-set, --mode and"
            " --batches all"
        )
    write_matrix(matrices[0], path)


@question(
    command="pdp",
    heading="labels",
    audit=("pdp",),
    example="qrelsmith pdp nist.qrels --preferences crowd.prefs --runs runs/ --depth 5",
    writes={
        "write_grade_matrix": OutputFile("Write the grade matrix to this file.", _write_matrix)
    },
)
def pdp(
    labels: LabelFiles,
    preferences: Tests = None,
    runs: RankedDocs = None,
    *,
    label_set: LabelSetNames = (),
    reference: SettingReference = None,
    grade_matrix: Annotated[
        FloatArray | FilePath | None,
        Option(
            "CSV without header, instead of preferences. Row i, column j is the probability that"
            " a doc of the i-th lowest level is preferred to a doc of the j-th lowest level.",
            file=True,
            many=False,
        ),
    ] = None,
    paper: Annotated[bool, Option(
        "Compute as in the program of the PDP paper: no smoothing, and a doc-level matrix clipped"
        " to [0.01, 0.99]."
    )] = False,
    smoothing: Annotated[Smoothing | None, Option(
        "Smoothing of the counts in the grade matrix; default: jeffreys.")] = None,
    intervals: Annotated[bool | None, Option(
        "Add the columns low and high: a 95% interval of the mean over similar topics; default:"
        " only for a campaign.", ("--intervals/--no-intervals",))] = None,
    resamples: Annotated[int, Option(
        "Number of bootstrap samples for the interval.", BootstrapSamples, least=1)] = 1000,
    group: GroupName = None,
    scale: ScaleOption = None,
    **options: Unpack[PdpOptions],
) -> PdpOfLabels:  # fmt: skip
    """Compute the pairwise discriminative power (PDP) of relevance labels.

    Take a judgments FILE, qrels with one FILE per assessor, or a CAMPAIGN. Columns: topic, docs,
    pdp, se, over. In the row with the mean over topics, the topic is `all`. `pdp` is an entropy in
    nats, from 0 (only one ranking is possible) to ln(docs!) (all rankings are equally likely).
    Lower values mean more discriminative labels. `se` is the standard error from sampling rankings,
    which is 0 if the computation is exact. `over` is the population to which the interval
    generalises.

    Without --runs, all graded docs of a topic are used. With --runs, the first --depth graded docs
    of each run are used, and a topic's row is the mean over the runs. Docs without a grade are left
    out. The smallest number of preference tests for any pair of grades is printed to stderr. The
    option --topic-set also limits the preferences to these topics.

    If a campaign has a preferences.* file, rows are printed for every label set, with the columns
    label_set and mode. The docs are then the first --depth docs with a grade in every label set,
    among the first 10 docs of each run.

    Raises
    ------
    InputError
        If a file is malformed, or there are no preferences.
    UsageError
        If options conflict.
    UndefinedError
        If no doc has a grade, no preference is about these docs, or a required pair of grades has
        no preference.

    References
    ----------
    Chu et al. (2021), sections 3.3 and 3.4.

    Examples
    --------
    >>> labels = {"ann": {"t1": {"d1": 1, "d2": 0, "d3": 1}, "t2": {"d1": 0, "d2": 1, "d3": 0}}}
    >>> answers = {"t1": [("d1", "d2"), ("d3", "d2")], "t2": [("d2", "d3", "tie")]}
    >>> print(pdp(labels, answers).table())
    topic  docs  PDP (nats)  standard error  over
    ─────  ────  ──────────  ──────────────  ────
    all       3      1.5882          0.0000
    t1        3      1.5853          0.0000
    t2        3      1.5911          0.0000
    """
    if grade_matrix is None:
        check_scale({"scale": scale, "off_scale": options["off_scale"]})
    if paper and smoothing not in (None, "paper"):
        raise UsageError(f"found --paper and --smoothing {smoothing}; expected only one option")
    campaign = campaign_of(labels)
    has_intervals = campaign is not None if intervals is None else intervals
    choices = PdpChoices.of(
        options,
        smoothing="paper" if paper else smoothing,
        resamples=resamples if has_intervals else 0,
        label_set=label_set,
        reference=reference,
        scale=scale,
    )
    topic_set, jobs = options["topic_set"], options["jobs"]
    if campaign is not None:
        if grade_matrix is not None or group is not None:
            raise UsageError(
                "--grade-matrix and --group cannot be used with a campaign. "
                "Use --preferences instead of --grade-matrix, or --label-set instead of --group"
            )
        return pdp_of_campaign(campaign, preferences, runs, choices, topic_set=topic_set, jobs=jobs)
    if (preferences is None) == (grade_matrix is None):
        raise UsageError("expected either --preferences or --grade-matrix")
    if label_set or reference is not None:
        raise UsageError("--label-set and --reference need a campaign")
    if grade_matrix is not None:
        _check_beside_matrix({"smoothing": smoothing, **options})
    order, within = choices.order, choices.within
    return pdp_of_judgments(
        labels,
        None
        if preferences is None
        else preferences_of(preferences, way=choices.outcomes, sign=choices.sign),
        None
        if runs is None
        else load_runs(runs_of(runs, order=order), depth=within, order=order, jobs=jobs),
        matrix=grade_matrix,
        mode=choices.mode or "individual",
        reading=choices.reading,
        sampling=choices.sampling,
        depth=choices.depth,
        group=group,
        errors=choices.errors,
        topic_set=topic_set,
        scale=scale,
        off_scale=choices.off_scale,
        seed=choices.seed,
    )


def _check_beside_matrix(given: Mapping[str, object]) -> None:
    """Raise an error if an option needs preferences; the smoothing `paper` is allowed."""
    for name, plain in _OF_PREFERENCES.items():
        if given[name] not in (plain, "paper"):
            flag = "--" + name.replace("_", "-")
            raise UsageError(f"{flag} needs --preferences, not --grade-matrix")
