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
    """The ranks that a run gains by bias toward its team.

    Attributes
    ----------
    place, corrected : int
        The run's rank by nDCG@10 among all runs under the labels, and without the bias.
    """

    run: str
    place: int
    corrected: int


@dataclass(frozen=True, slots=True)
class DamageRow:
    """One test of one possible source.

    Attributes
    ----------
    damage, label_set, group, assessor, topic, team : str
        The kind of problem and its location; empty if not applicable. Two names are separated by a
        blank.
    value, low, high : float
        The estimated size, in the damage's unit.
    p : float
        The p-value after Holm's adjustment over the possible sources in the label set.
    found : bool
        Whether the label set has this damage.
    counts : bool
        Whether this kind is a damage, not only a fact.
    blamed : str
        The label set at fault; empty if this cannot be decided.
    sharing : int
        The number of label sets of other methods that show the same problem.
    places : tuple of RunPlaces
        For a favoured team, its runs with and without the bias.
    sentence : str
        The finding in words.
    unseen : int
        For a team without a significant bias, the most ranks that one of the team's runs may gain
        at the upper limit of the interval; 0 if the bias would be too small to matter.
    culprit_kind : str
        The kind of source: one of `CulpritKind`.
    action : str
        The recommended action.
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
        """Whether most other methods' label sets share the problem, which may be a preference."""
        return 2 * self.sharing > self.others

    @property
    def is_certain(self) -> bool:
        """Whether the problem is certain in this label set and absent in most other methods."""
        return self.blamed == self.label_set and not self.is_shared

    @property
    def gained(self) -> int:
        """The largest number of ranks that a run gains."""
        return most_gained(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Leaning:
    """The dependence of a label set's errors on a property of the docs.

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
    """Return the largest number of ranks that one of the runs gains."""
    return max((run.corrected - run.place for run in places), default=0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Damages(Result):
    """Damages: data problems in labels, and their sources.

    Attributes
    ----------
    examined : tuple of DamageRow
        Every test of every possible source, sorted by damage, label set and source.
    reference : str
        The label set with which all other sets were compared.
    label_sets, kinds : tuple of str
        The examined label sets, and the tested damages.
    level : float
        The level per kind and label set; 5% of campaigns without problems have a finding.
    leanings : tuple of Leaning
        The errors of each label set by each property of the docs.
    """

    examined: tuple[DamageRow, ...]
    reference: str
    label_sets: tuple[str, ...]
    kinds: tuple[str, ...]
    level: float
    leanings: tuple[Leaning, ...] = ()

    def figure(self) -> Figure | None:
        """Return a chart of every label set's errors by the property with the steepest slope."""
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
            f"Mean error by {most.name}",
            Lines(lines, f"{most.name}, in standard deviations", "mean error in grades",
                  reference=0.0),
            f"Adjusted for topic and grade. A flat line means that {most.name} has no effect.",
        )  # fmt: skip

    @property
    def found(self) -> tuple[DamageRow, ...]:
        """The damages that were found."""
        return tuple(row for row in self.examined if row.found)

    def of(self, label_set: str) -> tuple[DamageRow, ...]:
        """Return the damages found in a label set, without mere facts, such as duplicate runs."""
        return tuple(row for row in self.found if row.label_set == label_set and row.counts)

    def table(self) -> Table:
        """Return a row for each test of a possible source."""
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
