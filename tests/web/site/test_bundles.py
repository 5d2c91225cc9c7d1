"""A page's script and style sheet with all their imports, and their size."""

from __future__ import annotations

import gzip
import re
from typing import Any

from qrelsmith.web.site.assets import assets
from qrelsmith.web.site.bundles import bundled

_MOST = 120_000


def test_modules_are_included_once_and_before_the_modules_that_need_them() -> None:
    sources = {
        "page.js": '// P\nimport { a,\n  b } from "./one/a.js";\nimport { c } from "./c.js";\n'
        "await a(b, c);\n",
        "one/a.js": 'import { c } from "../c.js";\nexport async function a() {}\n'
        "export const b = c;\n",
        "c.js": "const own = 1;\nexport class c {}\nnew URL('.', import.meta.url);\n",
    }
    text = bundled("page.js", sources)
    assert not re.search(r"^(?:import|export) ", text, re.MULTILINE)
    assert text.count("class c {}") == 1
    assert text.index("$c_js = ") < text.index("$one_a_js = ") < text.index("await a(b, c)")
    assert "return { a, b };" in text
    assert 'new URL("c.js", import.meta.url)' in text


def test_style_sheets_contain_their_imports() -> None:
    sources = {"page.css": '@import "style/a.css";\nb {}\n', "style/a.css": "a {}\n"}
    assert bundled("page.css", sources) == "a {}\nb {}\n"


def test_the_files_of_a_page_are_small_and_complete() -> None:
    found = assets()
    for script, style in (("judge.js", "judging.css"), ("prefer.js", "preferring.css")):
        assert len(found[script].packed) + len(found[style].packed) <= _MOST
    for name, each in found.items():
        assert gzip.decompress(each.packed) == each.content
        if "/" not in name:
            assert not re.search(rb"^(?:import |@import )", each.content, re.MULTILINE), name


def test_files_are_sent_compressed_to_clients_that_accept_it(lite_app: Any) -> None:
    from qrelsmith.web.site.assets import address

    plain = lite_app.client().get(address("judge.js"))
    packed = lite_app.client().get(address("judge.js"), headers={"accept-encoding": "gzip, br"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in plain["Vary"]
    assert packed["Vary"] == plain["Vary"]
