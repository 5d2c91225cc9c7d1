"""Sphinx: `python3 dev.py docs` builds the site, offline and strictly."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from qrelsmith import __version__

project = "qrelsmith"
author = "The qrelsmith authors"
copyright = "2026, the qrelsmith authors; Apache-2.0"  # noqa: A001 - Sphinx calls it so
version = release = __version__

extensions = [
    "make_reference",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
html_theme = "furo"
html_title = f"qrelsmith {__version__}"
html_copy_source = False
html_show_sourcelink = False
