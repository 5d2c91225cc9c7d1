// The filter of the doc list: a kind of docs, and text or a number to find.

import { say } from "../page/words.js";
import { isNoted } from "./noted.js";

const PATIENCE_MS = 150;

export class Filters {
  #select;
  #input;
  #labels;
  #list;
  #stale = new Set();
  #loadStale;
  #timer = 0;

  /** @param {object} parts select, input, labels, list, `open(position)`, `loadStale()`. */
  constructor({ select, input, output, labels, list, open, loadStale }) {
    this.#select = select;
    this.#input = input;
    this.#labels = labels;
    this.#list = list;
    this.#loadStale = loadStale;
    this.output = output;
    select.addEventListener("change", () => this.#chosen());
    input.addEventListener("input", () => this.#soon());
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.clear();
      if (event.key !== "Enter") return;
      event.preventDefault();
      const [first] = this.#positions() ?? [];
      if (first) {
        this.clear();
        open(first);
      }
    });
    labels.addEventListener("change", () => this.#isOn && this.#soon());
  }

  /** Clear the text and leave the field. */
  clear() {
    this.#input.value = "";
    this.#input.blur();
    this.apply();
  }

  /** Show the matching docs. */
  apply() {
    const positions = this.#isOn ? this.#positions() : null;
    this.#list.limit(positions);
    this.output.textContent = positions ? say("listShown", { count: positions.length }) : "";
  }

  get #isOn() {
    return this.#select.value !== "all" || this.#input.value.trim() !== "";
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.apply(), PATIENCE_MS);
  }

  async #chosen() {
    if (this.#select.value === "stale") {
      this.#stale = new Set(await this.#loadStale().catch(() => []));
    }
    this.apply();
  }

  /** The matching positions; a number matches its position first. */
  #positions() {
    const sought = this.#input.value.trim().toLocaleLowerCase();
    const found = [];
    for (let position = 1; position <= this.#labels.total; position += 1) {
      const row = this.#labels.at(position);
      if (row && this.#passes(row) && this.#isSought(row, sought)) found.push(position);
    }
    const number = /^#?\d+$/.test(sought) ? Number(sought.replace("#", "")) : 0;
    const isThere = number >= 1 && number <= this.#labels.total;
    return isThere ? [number, ...found.filter((position) => position !== number)] : found;
  }

  #isSought(row, sought) {
    return `${row.title} ${row.name}`.toLocaleLowerCase().includes(sought);
  }

  #passes(row) {
    const chosen = this.#select.value;
    if (chosen === "all") return true;
    if (chosen === "open") return row.value === null;
    if (chosen === "judged") return row.value !== null && row.value >= 0;
    if (chosen === "errors") return row.value !== null && row.value < 0;
    if (chosen === "noted") return isNoted(row);
    if (chosen === "stale") return this.#stale.has(row.position);  // even if it was judged again since
    return row.value === Number(chosen);
  }
}
