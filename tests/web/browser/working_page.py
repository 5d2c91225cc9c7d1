"""The common part of the judging pages: keys, the state line, announcements."""

from __future__ import annotations

from typing import Any, Self

from tests.web.browser.pressing import breathe, press

_RECORD = """() => {
  window.heard = [];
  const record = ({ target }) => { if (target.textContent) heard.push(target.textContent); };
  for (const region of document.querySelectorAll("[id^=announcer-]")) {
    new MutationObserver((changes) => changes.forEach(record)).observe(region, { childList: true });
  }
}"""


class WorkingPage:
    """A judging page in its own browser context."""

    def __init__(self, context: Any, site: Any, assessor: str) -> None:
        self.context, self.site, self.assessor = context, site, assessor
        self.page = context.new_page()

    def press(self, *keys: str) -> Self:
        """Press keys in sequence."""
        press(self.page, *keys)
        return self

    def breathe(self) -> None:
        """Wait until a key counts for the doc on the screen."""
        breathe(self.page)

    def state(self, kind: str) -> str:
        """Wait for a state of the save line; return its text."""
        self.page.wait_for_selector(f"#sending[data-kind={kind}]")
        return str(self.page.inner_text("#sending-text"))

    def saved(self) -> Self:
        """Wait until everything is saved."""
        self.page.wait_for_function(
            "() => { const { kind, waiting } = document.getElementById('sending')?.dataset ?? {};"
            " return kind === 'saved' && (waiting ?? '0') === '0'; }"
        )
        return self

    def told(self) -> str:
        """Return the latest announcement."""
        texts = [self.page.text_content(f"#announcer-{n}") for n in (0, 1)]
        return " ".join(filter(None, texts))

    def listen(self) -> Self:
        """Record announcements from now on."""
        self.page.evaluate(_RECORD)
        return self

    def heard(self) -> list[str]:
        """Return the recorded announcements."""
        sentences: list[str] = self.page.evaluate("heard")
        return sentences
