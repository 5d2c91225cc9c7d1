"""Keys at times chosen by a test: the browser is told when a key was pressed, without waiting."""

from __future__ import annotations

from typing import Any

_CODES = {"ArrowLeft": 37, "ArrowRight": 39, "Enter": 13}
_PAINTED = """() => {
  const [painted] = performance.getEntriesByName("painted");
  return painted && performance.timeOrigin + painted.startTime;
}"""
# Without a doc, there is nothing to wait for.
_READ = """() => {
  const [painted] = performance.getEntriesByName("painted");
  return document.getElementById("main")?.dataset.shown === undefined
    || (painted && performance.now() - painted.startTime > 300);
}"""
_LABELLING = {*"0123456789e", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}


def press(page: Any, *keys: str) -> None:
    """Press keys in sequence, like a person who has read the doc on the screen."""
    for key in keys:
        if key.removeprefix("Shift+") in _LABELLING:
            breathe(page)
        page.keyboard.press(key)


def breathe(page: Any) -> None:
    """Wait until a key counts for the doc on the screen, if there is one."""
    page.wait_for_function(_READ)


def press_after(page: Any, key: str, ms: float) -> None:
    """Press a key some milliseconds after the doc on the screen was painted."""
    painted = page.wait_for_function(_PAINTED).json_value()
    event = {
        "key": key, "timestamp": (painted + ms) / 1000,
        "windowsVirtualKeyCode": _CODES.get(key) or ord(key),
        "code": f"Digit{key}" if key.isdigit() else key,
    }  # fmt: skip
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchKeyEvent", event | {"type": "rawKeyDown"})
    session.send("Input.dispatchKeyEvent", event | {"type": "keyUp"})
    session.detach()


def hint(page: Any) -> str:
    """Wait for a hint; return its text."""
    return str(page.wait_for_selector("#hint:not(:empty)").inner_text())
