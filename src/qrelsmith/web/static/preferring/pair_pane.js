// Both docs of a pair: shown, searched, highlighted and scrolled together.

import { keep, recall } from "../page/stored.js";

const SIDES = ["left", "right"];
// The same limit as in the style sheet: below it, there is room for one doc.
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
   * @param {object} parts panes, sections, texts (scrolling containers) and flips (the buttons that
   *   show a doc if there is room for only one), each by side; together: the button that
   *   switches common scrolling on or off.
   */
  constructor({ panes, sections, texts, flips, together }) {
    this.#panes = panes;
    this.#sections = sections;
    this.#texts = texts;
    this.#flips = flips;
    this.#button = together;
    for (const side of SIDES) {
      // Over a frame, only pointer events at its edge arrive.
      sections[side].addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse") this.activate(side);
      });
      sections[side].addEventListener("focusin", () => this.activate(side));
      this.#follow(side);
    }
    this.#tell();
  }

  /** Show both docs; resolves to whether they are shown, null if other docs were requested. */
  async show(pair) {
    this.#counts = { left: 0, right: 0 };
    if (NARROW.matches) this.activate("left");
    const found = await this.#both((pane, side) => pane.show(pair[side]));
    this.#settle();
    return found.includes(null) ? null : found.every(Boolean);
  }

  /** Prefetch the docs of a pair. */
  prepare(pair) {
    for (const side of SIDES) this.#panes[side].prepare(pair[side]);
  }

  /** Show a message instead of docs. */
  clear(message) {
    for (const side of SIDES) this.#panes[side].clear(message);
  }

  /** Switch both docs to the next view. */
  async chooseNext() {
    const view = this.#panes[this.#active].nextView;
    await this.#both((pane) => pane.choose(view));
    this.#settle();
  }

  /** Find a text in both docs; resolves to the larger number of occurrences. */
  async find(text) {
    const [left, right] = await this.#both((pane) => pane.find(text));
    this.#counts = { left, right };
    return Math.max(left, right);
  }

  /** The number of occurrences in each doc, and which occurrence is shown for the n-th. */
  places(number) {
    const { left, right } = this.#counts;
    return { left, right, leftPlace: Math.min(number, left), rightPlace: Math.min(number, right) };
  }

  /** Show the n-th occurrence in both docs; a doc with fewer shows its last occurrence. */
  go(number) {
    const { leftPlace, rightPlace } = this.places(number);
    if (leftPlace) this.#panes.left.go(leftPlace);
    if (rightPlace) this.#panes.right.go(rightPlace);
    this.#settle();
  }

  /** Turn the highlighting of terms on or off, in both docs. */
  async toggleHighlight() {
    await this.#both((pane) => pane.toggleHighlight());
  }

  /** The docs that keys scroll: both, or the active one. */
  get sides() {
    return SIDES.filter((side) => this.#isTogether || side === this.#active);
  }

  /** Scroll by screens. */
  scroll(screens) {
    for (const side of this.sides) this.#panes[side].scroll(screens);
    this.#settle();
  }

  /** Switch between scrolling both docs and one. */
  toggleTogether() {
    this.#isTogether = !this.#isTogether;
    keep("together", this.#isTogether);
    this.#tell();
  }

  /** Make a side active for scrolling keys; on narrow screens, the visible side is active. */
  activate(side) {
    this.#active = side;
    this.#tell();
  }

  /** The active side. */
  get active() {
    return this.#active;
  }

  /** Make the other side active. */
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

  // --- Common scrolling: texts report their scroll position, frames do not

  #tops = new Map();

  /** Scroll the other text to the same share. */
  #follow(side) {
    const text = this.#texts[side];
    const other = this.#texts[side === "left" ? "right" : "left"];
    text.addEventListener("scroll", () => {
      const moved = text.scrollTop - (this.#tops.get(text) ?? 0);
      if (this.#isTogether && moved) other.scrollTop += moved;
      this.#settle();
    }, { passive: true });
  }

  /** Remember the current scroll positions as expected. */
  #settle() {
    for (const text of Object.values(this.#texts)) this.#tops.set(text, text.scrollTop);
  }
}
