// What the tabs of one browser tell each other.

import { own } from "../page/base.js";

export class Tabs extends EventTarget {
  #channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(own("qrelsmith")) : null;

  constructor() {
    super();
    this.#channel?.addEventListener("message", (message) => {
      const { kind, ...detail } = message.data;
      this.dispatchEvent(new CustomEvent(kind, { detail }));
    });
  }

  /** Tell the others; they get an event of that kind. */
  tell(kind, detail = {}) {
    this.#channel?.postMessage({ kind, ...detail });
  }
}

/** Do something while no other tab does it; where tabs cannot agree, do it all the same. */
export async function alone(name, act) {
  if (navigator.locks) return navigator.locks.request(own(name), act);
  return act();
}
