// The keys that scroll, for the doc, as long as nothing else on the page wants them.

import { isTyping } from "../page/elements.js";

// By how many screens a key moves.
const SCREENS = new Map([
  ["PageDown", 1], ["PageUp", -1], ["ArrowDown", 0.25], ["ArrowUp", -0.25],
  ["Home", -Infinity], ["End", Infinity],
]);

const OTHERS = "a, button, input, summary, nav, aside";

/** Scroll a doc with the keys. */
export function scrollWithKeys(pane) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || isElsewhere(event.target)) return;
    const screens = event.key === " " ? (event.shiftKey ? -1 : 1) : SCREENS.get(event.key);
    if (!screens) return;
    event.preventDefault();
    pane.scroll(screens);
  });
}

/** Whether the focus is on something that has a use for these keys itself. */
function isElsewhere(target) {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.closest(OTHERS) !== null;
}
