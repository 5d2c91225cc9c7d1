// Tools for finding the relevant part of a doc: word counts, the strip, the clusters.

import { announce, hint } from "../page/announcer.js";
import { element } from "../page/elements.js";
import { say } from "../page/words.js";
import { Strip } from "./strip.js";

export class Reader {
  #pane;
  #terms;
  #parts;
  #strip;
  #reading = null;
  #current = -1;

  /**
   * @param {object} pane with one doc, whose `reading` it shows.
   * @param {Terms} terms
   * @param {object} parts list (of words), input (for added words), place (number of the cluster),
   *   strip (a canvas); part and main if these buttons exist.
   */
  constructor(pane, terms, parts) {
    this.#pane = pane;
    this.#terms = terms;
    this.#parts = parts;
    this.#strip = new Strip(parts.strip, (number) => this.#go(number));
    parts.list?.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) terms.toggle(terms.all[Number(button.dataset.place)]);
    });
    parts.input?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") parts.input.blur();
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      if (terms.add(parts.input.value)) parts.input.value = "";
    });
    pane.heed((reading) => this.#show(reading));
    this.#show(null);
  }

  /** Go to the next or previous cluster; the first time, to the densest cluster. */
  async step(by) {
    const reading = await this.#pane.reading;
    if (!reading) return;
    this.#reading = reading;
    const { length } = reading.clusters;
    const isPast = length && this.#current >= 0 && (by > 0 ? this.#current + 1 >= length : this.#current === 0);
    if (reading.parts > 1 && (isPast || !length)) {
      const part = (reading.part + by + reading.parts) % reading.parts;
      await this.#pane.choosePart(part);
      this.#current = -1;
      await this.step(by);
      return;
    }
    if (!length) {
      hint(say("groupNone"));
      return;
    }
    const first = this.#current < 0;
    this.#go(first ? reading.densest : (this.#current + by + length) % length);
  }

  /** Show another part of a page that is too long to be shown at once. */
  async turn(by) {
    const reading = await this.#pane.reading;
    if (!reading || reading.parts < 2) return;
    const part = Math.min(Math.max(reading.part + by, 0), reading.parts - 1);
    if (part !== reading.part) await this.#pane.choosePart(part);
  }

  /** Focus the field for adding a word. */
  ask() {
    this.#parts.input?.focus();
  }

  #go(number) {
    this.#current = number;
    this.#pane.goCluster(number);
    this.#tell();
    this.#strip.show(this.#reading, number);
    announce(this.#parts.place.textContent);
  }

  #show(reading) {
    this.#reading = reading;
    this.#current = -1;
    this.#strip.show(reading);
    this.#tell();
    const { list, part, main } = this.#parts;
    list?.replaceChildren(...this.#terms.all.map((each, place) => chip(each, place, reading)));
    if (part) {
      part.hidden = !(reading?.parts > 1);
      const words = { part: (reading?.part ?? 0) + 1, parts: reading?.parts ?? 1 };
      part.querySelector("output").textContent = say("part", words);
    }
    if (main) main.hidden = !reading?.main;
  }

  #tell() {
    const total = this.#reading?.clusters.length ?? 0;
    const { place } = this.#parts;
    if (!total) place.textContent = "";
    else if (this.#current < 0) place.textContent = say("groups", { count: total });
    else place.textContent = say("group", { place: this.#current + 1, total });
  }
}

/** A word with its colour and number of occurrences. */
function chip({ word, isOwn, isOff }, place, reading) {
  const count = reading?.counts[place] ?? 0;
  const name = word.replaceAll("\u00a0", " ");
  const told = say(isOwn ? "termOwn" : "termTopic", { word: name, count });
  return element(
    "button",
    {
      type: "button", class: `term t${place % 8}`, "data-place": place, "aria-label": told,
      title: told, "aria-pressed": isOwn ? null : String(!isOff),
    },
    element("span", { dir: "auto" }, name), element("b", {}, isOff ? "–" : String(count)),
    isOwn ? "×" : "",
  );
}
