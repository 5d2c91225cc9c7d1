"""The requested operation of `transform`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale, grade_text, levels_seen
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts.cut_search import CutSearch
from qrelsmith.cuts.cut_tables import CutTable, read_cut_table
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import Operation, complete_relabelling
from qrelsmith.judgments.scale_operations import Cuts, Extension, Reduction, Relabelling
from qrelsmith.judgments.sources import fault

NamedCut = Literal["relaxed", "middle", "rigid"]
_NAMED = 12  # maximum number of grades listed in an error
_NO_GRADE = "there are no grades, only codes below 0"


@dataclass(frozen=True, slots=True)
class LabelOperation:
    """The requested operation; exactly one field is not None."""

    reduce: Reduction | float | None
    extend: int | None
    w: float | None
    cuts: Cuts | CutTable | CutSearch | Sequence[float] | NamedCut | FilePath | None
    relabel: Relabelling | Mapping[float, float] | None
    logsum: bool

    def __post_init__(self) -> None:
        names = ("reduce", "extend", "cuts", "relabel")
        given = [name for name in names if getattr(self, name) is not None]
        given += ["logsum"] if self.logsum else []
        if len(given) != 1:
            raise UsageError(
                "expected one of reduce, extend, cuts, relabel and logsum; found"
                f" {' and '.join(given) or 'none'}"
            )
        if self.extend is not None and self.w is None:
            raise UsageError("the option extend needs the option w, the certainty of the draw")
        if self.w is not None and self.extend is None:
            raise UsageError("the option w can be used only with the option extend")

    def operation(self, source: Scale | None) -> Operation:
        """Return the operation, or None for the log-sum; named cuts depend on the source scale."""
        if self.reduce is not None:
            if isinstance(self.reduce, Reduction):
                return self.reduce
            return Reduction(float(self.reduce))
        if self.extend is not None:
            return Extension(self.extend, float("nan") if self.w is None else self.w)
        if isinstance(self.cuts, Cuts):
            return self.cuts
        if isinstance(self.cuts, str):
            return Cuts.parse(self.cuts, source=source)
        if isinstance(self.cuts, Sequence):
            return Cuts(tuple(float(cut) for cut in self.cuts))
        return complete_relabelling(self.relabelling, source)

    def cut_table(self) -> CutTable | None:
        """Return the cuts of each topic, or None if there is no table of cuts."""
        if isinstance(self.cuts, CutTable):
            return self.cuts
        if isinstance(self.cuts, CutSearch):
            return self.cuts.cut_table
        if isinstance(self.cuts, PathLike):
            return read_cut_table(self.cuts)
        if isinstance(self.cuts, str):
            return _cuts_of_file(self.cuts)
        return None

    @property
    def names_grades(self) -> bool:
        """Whether a relabelling lists grades; if so, it must list all grades."""
        return self.relabel is not None and any(old >= 0 for old, _ in self.relabelling.pairs)

    @property
    def relabelling(self) -> Relabelling:
        """The relabelling, if this is the requested operation."""
        if isinstance(self.relabel, Relabelling):
            return self.relabel
        pairs = (self.relabel or {}).items()
        return Relabelling(tuple((float(old), float(new)) for old, new in pairs))

    def check_named(self, labels: Qrels | Judgments, source: object, scale: Scale | None) -> None:
        """Raise an error if a relabelling that lists grades lacks one of the labels' grades."""
        if scale is not None or not self.names_grades:
            return
        named = {old for old, _ in self.relabelling.pairs}
        lacking = [grade_text(level) for level in levels_seen(labels.grade) if level not in named]
        if lacking:
            shown = ", ".join(lacking[:_NAMED])
            raise fault(
                f"the relabelling {self.relabelling} lacks {shown}; expected all grades", source
            )


def _cuts_of_file(text: str) -> CutTable | None:
    """Return the cuts of a file, or None if the text is the name of a cut."""
    try:
        Cuts.parse(text, source=Scale((0.0, 1.0)))
    except UsageError as error:
        if not Path(text).exists():
            raise UsageError(f"{error}, or a file written by `cut`") from None
        return read_cut_table(text)
    return None
