// The keys for answers: arrows mark a choice, Enter and space confirm it.

import { isTyping } from "../page/elements.js";

const SIGNS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 0, ArrowDown: 0 };
// Elements that use Enter and space themselves.
const OTHERS = { Enter: "a, button, input, summary", " ": "a, button, input, summary, .scrolling" };

/** The outcome of an arrow key, or undefined. */
export function outcomeOf({ key, shiftKey }, outcomes) {
  if (!(key in SIGNS)) return undefined;
  const wish = SIGNS[key] * (shiftKey ? 2 : 1);
  return [wish, SIGNS[key]].find((outcome) => outcomes.includes(outcome));
}

/**
 * Answer pairs with keys.
 *
 * @param {object} parts outcomes; `mark(outcome)`; `confirm()`.
 */
export function answerWithKeys({ outcomes, mark, confirm }) {
  addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(target) || event.isComposing || document.querySelector("dialog[open]")) return;
    const outcome = outcomeOf(event, outcomes);
    const isConfirming = key === "Enter" || (key === " " && !event.shiftKey);
    if (outcome !== undefined && !hasUse(target, key)) {
      event.preventDefault();
      if (!event.repeat) mark(outcome);
    } else if (isConfirming && !target.closest?.(OTHERS[key])) {
      event.preventDefault();
      if (!event.repeat) confirm();
    }
  });
}

/** Whether the focused element uses arrow keys itself: a radio button or a text field. */
function hasUse(target, key) {
  if (!(target instanceof Element)) return false;
  if (target.matches("input[type=radio]")) return true;
  return target.matches(".scrolling") && ["ArrowUp", "ArrowDown"].includes(key);
}
