// Scrolling keys for the doc, unless another element of the page needs them.

import { isTyping } from "../page/elements.js";

/** By how many screens a key scrolls. */
export const SCREENS = new Map([
  ["PageDown", 1], ["PageUp", -1], ["ArrowDown", 0.25], ["ArrowUp", -0.25],
  ["Home", -Infinity], ["End", Infinity], [" ", 1],
]);

const OTHERS = "a, button, input, summary, nav, aside";

/** Scroll a doc with the keys. */
export function scrollWithKeys(pane, screens = SCREENS) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || isElsewhere(event.target)) return;
    const amount = screens.get(event.key);
    if (!amount) return;
    event.preventDefault();
    pane.scroll(event.key === " " && event.shiftKey ? -amount : amount);
  });
}

/** Whether the focused element uses these keys itself. */
function isElsewhere(target) {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.closest(OTHERS) !== null;
}
