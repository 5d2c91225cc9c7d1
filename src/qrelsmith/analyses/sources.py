"""What a question can be asked of: a campaign, objects, data frames, mappings, or paths.

Every question takes its inputs through these functions, so that a campaign means the same to all
of them: its label sets and its reference, the groups of its judgments, its scale, topics and runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from qrelsmith.analyses.campaign_labels import CampaignLabels
from qrelsmith.data.campaign import Campaign, read_campaign
from qrelsmith.data.campaign_folder import SETTINGS
from qrelsmith.data.frames import columns_of
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.qrels import Qrels, read_qrels, stem
from qrelsmith.data.runs import Run
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, UsageError, quoted

# What mypy can say of them; the functions below say the rest.
CampaignLike: TypeAlias = Campaign | CampaignLabels | FilePath
QrelsLike: TypeAlias = Any
LabelSets: TypeAlias = Any
JudgmentsLike: TypeAlias = Any
RunsLike: TypeAlias = Any
MeasuresLike: TypeAlias = Any

# Columns that tell the systems of a frame of several runs apart.
_SYSTEMS = ("run", "name", "system", "run_id", "tag")


def campaign_of(source: object) -> CampaignLabels | None:
    """The campaign that an input is: an object, or the path of a folder with campaign.toml.

    Raises
    ------
    InputError
        If a file of the campaign is not as it should be.
    """
    if isinstance(source, CampaignLabels):
        return source
    if isinstance(source, Campaign):
        return CampaignLabels(source)
    if isinstance(source, str | PathLike) and (Path(source) / SETTINGS).is_file():
        return CampaignLabels(read_campaign(source))
    return None


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


def runs_of(source: RunsLike) -> list[Run | FilePath]:
    """Runs from a campaign, a Run, a path, a folder of runs, a frame, a mapping, or several.

    Files stay paths: they are read part by part.

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
        return list(_runs_of_frame(source))
    if isinstance(source, Mapping):
        return [_named_run(str(name), each) for name, each in source.items()]
    if isinstance(source, Iterable):
        return [run for each in source for run in runs_of(each)]
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


def _named_run(name: str, source: object) -> Run | FilePath:
    """One run of a mapping, under its name."""
    if isinstance(source, Run):
        return replace(source, name=name)
    if isinstance(source, str | PathLike):
        return source
    if isinstance(source, Mapping) and all(isinstance(docs, Mapping) for docs in source.values()):
        return Run.from_dict(source, name=name)
    return Run.from_frame(source, name=name)


def _runs_of_frame(frame: Any) -> list[Run]:
    """The runs of a frame: one for each system where a column names them."""
    columns = columns_of(frame)
    named = [name for name in _SYSTEMS if name in columns]
    if not named:
        return [Run.from_frame(columns)]
    systems = [str(cell) for cell in columns[named[0]]]
    rows: dict[str, list[int]] = {}
    for row, system in enumerate(systems):
        rows.setdefault(system, []).append(row)
    return [
        Run.from_frame(
            {name: [values[row] for row in of] for name, values in columns.items()}, name=system
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
