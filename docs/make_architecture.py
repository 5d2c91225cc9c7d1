"""Draw the houses of qrelsmith and the imports between them as docs/pictures/architecture.svg.

    python docs/make_architecture.py

The floors come from the layers in pyproject.toml, the lines from the imports in src/qrelsmith. An
import that follows from others (A imports B, B imports C, A imports C) has no line of its own.
"""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/qrelsmith"
PICTURE = Path(__file__).parent / "pictures/architecture.svg"
WIDTH, FLOOR, BOX_WIDTH, BOX_HEIGHT = 900, 60, 130, 30


def floors() -> list[list[str]]:
    """Return the houses of every floor, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [layer.split(" | ") for layer in layers]


def imported_houses(house: str) -> set[str]:
    """Return the other houses that a module of the house imports."""
    found = set()
    for path in (SOURCE / house).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            parts = [name.split(".") for name in names]
            found |= {part[1] for part in parts if part[0] == "qrelsmith" and len(part) > 1}
    return {name for name in found if (SOURCE / name).is_dir()} - {house}


def lines(imports: dict[str, set[str]]) -> list[tuple[str, str]]:
    """Return the imports that do not follow from others."""
    below: dict[str, set[str]] = {}

    def reached(house: str) -> set[str]:
        if house not in below:
            below[house] = set().union(
                imports[house], *(reached(other) for other in imports[house])
            )
        return below[house]

    return [
        (house, other)
        for house in imports
        for other in sorted(imports[house])
        if not any(other in reached(third) for third in imports[house] - {other})
    ]


def draw() -> str:
    """Return the picture as SVG."""
    storeys = floors()
    places = {
        house: (WIDTH * (index + 1) / (len(storey) + 1), FLOOR * (floor + 0.5))
        for floor, storey in enumerate(storeys)
        for index, house in enumerate(storey)
    }
    height = FLOOR * len(storeys)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The houses of qrelsmith; a line leads down to an imported house</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        '<g font-family="sans-serif" font-size="14">',
    ]
    for house, other in lines({house: imported_houses(house) for house in places}):
        (left, top), (right, bottom) = places[house], places[other]
        start, end = top + BOX_HEIGHT / 2, bottom - BOX_HEIGHT / 2
        bend = (end - start) / 2
        parts.append(
            f'<path d="M{left:.0f} {start:.0f}C{left:.0f} {start + bend:.0f} {right:.0f} '
            f'{end - bend:.0f} {right:.0f} {end:.0f}" fill="none" stroke="#8a94a6"/>'
        )
    for house, (x, y) in places.items():
        parts.append(
            f'<rect x="{x - BOX_WIDTH / 2:.0f}" y="{y - BOX_HEIGHT / 2:.0f}" width="{BOX_WIDTH}" '
            f'height="{BOX_HEIGHT}" rx="6" fill="#eef2f8" stroke="#44546a"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="#1c2430">{house}</text>'
        )
    return "\n".join([*parts, "</g>", "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
