"""The table `[hits]` of campaign.toml: content, payment and qualifications of HITs."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import Settings, read_toml
from qrelsmith.io.toml_tables import parse_table, write_table

_NOT_NEGATIVE = (
    "doc_seconds", "aspect_seconds", "training_reward", "challenge_docs", "challenge_aspects",
    "per_worker",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HitTerms:
    """The terms of crowd work.

    Attributes
    ----------
    pairs, challenges : int
        Pairs of a HIT, and additional attention checks.
    reward, fee : float
        Payment of the worker and fee of the platform per HIT, also for discarded HITs.
    currency : str
        Currency of the payment.
    seconds : float
        Time per pair; an attention check takes the same time.
    approval : float
        Minimum percentage of a worker's HITs that requesters approved.
    completed : int
        Minimum number of HITs that a worker has completed.
    countries : tuple of str
        Countries of residence of workers, as two-letter codes; empty: any.
    doc_seconds : float
        Time for grading a doc.
    challenge_docs : int
        Attention checks (docs with a known grade) added to a HIT of docs.
    aspect_seconds : float
        Time for judging an aspect of an answer.
    challenge_aspects : int
        Attention checks (aspects with a known grade) in a HIT of answers; the HIT also shows the
        answers of these aspects.
    group : str
        The group of workers who compare pairs.
    hold : int
        Timeout in minutes after which an unfinished HIT may be reassigned.
    per_worker : int
        Maximum number of HITs per worker in a batch; 0: no limit.
    pass_mark : float
        Percentage of correct answers in the training that is required before the first HIT.
    training_reward : float
        Payment of a worker who fails the training.
    contact : str
        Contact address for workers.
    notice : str
        Additional information for workers before they agree; blank lines separate paragraphs.

    Notes
    -----
    The defaults are those of topk-preferences 4.3, with "roughly one HIT every 10 minutes". Other
    settings, which are only for the app, have qrelsmith's own defaults.
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
    aspect_seconds: float = 20.0
    challenge_aspects: int = 0
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
                f" approval is {self.approval:g}%; expected numbers of 0 or more, and an"
                " approval of at most 100%"
            )
        for name in _NOT_NEGATIVE:
            if getattr(self, name) < 0:
                found = f"{name} is {getattr(self, name):g}"
                raise UsageError(f"{found}; expected a number of 0 or more")
        if self.hold < 1 or not 0 <= self.pass_mark <= 100 or not self.group:
            raise UsageError(
                f"hold, pass_mark and group are {self.hold} minutes, {self.pass_mark:g}% and "
                f"{quoted(self.group)}; expected at least 1 minute, 0 to 100%, and a name"
            )

    @property
    def price(self) -> float:
        """The price of a HIT, including the fee."""
        return self.reward + self.fee


def read_hit_terms(path: FilePath) -> HitTerms:
    """Read the terms from a campaign.toml, or any TOML file with a table `[hits]`.

    Raises
    ------
    InputError
        If the file cannot be read, lacks the table, or the table has an unknown key or value.
    """
    top = read_toml(path)
    if "hits" not in top.values:
        raise top.fault("the table [hits] is missing; expected a table with the terms of the HITs")
    return parsed_hit_terms(top.table("hits"))


def parsed_hit_terms(table: Settings) -> HitTerms:
    """Parse the terms of a table; missing keys get the default values."""
    return parse_table(table, HitTerms)


def hit_terms_toml(terms: HitTerms) -> str:
    """Format the terms as a TOML table, including default values."""
    return write_table("hits", terms, whole=True)
