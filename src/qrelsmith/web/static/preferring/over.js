// Why there is nothing to compare. Who waits for others is not left alone: it is looked from time to
// time whether there is something again, as long as somebody sees it: a pair that comes is nobody
// else's any more.

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

  /** Tell the reason: "waiting", "done" or "closed"; and whether there is a pair to go back to. */
  show(reason, hasPrevious) {
    this.#tell(reason);
    this.#back.hidden = !hasPrevious;
    if (reason === "waiting") this.#start();
    else this.#stop();
  }

  /** There is a pair. */
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

  /** Look later, and each time later still. */
  #start() {
    clearTimeout(this.#timer);
    this.#wait = this.#isWaiting ? Math.min(this.#wait * 1.5, LONGEST_MS) : FIRST_MS;
    this.#isWaiting = true;
    if (document.visibilityState !== "visible") return;
    // Not all who wait should ask at once.
    this.#timer = setTimeout(() => this.#look(), this.#wait * (0.75 + Math.random() / 2));
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#isWaiting = false;
  }
}
