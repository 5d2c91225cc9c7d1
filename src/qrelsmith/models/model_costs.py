"""Models that labelled a campaign, with prompt, parameters and cost, for manifests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from qrelsmith.campaign.campaign_folder import APP_FOLDER, RECORDS_FOLDER
from qrelsmith.io.json_lines import json_objects
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import read_bytes
from qrelsmith.models.cache import BILLIONTHS, FILE, open_cache

_COUNTS = ("tokens", "money")


def model_costs(campaign: Path) -> list[dict[str, object]]:
    """Return the models of a campaign from its cached replies, or else from its exported records.

    Parameters
    ----------
    campaign : path
        The campaign's folder.

    Returns
    -------
    list of dict
        Assessor, model, the prompt's SHA-256, parameters (JSON as text), replies, tokens, money;
        cached replies also have the prompt's name and version, labels and errors; records have
        faults.
    """
    if (campaign / APP_FOLDER / FILE).is_file():
        with open_cache(campaign, is_shared=True) as cache:
            kept = [asdict(session) for session in cache.sessions()]
        return [row | {"money": row["money"] / BILLIONTHS} for row in kept]
    counts = _reply_counts(campaign / RECORDS_FOLDER / "model_replies.jsonl")
    return [
        {name: row.get(name) for name in ("assessor", "model", "prompt_sha256", "parameters")}
        | counts.get((row.get("assessor"), row.get("version")), {})
        for row in _rows(campaign / RECORDS_FOLDER / "models.jsonl")
    ]


def _reply_counts(path: Path) -> dict[tuple[str | None, str | None], dict[str, object]]:
    """Sum replies, faults, tokens and money by assessor and version; each request counts once."""
    counts: dict[tuple[str | None, str | None], Counter[str]] = {}
    paid: set[tuple[str | None, ...]] = set()
    for row in _rows(path):
        key = (row.get("assessor"), row.get("setting"))
        count = counts.setdefault(key, Counter(replies=0, faults=0, tokens=0, money=0))
        count["faults"] += bool(row.get("fault"))
        request = (*key, row.get("request"))
        if row.get("request") and request not in paid:
            paid.add(request)
            count["replies"] += 1
            for name in _COUNTS:
                count[name] += int(row.get(name) or 0)
    return {
        key: dict(count) | {"money": count["money"] / BILLIONTHS} for key, count in counts.items()
    }


def _rows(path: Path) -> Iterator[Mapping[str, str | None]]:
    if path.is_file():
        for _, fields in json_objects(decoded_text(read_bytes(path), path=path), path=path):
            yield fields
