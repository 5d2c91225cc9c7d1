"""The interface in other languages: every text is translated, the right language is chosen."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from django.urls import reverse

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.web.accounts.access import policy_of
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.accounts.openid_settings import openid_settings
from qrelsmith.web.desk.contradictions import contested_pair
from qrelsmith.web.desk.verdicts import open_discussion
from qrelsmith.web.home.refusals import _STATUS
from qrelsmith.web.models import Assignment, Role, TopicVersion
from qrelsmith.web.urls import urlpatterns

ROOT = Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "words.py"
WEB = ROOT / "src" / "qrelsmith" / "web"
# Refusals, and where their texts are.
REFUSALS = {"ParameterError": 0, "RefusedError": 1}
# Words that stay unchanged in Japanese: names of things that are typed or pressed.
NAMES = {
    "API", "Down", "End", "English", "Enter", "HIT", "Home", "ID", "OpenAPI", "Page", "Shift",
    "UTC", "Up", "app", "campaign", "import", "llm", "prioritised", "qrelsmith", "toml",
    "tournament", "audit", "nDCG",
}  # fmt: skip
COEFFICIENT_WORDS = {word for name in COEFFICIENTS.names() for word in re.findall("[a-z]+", name)}
RULE_WORDS = {"all", "and", "any", "gold", "high", "or", "Holm", "Welch", "TJ", "TF", "RH"}
# Names of the campaign and its people, which are not translated.
DATA = re.compile(
    r"A small campaign|topic \d|What is it\?|Doc \d+|d\d{5}|q\d|b\d|bronze|not relevant|highly"
    r" relevant|relevant|Does not help\.|Helps\.|Answers\.|Read the topic first\.|could not be"
    r" displayed|the-\w+|gpt-x\S*|olga|qrelsmith_\S+|judgments:write|work:read|Is it relevant\?"
    r"|https?://\S+|word|invite|token"
)


@pytest.fixture(scope="module")
def tool() -> Any:
    """Return the program that collects the texts."""
    pytest.importorskip("babel", reason="needs the extra test")
    spec = importlib.util.spec_from_file_location("words", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_text_of_the_interface_is_translated_and_compiled() -> None:
    pytest.importorskip("babel", reason="needs the extra test")
    done = subprocess.run(
        [sys.executable, TOOL, "--check"], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stdout == "", "write the translations, then run: python3 dev.py words"
    assert done.returncode == 0, done.stderr


def problems(tool: Any, tmp_path: Path, known: str, words: dict[Any, str | None]) -> list[str]:
    """Return the problems of a translation according to the program, given the file as text."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    folder = tmp_path / "src" / "locale" / "ja" / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "django.po"
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    path.write_text(head + known, encoding="utf-8")
    with path.open("rb") as source:
        catalog = read_po(source, locale="ja")
    path.with_suffix(".mo").write_bytes(tool._compiled(catalog))
    collected = Catalog()
    for word, context in words.items():
        collected.add(word, context=context)
    tool.WEB = tmp_path / "src"
    return [each.partition(": ")[2] for each in tool.problems_of(path, catalog, collected)]


def test_the_check_finds_missing_outdated_and_damaged_translations(
    tool: Any, tmp_path: Path
) -> None:
    good = 'msgid "Save"\nmsgstr "保存"\n'
    assert problems(tool, tmp_path, good, {"Save": None}) == []
    assert problems(tool, tmp_path, good, {"Save": None, "Undo": None}) == [
        "'Undo' is not there; run python3 dev.py words"
    ]
    assert problems(tool, tmp_path, good, {}) == [
        "'Save' is in no page any more; run python3 dev.py words"
    ]
    assert problems(tool, tmp_path, good, {"Save": "topic"}) == [
        "'Save' (topic) is not there; run python3 dev.py words",
        "'Save' is in no page any more; run python3 dev.py words",
    ]
    empty = 'msgid "Save"\nmsgstr ""\n'
    assert problems(tool, tmp_path, empty, {"Save": None}) == ["'Save' is not translated"]
    fuzzy = '#, fuzzy\nmsgid "Save"\nmsgstr "保存"\n'
    assert "'Save' is marked fuzzy" in problems(tool, tmp_path, fuzzy, {"Save": None})


