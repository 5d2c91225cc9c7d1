"""The sources of a campaign's labels: groups of assessors, qrels files, and models."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.judging_settings import OPENINGS
from qrelsmith.collection.pools.policies import check_policy
from qrelsmith.io.table_reading import has_control

ROLES = ("gold", "silver", "bronze", "llm")
KINDS = ("people", "model")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of assessors.

    Attributes
    ----------
    role : str
        One of `ROLES`, or empty for a custom group.
    assessors : tuple of str
        The known members.
    ordering : str
        The order of docs for the group: the name of an ordering, `balanced`, or empty.
    per_doc : int or None
        Number of assessors per doc.
    hit_size : int or None
        Number of docs per session; None: the whole pool of a topic.
    opening : str
        Initial scroll position for the group, as in `Judging`; empty: the campaign's.
    """

    role: str = ""
    assessors: tuple[str, ...] = ()
    ordering: str = ""
    per_doc: int | None = None
    hit_size: int | None = None
    opening: str = ""

    def __post_init__(self) -> None:
        if self.role not in ("", *ROLES):
            raise UsageError(
                f"the role is {quoted(self.role)}; expected one of {', '.join(ROLES)}, or no role"
            )
        if self.ordering:
            check_policy(self.ordering)
        if self.opening not in ("", *OPENINGS):
            raise UsageError(
                f"opening is {quoted(self.opening)}; expected one of {', '.join(OPENINGS)}"
            )
        for name in ("per_doc", "hit_size"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise UsageError(f"{name} is {number}; expected a whole number, 1 or more")
        for name in self.assessors:
            if not name or has_control(name):
                raise UsageError(
                    f"assessors: found {quoted(name)}; expected names without control characters"
                )


@dataclass(frozen=True, slots=True)
class QrelsSource:
    """The source of a qrels file's grades; an empty text means that a value is unknown.

    Attributes
    ----------
    group : str
        The group of assessors.
    assessor : str
        The assessor, if there is only one.
    kind : str
        One of `KINDS`: the kind of assessors.
    scale : Scale or None
        The scale of the grades, if it is not the campaign's.
    real : bool
        Whether the grades are numbers without levels, and so without a scale.
    """

    group: str = ""
    assessor: str = ""
    kind: str = ""
    scale: Scale | None = None
    real: bool = False

    def __post_init__(self) -> None:
        if self.real and self.scale is not None:
            raise UsageError(
                f"found both real = true and the scale {self.scale}; expected only one, because"
                " real grades have no scale"
            )
        if self.kind not in ("", *KINDS):
            raise UsageError(
                f"the kind is {quoted(self.kind)}; expected one of {', '.join(KINDS)}, or none"
            )


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """The model that graded a label set.

    Attributes
    ----------
    family : str
        The model or its family; passes of one family count as one judge.
    teams : tuple of str
        The teams whose systems were built with the model.
    """

    family: str = ""
    teams: tuple[str, ...] = ()
