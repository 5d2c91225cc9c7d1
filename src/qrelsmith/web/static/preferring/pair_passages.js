// The passages of both docs of a pair; those that are not saved yet are kept as long as the page.
//
// Event: "change" (by a person).

import { PassageList } from "../passages/passage_list.js";
import { Taking } from "../passages/taking.js";

const SIDES = ["left", "right"];

export class PairPassages extends EventTarget {
  #pane;
  #lists;
  #takings;
  #pair = 0;
  #saved = [];
  #drafts = new Map();

  /**
   * @param {object} tools pane (both docs), panes, source, places (of the lists, by side),
   *   `place(side)`: which of the places that were found is shown.
   */
  constructor({ pane, panes, source, places, place }) {
    super();
    this.#pane = pane;
    this.#lists = bySide((side) => new PassageList(places[side]));
    this.#takings = bySide((side) => new Taking({
      pane: panes[side], list: this.#lists[side], source, side, place: () => place(side),
    }));
    for (const side of SIDES) {
      this.#takings[side].addEventListener("change", () => {
        this.#drafts.set(this.#pair, this.value);
        this.dispatchEvent(new CustomEvent("change"));
      });
    }
  }

  /** Those of both docs, the left one's first. */
  get value() {
    return SIDES.flatMap((side) => this.#lists[side].value);
  }

  /** Those of a pair: what was taken and not saved, or what is saved. */
  show(pair, saved) {
    if (pair !== this.#pair) this.end();
    this.#pair = pair;
    this.#saved = saved;
    const shown = this.#drafts.get(pair) ?? this.#saved;
    for (const side of SIDES) this.#lists[side].value = shown.filter((each) => each.side === side);
  }

  /** What is there is saved now. */
  settle(pair) {
    this.#drafts.delete(pair);
  }

  /** A doc is on the screen. */
  drawn(side) {
    this.#takings[side].show();
  }

  /** Whether sentences are being chosen. */
  get isOn() {
    return SIDES.some((side) => this.#takings[side].isOn);
  }

  /** Take a passage of a doc, or of the one that keys belong to. */
  take(side = this.#pane.active) {
    this.#takings[other(side)].end();
    this.#pane.activate(side);
    return this.#takings[side].take();
  }

  /** Choose no more. */
  end() {
    for (const side of SIDES) this.#takings[side].end();
  }
}

function bySide(make) {
  return Object.fromEntries(SIDES.map((side) => [side, make(side)]));
}

function other(side) {
  return side === "left" ? "right" : "left";
}
