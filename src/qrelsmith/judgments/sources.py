"""The sources of a question: a campaign, objects, data frames, mappings, or paths.

Every question takes its inputs through these functions, so that a campaign means the same to all
of them: its label sets and its reference, the groups of its judgments, its scale, topics and runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Union

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.io.given_values import describe, is_frame, is_nested
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.given_labels import read_qrels

if TYPE_CHECKING:
    from qrelsmith.campaign.campaign import Campaign
    from qrelsmith.io.cells import OffScale
    from qrelsmith.judgments.judgment_events import Judgments
    from qrelsmith.judgments.label_sets import CampaignLabels
    from qrelsmith.pairs.outcomes import Sign, Way
    from qrelsmith.pairs.preferences import Preferences

# What mypy can say of them; the functions below say the rest. What takes long to import is imported
# where it is needed: `evaluate` starts without.
CampaignLike: TypeAlias = Union["Campaign", "CampaignLabels", FilePath]
QrelsLike: TypeAlias = Any
LabelSets: TypeAlias = Any
JudgmentsLike: TypeAlias = Any
RunsLike: TypeAlias = Any
MeasuresLike: TypeAlias = Any
PreferencesLike: TypeAlias = Any
TopicSet: TypeAlias = FilePath | Collection[str]

T = TypeVar("T")
Labels = TypeVar("Labels", bound="Qrels | Judgments")

_ASSESSOR = "assessor"


def campaign_folder(source: object) -> Campaign | None:
    """The campaign that an input is, as its folder says; its labels need not be there yet.

    Raises
    ------
    InputError
        If campaign.toml is not as it should be.
    """
    is_folder = isinstance(source, str | PathLike) and (Path(source) / SETTINGS).is_file()
    if not is_folder and isinstance(source, str | PathLike | Qrels | Run | Mapping | list | tuple):
        return None
    from qrelsmith.campaign.campaign import Campaign, read_campaign
    from qrelsmith.judgments.label_sets import CampaignLabels

    if isinstance(source, str | PathLike):
        return read_campaign(source)
    if isinstance(source, CampaignLabels):
        return source.campaign
    return source if isinstance(source, Campaign) else None


def campaign_of(source: object) -> CampaignLabels | None:
    """The campaign that an input is, with its labels: an object, or the path of its folder.

    Raises
    ------
    InputError
        If a file of the campaign is not as it should be, or it has no labels.
    """
    campaign = campaign_folder(source)
    if campaign is None:
        return None
    from qrelsmith.judgments.label_sets import CampaignLabels

    return source if isinstance(source, CampaignLabels) else CampaignLabels(campaign)


def qrels_of(
    source: QrelsLike,
    *,
    name: str | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
) -> Qrels:
    """Qrels from Qrels, a path, {topic: {doc: grade}}, a data frame, or a campaign's reference.

    Parameters
    ----------
    source : Qrels, path, mapping, data frame, or campaign
        The grades.
    name : str, optional
        What to call those of a mapping or a frame.
    scale, off_scale
        As of `judgments_of`; a campaign's labels are what they are.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If it is none of these, or a doc has the grades of several assessors.
    """
    campaign = campaign_of(source)
    if campaign is not None:
        return campaign.label_sets[campaign.reference]
    called = None if isinstance(source, str | PathLike | Qrels) else name or "qrels"
    return read_qrels(source, name=called, scale=scale, off_scale=off_scale)


def label_sets_of(
    source: LabelSets, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> dict[str, Qrels]:
    """Label sets by name: a campaign's (its reference first), or those of what is given.

    Judgments of several assessors, as an object, a file or a frame with the column `assessor`, are
    a label set for each assessor. In a mapping every label set has its name; in a list it is called
    as the file, or as the qrels.

    Parameters
    ----------
    source : label sets
        Any of these.
    scale, off_scale
        As of `qrels_of`.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If two bear one name, or it is none of these.
    """
    campaign = campaign_of(source)
    if campaign is not None:
        names = (campaign.reference, *campaign.others)
        return {name: campaign.label_sets[name] for name in names}
    if isinstance(source, Qrels) or (isinstance(source, Mapping) and is_nested(source)):
        qrels = qrels_of(source, scale=scale, off_scale=off_scale)
        return {qrels.name: qrels}
    if isinstance(source, Mapping) and source and not is_frame(source):
        return {
            str(name): qrels_of(each, name=str(name), scale=scale, off_scale=off_scale)
            for name, each in source.items()
        }
    if isinstance(source, Sequence) and not isinstance(source, str):
        return _label_sets_of(source, scale, off_scale)
    return _sets_of_assessors(source, scale, off_scale)


def judgments_of(
    source: JudgmentsLike, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Judgments from Judgments, a path, a data frame, a campaign, or the qrels of each assessor.

    A campaign without judgments has those of its label sets, of which each counts as an assessor.

    Parameters
    ----------
    source : Judgments, path, data frame, campaign, qrels, or several qrels
        The grades.
    scale : Scale, optional
        The levels that a grade can have; a campaign's own is the default.
    off_scale : {'error', 'missing'}
        What a grade off the scale is: an error, or no judgment (counted in a warning).

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If it is none of these, or a grade is off the scale.
    """
    from qrelsmith.judgments.given_labels import on_scale
    from qrelsmith.judgments.judgment_files import Judgments, read_judgments

    campaign = campaign_of(source)
    if campaign is not None:
        judgments = campaign.judgments
        if judgments is None:
            judgments = Judgments.from_qrels(label_sets_of(campaign))
        return on_scale(judgments, scale, off_scale=off_scale)
    if isinstance(source, Sequence) and not isinstance(source, str):
        if source and all(isinstance(each, str | PathLike) for each in source):
            return read_judgments(*source, scale=scale, off_scale=off_scale)
        source = _label_sets_of(source)
    return read_judgments(source, scale=scale, off_scale=off_scale)