@pytest.mark.parametrize(
    ("word", "text", "is_good"),
    [
        ("{count} docs", "{count} 件", True),
        ("{count} docs", "件", False),
        ("{count} docs", "{cuont} 件", False),
        ("%(a)s of %(b)s", "%(b)s のうち %(a)s", True),
        ("%(a)s of %(b)s", "%(b)s", False),
        ("none", "{x}", False),
    ],
)
def test_placeholders_must_agree(
    tool: Any, tmp_path: Path, word: str, text: str, is_good: bool
) -> None:
    found = problems(tool, tmp_path, f'msgid "{word}"\nmsgstr "{text}"\n', {word: None})
    assert (found == []) is is_good


def test_the_compiled_file_must_match_the_source(tool: Any, tmp_path: Path) -> None:
    good = 'msgid "Save"\nmsgstr "保存"\n'
    assert problems(tool, tmp_path, good, {"Save": None}) == []
    path = tmp_path / "src" / "locale" / "ja" / "LC_MESSAGES" / "django.po"
    path.write_text(path.read_text(encoding="utf-8").replace("保存", "保管"), encoding="utf-8")
    from babel.messages.catalog import Catalog

    words = Catalog()
    words.add("Save")
    (found,) = tool.problems_of(path, tool._read(path), words)
    assert "django.mo was not compiled from it" in found


# --- Which language a page has ------------------------------------------------------------------


def language_of(answer: Any) -> str:
    (found,) = re.findall(r'<html lang="([^"]*)">', answer.content.decode())
    assert answer["Content-Language"] == found
    return str(found)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("ja", "ja"), ("ja-JP,ja;q=0.9,en;q=0.8", "ja"), ("en-GB", "en"), ("fr, ja;q=0.5", "ja"),
     ("fr", "en"), ("", "en"), ("zh-Hans", "en")],
)  # fmt: skip
def test_the_browsers_language_is_the_default(lite_app: Any, accepted: str, language: str) -> None:
    page = lite_app.client().get("/login", headers={"Accept-Language": accepted})
    assert language_of(page) == language
    assert ("ログイン" in page.content.decode()) is (language == "ja")


def test_the_language_switch_is_remembered_and_returns_to_the_page(lite_app: Any) -> None:
    client = lite_app.client("b1")
    page = client.get("/instructions?x=1")
    assert language_of(page) == "en"
    assert '<button class="quiet" name="language" value="ja" lang="ja">日本語' in (
        page.content.decode()
    )
    referer = {"Referer": "http://127.0.0.1/instructions?x=1"}
    answer = client.post("/language", {"language": "ja"}, headers=referer)
    assert (answer.status_code, answer["Location"]) == (302, "/instructions?x=1")
    assert language_of(client.get("/")) == "ja"
    assert language_of(client.get("/", headers={"Accept-Language": "en"})) == "ja"
    assert 'lang="en">English' in client.get("/").content.decode()
    cookie = client.cookies["qrelsmith_language"]
    assert cookie["max-age"] > 300 * 24 * 3600
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    client.post("/logout")
    assert language_of(client.get("/login")) == "ja"


@pytest.mark.parametrize(
    "referer",
    ["", "https://elsewhere.example/instructions", "http://127.0.0.1/no/such", "//x/instructions",
     "http://127.0.0.1/organiser/invites", "http://127.0.0.1/api/assignments", "\\\\x"],
)  # fmt: skip
def test_the_language_switch_leads_only_to_pages_of_the_app(lite_app: Any, referer: str) -> None:
    headers = {"Referer": referer} if referer else {}
    answer = lite_app.client("b1").post("/language", {"language": "ja"}, headers=headers)
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("fields", [{}, {"language": "fr"}, {"language": "\x00"}])
def test_an_unavailable_language_cannot_be_chosen(lite_app: Any, fields: dict[str, str]) -> None:
    answer = lite_app.client().post("/language", fields)
    assert answer.status_code == 400
    assert "qrelsmith_language" not in answer.cookies


