// What judging is, whatever is judged: one item after the other is on the screen and gets its label;
// the newest label can be taken back. A kind of judgment says how one item leads to the next.
//
// Events: "moved" and "shown", "judged", "loggedout".

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";
import { Blink } from "./blink.js";

const RETRY_MS = 3000;

export class JudgingSession extends EventTarget {
  #blink = new Blink();
  #retry = 0;

  /** How often something else was to be shown. */
  turn = 0;

  /**
   * @param {object} tools labels, judgments, source, pane, clock; `isOpen()`: whether judgments are
   *   taken; and what the kind of judgment needs. They become properties.
   */
  constructor(tools) {
    super();
    Object.assign(this, tools);
  }

  /** Take back the newest judgment, as often as there are some. */
  async undo() {
    const last = this.judgments.undo(this.clock.timing());
    if (last) await this.showTakenBack(last);
  }

  /** Tell the page. */
  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** Whatever was on the screen goes; the number of this turn. */
  begin(byItself = false) {
    clearTimeout(this.#retry);
    // What was said of a key that came too soon is still to be read.
    if (!byItself) hint("");
    this.#blink.end();
    this.turn += 1;
    return this.turn;
  }

  /** It is on the screen: time and keys count from now on. */
  arrived() {
    this.#blink.begin();
    this.clock.start();
  }

  /** Whether an item can be judged now; if not, say so. */
  isReady(item, missing) {
    if (!this.isOpen()) {
      hint(say("closed"));
      return false;
    }
    if (!item && missing) hint(say(missing));
    return Boolean(item) && this.#blink.isOver();
  }

  /** What was judged counts for nothing else that is pressed. */
  settle() {
    this.#blink.end();
  }

  /** Try again after a while, unless something else is shown by then. */
  again(turn, act) {
    if (turn !== this.turn) return;
    this.#retry = setTimeout(() => {
      if (turn === this.turn) act();
    }, RETRY_MS);
  }
}
