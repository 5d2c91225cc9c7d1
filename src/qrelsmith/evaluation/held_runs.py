"""Runs held in memory, and the runs of a campaign."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from qrelsmith.base.items import item_parts
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.compared_sets import ComparedSets
from qrelsmith.evaluation.loaded_runs import deepest_rank, load_runs
from qrelsmith.io import sizes
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.judgments.label_sets import CampaignLabels


def runs_in_memory(
    compared: ComparedSets, *, depth: int = 0, jobs: int | None = None
) -> Sequence[Run | FilePath]:
    """Load runs into memory if the measures need only the top ranks or the files are small.

    Parameters
    ----------
    compared : ComparedSets
        The label sets, runs and measures.
    depth : int
        Minimum depth of the runs.
    jobs : int, optional
        Threads.

    Returns
    -------
    sequence of Run or path
        With one label set, run files are not loaded, because each file is read only once.
    """
    if compared.answers is not None:
        return ()
    rank = deepest_rank(compared.measures, condensed=compared.scoring.condensed)
    campaign, files = compared.campaign, [run for run in compared.runs if not isinstance(run, Run)]
    if rank is None and not _small_enough(files):
        return compared.runs
    if campaign is not None and files == list(campaign.campaign.runs):
        wanted = None if rank is None else max(rank, depth)
        return campaign_runs(campaign, depth=wanted, order=compared.scoring.order, jobs=jobs)
    if not files or (len(compared.label_sets) < 2 and not depth):
        return compared.runs
    return load_runs(
        compared.runs,
        depth=None if rank is None else max(rank, depth),
        order=compared.scoring.order,
        jobs=jobs,
    )


def campaign_runs(
    campaign: CampaignLabels, *, depth: int | None, order: str = "trec", jobs: int | None = None
) -> tuple[Run, ...]:
    """Return the runs of a campaign, whole or cut at a depth.

    Docs below the depth are dropped to save time.
    """
    if campaign.is_of_answers:
        return campaign.once(("answers as runs",), lambda: answer_runs(campaign.label_sets))
    held: dict[int | None, tuple[Run, ...]] = campaign.once(("runs", order), dict)
    if depth not in held:
        known = [each for each in held if each is None or (depth is not None and depth < each)]
        source = held[known[0]] if known else campaign.campaign.runs
        if not known:
            held.clear()
        held[depth] = load_runs(source, depth=depth, order=order, jobs=jobs)
    return held[depth]


def answer_runs(label_sets: Mapping[str, Qrels]) -> tuple[Run, ...]:
    """Return a run for each system, with the aspects of the system's answers in place of docs."""
    items: dict[str, dict[str, set[str]]] = {}
    for qrels in label_sets.values():
        for topic, key, _ in qrels.rows():
            items.setdefault(item_parts(key)[0], {}).setdefault(topic, set()).add(key)
    for name, topics in items.items():
        for keys in topics.values():
            if len(keys) > 1:
                keys.discard(name)  # the whole answer, where it has aspects
    return tuple(
        Run(
            name,
            {topic: tuple(sorted(keys)) for topic, keys in sorted(topics.items())},
            {topic: np.zeros(len(keys)) for topic, keys in sorted(topics.items())},
        )
        for name, topics in sorted(items.items())
    )


def _small_enough(runs: Iterable[FilePath]) -> bool:
    """Return whether whole runs may be held in memory: files are small, or runs come from pipes."""
    found = [Path(path).stat() for path in runs if Path(path).exists()]
    regular = all(stat.S_ISREG(each.st_mode) for each in found)
    return not regular or sum(each.st_size for each in found) <= sizes.HELD_RUNS
