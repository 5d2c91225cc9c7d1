"""The choices for a new campaign, and the corresponding settings of campaign.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.campaign.campaign import Campaign, Group, Level
from qrelsmith.campaign.judging_settings import Judging
from qrelsmith.campaign.preference_settings import PreferenceJudging
from qrelsmith.collection.pools.policies import BALANCED

KINDS = ("graded", "pairs")
INVITES = ("links", "mail")
# Defaults as in simulated campaigns, until organisers know their own values.
_SECONDS, _WAGE = 25.0, 12.0


@dataclass(frozen=True, slots=True)
class ChosenGroup:
    """A group of assessors.

    Attributes
    ----------
    name, role : str
        As in campaign.toml.
    people : tuple of str
        Pseudonyms.
    per_doc : int
        Assessors per doc; ignored for gold, where each judges their own topics.
    """

    name: str
    role: str = ""
    people: tuple[str, ...] = ()
    per_doc: int = 1


@dataclass(frozen=True, slots=True)
class DraftChoices:
    """The choices of an organiser, in the order of the pages.

    Attributes
    ----------
    title : str
        Name of the campaign.
    kind : {'graded', 'pairs'}
        The kind of judgment.
    levels : tuple of Level
        The scale.
    note : str
        Whether a note is required, as in `Judging`.
    answers, k : int
        For pairs: number of answers, and number of top docs to find per topic.
    groups : tuple of ChosenGroup
        The groups of assessors.
    emails : tuple of (str, str)
        Pseudonyms and addresses; they are never written to the campaign folder.
    depth : int
        Depth of the pools; 0: all docs for every topic.
    ordering : str
        Policy of the order of docs; empty: the default of each group's role.
    seed : int
        Seed of orders and assignments.
    seconds, wage : float
        Seconds per judgment, and cost per hour.
    instructions : str
        Markdown.
    invites : {'links', 'mail'}
        How people receive their links.
    mail : str
        Text of the mail, with `{link}` and `{name}`; empty: the default text.
    """

    title: str = ""
    kind: str = "graded"
    levels: tuple[Level, ...] = ()
    note: str = "optional"
    answers: int = 3
    k: int = 5
    groups: tuple[ChosenGroup, ...] = ()
    emails: tuple[tuple[str, str], ...] = ()
    depth: int = 10
    ordering: str = ""
    seed: int = 0
    seconds: float = _SECONDS
    wage: float = _WAGE
    instructions: str = ""
    invites: str = "links"
    mail: str = ""

    def __post_init__(self) -> None:
        seen: dict[str, str] = {}
        for group in self.groups:
            if [each.name for each in self.groups].count(group.name) > 1:
                raise UsageError(f"two groups have the name {quoted(group.name)}")
            for who in group.people:
                if who in seen:
                    raise UsageError(f"{quoted(who)} is listed twice; list each name once")
                seen[who] = group.name
        self.campaign(Path())  # raises an error for settings that campaign.toml cannot express

    def campaign(self, folder: Path, *, label_file: str = "") -> Campaign:
        """Return the settings of the campaign; `label_file` has the grades for selecting pairs.

        Raises
        ------
        UsageError
            If a choice is not possible.
        """
        pairs = None
        if self.kind == "pairs":
            source = label_file or "judgments"
            pairs = PreferenceJudging(
                choices=self.answers, k=self.k, finalists=max(9, self.k), source=source,
                instructions=self.instructions,
            )  # fmt: skip
        graded = self.instructions if pairs is None else ""
        return Campaign(
            folder,
            title=self.title,
            levels=self.levels,
            groups={each.name: self._group(each) for each in self.groups},
            judging=Judging(note=self.note, instructions=graded),
            preference_judging=pairs,
            seeds={"assignments": self.seed} if self.seed else {},
        )

    def _group(self, group: ChosenGroup) -> Group:
        is_gold = group.role == "gold"
        return Group(
            group.role,
            group.people,
            ordering=self.ordering,
            per_doc=group.per_doc if group.per_doc > 1 and not is_gold else None,
        )

    @property
    def pool_ordering(self) -> str:
        """The ordering of the pool file."""
        return "prioritised" if self.ordering in ("", BALANCED) else self.ordering

    def data(self) -> dict[str, Any]:
        """Return the choices as JSON values."""
        return asdict(self)

    def differences(self, other: DraftChoices) -> list[str]:
        """Return the names of the fields in which two choices differ."""
        names = (field.name for field in fields(DraftChoices))
        return [name for name in names if getattr(self, name) != getattr(other, name)]


def choices_of(data: Mapping[str, Any]) -> DraftChoices:
    """Return the choices from the output of `DraftChoices.data`."""
    return DraftChoices(**{
        **data,
        "levels": tuple(Level(**each) for each in data["levels"]),
        "groups": tuple(
            ChosenGroup(**{**each, "people": tuple(each["people"])}) for each in data["groups"]
        ),
        "emails": tuple((who, address) for who, address in data["emails"]),
    })  # fmt: skip
