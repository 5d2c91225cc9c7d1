"""The sources of commands about rankings: label sets and runs, a campaign folder, or scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from qrelsmith.base.errors import quoted
from qrelsmith.base.results import Result
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.cli.options import Common
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import campaign_folder
from qrelsmith.cli.scoring import ScoringOptions
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.evaluation import ScoreMatrix

R = TypeVar("R", bound=Result)

label_set_option = click.option(
    "--label-set", "chosen", multiple=True, metavar="NAME|FILE",
    help="Of a campaign this label set (a qrels file or a group), else a qrels file; repeat.",
)  # fmt: skip
reference_option = click.option(
    "--reference", metavar="NAME", help="The label set with which the others are compared."
)
ordering_option = click.option(
    "--ordering", multiple=True, metavar="NAME",
    help="Of a campaign, the topics that its reference was shown in this ordering; as --topic-set.",
)  # fmt: skip
common_topics_option = click.option(
    "--common", "common_topics", type=click.Choice(["pairs", "all"]), default="pairs",
    show_default=True,
    help="Label sets are compared on the topics that the two have, or on those that all have.",
)  # fmt: skip
qrels_option = click.option(
    "--qrels", "label_sets", type=click.Path(), multiple=True,
    help="Qrels; repeat to compare label sets (then every FILE is a run).",
)  # fmt: skip
topic_sets_option = click.option(
    "--topic-set", "topic_sets", type=click.Path(), multiple=True,
    help="A file of topics, one a line; repeat to have each set looked at by itself.",
)  # fmt: skip
topic_set_option = click.option(
    "--topic-set", type=click.Path(), help="A file of topics, one a line: only these."
)
empty_topics_option = click.option(
    "--empty-topics", type=click.Choice(["zero", "drop"]), default="zero", show_default=True,
    help="A topic without relevant docs under a label set: every score is 0 there, or it does not"
    " count there.",
)  # fmt: skip


class Sources(NamedTuple):
    """The inputs of a question about rankings.

    Attributes
    ----------
    labels : path, or mapping of str to path
        A campaign folder, or qrels by name.
    runs : list of path, or None
        The runs; None: the campaign's.
    label_set : list of str or None
        The label sets of the campaign that are looked at.
    """

    labels: FilePath | Mapping[str, FilePath]
    runs: list[FilePath] | None
    label_set: list[str] | None


@dataclass(frozen=True, slots=True)
class RankingInputs:
    """The inputs of a question about rankings, as arguments and options say them.

    Attributes
    ----------
    labels : mapping or path
        Label sets, a campaign folder, or scores.
    runs : list of path, or None
        The runs; None: the campaign's, or there are scores.
    measures : tuple of str or None
        Names of measures, where there are any.
    keywords : mapping
        How runs are scored, and which topics and label sets count.
    """

    labels: object
    runs: list[FilePath] | None
    measures: tuple[str, ...] | None
    keywords: Mapping[str, Any]

    def ask(
        self, question: Callable[..., R], common: Common, *, doing: str, options: Mapping[str, Any]
    ) -> R:
        """The answer to a question, whose notes are told; `doing` stands beside the progress."""
        with progress(doing, None, quiet=common.quiet) as advance:
            result = question(
                self.labels,
                self.runs,
                self.measures,
                seed=common.seed,
                jobs=common.jobs,
                advance=advance,
                **self.keywords,
                **options,
            )
        common.say(result.notes)
        return result


def of_rankings(function: Callable[..., None]) -> Callable[..., None]:
    """Make one argument `rankings` of the files and of the options that say what is ranked."""

    @wraps(function)
    def with_rankings(
        *,
        common: Common,
        scoring: ScoringOptions,
        files: tuple[str, ...],
        chosen: tuple[str, ...],
        reference: str | None,
        ordering: tuple[str, ...],
        common_topics: str,
        label_sets: tuple[str, ...] = (),
        scores: str | tuple[str, ...] | None = None,
        topic_sets: tuple[str, ...] = (),
        topic_set: str | None = None,
        **options: Any,
    ) -> None:
        labels: object
        if scores:
            beside = bool(files or label_sets or chosen or ordering)
            paths = [scores] if isinstance(scores, str) else scores
            labels, runs, label_set = scores_of_files(paths, scoring, beside=beside), None, None
        else:
            labels, runs, label_set = sources(files, chosen, label_sets)
        keywords = {
            "common": common_topics,
            "label_set": label_set,
            "reference": reference,
            "topic_set": topic_set if topic_set is not None else files_by_name(topic_sets) or None,
            "ordering": ordering,
            **scoring.keywords,
        }
        rankings = RankingInputs(labels, runs, scoring.measures, keywords)
        function(common=common, rankings=rankings, **options)

    return with_rankings


def ranking_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of label sets and topics: `chosen`, `reference`, `ordering`, `common_topics`."""
    for option in (common_topics_option, ordering_option, reference_option, label_set_option):
        function = option(function)
    return function


def sources(
    files: Sequence[FilePath], chosen: Sequence[str], label_sets: Sequence[FilePath] = ()
) -> Sources:
    """The sources that were named: a campaign folder, QRELS RUN..., or runs beside label sets.

    Raises
    ------
    click.UsageError
        If there is no label set or no run, or a file is named twice.
    """
    is_campaign = bool(files) and (Path(files[0]) / SETTINGS).is_file()
    folder = campaign_folder(files)
    if folder is not None and not (is_campaign or label_sets or chosen):
        from qrelsmith.campaign.campaign import read_campaign

        read_campaign(folder)  # it says what it lacks
    if not label_sets and is_campaign:
        return Sources(files[0], list(files[1:]) or None, list(chosen) or None)
    named = [*label_sets, *chosen]
    named, runs = (named, list(files)) if named else (list(files[:1]), list(files[1:]))
    if not named or not runs:
        raise click.UsageError("expected QRELS RUN... or a campaign folder")
    return Sources(files_by_name(named), runs, None)


def files_by_name(paths: Sequence[FilePath]) -> dict[str, FilePath]:
    """Files by their short names, or by their whole paths where those would be alike.

    Raises
    ------
    click.UsageError
        If one is named twice.
    """
    from qrelsmith.collection.qrels import stem

    for place, path in enumerate(paths):
        if path in paths[:place]:
            raise click.UsageError(f"{quoted(path)} is named twice; expected different files")
    names = [stem(path) for path in paths]
    alike = len(set(names)) < len(names)
    return dict(zip(map(str, paths) if alike else names, paths, strict=True))


def scores_of_files(
    paths: Sequence[FilePath], scoring: ScoringOptions, *, beside: bool
) -> dict[str, tuple[ScoreMatrix, ...]]:
    """The scores of files, by the files' names.

    Raises
    ------
    click.UsageError
        If there are runs beside them, or an option says how runs are to be scored.
    InputError
        If a file is not as it should be.
    """
    from qrelsmith.evaluation.score_files import read_scores

    if beside:
        raise click.UsageError("either --scores or labels and runs, not both")
    if scoring.says_how():
        raise click.UsageError(
            "--order, --gains, --scale, --off-scale and --condensed say how runs are scored; the"
            " scores of a file are scored already"
        )
    return {name: read_scores(path) for name, path in files_by_name(paths).items()}