def test_json_responses_and_form_errors_are_in_the_language_too(lite_app: Any) -> None:
    japanese = {"Accept-Language": "ja"}
    client = lite_app.client()
    answer = client.get("/api/assignments", headers=japanese)
    assert answer.json()["message"] == "もう一度ログインしてください。判定は保存されています。"
    page = client.post("/login", {"login": "b1", "password": "x"}, headers=japanese)
    assert "名前またはパスワードが違います。" in page.content.decode()

    fields = {"login": "", "password": "short", "again": "other"}
    fields["token"] = make_invite(Role.VIEWER)
    page = client.post("/invite", fields, headers=japanese)
    assert "二つのパスワードが一致しません。" in page.content.decode()
    assert "10 文字" in page.content.decode()


# --- No English text is left ----------------------------------------------------------------------


class Words(HTMLParser):
    """The visible and audible text of a page, without scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "style", "kbd", "code") or given.get("lang") == "en":
            self._hidden.append(tag)
        for name in ("aria-label", "title", "placeholder", "alt"):
            self.texts.append(given.get(name) or "")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.texts.append(data)


def english(page: str) -> set[str]:
    """Return words in Latin letters that are neither names nor the campaign's."""
    reader = Words()
    reader.feed(page)
    text = DATA.sub(" ", " \n ".join(reader.texts))
    return set(re.findall(r"[A-Za-z]{2,}", text)) - NAMES - COEFFICIENT_WORDS - RULE_WORDS


# Pages only for crowd workers; see tests/web/crowd.
WORKERS = {"work", "hand-in"}
# Pages that exist only with a provider; see below.
OPENID = {"openid": 502, "openid-callback": 403, "openid-logout": 502}


def pages(app: Any, **more: int) -> Iterator[tuple[str, str]]:
    """Return every page that answers GET, as each role sees it, in Japanese."""
    assignment = Assignment.objects.get(assessor__name="b1", topic__name="q1")
    TopicVersion.objects.filter(topic=assignment.topic).update(creator="b1")
    values = {"assignment_id": assignment.pk, "position": 1, "token": make_invite(Role.VIEWER)}
    values |= more
    for pattern in urlpatterns:
        policy = policy_of(pattern.callback)
        assert policy is not None
        names = pattern.pattern.converters
        is_page = not policy.is_api and "GET" in policy.methods and names.keys() <= values.keys()
        if not is_page or pattern.name in WORKERS | OPENID.keys():
            continue
        address = reverse(pattern.name, kwargs={name: values[name] for name in names})
        for role in sorted(policy.roles) or [""]:
            login = "b1" if role == "assessor" else f"the-{role}" if role else ""
            answer = app.client(login, role=role or "viewer").get(
                address, headers={"Accept-Language": "ja"}, follow=True
            )
            assert answer.status_code == 200, (pattern.name, role)
            if "html" in answer["Content-Type"]:
                yield f"{pattern.name} as {role}", answer.content.decode()
    for address in ("/no/such/page", "/judge/999999"):
        answer = app.client("b1").get(address, headers={"Accept-Language": "ja"})
        yield address, answer.content.decode()


def test_no_page_has_an_english_word_in_japanese(
    lite_app: Any, lite_model: Any, at_work: Any, contests_of: Any, comparing: Any
) -> None:
    at_work(lite_app).judge(1, 2)
    lite_model.judge({"doc": "d00000"})
    contest = next(each for each in contests_of(lite_app) if each.assessor.name == "b1")
    comparer = comparing(lite_app, "b1", contest)
    pair = comparer.next()
    comparer.answer(pair, -1)
    open_discussion(lite_app.account("b1"), contested_pair(pair).matter, "-1")
    seen = dict(pages(lite_app, contest_id=contest.pk, pair_id=pair.pk))
    assert len(seen) >= 40
    assert all('<html lang="ja">' in page for page in seen.values())
    assert {name: words for name, page in seen.items() if (words := english(page))} == {}


