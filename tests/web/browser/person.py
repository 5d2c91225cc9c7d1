"""A person at a browser, with counted clicks and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.browser.pressing import breathe

PASSWORD = "correct horse battery"  # noqa: S105 - of these tests
_SHOWN = "document.getElementById('main')?.dataset.shown"


class Person:
    """A person at a browser; clicks and keys that choose something are counted."""

    def __init__(self, context: Any, url: str) -> None:
        self.page, self.url, self.clicks, self.keys = context.new_page(), url, 0, 0
        self.page.set_default_timeout(30_000)

    def click(self, selector: str) -> None:
        self.page.click(selector)
        self.page.wait_for_load_state()
        self.clicks += 1

    def register(self, link: str, login: str) -> None:
        self.page.goto(link)
        self.page.fill("input[name=login]", login)
        for field in ("password", "again"):
            self.page.fill(f"input[name={field}]", PASSWORD)
        self.click("button.first")

    def begin(self, title: str, files: list[Path]) -> None:
        """Create a draft with files."""
        self.click("text=New campaign")
        self.page.fill("input[name=title]", title)
        self.click("button.first")
        self.upload(*files)

    def upload(self, *files: Path) -> None:
        with self.page.expect_navigation():
            self.page.set_input_files("input[type=file]", files)
        self.clicks += 2

    def step(self, name: str) -> None:
        self.page.goto(f"{self.page.url.rpartition('/')[0]}/{name}")

    def judge_all(self, grade: Callable[[int], int]) -> int:
        """Judge all docs of all topics with keys; return their number."""
        judged = 0
        while self.page.locator("main a.button.first").count():
            self.click("main a.button.first")
            self.page.wait_for_function(f"() => {_SHOWN} !== undefined")
            left = self.page.evaluate(
                "(({ max, value }) => max - value)(document.getElementById('progress'))"
            )
            for number in range(left):
                shown = self.page.evaluate(_SHOWN)
                breathe(self.page)
                self.page.keyboard.press(str(grade(judged)))
                self.keys += 1
                judged += 1
                if number < left - 1:
                    self.page.wait_for_function(
                        f"shown => ![undefined, shown].includes({_SHOWN})", arg=shown
                    )
            self.click("#finished a")
        return judged

    @property
    def problem(self) -> str:
        texts = self.page.locator("main > .problem").all_inner_texts()
        return "\n".join(texts)
