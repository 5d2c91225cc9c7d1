"""Inputs of a top-k task: grades, log of answers, and terms of HITs (such as size and price)."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import check_scale
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.hit_terms import HitTerms, read_hit_terms
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io.cells import OffScale
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.given_labels import on_scale, read_qrels
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.sources import QrelsLike, fault
from qrelsmith.judgments.topic_sources import TopicSet, of_topics
from qrelsmith.pairs.drawn_pairs import read_drawn_pairs
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.topk_fit import misfit
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting, drawn_pools, topic_pools

Terms = HitTerms | FilePath
"""The terms of HITs, or a TOML file with a table `[hits]`."""


def graded_of(
    labels: QrelsLike,
    *,
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
) -> Qrels:
    """Return the grades used to select candidates: qrels, or a campaign's label set.

    Raises
    ------
    InputError
        If a file is malformed, or contains no judgments.
    UsageError
        If the campaign has no such label set, or a label set is given without a campaign.
    """
    campaign = campaign_of(labels)
    if campaign is not None:
        if label_set is not None:
            campaign.check(label_set)
        qrels = on_scale(
            campaign.label_sets[label_set or campaign.reference], scale, off_scale=off_scale
        )
    elif label_set is not None:
        raise UsageError("--label-set needs a campaign")
    elif isinstance(labels, Qrels):
        qrels = on_scale(labels, scale, off_scale=off_scale)
    else:
        qrels = read_qrels(labels, scale=scale, off_scale=off_scale)
    if not len(qrels):
        raise fault("no judgments found; expected at least one", labels)
    return of_topics(qrels, topic_set)


def graded_by(labels: QrelsLike, options: Mapping[str, Any]) -> Qrels:
    """Return the grades selected by the options; see `graded_of`."""
    if campaign_of(labels) is None:
        check_scale(options)
    names = ("label_set", "topic_set", "scale", "off_scale")
    return graded_of(labels, **{name: options[name] for name in names})


def setting_by(options: Mapping[str, Any], pairs: DrawnPairs | FilePath | None) -> TopkSetting:
    """Return the setting of a top-k task from the options."""
    names = ("k", "finalists", "pairings", "keep", "forced", "seed")
    return TopkSetting(
        method=options["scheduler"],
        **{name: options[name] for name in names},
        pairs=drawn_pairs_of(pairs),
    )


def candidates_of(
    labels: QrelsLike, setting: TopkSetting, options: Mapping[str, Any]
) -> tuple[Qrels, tuple[TopicPool, ...]]:
    """Return the grades, and each topic's candidates under a setting.

    Drawn pairs include their candidates and need no grades.

    Raises
    ------
    InputError, UsageError
        As in `graded_of`, or if the setting is wrong.
    UndefinedError
        If no doc has a grade above 0.
    """
    # Errors in the setting are reported before long files are read.
    setting.scheduler("", ())
    if labels is None and setting.pairs is not None:
        return Qrels.from_dict({}), drawn_pools(setting.pairs)
    graded = graded_by(labels, options)
    if setting.pairs is not None:
        return graded, drawn_pools(setting.pairs)
    return graded, topic_pools(graded, k=setting.k)


def log_of(answers: PreferencesLike, labels: QrelsLike, options: Mapping[str, Any]) -> Preferences:
    """Return the given log, else the campaign's log, else an empty log."""
    campaign = campaign_of(labels) if answers is None else None
    if campaign is not None and campaign.preferences is not None:
        return campaign.preferences
    return preferences_of(answers, way=options["outcomes"], sign=options["sign"])


def drawn_pairs_of(pairs: DrawnPairs | FilePath | None) -> DrawnPairs | None:
    """Return the drawn pairs, read from their file if necessary."""
    return read_drawn_pairs(pairs) if isinstance(pairs, str | PathLike) else pairs


def terms_of_hits(terms: Terms | None, labels: QrelsLike = None) -> HitTerms:
    """Return the given HIT terms, else the campaign's HIT terms, else the paper's HIT terms."""
    if isinstance(terms, HitTerms):
        return terms
    if terms is not None:
        return read_hit_terms(Path(terms))
    campaign = campaign_of(labels) if labels is not None else None
    own = None if campaign is None else campaign.campaign.hits
    return HitTerms() if own is None else own


def misfit_notes(pools: tuple[TopicPool, ...], log: Preferences, setting: TopkSetting) -> list[str]:
    """Return a note if answers do not fit the options."""
    problem = misfit(pools, log, setting)
    return [] if problem is None else [problem]
