// The passages of a judgment, below the note: each can be shown and removed.
//
// Events: "change" by the user; "shown": those of another doc; "go" (passage).

import { element } from "../page/elements.js";
import { say } from "../page/words.js";
import { isSameList, toggled } from "./passages.js";

const LONGEST = 90;

export class PassageList extends EventTarget {
  #place;
  #passages = [];

  /** @param {HTMLElement} place the list. */
  constructor(place) {
    super();
    this.#place = place;
  }

  get value() {
    return this.#passages;
  }

  set value(passages) {
    const isSame = isSameList(passages, this.#passages);
    this.#passages = passages;
    if (isSame) return;
    this.#draw();
    this.dispatchEvent(new CustomEvent("shown"));
  }

  /** Add a passage, or remove it if it is already there. */
  toggle(passage) {
    this.#passages = toggled(this.#passages, passage);
    this.#draw();
    this.dispatchEvent(new CustomEvent("change"));
  }

  #draw() {
    this.#place.replaceChildren(...this.#passages.map((each) => this.#item(each)));
    this.#place.hidden = !this.#passages.length;
  }

  #item(passage) {
    const words = passage.quote.replace(/\s+/g, " ");
    const short = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
    const go = element("button", { type: "button", class: "quiet quote", title: words }, short);
    go.addEventListener("click", () => {
      this.dispatchEvent(new CustomEvent("go", { detail: passage }));
    });
    const out = element(
      "button", { type: "button", class: "quiet out", "aria-label": say("passageOut", { words: short }) },
      "×",
    );
    out.addEventListener("click", () => this.toggle(passage));
    return element("li", {}, go, out);
  }
}
