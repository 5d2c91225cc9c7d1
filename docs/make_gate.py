"""Write the tables of docs/gate.md from what `benchmarks/gate.py` measured.

Run `python docs/make_gate.py` after it; a test compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from page_tables import DOCS, Pages, markdown, measured_rows, write

_SHARES = ("0.0", "0.1", "0.25", "0.5")


def pages() -> Pages:
    """The tables by page."""
    tables = {
        "gate-labels": _failed("gate-labels", ("topics", "docs"), "alpha"),
        "gate-runs": _failed("gate-runs", ("topics",), "tau"),
        "gate-open": _open(),
        "gate-leaning": _leaning(),
    }
    return {DOCS / "gate.md": tables}


def _failed(name: str, size: Sequence[str], figure: str) -> str:
    """How often a gate fails, by judge, size and share of random grades."""
    rows = measured_rows(name)
    by_size: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    for row in rows:
        of = row["data"], " × ".join(row[each] for each in size)
        by_size.setdefault(of, {})[row["share"]] = row
    heads = ("judge", " × ".join(size), "false fails", "10%", "25%", "50%")
    body = [
        (*of, *(_share(shares[share]["any_fail"]) for share in _SHARES),
         _share(shares["0.0"][f"{figure}_open"]))
        for of, shares in by_size.items()
    ]  # fmt: skip
    text = (
        "The cells show the shares of failed gates by the share of random grades"
        f" ({rows[0]['draws']} draws at 0%, and {rows[1]['draws']} draws at every other share).\n\n"
    )
    return text + markdown((*heads, f"open at 0%: {figure}"), body, words=2)


def _open() -> str:
    """How often an open verdict is settled near the number that its note names."""
    heads = ("topics × docs", "draws", "at .75 N", "at N", "at 1.25 N", "half are closed at")
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
    """How often a leaning on length is found at 1,000 docs: alone and among all problems."""
    by_judge: dict[str, dict[str, str]] = {}
    for row in measured_rows("gate-leaning"):
        found = f"{_share(row['alone'])}, {_share(row['among_all'])}"
        by_judge.setdefault(row["data"], {})[row["planted"]] = found
    slopes = list(next(iter(by_judge.values())))
    body = ((judge, *found.values()) for judge, found in by_judge.items())
    table = markdown(("judge", *(f"slope {slope}" for slope in slopes)), body)
    return (
        "Each cell shows the share of errors found if only this problem is tested, and the share"
        f" found if all problems are tested.\n\n{table}"
    )


def _share(text: str) -> str:
    return f"{float(text):.3f}".removeprefix("0")


if __name__ == "__main__":
    write(pages())
