"""Bundles of scripts and style sheets with their imports: one request instead of a hundred.

Scripts are native ES modules without a build step, which a browser would request one by one, level
by level. In a bundle each module becomes a function that returns its exports, in dependency order.
Names of different modules cannot collide.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)
_STYLE_IMPORT = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_OWN_ADDRESS = "import.meta.url"


def bundled(name: str, sources: Mapping[str, str]) -> str:
    """Return a script or style sheet with all its direct and indirect imports.

    Parameters
    ----------
    name : str
        Its path below `static/`.
    sources : mapping of str to str
        All files by their paths.
    """
    if name.endswith(".css"):
        return _STYLE_IMPORT.sub(
            lambda found: bundled(_path(name, found[1]), sources), sources[name]
        )
    order: dict[str, str] = {}
    _collect(name, sources, order)
    own = order.pop(name)
    parts = [
        f"const {_variable(each)} = (() => {{\n{_EXPORT.sub('', text)}"
        f"return {{ {', '.join(_EXPORT.findall(text))} }};\n}})();\n"
        for each, text in order.items()
    ]
    return "".join([*parts, own])


def _collect(name: str, sources: Mapping[str, str], order: dict[str, str]) -> None:
    """Collect the dependencies of a module and then the module; imports have no cycles."""
    text = sources[name]
    for _, path in _IMPORT.findall(text):
        needed = _path(name, path)
        if needed not in order:
            _collect(needed, sources, order)
    text = _IMPORT.sub(
        lambda found: f"const {{{found[1]}}} = {_variable(_path(name, found[2]))};\n", text
    )
    # The address of a module is below the address of the bundle.
    order[name] = text.replace(_OWN_ADDRESS, f'new URL("{name}", {_OWN_ADDRESS})')


def _path(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)
