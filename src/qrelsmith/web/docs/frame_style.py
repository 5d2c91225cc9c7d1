"""How a doc looks in its frame, as far as it says nothing itself."""

from __future__ import annotations

# Backgrounds of terms: each pair is at least 18 apart in CIELAB, also to eyes that see no red, no
# green or no blue (Machado, Oliveira and Fernandes 2009), and black on each has a contrast of 5.
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
  /* What has colours of its own is turned round as a whole; its pictures, back again. */
  :root.coloured {{ color-scheme: light; background: #fff;
    filter: invert(0.92) hue-rotate(180deg); }}
  .coloured img, .coloured svg {{ filter: invert(1) hue-rotate(180deg); }}
}}
"""
