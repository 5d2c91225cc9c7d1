"""Names of public classes are unique, so that a name identifies its class."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import qrelsmith

SOURCE = Path(qrelsmith.__file__).parent
# Django finds a migration by the name of its class, and a renamed model would be another table: the
# app's models are named after the content of their rows.
OF_DJANGO = ("web/migrations/", "web/hub/migrations/", "web/models/")


def test_every_public_class_has_a_unique_name() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        if place.startswith(OF_DJANGO):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined[node.name].append(place)
    assert {name: places for name, places in defined.items() if len(places) > 1} == {}
