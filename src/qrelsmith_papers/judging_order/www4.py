"""NTCIR-16 WWW-4, as far as available: the public files, or all files of the authors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from qrelsmith.base.scales import Scale
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith_papers.data_files import packed_or_not
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, GROUPS, HASTY, ORDERINGS
from qrelsmith_papers.judging_order.printed_tables import SYSTEMS, TABLE_1, AssignedTopic

NAME = "ntcir-www4"
_GOLD_FILE, _LOG, _SECOND = "www4gold-corrected.qrels", "judgments.csv", "rejudged.csv"
_QRELS: Mapping[str, str] = {
    GOLD: _GOLD_FILE,
    HASTY: "www4bronzew.qrels",
    CAREFUL: "www4bronzet.qrels",
}
_RUN_LIST = "waseda-runlist"
WANTED = WantedFolder(
    NAME,
    "NTCIR-16 WWW-4. Public are the gold qrels and some of the runs; Table 1 of the paper says"
    " which topics are PRI and RND, and who judged them.",
    (
        WantedFile(
            _GOLD_FILE, "NTCIR's qrels `topic docno L2`: Table 1's docs, Table 2's Gold column"
        ),
        WantedFile(
            "runs/*", "the runs after one <SYSDESC> line; or beside, named in waseda-runlist"
        ),
        WantedFile(_QRELS[HASTY], "NTCIR's qrels of BronzeW"),
        WantedFile(
            _QRELS[CAREFUL], "NTCIR's qrels of BronzeT: with both, Tables 5 to 12 and 16 to 18"
        ),
        WantedFile(
            _LOG,
            "a judgments file of all labels, in place of the qrels: groups Gold, BronzeW, BronzeT,"
            " orderings prioritised and randomised, position, shown_at, judged_at, revision: Tables"
            " 3 and 4, Figures 1 and 2 besides",
        ),
        WantedFile(_SECOND, "a judgments file of Gold's second labels: Tables 14 and 15"),
    ),
    marks=(_GOLD_FILE, _LOG),
)
_CALLED = "WWW-4"
_SCALE = Scale.parse("0..2")
_DEPTH = 60
_TAG_OF_ORGANISERS, _ORGANISERS = ("baseline", "Anserini"), "ORG"


@dataclass(frozen=True, eq=False)
class RealLabels:
    """The available labels and runs of WWW-4.

    Attributes
    ----------
    collection : JudgedCollection
        The labels and runs.
    second : Judgments or None
        Gold's second labels.
    """

    collection: JudgedCollection
    second: Judgments | None

    @property
    def is_whole(self) -> bool:
        """Whether the labels of all three groups are available."""
        return set(self.collection.judgments.group or ()) >= set(GROUPS)

    @property
    def has_log(self) -> bool:
        """Whether the times of the labels are known."""
        return self.is_whole and self.collection.judgments.judged_at is not None

    @property
    def name(self) -> str:
        """The name to show where runs are not used."""
        return _CALLED


def www4(inputs: StudyInputs) -> RealLabels | None:
    """Return WWW-4, or None if no file is available."""
    folder = inputs.folder(NAME, holds=WANTED.marks)
    return None if folder is None else _read(folder, inputs.seed)


def labels_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the existing files, for the manifest of the report."""
    folder = inputs.folder(NAME, holds=WANTED.marks)
    if folder is None:
        return ()
    labels = (packed_or_not(folder / name) for name in (*_QRELS.values(), _LOG, _SECOND))
    return (*(path for path in labels if path.is_file()), *_run_files(folder))


@lru_cache(maxsize=1)  # shared by all artefacts
def _read(folder: Path, seed: int) -> RealLabels:
    log, second = (packed_or_not(folder / name) for name in (_LOG, _SECOND))
    runs = load_runs(_run_files(folder), depth=_DEPTH, order="file")
    return RealLabels(
        JudgedCollection(
            key="www4",
            name=_CALLED if len(runs) == SYSTEMS else f"{_CALLED} ({len(runs)} of {SYSTEMS} runs)",
            kind=ClaimKind.RECOMPUTED,
            judgments=read_judgments(log, scale=_SCALE) if log.is_file() else _of_qrels(folder),
            scale=_SCALE,
            relevant=1.0,
            runs=runs,
            teams={run.name: _team(run.name) for run in runs},
            depth=_DEPTH,
            seed=seed,
        ),
        read_judgments(second, scale=_SCALE) if second.is_file() else None,
    )


def _of_qrels(folder: Path) -> Judgments:
    """Return the labels of qrels files, with the assessors and orderings of Table 1."""
    assigned = {row.topic: row for row in TABLE_1}
    rows = []
    for group, name in _QRELS.items():
        path = packed_or_not(folder / name)
        if not path.is_file():
            continue
        rows += [
            (topic, doc, _assessor(assigned[topic], group), grade, group, _ordering(row, group))
            for topic, doc, grade in read_qrels(path, scale=_SCALE).rows()
            for row in [assigned[topic]]
        ]
    names = ("topic", "doc", "assessor", "grade", "group", "ordering")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def _assessor(row: AssignedTopic, group: str) -> str:
    number = {GOLD: row.gold, HASTY: row.hasty, CAREFUL: row.careful}[group]
    return f"Assessor{group.removeprefix('Bronze')[0]}{number}"


def _ordering(row: AssignedTopic, group: str) -> str:
    """Return the ordering of a row for a group; Bronze always saw docs in prioritised order."""
    shown = {short: name for name, short in ORDERINGS.items()}
    return shown[row.pool] if group == GOLD else next(iter(ORDERINGS))


def _run_files(folder: Path) -> list[Path]:
    """Return the files in the folder of runs, else the files in the list of runs."""
    if (folder / "runs").is_dir():
        return sorted(path for path in (folder / "runs").iterdir() if path.is_file())
    listed = folder / _RUN_LIST
    names = listed.read_text(encoding="utf-8").split() if listed.is_file() else []
    return [packed_or_not(folder / name) for name in names]


def _team(run: str) -> str:
    return _ORGANISERS if run in _TAG_OF_ORGANISERS else team_in_name(run)
