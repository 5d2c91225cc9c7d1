// Messages and locks between the tabs of a browser.

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

  /** Send the other tabs an event of that kind. */
  tell(kind, detail = {}) {
    this.#channel?.postMessage({ kind, ...detail });
  }
}

/** Run a function in one tab at a time; without support for locks, run it immediately. */
export async function alone(name, act) {
  if (navigator.locks) return navigator.locks.request(own(name), act);
  return act();
}
