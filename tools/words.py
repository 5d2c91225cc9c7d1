"""The words of the judging app's interface, and their translations.

python3 dev.py words           collect the words into the translations' .po files, and compile these
python3 dev.py words --check   only say what is not in order

The words are what templates and code mark as translatable. A translation is written by hand into
src/qrelsmith/web/locale/LANGUAGE/LC_MESSAGES/django.po; what is compiled of it (django.mo) is in
the repository, so that nothing has to be compiled where qrelsmith is installed.
"""

from __future__ import annotations

import gettext
import io
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

WEB = Path(__file__).resolve().parents[1] / "src" / "qrelsmith" / "web"
KEYWORDS: dict[str, Any] = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
# `%(name)s` in what Django renders, `{name}` in what scripts and Python fill in.
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
_NOTE = """\
# The words of qrelsmith's judging app.
# Written by the qrelsmith authors; the same licence as qrelsmith, Apache-2.0."""
# A catalogue's dates would change with every run.
_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def main(arguments: list[str]) -> int:
    """Collect, or check; 1 if something is not in order."""
    if arguments not in ([], ["--check"]):
        print(__doc__)
        return 2
    words = collected()
    problems = []
    for path in sorted(WEB.glob("locale/*/LC_MESSAGES/django.po")):
        known = _read(path)
        if arguments:
            problems += problems_of(path, known, words)
            continue
        known.update(words, no_fuzzy_matching=True)
        known.obsolete.clear()
        _write(path, known)
        problems += problems_of(path, known, words)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def collected() -> Catalog:
    """All words of the interface, each with the files that it is in."""
    words = Catalog(charset="utf-8")
    for path in sorted(WEB.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        name = path.relative_to(WEB).as_posix()
        for _, message, _, context in extract_from_file("python", path, keywords=KEYWORDS):
            words.add(message, locations=[(name, 1)], context=context)
    for path, message, context in _of_templates():
        words.add(message, locations=[(path.relative_to(WEB).as_posix(), 1)], context=context)
    return words


def problems_of(path: Path, known: Catalog, words: Catalog) -> Iterator[str]:
    """What is wrong with a translation."""
    name = path.relative_to(WEB).as_posix()
    for message in words:
        found = known.get(message.id, context=message.context) if message.id else None
        if not message.id:
            continue
        shown = _shown(message)
        if found is None:
            yield f"{name}: {shown} is not there; run python3 dev.py words"
        elif not all(_strings(found)):
            yield f"{name}: {shown} is not translated"
        elif found.fuzzy:
            yield f"{name}: {shown} is marked fuzzy"
        else:
            yield from _placeholder_problems(name, found)
    for message in known:
        if message.id and words.get(message.id, context=message.context) is None:
            yield f"{name}: {_shown(message)} is in no page any more; run python3 dev.py words"
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or _meaning(compiled.read_bytes()) != _meaning(_compiled(known)):
        yield f"{name}: django.mo was not compiled from it; run python3 dev.py words"


def _placeholder_problems(name: str, message: Message) -> Iterator[str]:
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    wanted = set(PLACEHOLDER.findall(str(ids[-1])))
    for text in _strings(message):
        if set(PLACEHOLDER.findall(text)) != wanted:
            listed = ", ".join(sorted(wanted)) or "none"
            yield f"{name}: {_shown(message)} has the placeholders {listed}; {text!r} has others"


def _of_templates() -> Iterator[tuple[Path, Any, str | None]]:
    """The words of templates, as Django looks them up."""
    _set_up()
    from django.template import engines
    from django.templatetags.i18n import BlockTranslateNode, TranslateNode
    from django.utils.translation import trim_whitespace

    engine = engines["django"].engine  # type: ignore[attr-defined]
    for path in sorted(WEB.rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        if "_(" in source:
            raise SystemExit(f"{path.name}: _(…) is not collected; use {{% translate %}}")
        nodes = engine.from_string(source).nodelist
        for node in nodes.get_nodes_by_type(TranslateNode):
            literal = node.filter_expression.var.literal
            if literal is None:
                raise SystemExit(f"{path.name}: {node.token.contents}: expected a text")
            # Django doubles the percent signs before it looks a text up.
            yield path, literal.replace("%", "%%"), _context(node)
        for node in nodes.get_nodes_by_type(BlockTranslateNode):
            forms = [node.render_token_list(node.singular)[0]]
            if node.plural and node.countervar:
                forms.append(node.render_token_list(node.plural)[0])
            if node.trimmed:
                forms = [trim_whitespace(form) for form in forms]
            yield path, tuple(forms) if len(forms) > 1 else forms[0], _context(node)


def _context(node: Any) -> str | None:
    return None if node.message_context is None else str(node.message_context.var)


def _set_up() -> None:
    """Django without a database, for the tags that templates load."""
    import django
    from django.conf import settings

    from qrelsmith.web import settings as ours

    values = {name: value for name, value in vars(ours).items() if name.isupper()}
    settings.configure(**values, SECRET_KEY="none")
    django.setup()


def _read(path: Path) -> Catalog:
    with path.open("rb") as source:
        return read_po(source, locale=path.parts[-3], charset="utf-8")


def _write(path: Path, catalog: Catalog) -> None:
    """Write a translation and what is compiled of it, the same bytes for the same words."""
    _dress(catalog)
    out = io.BytesIO()
    write_po(out, catalog, width=100, sort_output=True, include_lineno=False)
    path.write_bytes(out.getvalue())
    path.with_suffix(".mo").write_bytes(_compiled(catalog))


def _compiled(catalog: Catalog) -> bytes:
    _dress(catalog)
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def _dress(catalog: Catalog) -> None:
    catalog.header_comment = _NOTE
    catalog.project, catalog.version = "qrelsmith", ""
    catalog.creation_date = catalog.revision_date = _DAY
    catalog.last_translator = catalog.language_team = "the qrelsmith authors"
    catalog.msgid_bugs_address = ""
    catalog.fuzzy = False


def _meaning(compiled: bytes) -> dict[Any, str]:
    """What a compiled translation says, without its header: that names Babel's version."""
    found: dict[Any, str] = gettext.GNUTranslations(io.BytesIO(compiled))._catalog  # type: ignore[attr-defined]
    return {key: text for key, text in found.items() if key != ""}


def _strings(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def _shown(message: Message) -> str:
    first = message.id[0] if isinstance(message.id, tuple) else message.id
    context = f" ({message.context})" if message.context else ""
    return f"{str(first)!r}{context}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
