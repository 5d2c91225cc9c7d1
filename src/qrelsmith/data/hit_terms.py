"""The table `[hits]` of campaign.toml: what a HIT is, what is paid for it and who may do it."""

from __future__ import annotations

from dataclasses import dataclass, fields

from qrelsmith.data.text import FilePath
from qrelsmith.data.toml_settings import Settings, read_toml, toml_array, toml_text
from qrelsmith.errors import UsageError


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

    Notes
    -----
    The defaults are those of topk-preferences 4.3, with "roughly one HIT every 10 minutes".
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

    def __post_init__(self) -> None:
        if self.pairs < 1 or min(self.challenges, self.completed) < 0:
            raise UsageError(
                f"pairs, challenges and completed are {self.pairs}, {self.challenges} and"
                f" {self.completed}; expected a pair or more, and nothing below 0"
            )
        if min(self.reward, self.fee, self.seconds) < 0 or not 0 <= self.approval <= 100:
            raise UsageError(
                f"reward, fee and seconds are {self.reward:g}, {self.fee:g} and {self.seconds:g},"
                f" approval is {self.approval:g} per cent; expected nothing below 0, nor more than"
                " 100 per cent"
            )

    @property
    def price(self) -> float:
        """What a HIT costs, the fee included."""
        return self.reward + self.fee


def read_hit_terms(path: FilePath) -> HitTerms:
    """The terms in a campaign.toml, or any TOML file with a table `[hits]`.

    Raises
    ------
    InputError
        If the file cannot be read, has no such table, or a key or value in it is not known.
    """
    top = read_toml(path)
    if "hits" not in top.values:
        raise top.fault("there is no table [hits]; expected one with the terms of the HITs")
    return parsed_hit_terms(top.table("hits"))


def parsed_hit_terms(table: Settings) -> HitTerms:
    """The terms of a table; what it does not say is as in the paper."""
    table.known([field.name for field in fields(HitTerms)])
    values: dict[str, object] = {}
    for name in ("pairs", "challenges", "completed"):
        values[name] = table.get(name, int, "a whole number")
    for name in ("reward", "fee", "seconds", "approval"):
        values[name] = table.number(name)
    values["currency"] = table.text("currency") or None
    values["countries"] = table.texts("countries") if "countries" in table.values else None
    try:
        return HitTerms(**{key: value for key, value in values.items() if value is not None})  # type: ignore[arg-type]
    except UsageError as error:
        raise table.fault(str(error)) from None


def hit_terms_toml(terms: HitTerms) -> str:
    """The terms as a table of TOML."""
    lines = []
    for field in fields(HitTerms):
        value = getattr(terms, field.name)
        if isinstance(value, tuple):
            text = toml_array(value)
        else:
            text = toml_text(value) if isinstance(value, str) else f"{value}"
        lines.append(f"{field.name} = {text}\n")
    return "[hits]\n" + "".join(lines)
