"""The default reference of a campaign, with which its other label sets are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.qrels import stem

# The label set of the app's decisions, and of the assessors' labels of undecided docs.
ADJUDICATED = "adjudicated"
# Frequent names of label sets by people; the first name that exists is the guess.
_BY_PEOPLE = ("gold", "nist", "people", "human", "official", "trec")
_KINDS = ("people", "", "model")  # in descending probability of being labels by people


def known_reference(
    campaign: Campaign, kinds: Mapping[str, str], files: Mapping[str, Path]
) -> str | None:
    """Return the reference that a campaign declares, or None if no reference is declared."""
    return gold_set(campaign, kinds, files) or _only_set_by_people(
        {
            name: kind
            for name, kind in kinds.items()
            if name not in files or not is_adjudicated(campaign, files[name])
        }
    )


def is_adjudicated(campaign: Campaign, path: Path) -> bool:
    """Return whether a qrels file contains exported labels that were corrected by adjudication."""
    return (
        campaign.is_folder
        and stem(path.name) == ADJUDICATED
        and (campaign.folder / "adjudications.csv").exists()
    )


def gold_set(campaign: Campaign, kinds: Mapping[str, str], files: Mapping[str, Path]) -> str | None:
    """Return the label set of a group with the role `gold`, else the label set named `gold`."""
    gold = {name for name, group in campaign.groups.items() if group.role == "gold"}
    for label_set, path in files.items():
        source = campaign.qrels_of.get(path.name)
        if source is not None and source.group in gold:
            return label_set
    return next((name for name in kinds if name in gold), "gold" if "gold" in kinds else None)


def _only_set_by_people(kinds: Mapping[str, str]) -> str | None:
    """Return the only label set of kind `people`, else the only set not of kind `model`."""
    people = [name for name, kind in kinds.items() if kind == "people"]
    others = people or [name for name, kind in kinds.items() if kind != "model"]
    return others[0] if len(others) == 1 else None


def guessed_reference(names: Iterable[str], kinds: Mapping[str, str]) -> str:
    """Return the label set most likely created by people, according to its kind and name.

    >>> guessed_reference(["gpt", "my-people", "llama"], {})
    'my-people'
    >>> guessed_reference(["a", "nist"], {"nist": "model"})
    'a'
    """

    def rank(name: str) -> tuple[int, int, str]:
        found = [place for place, word in enumerate(_BY_PEOPLE) if word in name.lower()]
        return _KINDS.index(kinds.get(name, "")), min(found, default=len(_BY_PEOPLE)), name

    return min(names, key=rank)


def is_named_for_people(name: str) -> bool:
    """Return whether the name of a label set contains a word that suggests human labels."""
    return any(word in name.lower() for word in _BY_PEOPLE)


def check_common_topics(
    topics: Mapping[str, Sequence[str]], reference: str, path_of: Callable[[str], Path]
) -> None:
    """Raise `InputError` unless another label set has a topic in common with the reference."""
    if not topics[reference]:
        raise InputError(
            "the label set has no topics; expected at least one", path=path_of(reference)
        )
    others = [name for name in topics if name != reference]
    if not others or any(not set(topics[reference]).isdisjoint(topics[name]) for name in others):
        return
    here, there = (min(topics[name], default="") for name in (others[0], reference))
    raise InputError(
        f"no topic in common with {reference} (first topic: {quoted(here)}; in {reference}: "
        f"{quoted(there)}); expected at least one. Are columns swapped?",
        path=path_of(others[0]),
    )
