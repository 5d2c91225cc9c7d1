"""Write the tables of docs/gate.md from what `benchmarks/gate.py` measured.

Run `python docs/make_gate.py` after it; a test compares.
"""

from __future__ import annotations

from page_tables import DOCS, Pages, markdown, measured_rows, write

_HEADS = ("judge", "topics × docs", "false fails", "10 %", "25 %", "50 %", "open at 0 %: alpha")


def pages() -> Pages:
    """The tables by page."""
    rows = measured_rows("gate-labels")
    by_size: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for row in rows:
        size = f"{row['topics']} × {row['docs']}"
        by_size.setdefault((row["data"], size), {})[row["share"]] = row
    body = [
        (
            *of,
            *(_share(shares[share]["any_fail"]) for share in ("0.0", "0.1", "0.25", "0.5")),
            _share(shares["0.0"]["alpha_open"]),
        )
        for of, shares in by_size.items()
    ]
    draws = rows[0]["draws"], rows[1]["draws"]
    text = (
        f"Shares of failed gates without runs, by the share of random grades; {draws[0]} draws at"
        f" 0 %, {draws[1]} at the others.\n\n"
    )
    tables = {"gate-labels": text + markdown(_HEADS, body, words=2)}
    return {DOCS / "gate.md": tables | {"gate-open": _open(), "gate-leaning": _leaning()}}


def _open() -> str:
    """How often an open verdict is settled near the number that its note names."""
    heads = ("topics × docs", "draws", "at .75 N", "at N", "at 1.25 N", "half are settled at")
    return markdown(
        heads,
        (
            (
                f"{row['topics']} × {row['docs']}", row["draws"], _share(row["settled_0.75"]),
                _share(row["settled_1.0"]), _share(row["settled_1.25"]), row["half_at"],
            )
            for row in measured_rows("gate-open")
        ),
    )  # fmt: skip


def _leaning() -> str:
    """How often a leaning on length is found at 1,000 docs."""
    heads = ("judge", "planted", "found alone", "found among all damages")
    return markdown(
        heads,
        (
            (row["data"], row["planted"], _share(row["alone"]), _share(row["among_all"]))
            for row in measured_rows("gate-leaning")
        ),
    )


def _share(text: str) -> str:
    return f"{float(text):.3f}".removeprefix("0")


if __name__ == "__main__":
    write(pages())
