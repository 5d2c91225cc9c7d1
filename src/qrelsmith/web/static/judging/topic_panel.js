// The topic's narrative, which can be opened and closed.

import { keep, recall } from "../page/stored.js";

export class TopicPanel {
  #panel = document.querySelector("#topic details");
  #name;

  /** @param {string} name under which the open or closed state is stored. */
  constructor(name) {
    this.#name = name;
    if (!this.#panel) return;
    this.#panel.open = recall(name, this.#panel.open);
    this.#panel.addEventListener("toggle", () => keep(name, this.#panel.open));
  }

  /** Open or close the panel; false if there is no narrative. */
  toggle() {
    if (!this.#panel) return false;
    this.#panel.open = !this.#panel.open;
    keep(this.#name, this.#panel.open);  // the event comes later, perhaps after a reload
    return true;
  }
}
