"""What a question can be asked of: a campaign, objects, data frames, mappings, or paths.

Every question takes its inputs through these functions, so that a campaign means the same to all
of them: its label sets and its reference, the groups of its judgments, its scale, topics and runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from qrelsmith.data.campaign_folder import SETTINGS
from qrelsmith.data.qrels import Qrels, read_qrels, stem
from qrelsmith.data.runs import Run, read_run
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, UsageError, quoted

if TYPE_CHECKING:
    from qrelsmith.analyses.campaign_labels import CampaignLabels
    from qrelsmith.data.campaign import Campaign
    from qrelsmith.data.judgment_events import Judgments

# What mypy can say of them; the functions below say the rest. What takes long to import is imported
# where it is needed: `evaluate` starts without.
CampaignLike: TypeAlias = Union["Campaign", "CampaignLabels", FilePath]
QrelsLike: TypeAlias = Any
LabelSets: TypeAlias = Any
JudgmentsLike: TypeAlias = Any
RunsLike: TypeAlias = Any
MeasuresLike: TypeAlias = Any


def campaign_of(source: object) -> CampaignLabels | None:
    """The campaign that an input is: an object, or the path of a folder with campaign.toml.

    Raises
    ------
    InputError
        If a file of the campaign is not as it should be.
    """
    is_folder = isinstance(source, str | PathLike) and (Path(source) / SETTINGS).is_file()
    if not is_folder and isinstance(source, str | PathLike | Qrels | Run | Mapping | list | tuple):
        return None
    from qrelsmith.analyses.campaign_labels import CampaignLabels
    from qrelsmith.data.campaign import Campaign, read_campaign

    if isinstance(source, str | PathLike):
        return CampaignLabels(read_campaign(source))
    if isinstance(source, Campaign):
        return CampaignLabels(source)
    return source if isinstance(source, CampaignLabels) else None


def qrels_of(source: QrelsLike, *, name: str = "qrels") -> Qrels:
    """Qrels from Qrels, a path, {topic: {doc: grade}}, a data frame, or a campaign's reference.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If it is none of these.
    """
    if isinstance(source, Qrels):
        return source
    campaign = campaign_of(source)
    if campaign is not None:
        return campaign.label_sets[campaign.reference]
    if isinstance(source, str | PathLike):
        return read_qrels(source)
    if isinstance(source, Mapping) and all(isinstance(docs, Mapping) for docs in source.values()):
        return Qrels.from_dict(source, name=name)
    if _is_frame(source):
        return Qrels.from_frame(source, name=name)
    raise _fault("qrels", source, "Qrels, a path, {topic: {doc: grade}} or a data frame")


def label_sets_of(source: LabelSets) -> dict[str, Qrels]:
    """Label sets by name: of a campaign (its reference first), a mapping, or a list of qrels.

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
    if isinstance(source, Mapping):
        return {str(name): qrels_of(each, name=str(name)) for name, each in source.items()}
    if isinstance(source, Sequence) and not isinstance(source, str):
        named: dict[str, Qrels] = {}
        for each in source:
            qrels = qrels_of(each)
            label = stem(each) if isinstance(each, str | PathLike) else qrels.name
            if label in named:
                raise UsageError(
                    f"two label sets are called {quoted(label)}; name them: {{name: qrels}}"
                )
            named[label] = qrels
        return named
    return label_sets_of([source])


def judgments_of(source: JudgmentsLike) -> Judgments:
    """Judgments from Judgments, a path, a data frame, a campaign, or the qrels of each assessor.

    Raises
    ------
    InputError
        If a file is not as it should be, or the campaign has no judgments.
    UsageError
        If it is none of these.
    """
    from qrelsmith.data.judgment_events import Judgments
    from qrelsmith.data.judgments import read_judgments

    if isinstance(source, Judgments):
        return source
    campaign = campaign_of(source)
    if campaign is not None:
        if campaign.judgments is None:
            raise InputError("the campaign has no file judgments.*", path=campaign.campaign.folder)
        return campaign.judgments
    if isinstance(source, str | PathLike):
        return read_judgments(source)
    if isinstance(source, Qrels):
        return Judgments.from_qrels({source.name: source})
    if _is_frame(source):
        return Judgments.from_frame(source)
    if isinstance(source, Mapping | Sequence):
        return Judgments.from_qrels(label_sets_of(source))
    raise _fault("judgments", source, "Judgments, a path, a data frame, a campaign or qrels")


def runs_of(source: RunsLike, *, order: str = "trec") -> list[Run | FilePath]:
    """Runs from a campaign, a Run, a path, a folder of runs, a frame, a mapping, or several.

    Files stay paths: they are read part by part. A frame has a run of each system that a column
    such as `name`, `run` or `system` names; scores are ranked in one of `RUN_ORDERS`.

    Raises
    ------
    InputError
        If a folder holds no file.
    UsageError
        If it is none of these.
    """
    campaign = campaign_of(source)
    if campaign is not None:
        if not campaign.campaign.runs:
            raise InputError(
                "the campaign has no runs; expected files in runs/", path=campaign.campaign.folder
            )
        return list(campaign.campaign.runs)
    if isinstance(source, Run):
        return [source]
    if isinstance(source, str | PathLike):
        return _run_files(source)
    if _is_frame(source):
        return list(_runs_of_frame(source, order))
    if isinstance(source, Mapping):
        return [_named_run(str(name), each, order) for name, each in source.items()]
    if isinstance(source, Iterable):
        return [run for each in source for run in runs_of(each, order=order)]
    raise _fault("runs", source, "runs, paths, data frames or a campaign")


def measures_of(source: MeasuresLike) -> list[str]:
    """Names of measures from one name or measure of ir_measures, or several."""
    if isinstance(source, str) or not isinstance(source, Iterable):
        return [str(source)]
    return [str(each) for each in source]


def _run_files(path: FilePath) -> list[Run | FilePath]:
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    inside = sorted(file for file in folder.iterdir() if file.is_file() and file.name[0] != ".")
    if not inside:
        raise InputError("the folder holds no file; expected runs", path=path)
    return list(inside)


def _named_run(name: str, source: object, order: str) -> Run:
    """One run of a mapping, under its name."""
    if isinstance(source, Run):
        return replace(source, name=name)
    if isinstance(source, str | PathLike):
        return replace(read_run(source, order=order), name=name)
    if isinstance(source, Mapping) and all(isinstance(docs, Mapping) for docs in source.values()):
        return Run.from_dict(source, name=name, order=order)
    return Run.from_frame(source, name=name, order=order)


def _runs_of_frame(frame: Any, order: str) -> list[Run]:
    """The runs of a frame: one for each system where a column names them."""
    from qrelsmith.data.frames import columns_of, systems_of

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


def _is_frame(source: object) -> bool:
    """Whether it has columns: a data frame of pandas, polars or pyarrow, or a mapping of lists."""
    if isinstance(source, Mapping):
        return bool(source) and not any(isinstance(value, Mapping) for value in source.values())
    return hasattr(source, "columns")


def _fault(what: str, source: object, expected: str) -> UsageError:
    return UsageError(f"{type(source).__name__} holds no {what}; expected {expected}")
