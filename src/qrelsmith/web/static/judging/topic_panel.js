// The topic's narrative, which can be opened and closed.

import { keep, recall } from "../page/stored.js";

export class TopicPanel {
  #panel = document.querySelector("#topic details");

  constructor() {
    if (!this.#panel) return;
    this.#panel.open = recall("topicOpen", this.#panel.open);
    this.#panel.addEventListener("toggle", () => keep("topicOpen", this.#panel.open));
  }

  /** Open or close it. */
  toggle() {
    if (!this.#panel) return;
    this.#panel.open = !this.#panel.open;
    keep("topicOpen", this.#panel.open);  // the event comes later, perhaps after a reload
  }
}
