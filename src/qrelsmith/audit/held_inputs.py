"""A campaign with its label sets and runs in memory, such as a campaign with simulated errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.campaign.campaign import Level
from qrelsmith.campaign.loose_files import LooseFiles
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run


class HeldInputs(AuditInputs):
    """A campaign in memory.

    Parameters
    ----------
    sets : mapping of str to Qrels
        The label sets; the first is the reference.
    runs : sequence of Run
        The systems.
    levels : sequence of float
        The scale.
    teams : mapping of str to str
        The team of each run; empty if unknown.
    measures, seed
        See `AuditInputs`.
    """

    def __init__(
        self,
        sets: Mapping[str, Qrels],
        runs: Sequence[Run],
        *,
        levels: Sequence[float],
        teams: Mapping[str, str],
        measures: Sequence[str] = (),
        seed: int = 0,
    ) -> None:
        self._held = dict(sets)
        files = LooseFiles(
            Path(),
            levels=tuple(map(Level, levels)),
            teams=dict(teams),
            qrels_files=tuple(Path(f"{name}.qrels") for name in sets),
            run_files=tuple(Path(run.name) for run in runs),
        )
        reference = next(iter(sets))
        super().__init__(files, measures=measures, reference=reference, seed=seed, jobs=1)
        self._made["runs", self.order] = {None: tuple(runs)}

    def _read_files(self) -> tuple[dict[str, Path], dict[str, Qrels]]:
        return dict(zip(self._held, self.campaign.qrels, strict=True)), self._held