def test_no_page_with_a_provider_has_an_english_word_in_japanese(
    lite_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("mozilla_django_oidc", reason="needs the extra openid")
    given = {"ISSUER": "http://127.0.0.1:9", "CLIENT": "c", "SECRET": "s"}
    for name, value in given.items():
        monkeypatch.setenv(f"QRELSMITH_OIDC_{name}", value)
    japanese = {"Accept-Language": "ja"}
    with override_settings(**openid_settings()):
        client = lite_app.client()
        shown = {name: client.get(reverse(name), headers=japanese) for name in OPENID}
        assert {name: answer.status_code for name, answer in shown.items()} == OPENID
        shown["ended"] = client.get("/login?ended=1", headers=japanese)
        token = {"token": make_invite(Role.VIEWER), "link": "1"}
        session = client.session
        for name, value in (("before", None), ("pending", {"subject": "1", "shown": "1@1"})):
            session["openid_pending"] = value
            session.save()
            shown[f"login {name}"] = client.get("/login", headers=japanese)
            shown[f"invite {name}"] = client.post("/invite", token, headers=japanese)
        organiser = lite_app.client("olga", role="organiser")
        shown["people"] = organiser.get("/organiser/people", headers=japanese)
    pages = {name: answer.content.decode() for name, answer in shown.items()}
    assert "127.0.0.1" in pages["invite pending"]
    assert "127.0.0.1" in pages["people"]
    assert {name: words for name, page in pages.items() if (words := english(page))} == {}


def test_the_texts_of_scripts_are_japanese_too(lite_app: Any) -> None:
    import json

    page = lite_app.client("b1").get(
        "/judge/1/1", headers={"Accept-Language": "ja"}, follow=True
    ).content.decode()  # fmt: skip
    (content,) = re.findall(
        r'<script type="application/json" id="words">(.*?)</script>', page, re.DOTALL
    )
    words = json.loads(content)
    assert words["sendingSaved"] == "保存済み"
    assert words["position"] == "文書 {position} / {total}"
    for name, text in words.items():
        bare = re.sub(r"\{\w+\}|Enter|Shift|Esc", "", text)
        assert not re.search("[A-Za-z]{2,}", bare), (name, text)


def test_a_page_with_english_text_is_detected() -> None:
    assert english("<p>判定 <b title='Hello'>x</b></p><script>let it = 1</script>") == {"Hello"}
    assert english("<p>Save topic 1</p><button lang='en'>English words</button><i>done</i>") == {
        "Save",
        "done",
    }


def test_every_refusal_is_translated() -> None:
    bare = []
    for path in sorted(WEB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSALS:
                words = node.args[REFUSALS[node.func.id]]  # type: ignore[attr-defined]
                is_english = isinstance(words, ast.Call) and getattr(words.func, "id", "") == "str"
                if is_english or isinstance(words, (ast.Constant, ast.JoinedStr)):
                    bare.append(f"{path.name}:{node.lineno}")
    assert bare == [], "put it through gettext, or through remark if it was written elsewhere"


def test_every_refusal_has_a_status(lite_app: Any) -> None:
    reasons = {
        node.args[0].value
        for path in WEB.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RefusedError"
        if isinstance(node.args[0], ast.Constant)
    }
    assert reasons <= _STATUS.keys()


def test_a_malformed_body_is_refused_in_the_language_of_the_user(
    lite_app: Any, at_work: Any
) -> None:
    stream = at_work(lite_app).assignment.pk
    client = lite_app.client("b1")
    bodies = ("", "[]", "{}", '{"doc": -1}', '{"doc": 1, "value": "x"}', '{"nothing": 1}')
    for page in (f"assignments/{stream}", "contests/1"):
        for body in bodies:
            answer = client.post(
                f"/api/{page}/judgments", body, content_type="application/json",
                headers={"Accept-Language": "ja"},
            )  # fmt: skip
            assert answer.status_code == 400
            message = answer.json()["message"]
            assert re.search("[\u3040-\u30ff]", message), message
