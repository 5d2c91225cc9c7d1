"""Default style of a doc in its frame."""

from __future__ import annotations

from collections.abc import Iterable

from qrelsmith.campaign.judging_settings import CardField
from qrelsmith.collection.pages.markup import field_class

_ROLES = {
    "title": "font-size: 1.4rem; font-weight: 650;",
    "image": "max-width: 24rem;",
    "price": "font-size: 1.2rem; font-weight: 650;",
    "code": "font-family: ui-monospace, monospace; font-size: 0.875rem; white-space: pre-wrap;",
    "text": "",
}

# Backgrounds of terms: any two differ by at least 18 in CIELAB, also for people with red, green or
# blue colour blindness (Machado, Oliveira and Fernandes 2009). Black on each has a contrast of 5.
TERM_COLOURS = (
    "#ccff88", "#ffaacc", "#88bbff", "#aaffcc", "#bbbb88", "#8888ff", "#aa8888", "#8888aa",
)  # fmt: skip
_TERMS = "\n".join(
    f"mark.qrelsmith-t{n} {{ background: {colour}; }}" for n, colour in enumerate(TERM_COLOURS)
)
STYLE = f"""
:root {{ color-scheme: light dark; }}
body {{ margin: 1rem; background: #fff; color: #1a1a1a; font: 1rem/1.5 system-ui, sans-serif; }}
pre.qrelsmith {{ white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }}
pre.qrelsmith.source {{ font-family: ui-monospace, monospace; font-size: 0.875rem; }}
p.qrelsmith {{ margin: 0 0 0.8em; overflow-wrap: anywhere; }}
p.qrelsmith:is(.lines, .columns) {{ white-space: pre-wrap; }}
p.qrelsmith.columns {{ font-family: ui-monospace, monospace; font-size: 0.875rem; }}
pre[data-note]::before {{ content: attr(data-note); display: block; margin-bottom: 1rem;
  padding-bottom: 0.5rem; border-bottom: 1px solid #767676; color: #59626d; }}
table {{ border-collapse: collapse; }}
:is(td, th) {{ padding: 0.2rem 0.5rem; border: 1px solid #8884; text-align: start; }}
pre {{ overflow-x: auto; }}
.card {{ display: flex; flex-direction: column; gap: 0.5rem; margin: 0; }}
.card dt {{ color: #767676; font-size: 0.8125rem; }}
.card dd {{ margin: 0; }}
.card .card {{ padding-inline-start: 0.75rem; border-inline-start: 2px solid #8884; }}
.lines {{ white-space: pre-wrap; }}
li, dt, dd, td, th {{ unicode-bidi: plaintext; }}
a {{ text-decoration: underline; }}
img {{ max-width: 100%; }}
img:not([src]) {{ border: 1px dashed #767676; padding: 0.25rem; }}
mark.qrelsmith-term {{ color: #111; }}
{_TERMS}
mark.qrelsmith-term:target {{ outline: 2px solid #111; outline-offset: 1px;
  scroll-margin-top: 20vh; }}
#qrelsmith-densest, #qrelsmith-main {{ scroll-margin-top: 20vh; }}
mark.qrelsmith-find {{ background: #ffb454; color: #000; }}
::highlight(passages) {{ background-color: #cfe8d5; color: #000; }}
::highlight(earlier) {{ text-decoration: underline dotted 2px #0b57a8; }}
::highlight(pick) {{ background-color: #cfe8d5; color: #000; text-decoration: underline 2px; }}
mark.qrelsmith-find:target {{ outline: 3px solid #b3261e; }}
@media (prefers-color-scheme: dark) {{
  :root:not(.coloured) body {{ background: #14171b; color: #e6e9ed; }}
  :root:not(.coloured) a {{ color: #7fb7f2; }}
  mark.qrelsmith-term:target {{ outline-color: #fff; }}
  /* A page with its own colours is inverted as a whole; its images are inverted back. */
  :root.coloured {{ color-scheme: light; background: #fff;
    filter: invert(0.92) hue-rotate(180deg); }}
  .coloured img, .coloured svg {{ filter: invert(1) hue-rotate(180deg); }}
}}
"""


def card_style(card: Iterable[CardField]) -> str:
    """Return a style that shows the fields of a card by role, the most important first.

    The order of the text does not change: passages refer to the order in the doc.
    """
    fields = list(card)
    return "".join(
        f".card > .{field_class(each.field)} {{ order: {place - len(fields)}; }}"
        f".card > .{field_class(each.field)} > dd {{ {_ROLES[each.role]} }}\n"
        for place, each in enumerate(fields)
    )
