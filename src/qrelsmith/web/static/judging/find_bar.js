// Finding text in the shown doc.

import { byId } from "../page/elements.js";
import { say } from "../page/words.js";

const PATIENCE_MS = 250;

export class FindBar {
  #bar = byId("find");
  #input = byId("find-text");
  #output = byId("find-place");
  #find;
  #go;
  #words;
  #count = 0;
  #place = 0;
  #timer = 0;
  #asked = "";

  /**
   * @param {object} parts `find(text)` resolves to the number of hits, `go(number)` shows a hit;
   *   `words(place, total)` returns the message.
   */
  constructor({ find, go, words }) {
    this.#find = find;
    this.#go = go;
    this.#words = words;
    this.#input.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), PATIENCE_MS);
    });
    this.#bar.addEventListener("keydown", (event) => this.#pressed(event));
    byId("find-next").addEventListener("click", () => this.step(1));
    byId("find-previous").addEventListener("click", () => this.step(-1));
    byId("find-close").addEventListener("click", () => this.close());
  }

  /** The text to find. */
  get text() {
    return this.#bar.hidden ? "" : this.#input.value.trim();
  }

  /** The number of the shown occurrence, from 1; 0: none. */
  get place() {
    return this.#place;
  }

  open() {
    this.#bar.hidden = false;
    this.#input.focus();
    this.#input.select();
  }

  close() {
    if (this.#bar.hidden) return;
    this.#bar.hidden = true;
    this.#input.value = "";
    this.#asked = "";
    this.#told(0, 0);
    this.#find("");
    document.activeElement.blur();
  }

  /** Search again in a new doc, if there is a text to find. */
  renew() {
    this.#asked = "";
    if (!this.#bar.hidden) this.#look();
  }

  async step(by) {
    if (this.#asked !== this.text) await this.#look();
    else if (this.#count) this.#show(((this.#place - 1 + by + this.#count) % this.#count) + 1);
  }

  async #look() {
    clearTimeout(this.#timer);
    const { text } = this;
    if (text === this.#asked) return;
    this.#asked = text;
    const count = await this.#find(text).catch(() => 0);
    if (text !== this.#asked) return;
    this.#told(count, 0);
    if (count) this.#show(1);
  }

  #show(place) {
    this.#told(this.#count, place);
    this.#go(place);
  }

  #told(count, place) {
    this.#count = count;
    this.#place = place;
    if (!this.text) this.#output.textContent = "";
    else if (!count) this.#output.textContent = say("findNone");
    else this.#output.textContent = this.#words(place, count);
  }

  #pressed(event) {
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (event.key === "Enter" && event.target === this.#input) {
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    }
  }
}
