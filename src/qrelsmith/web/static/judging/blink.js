// Protection against keys that were pressed before the doc could be read.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";

// A key pressed sooner after painting was meant for the previous doc.
const BLINK_MS = 300;
// The name of the timeline mark for the moment at which the doc was painted.
const PAINTED = "painted";

let pressed = 0;
let isKey = true;

/** Record when keys and buttons are pressed in a window, because a busy page handles them later. */
export function heedPresses(view) {
  for (const kind of ["keydown", "pointerdown", "click"]) {
    view.addEventListener(kind, (event) => {
      // Only assistive programs click without a pointer.
      if (kind === "click" && event.detail) return;
      // Events forwarded by a frame have the frame's time, whose clock started at another moment.
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

  /** Wait until the doc on the screen is painted. */
  begin() {
    this.end();
    const turn = this.#turn;
    // The second frame begins after the first one was painted.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (turn === this.#turn) this.#painted = performance.mark(PAINTED).startTime;
    }));
  }

  /** Ignore all keys until the next doc is painted. */
  end() {
    this.#turn += 1;
    this.#painted = Infinity;
    performance.clearMarks(PAINTED);
  }

  /** Return whether the last key or click counts for the doc on the screen; if not, show a message. */
  isOver() {
    if (pressed - this.#painted >= BLINK_MS) return true;
    hint(say(isKey ? "keyTooSoon" : "clickTooSoon"));
    return false;
  }
}
