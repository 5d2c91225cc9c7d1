"""Damages of labels: the result of `find_damages`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table

_COLUMNS = (
    "damage", "label_set", "group", "assessor", "topic", "team", "value", "low", "high", "p",
    "found", "sentence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunPlaces:
    """The places that favour gives to a run.

    Attributes
    ----------
    place, corrected : int
        Its place by nDCG@10 among all runs under the labels, and without the favour.
    """

    run: str
    place: int
    corrected: int


@dataclass(frozen=True, slots=True)
class DamageRow:
    """One test of one culprit.

    Attributes
    ----------
    damage, label_set, group, assessor, topic, team : str
        What was looked for, and where; empty where it does not apply. Two names are separated by a
        blank.
    value, low, high : float
        How large it looks, in the damage's unit.
    p : float
        After Holm over the culprits of the label set.
    found : bool
        Whether the label set is damaged so.
    counts : bool
        Whether this kind is a damage; a fact is none.
    blamed : str
        Whose fault it is: a label set; empty where nobody can tell.
    sharing : int
        How many label sets of other methods show the same against the reference.
    places : tuple of RunPlaces
        Of a favoured team, its runs as they are and without the favour.
    sentence : str
        What was seen, in words.
    unseen : int
        Of a team that is not found to be favoured: the places that a run of it gains at most, at
        the upper end of the interval; 0 where that is too small to be called a favour.
    culprit_kind : str
        What is damaged: one of `CulpritKind`.
    action : str
        What to do about it.
    """

    damage: str
    label_set: str
    group: str
    assessor: str
    topic: str
    team: str
    value: float
    low: float
    high: float
    p: float
    found: bool
    counts: bool
    blamed: str
    sharing: int
    others: int
    places: tuple[RunPlaces, ...]
    sentence: str
    unseen: int = 0
    culprit_kind: str = "set"
    action: str = ""

    @property
    def is_shared(self) -> bool:
        """Whether most label sets of other methods show it: a taste, or the reference's fault."""
        return 2 * self.sharing > self.others

    @property
    def is_certain(self) -> bool:
        """Whether it is this label set that is damaged, and nobody else's fault or taste."""
        return self.blamed == self.label_set and not self.is_shared

    @property
    def gained(self) -> int:
        """The places that the run gains which gains most."""
        return most_gained(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Leaning:
    """The errors of a label set against a property of the docs.

    Attributes
    ----------
    label_set, name : str
        The label set and the property.
    slope : float
        Grades per standard deviation.
    values, errors : float array [bin]
        The property, in standard deviations, and the mean error in ten bins.
    """

    label_set: str
    name: str
    slope: float
    values: FloatArray
    errors: FloatArray


def most_gained(places: Iterable[RunPlaces]) -> int:
    """Return the places that the run gains which gains most."""
    return max((run.corrected - run.place for run in places), default=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Damages(Result):
    """Damages: what is broken in labels, and whose it is.

    Attributes
    ----------
    examined : tuple of DamageRow
        Every test of every culprit, sorted by damage, label set and culprit.
    reference : str
        The label set that the others were held against.
    label_sets, kinds : tuple of str
        What was looked at, and for which damages.
    level : float
        Each kind's level in each label set, such that of clean campaigns 5 % report anything.
    leanings : tuple of Leaning
        The errors of each label set against each property of the docs.
    """

    examined: tuple[DamageRow, ...]
    reference: str
    label_sets: tuple[str, ...]
    kinds: tuple[str, ...]
    level: float
    leanings: tuple[Leaning, ...] = ()

    def figure(self) -> Figure | None:
        """Return the errors of every label set against the property that one leans on most."""
        if not self.leanings:
            return None
        most = max(self.leanings, key=lambda leaning: abs(leaning.slope))
        lines = [
            Line(leaning.label_set, leaning.values.tolist(), leaning.errors.tolist())
            for leaning in self.leanings
            if leaning.name == most.name
        ]
        return Figure(
            f"leans-on-{most.name}",
            f"Error against {most.name}",
            Lines(lines, f"{most.name}, in standard deviations", "mean error in grades",
                  reference=0.0),
            "Errors are what topics and reference grades leave; a flat line leans on nothing.",
        )  # fmt: skip

    @property
    def found(self) -> tuple[DamageRow, ...]:
        """The damages that were found."""
        return tuple(row for row in self.examined if row.found)

    def of(self, label_set: str) -> tuple[DamageRow, ...]:
        """Return the findings that make a label set damaged: facts are left out."""
        return tuple(row for row in self.found if row.label_set == label_set and row.counts)

    def table(self) -> Table:
        """Return a row for every test of every culprit."""
        return Table.of(
            _COLUMNS,
            [tuple(getattr(row, name) for name in _COLUMNS) for row in self.examined],
            notes=self.notes,
        )

    def terminal_table(self) -> Table:
        """Return the findings in words."""
        rows = [
            (
                row.damage,
                row.label_set,
                row.assessor or row.topic or row.team,
                row.value,
                row.sentence,
            )
            for row in self.found
        ]
        return Table.of(("damage", "label set", "culprit", "value", "sentence"), rows)