def labels_of(
    source: QrelsLike | JudgmentsLike,
    *,
    label_set: str | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
) -> Qrels | Judgments:
    """Labels as they are: judgments where assessors are named, else qrels.

    A campaign has its judgments or, without any, the qrels that are its reference.

    Parameters
    ----------
    source, scale, off_scale
        As of `judgments_of`.
    label_set : str, optional
        Of a campaign the label set of this name: the judgments of a group, or qrels.

    Raises
    ------
    InputError, UsageError
        As of `judgments_of`.
    """
    from qrelsmith.collection.frames import columns_of
    from qrelsmith.judgments.given_labels import on_scale
    from qrelsmith.judgments.judgment_files import labels_form

    campaign = campaign_of(source)
    if label_set is not None:
        if campaign is None:
            raise UsageError(f"the label set {quoted(label_set)} is one of a campaign; got none")
        campaign.check(label_set)
        if label_set in campaign.groups:
            return on_scale(campaign.groups[label_set], scale, off_scale=off_scale)
        return on_scale(campaign.label_sets[label_set], scale, off_scale=off_scale)
    if campaign is not None:
        is_qrels = campaign.judgments is None
    elif isinstance(source, str | PathLike):
        is_qrels = labels_form(source) == "qrels"
        if is_qrels:
            return read_qrels(source, scale=scale, off_scale=off_scale)
    else:
        is_columns = is_frame(source) and _ASSESSOR not in columns_of(source)
        is_qrels = isinstance(source, Qrels) or is_columns or is_nested(source)
    if is_qrels:
        return on_scale(qrels_of(source), scale, off_scale=off_scale)
    return judgments_of(source, scale=scale, off_scale=off_scale)


