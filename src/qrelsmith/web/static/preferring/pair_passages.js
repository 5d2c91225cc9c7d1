// The passages of both docs of a pair; unsaved passages are kept until the page closes.
//
// Event: "change" (by the user).

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
   *   `place(side)`: the shown match.
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

  /** The passages of both docs, those of the left doc first. */
  get value() {
    return SIDES.flatMap((side) => this.#lists[side].value);
  }

  /** The passages of a pair: unsaved passages, or those of its answer. */
  show(pair, saved) {
    if (pair !== this.#pair) this.end();
    this.#pair = pair;
    this.#saved = saved;
    const shown = this.#drafts.get(pair) ?? this.#saved;
    for (const side of SIDES) this.#lists[side].value = shown.filter((each) => each.side === side);
  }

  /** The current passages are saved now. */
  settle(pair) {
    this.#drafts.delete(pair);
  }

  /** A doc is on the screen. */
  drawn(side) {
    this.#takings[side].show();
  }

  /** Whether the user is choosing sentences. */
  get isOn() {
    return SIDES.some((side) => this.#takings[side].isOn);
  }

  /** Add a passage of a doc, or of the doc that receives keys. */
  take(side = this.#pane.active) {
    this.#takings[other(side)].end();
    this.#pane.activate(side);
    return this.#takings[side].take();
  }

  /** Stop choosing. */
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
