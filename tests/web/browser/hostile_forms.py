"""Harmful docs in Markdown, JSON, tables and code; see `hostile_docs`."""

from __future__ import annotations

_ACT = "fetch('CANARY/act')"
_PICTURE = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
_DEEP = 400

# : Name, form, content, and the visible words with normalised blanks.
HOSTILE_FORMS = (
    # --- Markdown: HTML inside
    ("md-script", "md", f"a\n\n<script>{_ACT}</script>\n\nb", "a b"),
    ("md-script-src", "md", 'a <script src="CANARY/x.js"></script> b', "a b"),
    ("md-img-onerror", "md", f'<img src=x onerror="{_ACT}">\n\ntext', "text"),
    ("md-svg-onload", "md", f'<svg onload="{_ACT}"><circle r="4"/></svg>\n\ndrawn', "drawn"),
    ("md-iframe", "md", '<iframe src="CANARY/frame"></iframe>\n\nbelow', "below"),
    ("md-object", "md", '<object data="CANARY/o"></object>\n\nbelow', "below"),
    ("md-style-import", "md", "<style>@import 'CANARY/s.css';</style>\n\nplain", "plain"),
    ("md-style-url", "md", '<p style="background:url(CANARY/bg)">back</p>', "back"),
    ("md-meta", "md", '<meta http-equiv="refresh" content="0;url=CANARY/m">\n\nstay', "stay"),
    ("md-base", "md", '<base href="CANARY/">\n\n[rel](away)', "rel"),
    ("md-form", "md", '<form action="CANARY/f"><button>send</button></form>', "send"),
    ("md-link-style", "md", '<link rel="stylesheet" href="CANARY/l.css">\n\nplain', "plain"),
    ("md-comment", "md", "before\n\n<!-- <img src=CANARY/c> -->\n\nafter", "before after"),
    ("md-half-tag", "md",
     f'text <img src="x" onerror="{_ACT}" ', f'text <img src="x" onerror="{_ACT}"'),
    ("md-video", "md", '<video src="CANARY/v" autoplay></video>\n\nafter', "after"),
    # --- Markdown: its own links and pictures
    ("md-picture", "md", "![](CANARY/i.png) seen", "seen"),
    ("md-picture-title", "md", '![](CANARY/i.png "t") seen', "seen"),
    ("md-picture-reference", "md", "![][p] seen\n\n[p]: CANARY/p.png", "seen"),
    ("md-javascript", "md", f"[link](javascript:{_ACT})", "link"),
    ("md-javascript-case", "md", "[link](JaVaScRiPt:alert`1`)", "link"),
    ("md-javascript-entity", "md", "[link](&#106;avascript:alert`1`)", "link"),
    ("md-javascript-tab", "md", "[link](<java\tscript:alert(1)>)", "link"),
    ("md-vbscript", "md", "[link](vbscript:msgbox)", "link"),
    ("md-data-page", "md", "[link](data:text/html,<script>1</script>)", "link"),
    ("md-autolink", "md", "<CANARY/auto>", "CANARY/auto"),
    ("md-reference", "md", "[link][r]\n\n[r]: javascript:alert`1` 'title'", "link"),
    ("md-breakout", "md", '[a]("onmouseover="alert`1`)', "a"),
    ("md-fence-language", "md", '```"><script>\ncode\n```', "code"),
    ("md-svg-data", "md", "![](data:image/svg+xml,<svg/onload=alert`1`>) seen", "seen"),
    ("md-own-place", "md", '<a id="qrelsmith-main"></a>words', "words"),
    # --- Markdown: much of it
    ("md-quotes", "md", "> " * _DEEP + "deep", "> " * _DEEP + "deep"),
    ("md-lists", "md", "- " * _DEEP + "deep", "- " * _DEEP + "deep"),
    ("md-stars", "md", "*a" * 500, "a" * 500),
    ("md-brackets", "md", "[" * 1500 + "x", "[" * 1500 + "x"),
    ("md-table", "md", "|a|b|\n|-|-|\n" + "|1|2|\n" * 300, "a b" + " 1 2" * 300),
    ("md-wide-table", "md", "|a" * 200 + "|\n" + "|-" * 200 + "|", " ".join("a" * 200)),
    ("md-nul", "md", "be\ufffdfore\u202e reversed", "be\ufffdfore\u202e reversed"),
    # --- JSON
    ("json-script", "json", '{"a": "<script>fetch(1)</script>"}', "a <script>fetch(1)</script>"),
    ("json-key", "json", '{"<img src=CANARY/k>": 1}', "<img src=CANARY/k> 1"),
    ("json-class", "json", '{"x\\"><script>fetch(1)</script>": 1}',
     'x"><script>fetch(1)</script> 1'),
    ("json-picture", "json", '{"image": "CANARY/i.png"}', "image CANARY/i.png"),
    ("json-data-picture", "json", f'{{"image": "{_PICTURE}"}}', "image"),
    ("json-svg", "json", '{"image": "data:image/svg+xml,<svg><image href=\'CANARY/s\'/></svg>"}',
     "image"),
    ("json-picture-breakout", "json", '{"i": "data:image/png;,\\" onerror=\\"alert(1)"}', "i"),
    ("json-link", "json", '{"url": "javascript:alert(1)"}', "url javascript:alert(1)"),
    ("json-twice", "json", '{"a": 1, "a": 2}', "a 1 a 2"),
    ("json-numbers", "json", '[1.50, 1e400, -0.0, 12345678901234567890]',
     "1.50 1e400 -0.0 12345678901234567890"),
    ("json-long-number", "json", "[" + "9" * 5000 + "]", "9" * 5000),
    ("json-surrogate", "json", '{"a": "x\\ud800y"}', "a x\ufffdy"),
    ("json-deep-list", "json", "[" * _DEEP + '"deep"' + "]" * _DEEP, "deep"),
    ("json-deep-object", "json", '{"k": ' * 200 + "1" + "}" * 200, "k " * 200 + "1"),
    ("json-too-deep", "json", "[" * 3000, "[" * 3000),
    ("json-broken", "json", '{"a": <script>1</script>', '{"a": <script>1</script>'),
    ("json-table", "json", '[{"a": "<b>"}, {"a": "</td><script>1</script>"}]',
     "a <b> </td><script>1</script>"),
    # --- Tables and code
    ("csv-script", "csv", "a,b\n<script>1</script>,</td>x", "a b <script>1</script> </td>x"),
    ("csv-formula", "csv", 'a\n"=HYPERLINK(""CANARY"")"', 'a =HYPERLINK("CANARY")'),
    ("csv-quote", "csv", 'a,b\n"open,2\n3', "a b open,2 3"),
    ("csv-wide", "csv", ",".join("a" * 300), " ".join("a" * 300)),
    ("csv-long", "csv", "n\n" + "1\n" * 500, "n" + " 1" * 500),
    ("code-script", "code", "</pre><script>1</script><pre>", "</pre><script>1</script><pre>"),
    ("code-style", "code", "<style>*{display:none}</style> x &amp; y",
     "<style>*{display:none}</style> x &amp; y"),
)  # fmt: skip