def as_judgments(
    source: QrelsLike | JudgmentsLike, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Labels as judgments of assessors; grades that name none are one assessor's.

    Raises
    ------
    InputError, UsageError
        As of `judgments_of`.
    """
    from qrelsmith.judgments.judgment_events import Judgments

    if isinstance(source, list | tuple):
        return judgments_of(source, scale=scale, off_scale=off_scale)
    labels = labels_of(source, scale=scale, off_scale=off_scale)
    return Judgments.from_qrels({labels.name: labels}) if isinstance(labels, Qrels) else labels


def check_any(judgments: Judgments, source: Any) -> None:
    """Raise an error that names the file unless there are judgments.

    Raises
    ------
    InputError, UsageError
        If there are none, of a file or of an object.
    """
    if len(judgments):
        return
    problem = "there are no judgments; expected at least one"
    first = source[0] if isinstance(source, list | tuple) and source else source
    if isinstance(first, str | PathLike):
        raise InputError(problem, path=first)
    raise UsageError(problem)


def with_files(source: Any, files: Sequence[Any]) -> Any:
    """An input and further files of label sets.

    Raises
    ------
    UsageError
        If the input is not made of files or qrels in a list.
    """
    if not files:
        return source
    given = [source] if isinstance(source, str | PathLike) else source
    if not isinstance(given, list | tuple):
        raise UsageError("label_set is for a campaign or for files; name all of them in labels")
    return [*given, *files]


def fault(error: object, source: object) -> QrelsmithError:
    """A problem with an input as an error that names the file, where the input is one.

    Parameters
    ----------
    error : object
        What is wrong.
    source : object
        The input, or a list of files of which the first is named.
    """
    first = source[0] if isinstance(source, list | tuple) and source else source
    if isinstance(first, str | PathLike):
        return InputError(str(error), path=first)
    return UsageError(str(error))


def runs_of(source: RunsLike, *, order: str = "trec") -> list[Run | FilePath]:
    """Runs from a campaign, a Run, a path, a folder of runs, a frame, a mapping, or several.

    Files stay paths: they are read part by part. A mapping is {name: run} or one run, {topic: {doc:
    score}}. A frame has a run of each system that a column such as `name`, `run` or `system` names;
    scores are ranked in one of `RUN_ORDERS`.

    Raises
    ------
    InputError
        If a folder holds no file.
    UsageError
        If it is none of these.
    """
    campaign = campaign_folder(source)
    if campaign is not None:
        if not campaign.runs:
            raise InputError(
                "the campaign has no runs; expected files in runs/", path=campaign.folder
            )
        return list(campaign.runs)
    if isinstance(source, Run):
        return [source]
    if isinstance(source, str | PathLike):
        return _run_files(source)
    if is_frame(source):
        return list(_runs_of_frame(source, order))
    if isinstance(source, Mapping) and is_nested(source):
        return [Run.from_dict(source, order=order)]
    if isinstance(source, Mapping):
        return [_run_under_name(str(name), each, order) for name, each in source.items()]
    if isinstance(source, Iterable):
        return [run for each in source for run in runs_of(each, order=order)]
    raise UsageError(
        "expected runs: paths, Run objects, {name: run}, data frames or a campaign; got"
        f" {describe(source)}"
    )


def measures_of(source: MeasuresLike) -> list[str]:
    """Names of measures from one name or measure of ir_measures, or several."""
    if isinstance(source, str) or not isinstance(source, Iterable):
        return [str(source)]
    return [str(each) for each in source]


def as_list(value: T | Sequence[T]) -> list[T]:
    """One value or several, as a list; text is one."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [value]


def preferences_of(
    source: PreferencesLike, *, way: Way | None = None, sign: Sign = "negative-left"
) -> Preferences:
    """Preferences from Preferences, a path, a frame, {topic: answers}, a campaign, or several.

    Parameters
    ----------
    source : Preferences, path, data frame, mapping, campaign, or a list of these
        The preferences; None: there are none.
    way, sign
        How outcomes are written, as of `read_preferences`.

    Raises
    ------
    InputError
        If a file is not as it should be, or the campaign has no preferences.
    UsageError
        If it is none of these.
    """
    from qrelsmith.pairs.preference_files import read_preferences
    from qrelsmith.pairs.preferences import Preferences

    if source is None:
        return Preferences.from_rows([])
    campaign = campaign_of(source)
    if campaign is not None:
        if campaign.preferences is None:
            raise InputError("the campaign has no file preferences.*", path=campaign.folder)
        return campaign.preferences
    if isinstance(source, list | tuple) and not all(
        isinstance(each, list | tuple) for each in source
    ):
        return Preferences.join([preferences_of(each, way=way, sign=sign) for each in source])
    return read_preferences(source, way=way, sign=sign)


def topics_of(source: TopicSet | None) -> tuple[str, ...] | None:
    """A set of topics from a file or a collection of ids; None: all topics.

    Raises
    ------
    InputError
        If the file names no topic.
    UsageError
        If a collection holds none, or an id that is no text.
    """
    if source is None:
        return None
    if isinstance(source, str | PathLike):
        from qrelsmith.judgments.topic_set import read_topic_set

        return read_topic_set(source)
    from qrelsmith.collection.frames import id_cells

    topics = tuple(dict.fromkeys(id_cells(list(source), "topic_set")))
    if not topics:
        raise UsageError("the topic set is empty; expected topics, or None for all")
    return topics


def of_topics(labels: Labels, topic_set: TopicSet | None) -> Labels:
    """Labels of a set of topics.

    Raises
    ------
    InputError
        If none of the topics has a label.
    """
    topics = topics_of(topic_set)
    if topics is None:
        return labels
    from qrelsmith.judgments.topic_set import restrict_qrels, restricted_judgments

    path = topic_set if isinstance(topic_set, str | PathLike) else "topic_set"
    if isinstance(labels, Qrels):
        return restrict_qrels(labels, topics, path=path)  # type: ignore[return-value]
    return restricted_judgments(labels, topics, path=path)  # type: ignore[return-value]


def _sets_of_assessors(
    source: LabelSets, scale: Scale | None, off_scale: OffScale
) -> dict[str, Qrels]:
    """The label set of each assessor where some are named, else the one that it is."""
    from qrelsmith.collection.frames import columns_of
    from qrelsmith.judgments.judgment_files import Judgments, labels_form, read_judgments

    named = isinstance(source, Judgments)
    if isinstance(source, str | PathLike):
        named = labels_form(source) != "qrels"
    elif is_frame(source):
        named = _ASSESSOR in columns_of(source)
    if named:
        judgments = read_judgments(source, scale=scale, off_scale=off_scale)
        return {who: judgments.to_qrels(assessor=who) for who in judgments.assessors}
    qrels = qrels_of(source, scale=scale, off_scale=off_scale)
    return {stem(source) if isinstance(source, str | PathLike) else qrels.name: qrels}


def _label_sets_of(
    sources: Sequence[Any], scale: Scale | None = None, off_scale: OffScale = "error"
) -> dict[str, Qrels]:
    named: dict[str, Qrels] = {}
    for each in sources:
        qrels = qrels_of(each, scale=scale, off_scale=off_scale)
        label = stem(each) if isinstance(each, str | PathLike) else qrels.name
        if label in named:
            raise UsageError(
                f"two label sets are called {quoted(label)}; name them: {{name: qrels}}"
            )
        named[label] = qrels
    if not named:
        raise UsageError("expected label sets, one or more; got an empty list")
    return named


def _run_files(path: FilePath) -> list[Run | FilePath]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    inside = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    if not inside:
        raise InputError("the folder holds no file; expected runs", path=path)
    return list(inside)


def _run_under_name(name: str, source: object, order: str) -> Run:
    """One run of a mapping, under its name."""
    if isinstance(source, Run):
        return replace(source, name=name)
    if isinstance(source, str | PathLike):
        return replace(read_run(source, order=order), name=name)
    if isinstance(source, Mapping) and is_nested(source):
        return Run.from_dict(source, name=name, order=order)
    if is_frame(source):
        return Run.from_frame(source, name=name, order=order)
    raise UsageError(
        f"the run {quoted(name)}: expected a Run, a path, {{topic: {{doc: score}}}} or a data"
        f" frame; got {describe(source)}"
    )


def _runs_of_frame(frame: Any, order: str) -> list[Run]:
    """The runs of a frame: one for each system where a column names them."""
    from qrelsmith.collection.frames import columns_of, systems_of

    columns = columns_of(frame)
    named, systems = systems_of(columns)
    if not named:
        return [Run.from_frame(columns, order=order)]
    rows: dict[str, list[int]] = {system: [] for system in systems}
    for row, system in enumerate(columns[named]):
        rows[str(system)].append(row)
    return [
        Run.from_frame(
            {name: [values[row] for row in of] for name, values in columns.items()},
            name=system,
            order=order,
        )
        for system, of in rows.items()
    ]
