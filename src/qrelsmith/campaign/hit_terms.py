"""The table `[hits]` of campaign.toml: what a HIT is, what is paid for it and who may do it."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import Settings, read_toml
from qrelsmith.io.toml_tables import parse_table, write_table


@dataclass(frozen=True, slots=True)
class HitTerms:
    """The terms of crowd work.

    Attributes
    ----------
    pairs, challenges : int
        Pairs of a HIT, and challenge pairs besides.
    reward, fee : float
        What the worker gets and what the platform takes for a HIT, discarded ones included.
    currency : str
        What they are counted in.
    seconds : float
        How long a pair takes; challenge pairs take as long.
    approval : float
        Per cent of a worker's HITs that others approved, at least.
    completed : int
        How many HITs a worker has done, at least.
    countries : tuple of str
        Where workers live, as codes of two letters; empty: anywhere.
    doc_seconds : float
        How long a doc takes that is to be graded.
    challenge_docs : int
        Docs with a known grade in a HIT of docs, besides its own.
    group : str
        The group that workers who compare pairs belong to.
    hold : int
        After how many minutes an unfinished HIT may go to another worker.
    per_worker : int
        How many HITs of a batch a worker may do; 0: as many as there are.
    pass_mark : float
        Per cent of the training that must be answered rightly before the first HIT.
    training_reward : float
        What a worker gets who fails the training.
    contact : str
        Whom workers can ask.
    notice : str
        What they are told before they agree, besides the terms; blank lines part its paragraphs.

    Notes
    -----
    The defaults are those of topk-preferences 4.3, with "roughly one HIT every 10 minutes"; what
    the app adds to them has defaults of ours.
    """

    pairs: int = 10
    challenges: int = 3
    reward: float = 2.0
    fee: float = 0.4
    currency: str = "USD"
    seconds: float = 46.0
    approval: float = 95.0
    completed: int = 1000
    countries: tuple[str, ...] = ("US",)
    doc_seconds: float = 60.0
    challenge_docs: int = 0
    group: str = "crowd"
    hold: int = 60
    per_worker: int = 0
    pass_mark: float = 75.0
    training_reward: float = 0.0
    contact: str = ""
    notice: str = ""

    def __post_init__(self) -> None:
        if self.pairs < 1 or min(self.challenges, self.completed) < 0:
            raise UsageError(
                f"pairs, challenges and completed are {self.pairs}, {self.challenges} and"
                f" {self.completed}; expected at least one pair, and no number below 0"
            )
        if min(self.reward, self.fee, self.seconds) < 0 or not 0 <= self.approval <= 100:
            raise UsageError(
                f"reward, fee and seconds are {self.reward:g}, {self.fee:g} and {self.seconds:g},"
                f" approval is {self.approval:g}%; expected numbers of 0 or more, and "
                "an approval of 100% at most"
            )
        if min(self.doc_seconds, self.training_reward, self.challenge_docs, self.per_worker) < 0:
            raise UsageError(
                "doc_seconds, training_reward, challenge_docs and per_worker are "
                f"{self.doc_seconds:g}, {self.training_reward:g}, {self.challenge_docs} "
                f"and {self.per_worker}; expected numbers of 0 or more"
            )
        if self.hold < 1 or not 0 <= self.pass_mark <= 100 or not self.group:
            raise UsageError(
                f"hold, pass_mark and group are {self.hold} minutes, "
                f"{self.pass_mark:g}% and {quoted(self.group)}; expected at least 1 "
                "minute, 0 to 100%, and a name"
            )

    @property
    def price(self) -> float:
        """The price of a HIT, the fee included."""
        return self.reward + self.fee


def read_hit_terms(path: FilePath) -> HitTerms:
    """Return the terms in a campaign.toml, or any TOML file with a table `[hits]`.

    Raises
    ------
    InputError
        If the file cannot be read, has no such table, or a key or value in it is not known.
    """
    top = read_toml(path)
    if "hits" not in top.values:
        raise top.fault("the table [hits] is missing; expected it with the terms of the HITs")
    return parsed_hit_terms(top.table("hits"))


def parsed_hit_terms(table: Settings) -> HitTerms:
    """Return the terms of a table; what it does not say is as in the paper."""
    return parse_table(table, HitTerms)


def hit_terms_toml(terms: HitTerms) -> str:
    """Return the terms as a table of TOML, those that have their default included."""
    return write_table("hits", terms, whole=True)
