"""Pairwise discriminative power (PDP) of relevance labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Scale
from qrelsmith.discrimination.campaign_pdp import PdpChoices, pdp_of_campaign
from qrelsmith.discrimination.judgments_pdp import pdp_of_judgments
from qrelsmith.discrimination.label_set_pdp import Reading, Sampling
from qrelsmith.discrimination.pdp_inputs import check_depths
from qrelsmith.discrimination.pdp_result import PdpOfLabels
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.options import Mode, Smoothing, Strength, Untested
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.cells import OffScale
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.run_sources import RunsLike, runs_of
from qrelsmith.judgments.sources import JudgmentsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way


@question(
    command="pdp",
    audit=("pdp",),
    flags={"preferences": "--preferences", "runs": "--runs"},
)
def pdp(
    labels: JudgmentsLike,
    preferences: PreferencesLike = None,
    runs: RunsLike = None,
    *,
    grade_matrix: FloatArray | FilePath | None = None,
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
    intervals: bool | None = None,
    resamples: int = 1000,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
    label_set: Sequence[str] = (),
    reference: str | None = None,
    group: str | None = None,
    errors: Literal["missing", "nonrelevant"] = "missing",
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    seed: int = 0,
    jobs: int | None = None,
) -> PdpOfLabels:
    """Pairwise discriminative power (PDP) of labels, in nats; lower tells docs apart better.

    Of judgments it is about one label set: all graded docs of each topic or, with runs, the first
    `depth` graded docs of each run. Of a campaign it is about every label set, on the docs that all
    of them grade: the first `depth` of these among the first `within` docs of each run.

    Parameters
    ----------
    labels : campaign, Judgments, path, data frame, or the qrels of each assessor
        The labels.
    preferences : Preferences, path, data frame, mapping, or a list of these
        What tells how docs of two grades compare; those of a log that stand. A campaign's own are
        the default.
    runs : runs, paths, a folder, or data frames
        Whose first docs it is about. A campaign's own are the default.
    grade_matrix : path or float array [level, level], optional
        In place of preferences: p(a doc of the level of the row is preferred to one of the
        column's), levels from the lowest.
    mode : {'individual', 'aggregate'}, optional
        Compare docs assessor by assessor, or by their median grades. By default assessor by
        assessor, of a campaign's label sets both.
    smoothing : {'jeffreys', 'none', 'paper'}
        What is added to the counts behind a cell; `paper` is the authors' program: nothing, and the
        doc-level matrix clipped to [.01, .99].
    untested : {'error', 'half', 'interpolate'}
        What is taken for a pair of grades that no preference compares.
    strength : {'sign', 'share'}
        Whether −2 and 2 count like −1 and 1, or more.
    batches : {'assessors', 'all'}, optional
        A grade matrix for each batch of topics that share assessors, or one for all topics. By
        default one for each batch; of a campaign's label sets one for all where batches have too
        few tests.
    depth : int
        How many graded docs of each run.
    within : int, optional
        Only docs among so many first of a run; by default 10 for a campaign's label sets.
    order : str
        How the docs of a run are ranked: one of `RUN_ORDERS`.
    sign, outcomes
        How preferences in a file or frame write outcomes: `sign` and `way` of `read_preferences`.
    intervals : bool, optional
        Whether the mean gets a 95 % interval over topics like these, from a bootstrap of topics and
        preferences; by default for a campaign. With fewer than 8 topics it is nan.
    resamples : int
        Bootstrap samples behind the interval.
    exact_docs, samples : int
        Up to how many docs an entropy is computed exactly, and the rankings sampled for more.
    label_set : sequence of str
        Only these label sets of a campaign.
    reference : str, optional
        The label set with which a campaign's others are compared.
    group : str, optional
        Only the judgments of this group.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    topic_set : path or collection of str, optional
        Only these topics, and their preferences.
    scale : Scale, optional
        The levels; by default those of the campaign, else 0 to the highest grade.
    off_scale : {'error', 'missing'}
        What a grade off the scale is.
    seed : int
        The seed. What is drawn follows from it and from the topics alone.
    jobs : int, optional
        Threads that read runs.

    Returns
    -------
    PdpOfLabels

    Raises
    ------
    InputError
        If a file is not as it should be, or there are no preferences.
    UsageError
        If options do not fit together.
    UndefinedError
        If no doc has a grade, the preferences say nothing of these docs, or a pair of grades that
        is needed has no preference.

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
    check_depths(depth=depth, within=within, resamples=resamples)
    reading = Reading(smoothing, untested, strength, batches)
    campaign = campaign_of(labels)
    if campaign is not None:
        if grade_matrix is not None or group is not None:
            raise UsageError(
                "grade_matrix and group go with judgments, not with a campaign; expected"
                " preferences, and label_set for a group"
            )
        choices = PdpChoices(
            mode=mode, reading=reading, depth=depth, within=within, order=order, sign=sign,
            sampling=Sampling(exact_docs, samples, 0 if intervals is False else resamples),
            outcomes=outcomes, label_set=label_set, reference=reference, errors=errors,
            scale=scale, off_scale=off_scale, seed=seed,
        )  # fmt: skip
        return pdp_of_campaign(campaign, preferences, runs, choices, topic_set=topic_set, jobs=jobs)
    if label_set or reference is not None:
        raise UsageError("label_set and reference go with a campaign")
    return pdp_of_judgments(
        labels,
        None if preferences is None else preferences_of(preferences, way=outcomes, sign=sign),
        None if runs is None else load_runs(
            runs_of(runs, order=order), depth=within, order=order, jobs=jobs
        ),
        matrix=grade_matrix,
        mode=mode or "individual",
        reading=reading,
        sampling=Sampling(exact_docs, samples, resamples if intervals else 0),
        depth=depth,
        group=group,
        errors=errors,
        topic_set=topic_set,
        scale=scale,
        off_scale=off_scale,
        seed=seed,
    )  # fmt: skip
