// The message that there is nothing to compare, with its reason. While the user waits for other
// assessors and the page is visible, the server is asked from time to time: a new pair is then
// reserved for this assessor.

import { byId } from "../page/elements.js";

const FIRST_MS = 3000;
const LONGEST_MS = 30_000;

export class Over {
  #look;
  #section = byId("over");
  #back = byId("over-previous");
  #timer = 0;
  #wait = FIRST_MS;
  #isWaiting = false;

  /** @param {() => void} look asks the server. */
  constructor(look) {
    this.#look = look;
    document.addEventListener("visibilitychange", () => {
      if (!this.#isWaiting) return;
      clearTimeout(this.#timer);
      if (document.visibilityState === "visible") this.#look();
    });
  }

  /** Show the reason: "waiting", "done" or "closed"; and whether there is a pair to go back to. */
  show(reason, hasPrevious) {
    this.#tell(reason);
    this.#back.hidden = !hasPrevious;
    if (reason === "waiting") this.#start();
    else this.#stop();
  }

  /** Hide the message: there is a pair. */
  hide() {
    this.#tell("");
    this.#stop();
  }

  #tell(reason) {
    this.#section.hidden = !reason;
    for (const each of this.#section.querySelectorAll("[data-reason]")) {
      each.hidden = each.dataset.reason !== reason;
    }
  }

  /** Ask later, with increasing delays. */
  #start() {
    clearTimeout(this.#timer);
    this.#wait = this.#isWaiting ? Math.min(this.#wait * 1.5, LONGEST_MS) : FIRST_MS;
    this.#isWaiting = true;
    if (document.visibilityState !== "visible") return;
    // Random delay, so that waiting pages do not ask at the same time.
    this.#timer = setTimeout(() => this.#look(), this.#wait * (0.75 + Math.random() / 2));
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#isWaiting = false;
  }
}
