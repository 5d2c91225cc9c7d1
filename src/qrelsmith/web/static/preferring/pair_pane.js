// Both docs of a pair: shown, searched, highlighted and scrolled together.

import { keep, recall } from "../page/stored.js";

const SIDES = ["left", "right"];
// As in the style sheet: there is room for one doc.
const NARROW = matchMedia("(max-width: 48rem)");

export class PairPane {
  #panes;
  #sections;
  #flips;
  #button;
  #counts = { left: 0, right: 0 };
  #texts;
  #active = "left";
  #isTogether = recall("together", false);

  /**
   * @param {object} parts panes, sections, texts (what scrolls a text) and flips (the buttons that
   *   bring a doc in sight where there is room for one), each by side; together: the button that
   *   says whether both docs scroll at once.
   */
  constructor({ panes, sections, texts, flips, together }) {
    this.#panes = panes;
    this.#sections = sections;
    this.#texts = texts;
    this.#flips = flips;
    this.#button = together;
    for (const side of SIDES) {
      // Over a frame no more than its edge is heard of.
      sections[side].addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") this.activate(side);
      });
      sections[side].addEventListener("focusin", () => this.activate(side));
      this.#follow(side);
    }
    this.#tell();
  }

  /** Show both docs; resolves to whether they are there, null if others came between. */
  async show(pair) {
    this.#counts = { left: 0, right: 0 };
    if (NARROW.matches) this.activate("left");
    const found = await this.#both((pane, side) => pane.show(pair[side]));
    this.#settle();
    return found.includes(null) ? null : found.every(Boolean);
  }

  /** Fetch the docs of a pair that may be shown next. */
  prepare(pair) {
    for (const side of SIDES) this.#panes[side].prepare(pair[side]);
  }

  /** No docs are to be seen, and why. */
  clear(message) {
    for (const side of SIDES) this.#panes[side].clear(message);
  }

  /** The next view, for both docs. */
  async chooseNext() {
    const view = this.#panes[this.#active].nextView;
    await this.#both((pane) => pane.choose(view));
    this.#settle();
  }

  /** Look for words in both docs; resolves to the larger number of places. */
  async find(text) {
    const [left, right] = await this.#both((pane) => pane.find(text));
    this.#counts = { left, right };
    return Math.max(left, right);
  }

  /** How many places each doc has, and which of them is shown when the n-th is asked for. */
  places(number) {
    const { left, right } = this.#counts;
    return { left, right, leftPlace: Math.min(number, left), rightPlace: Math.min(number, right) };
  }

  /** Show the n-th place in both docs; where one has fewer, its last. */
  go(number) {
    const { leftPlace, rightPlace } = this.places(number);
    if (leftPlace) this.#panes.left.go(leftPlace);
    if (rightPlace) this.#panes.right.go(rightPlace);
    this.#settle();
  }

  /** Highlight the topic's words in both docs or in neither. */
  async toggleHighlight() {
    await this.#both((pane) => pane.toggleHighlight());
  }

  /** The docs that keys move: both, or the one that they belong to. */
  get sides() {
    return SIDES.filter((side) => this.#isTogether || side === this.#active);
  }

  /** Scroll by screens. */
  scroll(screens) {
    for (const side of this.sides) this.#panes[side].scroll(screens);
    this.#settle();
  }

  /** Scroll both docs from now on, or one. */
  toggleTogether() {
    this.#isTogether = !this.#isTogether;
    keep("together", this.#isTogether);
    this.#tell();
  }

  /** Let the keys that scroll belong to a side; on narrow screens it is the one that is seen. */
  activate(side) {
    this.#active = side;
    this.#tell();
  }

  /** The side that keys belong to. */
  get active() {
    return this.#active;
  }

  /** Let them belong to the other side. */
  switch() {
    this.activate(this.#active === "left" ? "right" : "left");
  }

  #both(act) {
    return Promise.all(SIDES.map((side) => act(this.#panes[side], side)));
  }

  #tell() {
    this.#button.setAttribute("aria-pressed", String(this.#isTogether));
    for (const side of SIDES) {
      const section = this.#sections[side];
      section.toggleAttribute("data-active", side === this.#active);
      section.toggleAttribute("data-scrolls", this.#isTogether || side === this.#active);
      this.#flips[side].setAttribute("aria-pressed", String(side === this.#active));
    }
  }

  // --- Texts tell how far they are scrolled, frames do not

  #tops = new Map();

  /** Scroll the other text as far as this one was. */
  #follow(side) {
    const text = this.#texts[side];
    const other = this.#texts[side === "left" ? "right" : "left"];
    text.addEventListener("scroll", () => {
      const moved = text.scrollTop - (this.#tops.get(text) ?? 0);
      if (this.#isTogether && moved) other.scrollTop += moved;
      this.#settle();
    }, { passive: true });
  }

  /** Where the texts are now is where they were meant to be. */
  #settle() {
    for (const text of Object.values(this.#texts)) this.#tops.set(text, text.scrollTop);
  }
}
