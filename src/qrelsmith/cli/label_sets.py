"""Several label sets, several sets of topics: what commands that look at both are told."""

from __future__ import annotations

import stat
from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

import click

from qrelsmith.analyses.group_labels import without_relevant
from qrelsmith.analyses.loaded_runs import deepest_rank, load_runs
from qrelsmith.cli.options import Common
from qrelsmith.cli.scoring import Scoring
from qrelsmith.data.qrels import Qrels, stem
from qrelsmith.data.runs import Run
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.errors import InputError, quoted
from qrelsmith.scales import Gains

Empty = Literal["zero", "drop"]
ALL_TOPICS = "all"
_SHOWN = 20  # topics that a note names
_HELD = 20_000_000  # bytes of run files, as they are stored, that are read into memory

label_sets_option = click.option(
    "--qrels", "label_sets", type=click.Path(), multiple=True,
    help="Qrels; repeat to compare label sets (then every FILE is a run).",
)  # fmt: skip
topic_sets_option = click.option(
    "--topic-set", "topic_sets", type=click.Path(), multiple=True,
    help="A file of topics, one a line; repeat to have each set looked at by itself.",
)  # fmt: skip
empty_topics_option = click.option(
    "--empty-topics", "empty", type=click.Choice(["zero", "drop"]), default="zero",
    show_default=True,
    help="A topic without relevant docs under some label set: every score is 0 there, or it counts"
    " under none.",
)  # fmt: skip


class LabelSet(NamedTuple):
    """Qrels by the name that a table calls them."""

    name: str
    qrels: Qrels


class TopicSet(NamedTuple):
    """Topics by the name that a table calls them."""

    name: str
    topics: tuple[str, ...]


def label_sets_and_runs(
    files: Sequence[str], label_sets: Sequence[str]
) -> tuple[list[tuple[str, str]], Sequence[str]]:
    """Names and paths of the label sets, and the runs: the first file is qrels if none is named.

    Raises
    ------
    click.UsageError
        If there is no label set or no run, or a file is named twice.
    """
    named, runs = (label_sets, files) if label_sets else (files[:1], files[1:])
    if not named or not runs:
        raise click.UsageError("expected QRELS RUN..., or --qrels A --qrels B RUN...")
    return named_files(named), runs


def named_files(paths: Sequence[str]) -> list[tuple[str, str]]:
    """Files by their short names, or by their whole paths where those would be alike.

    Raises
    ------
    click.UsageError
        If one is named twice.
    """
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise click.UsageError(f"{quoted(twice)} is named twice; expected different files")
    names = [stem(path) for path in paths]
    return list(zip(names if len(set(names)) == len(names) else paths, paths, strict=True))


def read_label_sets(
    named: Sequence[tuple[str, FilePath]],
    topic_sets: Sequence[str],
    scoring: Scoring,
    common: Common,
    *,
    empty: Empty = "zero",
) -> tuple[list[LabelSet], list[TopicSet]]:
    """Label sets on the topics that they all have, and the sets of topics to look at.

    Raises
    ------
    InputError
        If there are no judgments, no topic in all label sets, or none of a set of topics is left.
    """
    sets = [LabelSet(name, scoring.read(path)) for name, path in named]
    for (_, qrels), (_, path) in zip(sets, named, strict=True):
        if not len(qrels):
            raise InputError("there are no judgments; expected at least one", path=path)
    shared = shared_topics([qrels.topics for _, qrels in sets], "qrels", common)
    return on_topics(sets, topic_sets, scoring, common, empty=empty, shared=shared)


def on_topics(
    sets: Sequence[LabelSet],
    topic_sets: Sequence[str],
    scoring: Scoring,
    common: Common,
    *,
    empty: Empty,
    shared: Collection[str],
    also: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[list[LabelSet], list[TopicSet]]:
    """Label sets on the topics that count, and the sets of topics: files, and others by name.

    Raises
    ------
    InputError
        If no topic has relevant docs everywhere, or none of a set of topics is left.
    """
    counting = set(shared)
    if empty == "drop":
        counting = _with_relevant(sets, counting, scoring.gains, common)
    files = [(name, read_topic_set(path), path) for name, path in named_files(topic_sets)]
    others = [(name, topics, None) for name, topics in also.items()]
    chosen = _topic_sets([*files, *others], counting, common)
    counted = set().union(*(topics for _, topics in chosen))
    return [
        LabelSet(name, qrels if counted >= set(qrels.topics) else qrels.restricted_to(counted))
        for name, qrels in sets
    ], chosen


def reused_runs(
    runs: Sequence[FilePath], scoring: Scoring, common: Common
) -> Sequence[Run | FilePath]:
    """The runs in memory where measures look at their top only, or the files are small.

    Otherwise the files, which are read anew each time.
    """
    depth = deepest_rank(scoring.measures, condensed=scoring.condensed)
    if depth is None and not small_enough(runs):
        return runs
    return load_runs(runs, depth=depth, order=scoring.order, jobs=common.jobs)


def small_enough(runs: Sequence[FilePath]) -> bool:
    """Whether whole runs may be held in memory; a pipe must be: it can be read only once."""
    sizes = [Path(path).stat() for path in runs if Path(path).exists()]
    regular = all(stat.S_ISREG(found.st_mode) for found in sizes)
    return not regular or sum(found.st_size for found in sizes) <= _HELD


def shared_topics(topics: Sequence[Sequence[str]], what: str, common: Common) -> set[str]:
    """The topics that are in all of several lists; what is not is said.

    Raises
    ------
    InputError
        If there is none.
    """
    shared = reduce(set.intersection, map(set, topics[1:]), set(topics[0]))
    if not shared:
        raise InputError(f"no topic is in all {what}; expected at least one in common")
    dropped = sorted(set().union(*topics) - shared)
    if dropped:
        shown = f"{len(dropped)} ({', '.join(dropped)})"
        common.say([f"topics that are not in all {what} do not count: {shown}"])
    return shared


def _with_relevant(
    sets: Sequence[LabelSet], shared: set[str], gains: Gains | None, common: Common
) -> set[str]:
    """The topics that have a doc with a gain above 0 under every label set."""
    kept = set(shared)
    for name, lacking in without_relevant(dict(sets), shared, gains).items():
        common.say([f"topics without relevant docs under {name}, dropped: {_listed(lacking)}"])
        kept.difference_update(lacking)
    if not kept:
        raise InputError("no topic has relevant docs under every label set; expected at least one")
    return kept


def _topic_sets(
    wanted: Sequence[tuple[str, Sequence[str], str | None]], shared: set[str], common: Common
) -> list[TopicSet]:
    """The sets of topics, each a name, topics and a file, with the topics that count."""
    if not wanted:
        return [TopicSet(ALL_TOPICS, tuple(sorted(shared)))]
    chosen = []
    for name, named, path in wanted:
        kept = tuple(sorted(shared.intersection(named)))
        lacking = sorted(set(named) - shared)
        if not kept:
            raise InputError(f"none of its {len(named)} topics counts", path=path)
        if lacking:
            common.say([f"topics of {name} that do not count: {_listed(lacking)}"])
        chosen.append(TopicSet(name, kept))
    return chosen


def _listed(topics: Sequence[str]) -> str:
    more = ", …" if len(topics) > _SHOWN else ""
    return f"{len(topics)} ({', '.join(topics[:_SHOWN])}{more})"
