// Whether what is on the screen can have been read.

import { hint } from "../page/announcer.js";
import { say } from "../page/words.js";

// Nobody has read a doc so soon; a key that comes then was meant for the one before.
const BLINK_MS = 120;

export class Blink {
  #from = 0;

  /** Something is on the screen now; what came by itself may be met by a key for what was before. */
  begin(byItself) {
    this.#from = byItself ? performance.now() : 0;
  }

  /** Whether it is over; says so if not. */
  isOver() {
    if (performance.now() - this.#from >= BLINK_MS) return true;
    hint(say("tooSoon"));
    return false;
  }
}
