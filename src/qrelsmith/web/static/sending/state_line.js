// The save state in words, announced to screen readers when it changes.

import { byId } from "../page/elements.js";
import { say } from "../page/words.js";

// A faster save is shown only as a symbol, because a screen reader would read words aloud.
const PATIENCE_MS = 800;

export class StateLine {
  #outbox;
  #act;
  #timer = 0;
  #kind = "";

  /**
   * @param {object} outbox the queue of operations.
   * @param {object} act actions of the button, by kind: `login()`, `decide()`, `lost()`.
   */
  constructor(outbox, act) {
    this.#outbox = outbox;
    this.#act = act;
    byId("sending-act").addEventListener("click", () => this.#act[this.#kind]?.());
    outbox.addEventListener("change", () => this.#soon());
    addEventListener("beforeunload", (event) => {
      if (outbox.waiting().length && !outbox.isDurable) event.preventDefault();
    });
    this.show();
  }

  /** Show the current state. */
  show() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const count = this.#outbox.waiting().length;
    const { trouble } = this.#outbox;
    const held = this.#outbox.held().length;
    if (trouble === "login") this.#tell("login", say("sendingLogin", { count }), say("actLogin"));
    else if (trouble && count) this.#tell("lost", this.#lost(count), say("actLost"));
    else if (trouble) this.#tell("lost", say("sendingOffline"), say("actLost"));
    else if (held) this.#tell("decide", say("sendingHeld", { count: held }), say("actHeld"));
    else if (count) this.#tell("busy", say("sendingBusy"), "");
    else this.#tell("saved", say("sendingSaved"), "");
  }

  #lost(count) {
    if (this.#outbox.trouble === "full") return say("sendingFull", { count });
    return say(this.#outbox.isDurable ? "sendingLost" : "sendingLostHere", { count });
  }

  #soon() {
    byId("sending").dataset.waiting = this.#outbox.waiting().length;
    const isCalm = !this.#outbox.trouble && !this.#outbox.held().length;
    if (!isCalm || !this.#outbox.waiting().length) this.show();
    else this.#timer ||= setTimeout(() => this.show(), PATIENCE_MS);
  }

  #tell(kind, text, act) {
    this.#kind = kind;
    const line = byId("sending");
    line.dataset.kind = kind;
    document.body.dataset.sending = kind;
    const words = byId("sending-text");
    if (words.textContent !== text) words.textContent = text;
    const button = byId("sending-act");
    button.hidden = !act;
    if (act) button.textContent = act;
  }
}
