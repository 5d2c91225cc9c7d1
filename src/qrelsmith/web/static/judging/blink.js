// Whether the doc on the screen could be read before a key was pressed.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";

// A key that is pressed sooner was meant for the doc before.
const BLINK_MS = 300;
// The mark in the page's timeline of the moment at which the doc was painted.
const PAINTED = "painted";

let pressed = 0;
let isKey = true;

/** Remember when keys and buttons are pressed in a window: a busy page handles them later. */
export function heedPresses(view) {
  for (const kind of ["keydown", "pointerdown", "click"]) {
    view.addEventListener(kind, (event) => {
      // Only programs that read the page click without a pointer.
      if (kind === "click" && event.detail) return;
      // An event that a frame passes on bears the time of the frame, whose clock began at another time.
      const { timeOrigin } = (event.view ?? window).performance;
      pressed = event.timeStamp + timeOrigin - performance.timeOrigin;
      isKey = kind === "keydown";
    }, { capture: true, passive: true });
  }
}

heedPresses(window);

export class Blink {
  #painted = Infinity;
  #turn = 0;

  /** Wait until the doc that is on the screen now is painted. */
  begin() {
    this.end();
    const turn = this.#turn;
    // The second frame begins when the first one is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (turn === this.#turn) this.#painted = performance.mark(PAINTED).startTime;
    }));
  }

  /** Let no key count until another doc is painted. */
  end() {
    this.#turn += 1;
    this.#painted = Infinity;
    performance.clearMarks(PAINTED);
  }

  /** Return whether what was pressed last counts for the doc on the screen; say so if not. */
  isOver() {
    if (pressed - this.#painted >= BLINK_MS) return true;
    hint(say(isKey ? "keyTooSoon" : "clickTooSoon"));
    return false;
  }
}
