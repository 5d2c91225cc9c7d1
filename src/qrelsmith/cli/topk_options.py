"""Options that the commands of `topk` share."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, Literal

import click

from qrelsmith.analyses.topk_fit import misfit
from qrelsmith.analyses.topk_sessions import TopicPool, TopkSetting, topic_pools
from qrelsmith.data.hit_terms import HitTerms, read_hit_terms
from qrelsmith.data.preference_events import PreferenceEvent, read_preference_events
from qrelsmith.data.qrels import Qrels, read_qrels
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set, restricted
from qrelsmith.errors import InputError, InputWarning
from qrelsmith.topk import SCHEDULERS

Way = Literal["numbers", "sides", "winner"]

k_option = click.option(
    "-k", "--k", type=click.IntRange(min=1), default=5, show_default=True,
    help="How many docs are to be found at the top of each topic.",
)  # fmt: skip
terms_option = click.option(
    "--terms", type=click.Path(),
    help="A TOML file with a table [hits], such as campaign.toml: pairs and challenge pairs of a"
    " HIT, reward, fee, who may work. Default: as in the paper.",
)  # fmt: skip


def setting_options(function: Callable[..., None]) -> Callable[..., None]:
    """How the top is looked for, as one argument `setting`; to stand above `common_options`."""

    @wraps(function)
    def with_setting(
        *,
        k: int,
        method: str,
        finalists: int,
        pairings: int,
        keep: Literal["majority", "half"],
        forced: bool,
        seed: int,
        **own: Any,
    ) -> None:
        setting = TopkSetting(
            k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
            seed=seed,
        )  # fmt: skip
        # What is wrong with the setting is told before long files are read.
        setting.scheduler("", ())
        function(setting=setting, seed=seed, **own)

    command: Callable[..., None] = with_setting
    for option in (
        click.option(
            "--force", "forced", is_flag=True,
            help="Allow other sizes than F > P > k, and `answer` what no pair asks.",
        ),
        click.option(
            "--keep", type=click.Choice(["majority", "half"]), default="majority",
            show_default=True,
            help="Who stays after a round: who won more than half of their pairings, or half (as in"
            " the authors' program: 4 of 8).",
        ),
        click.option(
            "-P", "--pairings", type=click.IntRange(min=1), default=7, show_default=True,
            help="With how many others each candidate is paired in a round.",
        ),
        click.option(
            "-F", "--finalists", type=click.IntRange(min=1), default=9, show_default=True,
            help="Up to how many candidates all pairs are judged.",
        ),
        click.option(
            "--method", default="rounds", show_default=True, metavar="NAME",
            help=f"Who is compared with whom: {', '.join(SCHEDULERS.names())}.",
        ),
        k_option,
    ):  # fmt: skip
        command = option(command)
    return command


def read_graded(path: FilePath, topic_set: FilePath | None) -> Qrels:
    """The qrels that candidates come from."""
    qrels = read_qrels(path)
    if not len(qrels):
        raise InputError("there are no judgments; expected at least one", path=path)
    if topic_set is None:
        return qrels
    return restricted(qrels, read_topic_set(topic_set), path=topic_set)


def read_pools(path: FilePath, topic_set: FilePath | None, k: int) -> tuple[TopicPool, ...]:
    """The candidates of every topic."""
    return topic_pools(read_graded(path, topic_set), k=k)


def read_log(path: FilePath | None, way: Way | None = None) -> list[PreferenceEvent]:
    """The answers so far; a log that is not there yet is empty."""
    if path is None or not Path(path).exists():
        return []
    return read_preference_events(path, way=way)


def warn_of_misfit(
    pools: Sequence[TopicPool], events: Sequence[PreferenceEvent], setting: TopkSetting
) -> None:
    """Warn where answers do not fit the options: the pairs that follow are not those of the log."""
    problem = misfit(pools, events, setting)
    if problem is not None:
        warnings.warn(problem, InputWarning, stacklevel=2)


def read_terms(path: FilePath | None) -> HitTerms:
    """The terms of HITs."""
    return HitTerms() if path is None else read_hit_terms(path)
