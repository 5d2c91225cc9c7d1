"""The app in Japanese: chosen, remembered, and fitting on a phone."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.full]

PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "ja-JP"}
# Elements that extend beyond the window, except those that scroll themselves.
TOO_WIDE = """() => {
  const scrolls = (each) => {
    for (let at = each.parentElement; at; at = at.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(at).overflowX) && at !== document.body)
        return true;
    return false;
  };
  const wide = [...document.querySelectorAll("body *")].filter((each) => {
    const { right, width } = each.getBoundingClientRect();
    return width > 1 && right > innerWidth + 1 && !each.closest(".scroll, dialog, .words, .skip")
      && !scrolls(each);
  });
  return [document.documentElement.scrollWidth, wide.slice(0, 5).map((each) => each.outerHTML)];
}"""


def assert_fits(page: Any, what: str) -> None:
    width, wide = page.evaluate(TOO_WIDE)
    assert (width, wide) == (390, []), what


def test_pages_fit_on_a_phone(site: Any, strict_site: Any, judging: Any, open_context: Any):
    page = open_context(site, **PHONE).new_page()
    page.goto(f"{site.url}/login")
    assert page.inner_text("h1") == "ログイン"
    assert page.get_attribute("html", "lang") == "ja"
    assert_fits(page, "login")
    at = judging(site, **PHONE).open(1)
    assert_fits(at.page, "judging")
    assert at.state("saved") == "保存済み"
    at.press("n")
    at.breathe()
    assert_fits(at.page, "judging with a note")
    at.press("Escape", "?")
    at.page.wait_for_selector("#keys-dialog[open]")
    assert at.page.inner_text("#keys-title") == "キー操作"
    assert_fits(at.page, "keys")
    box = at.page.locator("#keys-dialog").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    for path in ("/", "/instructions"):
        at.page.goto(site.url + path)
        assert_fits(at.page, path)
    page = open_context(strict_site, "admin", **PHONE).new_page()
    for path in ("/organiser/", "/organiser/people", "/organiser/tokens", "/organiser/log"):
        page.goto(strict_site.url + path)
        assert_fits(page, path)


def test_scripts_use_japanese(site: Any, judging: Any):
    at = judging(site, locale="ja-JP").open(1)
    at.judge("2")
    assert at.told() == "Relevant。 文書 2 / 60"
    at.press("u")
    at.shown(1)
    assert at.told() == "取り消しました。文書 1 は現在「未判定」です。 文書 1 / 60"
    at.page.route("**/judgments", lambda route: route.abort())
    at.judge("1")
    assert at.state("lost") == "接続なし：未送信 1 件（このコンピュータに保存済み）"
    at.page.unroute("**/judgments")
    at.page.click("#sending-act")
    at.saved()


def test_the_language_switch_keeps_the_page_and_is_remembered(site: Any, judging: Any):
    at = judging(site).open(1)
    assert at.page.inner_text("#sending-text") == "All saved"
    at.press("j", "j")
    at.shown(3)
    at.page.click("text=日本語")
    at.page.wait_for_selector("html[lang=ja]")
    assert at.shown() == 3
    assert at.state("saved") == "保存済み"
    again = at.context.new_page()
    again.goto(site.url)
    assert again.inner_text("h1") == "あなたのトピック"
    again.click("text=English")
    again.wait_for_selector("html[lang=en]")
    assert again.inner_text("h1") == "Your topics"
