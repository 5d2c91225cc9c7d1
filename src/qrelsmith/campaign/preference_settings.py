"""The table `[preferences]` of campaign.toml: the compared pairs and the possible answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.toml_settings import Settings
from qrelsmith.io.toml_tables import parse_table, write_table

# The possible outcomes, by number of choices: negative means left, positive means right.
OUTCOMES: dict[int, tuple[int, ...]] = {
    2: (-1, 1),
    3: (-1, 0, 1),
    4: (-2, -1, 1, 2),
    5: (-2, -1, 0, 1, 2),
}
SHARES = ("topic", "pair")
KEEPS = ("majority", "half")
EXCERPTS = ("none", "optional")
# The source of grades that were entered in the app.
JUDGMENTS = "judgments"
# The scheduler that reads pairs from a file.
DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class PreferenceJudging:
    """Settings for judging pairs of docs.

    Attributes
    ----------
    choices : int
        Number of possible answers: 2 (left, right), 3 (with a tie), 4 (better and much better,
        without a tie) or 5.
    scheduler : str
        Name of the scheduler that chooses the pairs.
    k : int
        Number of docs to find at the top of each topic.
    finalists, pairings : int
        F and P of crowd rounds.
    keep : {'majority', 'half'}
        Candidates that remain after a round.
    forced : bool
        Whether F > P > k may be violated.
    groups : tuple of str
        The groups of assessors that judge pairs; empty: all except groups with the role `llm`.
    per_pair : int
        Number of assessors per pair.
    swapped : float
        Share of pairs that an assessor sees again with swapped sides.
    challenges : int
        Attention checks per ten pairs of an assessor.
    source : str
        Source of the grades: `judgments` (entered in the app) or a qrels file of the folder.
    pairs : str
        A file of the folder with the pairs for the scheduler `drawn`: topic, left, right.
    share : {'topic', 'pair'}
        Unit of assignment: a whole topic to one assessor, or each pair to any free assessor.
    hold : int
        Timeout in minutes after which an unanswered pair may be reassigned.
    excerpt : {'none', 'optional'}
        Whether assessors are asked for passages of both docs.
    instructions : str
        Instructions for assessors; blank lines separate paragraphs.
    """

    choices: int = 3
    scheduler: str = "rounds"
    k: int = 5
    finalists: int = 9
    pairings: int = 7
    keep: Literal["majority", "half"] = "majority"
    forced: bool = False
    groups: tuple[str, ...] = ()
    per_pair: int = 1
    swapped: float = 0.0
    challenges: int = 0
    source: str = JUDGMENTS
    pairs: str = ""
    share: str = "topic"
    hold: int = 60
    excerpt: Literal["none", "optional"] = "none"
    instructions: str = ""

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                shown = ", ".join(map(str, choices))
                raise UsageError(f"{name} is {quoted(getattr(self, name))}; expected {shown}")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise UsageError(f"{name} is {getattr(self, name)}; expected {least} or more")
        if not 0 <= self.swapped <= 1:
            raise UsageError(f"swapped is {self.swapped:g}; expected a share from 0 to 1")
        if self.share == "topic" and self.per_pair > 1:
            raise UsageError(
                f"per_pair is {self.per_pair}, but share is 'topic', which gives all "
                "pairs of a topic to one assessor; expected share = 'pair'"
            )
        if (self.scheduler == DRAWN) != bool(self.pairs):
            raise UsageError(
                f"the scheduler is {quoted(self.scheduler)} and pairs is {quoted(self.pairs)};"
                f" expected scheduler = {quoted(DRAWN)} together with a file of pairs"
            )
        if self.pairs and not _is_inside(self.pairs):
            raise UsageError(
                f"pairs is {quoted(self.pairs)}; expected a file in the campaign's folder, such as"
                " 'tests.csv'"
            )
        if not self.source or not _is_inside(self.source):
            raise UsageError(
                f"source is {quoted(self.source)}; expected {quoted(JUDGMENTS)} or a qrels file in"
                " the campaign's folder, such as 'qrels/gold.qrels'"
            )

    @property
    def outcomes(self) -> tuple[int, ...]:
        """The possible outcomes, from left to right."""
        return OUTCOMES[self.choices]

    @property
    def is_from_file(self) -> bool:
        """Whether the compared docs come from a file, rather than from grades in the app."""
        return bool(self.pairs or self.source_file)

    @property
    def source_file(self) -> str:
        """The qrels file with the grades; empty if the grades come from the app."""
        return "" if self.source == JUDGMENTS else self.source


def _is_inside(text: str) -> bool:
    """Return whether a path is inside the campaign's folder."""
    path = PurePosixPath(text)
    return not path.is_absolute() and ".." not in path.parts


_CHOICES: dict[str, tuple[object, ...]] = {
    "choices": tuple(OUTCOMES),
    "keep": KEEPS,
    "share": SHARES,
    "excerpt": EXCERPTS,
}
_LEAST = {"k": 1, "finalists": 1, "pairings": 1, "per_pair": 1, "challenges": 0, "hold": 1}


def parsed_preference_judging(settings: Settings) -> PreferenceJudging:
    """Parse the settings of a table of campaign.toml; missing keys have their defaults.

    Raises
    ------
    InputError
        If a key or a value is unknown.
    """
    return parse_table(settings, PreferenceJudging)


def preference_judging_toml(preferring: PreferenceJudging) -> str:
    """Format the table as TOML, without default values."""
    return write_table("preferences", preferring)
